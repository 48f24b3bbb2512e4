// Vulkan's structures that the layer's tests fill in the same way.
#pragma once

#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include <cstdint>
#include <vector>
#include <vulkan/vulkan_core.h>

namespace coopc::tests {

/// VK_KHR_cooperative_matrix's features, enabled.
inline VkPhysicalDeviceCooperativeMatrixFeaturesKHR matrixFeatures() {
  VkPhysicalDeviceCooperativeMatrixFeaturesKHR features{};
  features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR;
  features.cooperativeMatrix = VK_TRUE;
  return features;
}

/// Describes a module. `words` must live as long as the result.
inline VkShaderModuleCreateInfo codeOf(const std::vector<uint32_t>& words) {
  VkShaderModuleCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
  info.codeSize = words.size() * sizeof(uint32_t);
  info.pCode = words.data();
  return info;
}

/// A compute pipeline of a module's entry point main.
inline VkComputePipelineCreateInfo computeOf(VkShaderModule module,
                                             VkPipelineLayout layout = VK_NULL_HANDLE) {
  VkComputePipelineCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module;
  info.stage.pName = "main";
  info.layout = layout;
  info.basePipelineIndex = -1;
  return info;
}

/// A device with one queue and VK_KHR_cooperative_matrix.
class DeviceRequest {
 public:
  explicit DeviceRequest(const void* chain) {
    queue_.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
    queue_.queueCount = 1;
    queue_.pQueuePriorities = &priority_;
    info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
    info.pNext = chain;
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queue_;
    info.enabledExtensionCount = 1;
    info.ppEnabledExtensionNames = &extension_;
  }
  DeviceRequest(const DeviceRequest&) = delete;
  DeviceRequest& operator=(const DeviceRequest&) = delete;

  VkDeviceCreateInfo info{};

 private:
  const float priority_ = 1;
  const char* const extension_ = VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME;
  VkDeviceQueueCreateInfo queue_{};
};

}  // namespace coopc::tests
