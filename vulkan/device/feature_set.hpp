// Vulkan features on a device: sets of them, and their positions in Vulkan's structures.
#pragma once

#include <bitset>
#include <string>
#include <string_view>
#include <vector>

#include "spirv/vulkan.hpp"
#include "vulkan/device/api.hpp"

namespace coopc::vk {

struct PhysicalDevice;

using spirv::vulkan::Feature;
using spirv::vulkan::findFeature;

/// A Vulkan version in the encoding of the headers (VK_API_VERSION_1_2). Version::Never is greater than every
/// version.
uint32_t apiVersion(spirv::vulkan::Version version);

/// The extension that provides the structure on the device; None if the device's version does.
spirv::vulkan::Extension extensionOf(const PhysicalDevice& device, spirv::vulkan::Structure structure);

class FeatureSet {
 public:
  bool has(Feature feature) const { return bits_[size_t(feature)]; }
  /// False for an unknown name.
  bool has(std::string_view name) const;
  void add(Feature feature) { bits_.set(size_t(feature)); }
  void add(const FeatureSet& other) { bits_ |= other.bits_; }
  bool covers(const FeatureSet& other) const { return (other.bits_ & ~bits_).none(); }
  /// Named as by spirv::vulkan::name, in the order of the enumeration.
  std::vector<std::string> names() const;

 private:
  std::bitset<spirv::vulkan::kFeatureCount> bits_;
};

/// A chain of Vulkan's feature structures that starts with VkPhysicalDeviceFeatures2.
class FeatureChain {
 public:
  /// All features that the device can be queried for, to be filled by vkGetPhysicalDeviceFeatures2.
  explicit FeatureChain(const PhysicalDevice& device);
  /// The structures that have these features as members, with the features set: for VkDeviceCreateInfo.
  explicit FeatureChain(const FeatureSet& features);

  /// Valid for the lifetime of the chain, which must not be moved.
  VkPhysicalDeviceFeatures2* start();
  FeatureSet read() const;

 private:
  /// The address of the feature's VkBool32; null if the chain lacks its structure.
  const unsigned char* find(Feature feature) const;
  template <class Wanted>
  void link(const Wanted& wanted);

  std::vector<AnyStruct> structs_;
  std::vector<spirv::vulkan::Structure> structures_;  ///< of the same index in structs_
};

}  // namespace coopc::vk
