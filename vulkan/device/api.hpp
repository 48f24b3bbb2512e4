// The Vulkan functions that this code calls, loaded at run time: nothing links against a loader, so a
// program with the executor in it starts on a machine without Vulkan and can say so.
#pragma once

#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include <string>
#include <vulkan/vulkan_core.h>

#include "vulkan/device/result.hpp"

namespace coopc::vk {

// Optional functions are null if their extension is missing.
#define COOPC_VULKAN_GLOBAL_FUNCTIONS(X)    \
  X(vkEnumerateInstanceVersion)             \
  X(vkEnumerateInstanceLayerProperties)     \
  X(vkEnumerateInstanceExtensionProperties) \
  X(vkCreateInstance)

#define COOPC_VULKAN_INSTANCE_FUNCTIONS(X)    \
  X(vkDestroyInstance)                        \
  X(vkEnumeratePhysicalDevices)               \
  X(vkEnumerateDeviceExtensionProperties)     \
  X(vkGetPhysicalDeviceProperties)            \
  X(vkGetPhysicalDeviceProperties2)           \
  X(vkGetPhysicalDeviceFeatures2)             \
  X(vkGetPhysicalDeviceFormatProperties)      \
  X(vkGetPhysicalDeviceMemoryProperties)      \
  X(vkGetPhysicalDeviceQueueFamilyProperties) \
  X(vkCreateDevice)                           \
  X(vkGetDeviceProcAddr)

#define COOPC_VULKAN_OPTIONAL_INSTANCE_FUNCTIONS(X)    \
  X(vkCreateDebugUtilsMessengerEXT)                    \
  X(vkDestroyDebugUtilsMessengerEXT)                   \
  X(vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR) \
  X(vkGetPhysicalDeviceCooperativeVectorPropertiesNV)  \
  X(vkGetPhysicalDeviceCooperativeMatrixFlexibleDimensionsPropertiesNV)

#define COOPC_VULKAN_DEVICE_FUNCTIONS(X) \
  X(vkDestroyDevice)                     \
  X(vkGetDeviceQueue)                    \
  X(vkCreateBuffer)                      \
  X(vkDestroyBuffer)                     \
  X(vkGetBufferMemoryRequirements)       \
  X(vkAllocateMemory)                    \
  X(vkFreeMemory)                        \
  X(vkBindBufferMemory)                  \
  X(vkCreateBufferView)                  \
  X(vkDestroyBufferView)                 \
  X(vkMapMemory)                         \
  X(vkUnmapMemory)                       \
  X(vkCreateImage)                       \
  X(vkDestroyImage)                      \
  X(vkGetImageMemoryRequirements)        \
  X(vkBindImageMemory)                   \
  X(vkCreateImageView)                   \
  X(vkDestroyImageView)                  \
  X(vkCreateSampler)                     \
  X(vkDestroySampler)                    \
  X(vkCreateShaderModule)                \
  X(vkDestroyShaderModule)               \
  X(vkCreateDescriptorSetLayout)         \
  X(vkDestroyDescriptorSetLayout)        \
  X(vkCreatePipelineLayout)              \
  X(vkDestroyPipelineLayout)             \
  X(vkCreateComputePipelines)            \
  X(vkCreateGraphicsPipelines)           \
  X(vkDestroyPipeline)                   \
  X(vkCreateDescriptorPool)              \
  X(vkDestroyDescriptorPool)             \
  X(vkAllocateDescriptorSets)            \
  X(vkUpdateDescriptorSets)              \
  X(vkCreateCommandPool)                 \
  X(vkDestroyCommandPool)                \
  X(vkAllocateCommandBuffers)            \
  X(vkBeginCommandBuffer)                \
  X(vkEndCommandBuffer)                  \
  X(vkResetCommandBuffer)                \
  X(vkCmdBindPipeline)                   \
  X(vkCmdBindDescriptorSets)             \
  X(vkCmdPushConstants)                  \
  X(vkCmdDispatch)                       \
  X(vkCmdBindVertexBuffers)              \
  X(vkCmdBindIndexBuffer)                \
  X(vkCmdDraw)                           \
  X(vkCmdDrawIndexed)                    \
  X(vkCmdCopyBuffer)                     \
  X(vkCmdCopyBufferToImage)              \
  X(vkCmdCopyImageToBuffer)              \
  X(vkCmdPipelineBarrier)                \
  X(vkCmdWriteTimestamp)                 \
  X(vkCmdResetQueryPool)                 \
  X(vkCreateQueryPool)                   \
  X(vkDestroyQueryPool)                  \
  X(vkGetQueryPoolResults)               \
  X(vkCreateFence)                       \
  X(vkDestroyFence)                      \
  X(vkResetFences)                       \
  X(vkWaitForFences)                     \
  X(vkQueueSubmit)

// Core since Vulkan 1.2, or of an extension; null if neither is available or enabled.
#define COOPC_VULKAN_OPTIONAL_DEVICE_FUNCTIONS(X)      \
  X(vkGetBufferDeviceAddress)                          \
  X(vkGetPipelineExecutablePropertiesKHR)              \
  X(vkGetPipelineExecutableStatisticsKHR)              \
  X(vkGetPipelineExecutableInternalRepresentationsKHR) \
  X(vkCreatePipelineBinariesKHR)                       \
  X(vkDestroyPipelineBinaryKHR)                        \
  X(vkGetPipelineBinaryDataKHR)                        \
  X(vkCmdBeginRendering)                               \
  X(vkCmdEndRendering)                                 \
  X(vkCmdBeginRenderingKHR)                            \
  X(vkCmdEndRenderingKHR)                              \
  X(vkCmdDrawMeshTasksEXT)                             \
  X(vkCmdBindTransformFeedbackBuffersEXT)              \
  X(vkCmdBeginTransformFeedbackEXT)                    \
  X(vkCmdEndTransformFeedbackEXT)                      \
  X(vkCreateRayTracingPipelinesKHR)                    \
  X(vkGetRayTracingShaderGroupHandlesKHR)              \
  X(vkCmdTraceRaysKHR)                                 \
  X(vkCreateAccelerationStructureKHR)                  \
  X(vkDestroyAccelerationStructureKHR)                 \
  X(vkGetAccelerationStructureBuildSizesKHR)           \
  X(vkGetAccelerationStructureDeviceAddressKHR)        \
  X(vkCmdBuildAccelerationStructuresKHR)

#define COOPC_VULKAN_MEMBER(name) PFN_##name name = nullptr;

struct GlobalApi {
  PFN_vkGetInstanceProcAddr vkGetInstanceProcAddr = nullptr;
  COOPC_VULKAN_GLOBAL_FUNCTIONS(COOPC_VULKAN_MEMBER)
};

struct InstanceApi {
  COOPC_VULKAN_INSTANCE_FUNCTIONS(COOPC_VULKAN_MEMBER)
  COOPC_VULKAN_OPTIONAL_INSTANCE_FUNCTIONS(COOPC_VULKAN_MEMBER)
};

struct DeviceApi {
  COOPC_VULKAN_DEVICE_FUNCTIONS(COOPC_VULKAN_MEMBER)
  COOPC_VULKAN_OPTIONAL_DEVICE_FUNCTIONS(COOPC_VULKAN_MEMBER)
};

#undef COOPC_VULKAN_MEMBER

/// Opens the loader library. An error if there is none. The library stays open until the process ends:
/// drivers leave threads and exit handlers, whose code must stay.
Result<GlobalApi> loadGlobalApi();
Result<InstanceApi> loadInstanceApi(const GlobalApi& global, VkInstance instance);
Result<DeviceApi> loadDeviceApi(const InstanceApi& api, VkDevice device);

/// "VK_ERROR_DEVICE_LOST" and so on; the number of a result that has no name here.
std::string resultName(VkResult result);

/// Room for any of Vulkan's feature and property structures, so that tables can describe them by type, size
/// and offset. They all start like VkBaseOutStructure.
struct alignas(16) AnyStruct {
  unsigned char bytes[512];
};

}  // namespace coopc::vk
