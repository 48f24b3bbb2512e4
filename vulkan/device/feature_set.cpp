// The positions of features in Vulkan's structures. Individual feature structures are used throughout, never
// VkPhysicalDeviceVulkan1xFeatures: the two exclude one another in one chain, and the individual ones work on
// every version.
#include "vulkan/device/feature_set.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

#include "vulkan/device/feature_members.hpp"
#include "vulkan/device/physical_device.hpp"

namespace coopc::vk {
namespace {

namespace vulkan = spirv::vulkan;
using vulkan::Extension;
using vulkan::Structure;

// A structure of the Vulkan headers; size 0 if they lack it.
struct StructureRow {
  VkStructureType type{};
  uint32_t size = 0;
};

constexpr auto kStructures = [] {
  std::array<StructureRow, vulkan::kStructureCount> rows{};
#define COOPC_STRUCTURE(structure, type, value)                            \
  static_assert(sizeof(type) <= sizeof(AnyStruct), #type " does not fit"); \
  rows[size_t(Structure::structure)] = {value, sizeof(type)};
#include "vulkan/device/feature_structures.def"
  return rows;
}();

bool headersHave(Structure structure) { return kStructures[size_t(structure)].size != 0; }

Structure structureOf(Feature feature) { return vulkan::info(feature).structure; }

bool has(const PhysicalDevice& device, Extension extension) {
  return device.hasExtension(std::string(vulkan::name(extension)));
}

bool canAskFor(const PhysicalDevice& device, Structure structure) {
  if (!headersHave(structure)) return false;
  const Extension extension = extensionOf(device, structure);
  return extension == Extension::None || has(device, extension);
}

}  // namespace

Extension extensionOf(const PhysicalDevice& device, Structure structure) {
  const vulkan::StructureInfo& info = vulkan::info(structure);
  if (device.usableVersion >= apiVersion(info.promoted)) return Extension::None;
  const Extension second = info.extensions[1];
  if (second != Extension::None && !has(device, info.extensions[0])) return second;
  return info.extensions[0];
}

uint32_t apiVersion(vulkan::Version version) {
  return version == vulkan::Version::Never ? ~0u : VK_MAKE_API_VERSION(0, 1, uint32_t(version), 0);
}

bool FeatureSet::has(std::string_view name) const {
  const std::optional<Feature> feature = findFeature(name);
  return feature.has_value() && has(*feature);
}

std::vector<std::string> FeatureSet::names() const {
  std::vector<std::string> result;
  for (size_t i = 0; i < bits_.size(); ++i) {
    if (bits_[i]) result.emplace_back(vulkan::name(Feature(i)));
  }
  return result;
}

FeatureChain::FeatureChain(const PhysicalDevice& device) {
  link([&](Structure structure) { return canAskFor(device, structure); });
}

FeatureChain::FeatureChain(const FeatureSet& features) {
  std::bitset<vulkan::kStructureCount> used;
  for (size_t i = 0; i < vulkan::kFeatureCount; ++i) {
    if (features.has(Feature(i))) used.set(size_t(structureOf(Feature(i))));
  }
  link([&](Structure structure) { return used[size_t(structure)] && headersHave(structure); });
  for (size_t i = 0; i < vulkan::kFeatureCount; ++i) {
    const unsigned char* at = features.has(Feature(i)) ? find(Feature(i)) : nullptr;
    const VkBool32 bit = VK_TRUE;
    if (at != nullptr) std::memcpy(const_cast<unsigned char*>(at), &bit, sizeof bit);
  }
}

template <class Wanted>
void FeatureChain::link(const Wanted& wanted) {
  structures_.push_back(Structure::VkPhysicalDeviceFeatures);
  for (size_t i = 0; i < vulkan::kStructureCount; ++i) {
    if (Structure(i) != structures_[0] && wanted(Structure(i))) structures_.push_back(Structure(i));
  }
  structs_.resize(structures_.size());
  for (size_t i = 0; i < structs_.size(); ++i) {
    std::memset(&structs_[i], 0, sizeof(AnyStruct));
    auto* header = reinterpret_cast<VkBaseOutStructure*>(&structs_[i]);
    header->sType = kStructures[size_t(structures_[i])].type;
    if (i + 1 < structs_.size()) header->pNext = reinterpret_cast<VkBaseOutStructure*>(&structs_[i + 1]);
  }
}

VkPhysicalDeviceFeatures2* FeatureChain::start() {
  return reinterpret_cast<VkPhysicalDeviceFeatures2*>(structs_.data());
}

const unsigned char* FeatureChain::find(Feature feature) const {
  const auto at = std::find(structures_.begin(), structures_.end(), structureOf(feature));
  const FeatureMember& member = memberOf(feature);
  if (at == structures_.end() || !member.isKnown()) return nullptr;
  return structs_[size_t(at - structures_.begin())].bytes + member.offset;
}

FeatureSet FeatureChain::read() const {
  FeatureSet result;
  for (size_t i = 0; i < vulkan::kFeatureCount; ++i) {
    const unsigned char* at = find(Feature(i));
    VkBool32 bit = VK_FALSE;
    if (at != nullptr) std::memcpy(&bit, at, sizeof bit);
    if (bit == VK_TRUE) result.add(Feature(i));
  }
  return result;
}

}  // namespace coopc::vk
