// The features, extensions, shapes and limits that the layer provides in addition to the driver's. It
// provides nothing that lowering cannot do on the device (docs/layer.md has the list).
#pragma once

#include <bitset>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "layer/module.hpp"
#include "layer/settings.hpp"
#include "spirv/lower/target.hpp"
#include "vulkan/device/feature_members.hpp"
#include "vulkan/device/physical_device.hpp"

namespace coopc::layer {

using spirv::vulkan::Extension;
using spirv::vulkan::Feature;

using Member = vk::FeatureMember;

/// A feature that lowering can provide.
struct GivenFeature {
  Feature feature;
  Extension extension;
  Member member;
};
std::span<const GivenFeature> lowerableFeatures();

/// A feature that lowered modules may use.
struct UsedFeature {
  Feature feature;
  Member member;
  /// The member of VkPhysicalDeviceVulkan1xFeatures for the same feature, which must not be in the same chain
  /// as the structure above; size 0: there is none. For members of VkPhysicalDeviceFeatures, both are in
  /// VkPhysicalDeviceFeatures2.
  Member aggregate;
};
std::span<const UsedFeature> featuresOfLoweredModules();

VkBool32& memberOf(void* structure, const Member& member);
VkBool32 readMember(const void* structure, const Member& member);

/// An extension that the layer adds to devices for which it lowers, by its name in the Vulkan headers.
struct GivenExtension {
  Extension extension;
  VkExtensionProperties properties;
};

struct Offer {
  vk::PhysicalDevice device;                        ///< as the driver has it
  spirv::lower::Target target;                      ///< for lowering
  GivenFeatures given;                              ///< what modules may use because lowering takes care
                                                    ///< of it
  std::vector<GivenExtension> extensions;           ///< those that the driver lacks
  std::vector<vk::MatrixProperty> fixed, flexible;  ///< all, the driver's first
  size_t driversFixed = 0, driversFlexible = 0;     ///< how many of each are the driver's
  uint32_t maxScopeInvocations = 0, maxDimension = 0, reservedSharedMemory = 0;
  std::string key;  ///< identifies the device, the driver and what lowering assumes about them, for caches

  bool gives(Feature feature) const { return given[size_t(feature)]; }
  bool gives(Extension extension) const;
  bool nothing() const { return given.none(); }
  /// Whether the driver knows the structure of a feature that the layer provides.
  bool isNative(Extension extension) const;
};

/// `problems`: a line for each setting that makes no sense for the device.
Offer makeOffer(vk::PhysicalDevice device, const Settings& settings, std::string& problems);

}  // namespace coopc::layer
