// The table of all extensions, and the search by name: a constexpr hash table.
#include "frontend/language/extension.hpp"

#include "frontend/language/extensions/all.hpp"
#include "frontend/language/names.hpp"

namespace coopc::frontend {
namespace {

constexpr size_t kCount = static_cast<size_t>(ExtensionId::Count);

constexpr std::array<const ExtensionInfo*, kCount> kTable = {
#define EXT(name) &k##name,
#include "frontend/language/extensions/list.def"
#undef EXT
};

// The description in each file has the name that the list gives it.
constexpr std::array<std::string_view, kCount> kListed = {
#define EXT(name) #name,
#include "frontend/language/extensions/list.def"
#undef EXT
};
constexpr bool namesAgree() {
  for (size_t i = 0; i < kCount; ++i)
    if (kTable[i]->name != kListed[i]) return false;
  return true;
}
static_assert(namesAgree());

constexpr size_t kSlots = 512;
static_assert(kCount * 3 < kSlots && kCount < 255);
constexpr std::array<uint8_t, kSlots> makeSlots() {
  std::array<uint8_t, kSlots> slots{};
  for (size_t i = 0; i < kCount; ++i) {
    size_t at = hashName(kListed[i]) % kSlots;
    while (slots[at] != 0) at = (at + 1) % kSlots;
    slots[at] = static_cast<uint8_t>(i + 1);
  }
  return slots;
}
constexpr std::array<uint8_t, kSlots> kIndex = makeSlots();

}  // namespace

const ExtensionInfo& extensionInfo(ExtensionId id) { return *kTable[static_cast<size_t>(id)]; }

ExtensionId findExtension(std::string_view name) {
  for (size_t at = hashName(name) % kSlots; kIndex[at] != 0; at = (at + 1) % kSlots) {
    const size_t i = kIndex[at] - 1u;
    if (kListed[i] == name) return static_cast<ExtensionId>(i);
  }
  return kAllExtensions;
}

std::string spirvVersionText(uint32_t version) {
  return std::to_string((version >> 16) & 255) + "." + std::to_string((version >> 8) & 255);
}

std::string targetHint(uint32_t spirvVersion) {
  const char* first = spirvVersion <= 0x00010000   ? "vulkan1.0"
                      : spirvVersion <= 0x00010300 ? "vulkan1.1"
                      : spirvVersion <= 0x00010500 ? "vulkan1.2"
                                                   : "vulkan1.3";
  return "`--target-env=" + std::string(first) + "` gives SPIR-V " + spirvVersionText(spirvVersion);
}

}  // namespace coopc::frontend
