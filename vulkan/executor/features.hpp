// The requirements of a module on a device. spirv/vulkan.hpp has the features that a capability needs.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "vulkan/device/feature_set.hpp"
#include "vulkan/device/physical_device.hpp"
#include "vulkan/executor/module_info.hpp"

namespace coopc::vk {

/// The requirements of a module on a device.
struct Requirements {
  FeatureSet features;                  ///< to be enabled
  std::vector<std::string> extensions;  ///< sorted, without repetition
  /// If not empty, the device cannot run the module. Each entry is one plain reason, such as
  /// "feature shaderFloat64 (capability Float64) is missing".
  std::vector<std::string> missing;
};

struct ExtraNeeds {
  bool bufferDeviceAddress = false;
  bool requiredSubgroupSize = false;
  bool fullSubgroups = false;
  std::vector<std::pair<Feature, const char*>> features;  ///< of the request, with what they are for
};

Requirements requirementsOf(const ModuleInfo& module, const PhysicalDevice& device, const ExtraNeeds& extra);

}  // namespace coopc::vk
