// Tables by number, made at compile time: the properties of each extension, the names, and a hash table over
// them.
#include "frontend/language/extension.hpp"

#include "base/spirv_version.hpp"
#include "frontend/language/names.hpp"

namespace coopc::frontend {
namespace {

constexpr size_t kCount = static_cast<size_t>(ExtensionId::Count);

constexpr std::array<ExtensionInfo, kCount> makeInfos() {
  std::array<ExtensionInfo, kCount> infos = {{
#define EXTENSION(name, desktop, es, spirv, checked) \
  {desktop, es, kSpirv10 + (spirv << 8), TargetCheck::checked == TargetCheck::Directive, {}},
#include "frontend/language/extensions.def"
  }};
#define IMPLIES(name, other) infos[static_cast<size_t>(ExtensionId::name)].implies.set(ExtensionId::other);
#include "frontend/language/extensions.def"
  return infos;
}
constexpr std::array<ExtensionInfo, kCount> kInfos = makeInfos();

// The names one after the other, and where each starts.
constexpr std::string_view kListed[] = {
#define EXTENSION(name, desktop, es, spirv, checked) #name,
#include "frontend/language/extensions.def"
};
struct NamePool {
  std::array<char, 8192> chars{};
  std::array<uint16_t, kCount + 1> start{};

  constexpr std::string_view operator[](size_t i) const {
    return {chars.data() + start[i], static_cast<size_t>(start[i + 1] - start[i])};
  }
};
constexpr NamePool makeNames() {
  NamePool pool;
  uint16_t at = 0;
  for (size_t i = 0; i < kCount; ++i) {
    for (const char letter : kListed[i]) pool.chars[at++] = letter;
    pool.start[i + 1] = at;
  }
  return pool;
}
constexpr NamePool kNames = makeNames();

constexpr size_t kExtensionSlots = 1024;
static_assert(kCount * 3 < kExtensionSlots && kCount < 255);
constexpr std::array<uint8_t, kExtensionSlots> makeExtensionSlots() {
  std::array<uint8_t, kExtensionSlots> slots{};
  for (size_t i = 0; i < kCount; ++i) {
    size_t at = hashName(kListed[i]) % kExtensionSlots;
    while (slots[at] != 0) at = (at + 1) % kExtensionSlots;
    slots[at] = static_cast<uint8_t>(i + 1);
  }
  return slots;
}
constexpr std::array<uint8_t, kExtensionSlots> kIndex = makeExtensionSlots();

}  // namespace

const ExtensionInfo& extensionInfo(ExtensionId id) { return kInfos[static_cast<size_t>(id)]; }

std::string_view extensionName(ExtensionId id) { return kNames[static_cast<size_t>(id)]; }

ExtensionSet extensionsOf(bool es, uint32_t version, uint32_t spirvVersion) {
  ExtensionSet set;
  for (size_t i = 0; i < kCount; ++i) {
    const ExtensionInfo& info = kInfos[i];
    const uint32_t minimum = es ? info.minEsVersion : info.minVersion;
    if (minimum != 0 && minimum <= version && info.minSpirv <= spirvVersion)
      set.set(static_cast<ExtensionId>(i));
  }
  return set;
}

ExtensionId findExtension(std::string_view name) {
  for (size_t at = hashName(name) % kExtensionSlots; kIndex[at] != 0; at = (at + 1) % kExtensionSlots) {
    const size_t i = kIndex[at] - 1u;
    if (kNames[i] == name) return static_cast<ExtensionId>(i);
  }
  return kAllExtensions;
}

std::string targetHint(uint32_t spirvVersion) {
  struct Target {
    std::string_view name;
    uint32_t spirvVersion;
  };
  constexpr Target kTargets[] = {
      {"vulkan1.0", kSpirv10}, {"vulkan1.1", kSpirv13}, {"vulkan1.2", kSpirv15}, {"vulkan1.3", kSpirv16}};
  const Target* first = kTargets;
  while (first->spirvVersion < spirvVersion && first + 1 != std::end(kTargets)) ++first;
  return "`--target-env=" + std::string(first->name) + "` gives SPIR-V " +
         spirvVersionText(first->spirvVersion);
}

}  // namespace coopc::frontend
