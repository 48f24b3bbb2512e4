// The tables of spirv/vulkan.hpp, made from the rows of spirv/vulkan/tables.def. Texts are members of
// structures of character arrays, so that a name is an offset from the structure's start, and the tables have
// no relocations.
#include "spirv/vulkan.hpp"

#include <algorithm>
#include <iterator>

namespace coopc::spirv::vulkan {
namespace {

#define COOPC_EXTENSION(extension, promoted) char extension[sizeof("VK_" #extension)];
struct ExtensionText {
#include "spirv/vulkan/tables.def"
};
#define COOPC_EXTENSION(extension, promoted) "VK_" #extension,
constexpr ExtensionText kExtensionText = {
#include "spirv/vulkan/tables.def"
};
struct ExtensionRow {
  uint16_t name;
  Version promoted;
};
#define COOPC_EXTENSION(extension, promoted) {offsetof(ExtensionText, extension), Version::promoted},
constexpr ExtensionRow kExtensions[] = {
#include "spirv/vulkan/tables.def"
};

#define COOPC_DEPENDENCY(extension, on, until) {Extension::extension, Extension::on, Version::until},
constexpr Dependency kDependencies[] = {
#include "spirv/vulkan/tables.def"
};
static_assert(std::is_sorted(std::begin(kDependencies), std::end(kDependencies),
                             [](const Dependency& a, const Dependency& b) {
                               return a.extension < b.extension;
                             }));

#define COOPC_STRUCTURE(structure, promoted, first, second) char structure[sizeof(#structure)];
struct StructureText {
#include "spirv/vulkan/tables.def"
};
#define COOPC_STRUCTURE(structure, promoted, first, second) #structure,
constexpr StructureText kStructureText = {
#include "spirv/vulkan/tables.def"
};
#define COOPC_STRUCTURE(structure, promoted, first, second) offsetof(StructureText, structure),
constexpr uint16_t kStructureNames[] = {
#include "spirv/vulkan/tables.def"
};
#define COOPC_STRUCTURE(structure, promoted, first, second) \
  {Version::promoted, {Extension::first, Extension::second}},
constexpr StructureInfo kStructures[] = {
#include "spirv/vulkan/tables.def"
};

#define COOPC_FEATURE(feature, text, structure, member, aggregate) \
  char feature[sizeof(text)];                                      \
  char feature##_member[sizeof(#member)];
struct FeatureText {
#include "spirv/vulkan/tables.def"
};
#define COOPC_FEATURE(feature, text, structure, member, aggregate) text, #member,
constexpr FeatureText kFeatureText = {
#include "spirv/vulkan/tables.def"
};
struct FeatureNames {
  uint16_t name;
  uint16_t member;
};
#define COOPC_FEATURE(feature, text, structure, member, aggregate) \
  {offsetof(FeatureText, feature), offsetof(FeatureText, feature##_member)},
constexpr FeatureNames kFeatureNames[] = {
#include "spirv/vulkan/tables.def"
};
#define COOPC_FEATURE(feature, text, structure, member, aggregate) \
  {Structure::structure, Structure::aggregate},
constexpr FeatureInfo kFeatures[] = {
#include "spirv/vulkan/tables.def"
};

#define COOPC_PROPERTY(property, structure, member, value, extension) char property[sizeof("VK_" #property)];
struct PropertyText {
#include "spirv/vulkan/tables.def"
};
// Bits have the names of Vulkan's bits; booleans have the names of their members.
#define COOPC_PROPERTY(property, structure, member, value, extension) "VK_" #property,
constexpr PropertyText kPropertyText = {
#include "spirv/vulkan/tables.def"
};
struct PropertyRow {
  uint16_t name;
  Extension extension;
};
constexpr std::string_view kTrue = "TRUE";
#define COOPC_PROPERTY(property, structure, member, value, extension) \
  {uint16_t(offsetof(PropertyText, property) + (kTrue == #value ? 3 : 0)), Extension::extension},
constexpr PropertyRow kProperties[] = {
#include "spirv/vulkan/tables.def"
};

#define COOPC_CAPABILITY(number, capability) char capability[sizeof(#capability)];
struct CapabilityText {
#include "spirv/vulkan/tables.def"
};
#define COOPC_CAPABILITY(number, capability) #capability,
constexpr CapabilityText kCapabilityText = {
#include "spirv/vulkan/tables.def"
};
#define COOPC_CAPABILITY(number, capability) offsetof(CapabilityText, capability),
constexpr uint16_t kCapabilityNames[] = {
#include "spirv/vulkan/tables.def"
};
#define COOPC_CAPABILITY(number, capability) number,
constexpr uint16_t kCapabilities[] = {
#include "spirv/vulkan/tables.def"
};
static_assert(std::is_sorted(std::begin(kCapabilities), std::end(kCapabilities)));

#define COOPC_ALTERNATIVE(number, kind, value, use) \
  {number, Alternative::Kind::kind, Use::use, uint16_t(kind::value)},
constexpr Alternative kAlternatives[] = {
#include "spirv/vulkan/tables.def"
};
constexpr auto kByCapability = [](const Alternative& a, const Alternative& b) {
  return a.capability < b.capability;
};
static_assert(std::is_sorted(std::begin(kAlternatives), std::end(kAlternatives), kByCapability));

#define COOPC_SPIRV_EXTENSION(extension, promoted, first, second) char extension[sizeof(#extension)];
struct SpirvExtensionText {
#include "spirv/vulkan/tables.def"
};
#define COOPC_SPIRV_EXTENSION(extension, promoted, first, second) #extension,
constexpr SpirvExtensionText kSpirvExtensionText = {
#include "spirv/vulkan/tables.def"
};
#define COOPC_SPIRV_EXTENSION(extension, promoted, first, second) offsetof(SpirvExtensionText, extension),
constexpr uint16_t kSpirvExtensionNames[] = {
#include "spirv/vulkan/tables.def"
};
#define COOPC_SPIRV_EXTENSION(extension, promoted, first, second) \
  {Version::promoted, {Extension::first, Extension::second}},
constexpr SpirvExtension kSpirvExtensions[] = {
#include "spirv/vulkan/tables.def"
};

// Offsets have 16 bits.
static_assert(sizeof(ExtensionText) <= 0xFFFF && sizeof(StructureText) <= 0xFFFF &&
              sizeof(FeatureText) <= 0xFFFF && sizeof(PropertyText) <= 0xFFFF &&
              sizeof(CapabilityText) <= 0xFFFF && sizeof(SpirvExtensionText) <= 0xFFFF);

template <class Text>
std::string_view textAt(const Text& text, size_t offset) {
  return reinterpret_cast<const char*>(&text) + offset;
}

constexpr char kVersions[][4] = {"1.0", "1.1", "1.2", "1.3", "1.4"};
static_assert(std::size(kVersions) == size_t(Version::Never));

}  // namespace

std::string_view name(Version version) {
  return size_t(version) < std::size(kVersions) ? std::string_view(kVersions[size_t(version)])
                                                : std::string_view();
}

std::string_view name(Extension extension) {
  return textAt(kExtensionText, kExtensions[size_t(extension)].name);
}

std::string_view name(Structure structure) {
  return textAt(kStructureText, kStructureNames[size_t(structure)]);
}

std::string_view name(Feature feature) { return textAt(kFeatureText, kFeatureNames[size_t(feature)].name); }

std::string_view member(Feature feature) {
  return textAt(kFeatureText, kFeatureNames[size_t(feature)].member);
}

std::string_view name(Property property) { return textAt(kPropertyText, kProperties[size_t(property)].name); }

std::optional<Feature> findFeature(std::string_view text) {
  for (size_t i = 0; i < kFeatureCount; ++i) {
    if (name(Feature(i)) == text) return Feature(i);
  }
  return std::nullopt;
}

std::optional<Extension> findExtension(std::string_view text) {
  for (size_t i = 0; i < kExtensionCount; ++i) {
    if (name(Extension(i)) == text) return Extension(i);
  }
  return std::nullopt;
}

std::optional<Version> findVersion(std::string_view text) {
  if (text.size() < 3 || text.substr(0, 2) != "1." || text[2] < '0' || text[2] > '9') return std::nullopt;
  if (text.size() > 3 && text[3] >= '0' && text[3] <= '9') return Version::V1_4;
  return Version(std::min<uint8_t>(uint8_t(text[2] - '0'), uint8_t(Version::V1_4)));
}

Version promotedTo(Extension extension) { return kExtensions[size_t(extension)].promoted; }

std::span<const Dependency> dependencies(Extension extension) {
  const auto [first, last] =
      std::equal_range(std::begin(kDependencies), std::end(kDependencies), Dependency{extension, {}, {}},
                       [](const Dependency& a, const Dependency& b) { return a.extension < b.extension; });
  return {first, last};
}

const StructureInfo& info(Structure structure) { return kStructures[size_t(structure)]; }

const FeatureInfo& info(Feature feature) { return kFeatures[size_t(feature)]; }

Extension extension(Property property) { return kProperties[size_t(property)].extension; }

std::span<const Alternative> alternatives(uint32_t capability) {
  if (capability > 0xFFFF) return {};
  const auto [first, last] = std::equal_range(std::begin(kAlternatives), std::end(kAlternatives),
                                              Alternative{uint16_t(capability), {}, {}, 0}, kByCapability);
  return {first, last};
}

std::span<const uint16_t> capabilities() { return kCapabilities; }

std::string_view capabilityName(uint32_t capability) {
  const uint16_t* const at = std::lower_bound(std::begin(kCapabilities), std::end(kCapabilities), capability);
  if (at == std::end(kCapabilities) || *at != capability) return {};
  return textAt(kCapabilityText, kCapabilityNames[at - kCapabilities]);
}

const SpirvExtension* findSpirvExtension(std::string_view text) {
  const uint16_t* const at = std::lower_bound(
      std::begin(kSpirvExtensionNames), std::end(kSpirvExtensionNames), text,
      [](uint16_t row, std::string_view wanted) { return textAt(kSpirvExtensionText, row) < wanted; });
  if (at == std::end(kSpirvExtensionNames) || textAt(kSpirvExtensionText, *at) != text) return nullptr;
  return &kSpirvExtensions[at - kSpirvExtensionNames];
}

}  // namespace coopc::spirv::vulkan
