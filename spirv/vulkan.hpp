// Requirements of SPIR-V modules on Vulkan devices: which version, extension, feature or property enables a
// capability, which of them allows an extension of SPIR-V, and which structure has a feature. Needs no Vulkan
// headers. The rows are generated from the Vulkan registry (spirv/vulkan/generate_tables);
// spirv/vulkan/decisions.toml decides what the registry leaves open.
//
// All items are identified by dense numbers, which index arrays; their names are read-only text without
// relocations. Every device is expected to have at least Vulkan 1.1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>

namespace coopc::spirv::vulkan {

/// `Never`: only extensions have it, no version does.
enum class Version : uint8_t { V1_0, V1_1, V1_2, V1_3, V1_4, Never };

/// Without the prefix VK_, because the Vulkan headers define the full names as macros.
enum class Extension : uint16_t {
#define COOPC_EXTENSION(extension, promoted) extension,
#include "spirv/vulkan/tables.def"
  None
};

enum class Structure : uint16_t {
#define COOPC_STRUCTURE(structure, promoted, first, second) structure,
#include "spirv/vulkan/tables.def"
  None
};

/// The features that device profiles list (docs/devices/profiles.md) come first, in their order.
enum class Feature : uint16_t {
#define COOPC_FEATURE(feature, name, structure, member, aggregate) feature,
#include "spirv/vulkan/tables.def"
};

enum class Property : uint16_t {
#define COOPC_PROPERTY(property, structure, member, value, extension) property,
#include "spirv/vulkan/tables.def"
};

inline constexpr Feature kAllFeatures[] = {
#define COOPC_FEATURE(feature, name, structure, member, aggregate) Feature::feature,
#include "spirv/vulkan/tables.def"
};
inline constexpr size_t kFeatureCount = std::size(kAllFeatures);
inline constexpr size_t kExtensionCount = size_t(Extension::None);
inline constexpr size_t kStructureCount = size_t(Structure::None);
// Features with an index below this are listed by device profiles.
#define COOPC_LAST_OF_PROFILES(feature) \
  inline constexpr size_t kProfileFeatureCount = size_t(Feature::feature) + 1;
#include "spirv/vulkan/tables.def"

/// "1.2".
std::string_view name(Version version);
/// "VK_KHR_8bit_storage".
std::string_view name(Extension extension);
/// "VkPhysicalDevice8BitStorageFeatures".
std::string_view name(Structure structure);
/// The name of exactly one feature: its member's name, with a prefix or suffix if several structures have a
/// member with that name.
std::string_view name(Feature feature);
/// The name of its member in the structure.
std::string_view member(Feature feature);
/// "VK_SUBGROUP_FEATURE_BASIC_BIT" of VkPhysicalDeviceSubgroupProperties::supportedOperations, or the name of
/// a VkBool32.
std::string_view name(Property property);

std::optional<Feature> findFeature(std::string_view name);
std::optional<Extension> findExtension(std::string_view name);
/// The version of "1.3" or "1.3.290". Later 1.x versions give 1.4. No value for other texts.
std::optional<Version> findVersion(std::string_view text);

/// The version that includes what the extension adds.
Version promotedTo(Extension extension);

/// `extension` requires `on`, unless the version is at least `until`.
struct Dependency {
  Extension extension;
  Extension on;
  Version until;
};
std::span<const Dependency> dependencies(Extension extension);

/// A device may be queried for the structure from this version on, or with any of these extensions (None
/// entries are unused).
struct StructureInfo {
  Version promoted;
  Extension extensions[2];
};
const StructureInfo& info(Structure structure);

struct FeatureInfo {
  Structure structure;  ///< its own structure; VkPhysicalDeviceVulkan1xFeatures only if there is no other
  /// VkPhysicalDeviceVulkan1xFeatures with a member of the same name; None: there is none
  Structure aggregate;
};
const FeatureInfo& info(Feature feature);

/// The extension with the property; None if it belongs to a version.
Extension extension(Property property);

/// Which of several alternatives applies may depend on how the module uses the capability.
enum class Use : uint8_t {
  Any,
  BufferMemory,  ///< atomics on storage classes StorageBuffer, Uniform, PhysicalStorageBuffer
  SharedMemory,  ///< Workgroup
  ImageMemory,   ///< Image
  SubgroupScope,
  DeviceScope,
  Width4,  ///< widths of types
  Width6,
  Width16,
  Width32,
  Width64,
};

/// One of the items that enable a capability.
struct Alternative {
  enum class Kind : uint8_t { Version, Extension, Feature, Property };
  uint16_t capability;
  Kind kind;
  Use use;
  uint16_t value;  ///< of the enumeration to which `kind` refers

  Version version() const { return Version(value); }
  vulkan::Extension extension() const { return vulkan::Extension(value); }
  vulkan::Feature feature() const { return vulkan::Feature(value); }
  vulkan::Property property() const { return vulkan::Property(value); }
};

/// Any one of them enables the capability. Empty if Vulkan does not list the capability. Messages name the
/// first one.
std::span<const Alternative> alternatives(uint32_t capability);

/// The numbers of all capabilities that Vulkan lists.
std::span<const uint16_t> capabilities();
/// The name in the newest SPIR-V grammar, whatever version of SPIRV-Headers is used; empty for capabilities
/// that Vulkan does not list.
std::string_view capabilityName(uint32_t capability);

/// A module may declare an extension of SPIR-V from this version of Vulkan on, or with any of these
/// extensions (the second may be None).
struct SpirvExtension {
  Version promoted;
  Extension extensions[2];
};
const SpirvExtension* findSpirvExtension(std::string_view name);

/// Whether a device has something. Device profiles may leave it open.
enum class Answer : uint8_t { No, Unknown, Yes };

/// Queries `device`, which has `Answer has(...)` for Version, Extension, Feature and Property.
template <class Device>
Answer offers(const Device& device, const Alternative& a) {
  switch (a.kind) {
    case Alternative::Kind::Version: return device.has(a.version());
    case Alternative::Kind::Extension: return device.has(a.extension());
    case Alternative::Kind::Feature: return device.has(a.feature());
    case Alternative::Kind::Property: return device.has(a.property());
  }
  return Answer::Unknown;
}

/// Whether a device has what a capability needs; Unknown for a capability that Vulkan does not list.
template <class Device>
Answer offers(const Device& device, uint32_t capability) {
  const std::span<const Alternative> all = alternatives(capability);
  Answer best = all.empty() ? Answer::Unknown : Answer::No;
  for (const Alternative& a : all) {
    const Answer answer = offers(device, a);
    if (answer > best) best = answer;
  }
  return best;
}

/// Whether a device has what an extension of SPIR-V needs.
template <class Device>
Answer offers(const Device& device, const SpirvExtension& e) {
  Answer best = e.promoted == Version::Never ? Answer::No : device.has(e.promoted);
  for (const Extension extension : e.extensions) {
    const Answer answer = extension == Extension::None ? Answer::No : device.has(extension);
    if (answer > best) best = answer;
  }
  return best;
}

}  // namespace coopc::spirv::vulkan
