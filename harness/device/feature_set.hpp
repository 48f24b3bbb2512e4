// Vulkan features on a device: sets of them, and their places in Vulkan's structures.
#pragma once

#include <bitset>
#include <string>
#include <string_view>
#include <vector>

#include "harness/device/api.hpp"
#include "spirv/vulkan.hpp"

namespace coopc::harness {

struct PhysicalDevice;

using spirv::vulkan::Feature;
using spirv::vulkan::findFeature;

/// The version of Vulkan as the headers write it: VK_API_VERSION_1_2. Version::Never is above all.
uint32_t apiVersion(spirv::vulkan::Version version);

/// The extension that brings the structure to the device; None where its version does.
spirv::vulkan::Extension extensionOf(const PhysicalDevice& device, spirv::vulkan::Structure structure);

class FeatureSet {
 public:
  bool has(Feature feature) const { return bits_[size_t(feature)]; }
  /// False for an unknown name.
  bool has(std::string_view name) const;
  void add(Feature feature) { bits_.set(size_t(feature)); }
  void add(const FeatureSet& other) { bits_ |= other.bits_; }
  bool covers(const FeatureSet& other) const { return (other.bits_ & ~bits_).none(); }
  /// By spirv::vulkan::name, in the order of the enumeration.
  std::vector<std::string> names() const;

 private:
  std::bitset<spirv::vulkan::kFeatureCount> bits_;
};

/// A chain of Vulkan's feature structures that starts with VkPhysicalDeviceFeatures2.
class FeatureChain {
 public:
  /// All that the device can be asked for, to be filled by vkGetPhysicalDeviceFeatures2.
  explicit FeatureChain(const PhysicalDevice& device);
  /// What these features are members of, with them set: for VkDeviceCreateInfo.
  explicit FeatureChain(const FeatureSet& features);

  /// Valid as long as the chain, which must not be moved.
  VkPhysicalDeviceFeatures2* start();
  FeatureSet read() const;

 private:
  /// Of the feature's VkBool32; null where the chain lacks its structure.
  const unsigned char* find(Feature feature) const;
  template <class Wanted>
  void link(const Wanted& wanted);

  std::vector<AnyStruct> structs_;
  std::vector<spirv::vulkan::Structure> structures_;  ///< of the same index in structs_
};

}  // namespace coopc::harness
