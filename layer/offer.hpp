// What the layer gives on a device beyond what the driver has: features, extensions, shapes, limits. Nothing is given that
// lowering does not do there (docs/layer.md lists it).
#pragma once

#include <bitset>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/device.hpp"
#include "harness/feature_members.hpp"
#include "layer/module.hpp"
#include "layer/settings.hpp"
#include "spirv/lower/target.hpp"

namespace coopc::layer {

using spirv::vulkan::Extension;
using spirv::vulkan::Feature;

using Member = harness::FeatureMember;

/// A feature that lowering can give.
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
  /// In VkPhysicalDeviceVulkan1xFeatures, which must not stand in one chain with the structure above; size 0: in none. For
  /// members of VkPhysicalDeviceFeatures, both are in VkPhysicalDeviceFeatures2.
  Member aggregate;
};
std::span<const UsedFeature> featuresOfLoweredModules();

VkBool32& memberOf(void* structure, const Member& member);
VkBool32 readMember(const void* structure, const Member& member);

/// An extension that devices with lowering get, by its name in the Vulkan headers.
struct GivenExtension {
  Extension extension;
  VkExtensionProperties properties;
};

struct Offer {
  harness::PhysicalDevice device;                        ///< as the driver has it
  spirv::lower::Target target;                           ///< for lowering
  std::bitset<spirv::vulkan::kFeatureCount> given;       ///< what modules may use and lowering takes care of
  std::vector<GivenExtension> extensions;                ///< that the driver lacks
  std::vector<harness::MatrixProperty> fixed, flexible;  ///< all, the driver's first
  size_t driversFixed = 0, driversFlexible = 0;          ///< so many of them are the driver's
  uint32_t maxScopeInvocations = 0, maxDimension = 0, reservedSharedMemory = 0;
  std::string key;  ///< of the device, the driver and what lowering assumes of them, for caches

  bool gives(Feature feature) const { return given[size_t(feature)]; }
  bool gives(Extension extension) const;
  bool nothing() const { return given.none(); }
  /// What modules are looked through for besides cooperative matrices.
  SmallFloats smallFloats() const;
  /// Whether the driver knows the structure of a given feature.
  bool isNative(Extension extension) const;
};

/// `problems`: a line for each setting that has no sense for the device.
Offer makeOffer(harness::PhysicalDevice device, const Settings& settings, std::string& problems);

}  // namespace coopc::layer
