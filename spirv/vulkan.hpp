// What SPIR-V modules need of Vulkan devices: which version, extension, feature or property enables a capability, what has an
// extension of SPIR-V, where a feature stands. Needs no Vulkan headers. The rows are generated from the Vulkan registry
// (spirv/vulkan/generate_tables); what the registry leaves open is decided in spirv/vulkan/decisions.toml.
//
// Everything is named by dense numbers, which are indices of arrays; their names are read-only text without relocations.
// Vulkan 1.1 is the least version that devices are expected to have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace coopc::spirv::vulkan {

/// `Never`: no version has it, only extensions.
enum class Version : uint8_t { V1_0, V1_1, V1_2, V1_3, V1_4, Never };

/// Without the prefix VK_, as the Vulkan headers have macros of the whole names.
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

/// Those that device profiles list (docs/devices/profiles.md) come first, in their order.
enum class Feature : uint16_t {
#define COOPC_FEATURE(feature, name, structure, member, aggregate) feature,
#include "spirv/vulkan/tables.def"
};

enum class Property : uint16_t {
#define COOPC_PROPERTY(property, structure, member, value, extension) property,
#include "spirv/vulkan/tables.def"
};

#define COOPC_FEATURE(...) +1
inline constexpr size_t kFeatureCount = 0
#include "spirv/vulkan/tables.def"
    ;
#define COOPC_PROPERTY(...) +1
inline constexpr size_t kPropertyCount = 0
#include "spirv/vulkan/tables.def"
    ;
inline constexpr size_t kExtensionCount = size_t(Extension::None);
inline constexpr size_t kStructureCount = size_t(Structure::None);
// The features below this index are those of device profiles.
#define COOPC_LAST_OF_PROFILES(feature) \
  inline constexpr size_t kProfileFeatureCount = size_t(Feature::feature) + 1;
#include "spirv/vulkan/tables.def"

/// "1.2".
std::string_view name(Version version);
/// "VK_KHR_8bit_storage".
std::string_view name(Extension extension);
/// "VkPhysicalDevice8BitStorageFeatures".
std::string_view name(Structure structure);
/// Of one feature only: its member's name, with a prefix or suffix where several structures have a member of that name.
std::string_view name(Feature feature);
/// In its structure.
std::string_view member(Feature feature);
/// "VK_SUBGROUP_FEATURE_BASIC_BIT" of VkPhysicalDeviceSubgroupProperties::supportedOperations, or the name of a VkBool32.
std::string_view name(Property property);

std::optional<Feature> findFeature(std::string_view name);
std::optional<Extension> findExtension(std::string_view name);
/// Of "1.3" or "1.3.290"; a later 1.x is 1.4. None for anything else.
std::optional<Version> findVersion(std::string_view text);

/// The version that has what the extension brings.
Version promotedTo(Extension extension);

/// `extension` demands `on`, but not from version `until`.
struct Dependency {
  Extension extension;
  Extension on;
  Version until;
};
std::span<const Dependency> dependencies(Extension extension);

/// A device may be asked for the structure from this version, or with any of these extensions (as many as are not None).
struct StructureInfo {
  Version promoted;
  Extension extensions[2];
};
const StructureInfo& info(Structure structure);

struct FeatureInfo {
  Structure structure;  ///< of its own: VkPhysicalDeviceVulkan1xFeatures only where there is no other
  Structure
      aggregate;  ///< VkPhysicalDeviceVulkan1xFeatures with a member of the same name; None: there is none
};
const FeatureInfo& info(Feature feature);

/// The extension that has the property; None where a version does.
Extension extension(Property property);

/// Which of several alternatives a module needs may depend on what it does.
enum class Use : uint8_t {
  Any,
  BufferMemory,  ///< atomics by pointers of the storage classes StorageBuffer, Uniform, PhysicalStorageBuffer
  SharedMemory,  ///< Workgroup
  ImageMemory,   ///< Image
  SubgroupScope,
  DeviceScope,
  Width4,  ///< of types
  Width6,
  Width16,
  Width32,
  Width64,
};

/// One of the things that enable a capability.
struct Alternative {
  enum class Kind : uint8_t { Version, Extension, Feature, Property };
  uint16_t capability;
  Kind kind;
  Use use;
  uint16_t value;  ///< of the enumeration that `kind` names

  Version version() const { return Version(value); }
  vulkan::Extension extension() const { return vulkan::Extension(value); }
  vulkan::Feature feature() const { return vulkan::Feature(value); }
  vulkan::Property property() const { return vulkan::Property(value); }
};

/// Any one of them enables the capability; none where Vulkan does not know it. The first one is what messages name.
std::span<const Alternative> alternatives(uint32_t capability);

/// All capabilities that Vulkan knows, by number.
std::span<const uint16_t> capabilities();
/// As in the newest SPIR-V grammar, whatever version of SPIRV-Headers is used; empty for those that Vulkan does not know.
std::string_view capabilityName(uint32_t capability);

/// A module may declare an extension of SPIR-V from this version of Vulkan, or with any of these extensions (the second may be
/// None).
struct SpirvExtension {
  Version promoted;
  Extension extensions[2];
};
const SpirvExtension* findSpirvExtension(std::string_view name);

/// Whether a device has something; device profiles may not say.
enum class Answer : uint8_t { No, Unknown, Yes };

/// Asks `device`, which has `Answer has(...)` for Version, Extension, Feature and Property.
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

/// Whether a device has what a capability needs; Unknown for one that Vulkan does not know.
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
