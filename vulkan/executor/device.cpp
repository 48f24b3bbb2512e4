// One VkDeviceCreateInfo: the features and extensions of a module, and the few that no capability announces.
#include "vulkan/executor/device.hpp"

#include <vector>

namespace coopc::vk {

std::optional<ComputeFamily> computeFamily(const Instance& instance, const PhysicalDevice& device,
                                           VkQueueFlags needs) {
  needs |= VK_QUEUE_COMPUTE_BIT;
  const InstanceApi& api = instance.api();
  uint32_t count = 0;
  api.vkGetPhysicalDeviceQueueFamilyProperties(device.handle, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  api.vkGetPhysicalDeviceQueueFamilyProperties(device.handle, &count, families.data());
  families.resize(count);
  for (uint32_t i = 0; i < families.size(); ++i) {
    if ((families[i].queueFlags & needs) == needs && families[i].queueCount > 0)
      return ComputeFamily{i, families[i].timestampValidBits};
  }
  return std::nullopt;
}

Result<std::unique_ptr<Device>> Device::create(const Instance& instance, const PhysicalDevice& physical,
                                               const ComputeFamily& family, const Requirements& needs,
                                               const DeviceOptions& options) {
  const InstanceApi& api = instance.api();
  const float priority = 1.0f;
  VkDeviceQueueCreateInfo queue{};
  queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
  queue.queueFamilyIndex = family.index;
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  std::vector<const char*> extensions;
  for (const std::string& extension : needs.extensions) extensions.push_back(extension.c_str());
  if (physical.hasExtension("VK_KHR_portability_subset")) extensions.push_back("VK_KHR_portability_subset");
  VkDeviceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  FeatureChain chain(needs.features);
  VkPhysicalDeviceFeatures2* features = chain.start();
  features->features.robustBufferAccess = options.robustBufferAccess ? VK_TRUE : VK_FALSE;
  info.pNext = features;
  std::unique_ptr<Device> result(new Device);
  result->family_ = family;
  const bool hasExecutables = physical.hasExtension(VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME);
  result->statistics_ = options.statistics && hasExecutables;
  result->representations_ = options.code && hasExecutables;
  result->binaries_ = options.code && physical.hasExtension(VK_KHR_PIPELINE_BINARY_EXTENSION_NAME) &&
                      physical.hasExtension(VK_KHR_MAINTENANCE_5_EXTENSION_NAME);
  VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR executables{};
  if (result->statistics_ || result->representations_) {
    extensions.push_back(VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME);
    executables.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR;
    executables.pNext = features;
    executables.pipelineExecutableInfo = VK_TRUE;
    info.pNext = &executables;
  }
  VkPhysicalDeviceMaintenance5FeaturesKHR maintenance5{};
  VkPhysicalDevicePipelineBinaryFeaturesKHR binaries{};
  if (result->binaries_) {
    extensions.push_back(VK_KHR_PIPELINE_BINARY_EXTENSION_NAME);
    extensions.push_back(VK_KHR_MAINTENANCE_5_EXTENSION_NAME);
    maintenance5.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES_KHR;
    maintenance5.pNext = const_cast<void*>(info.pNext);
    maintenance5.maintenance5 = VK_TRUE;
    binaries.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_BINARY_FEATURES_KHR;
    binaries.pNext = &maintenance5;
    binaries.pipelineBinaries = VK_TRUE;
    info.pNext = &binaries;
  }
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  info.enabledExtensionCount = static_cast<uint32_t>(extensions.size());
  info.ppEnabledExtensionNames = extensions.data();
  VkDevice handle = VK_NULL_HANDLE;
  const VkResult created = api.vkCreateDevice(physical.handle, &info, nullptr, &handle);
  if (created != VK_SUCCESS) return Error{"vkCreateDevice: " + resultName(created)};
  Result<DeviceApi> functions = loadDeviceApi(api, handle);
  if (!functions) {
    const auto destroy =
        reinterpret_cast<PFN_vkDestroyDevice>(api.vkGetDeviceProcAddr(handle, "vkDestroyDevice"));
    if (destroy != nullptr) destroy(handle, nullptr);
    return functions.error();
  }
  result->handle_ = handle;
  result->api_ = *functions;
  result->addresses_ =
      needs.features.has(Feature::bufferDeviceAddress) && result->api_.vkGetBufferDeviceAddress != nullptr;
  result->api_.vkGetDeviceQueue(handle, family.index, 0, &result->queue_);
  api.vkGetPhysicalDeviceMemoryProperties(physical.handle, &result->memory_);
  return result;
}

Device::~Device() {
  if (handle_ != VK_NULL_HANDLE && !abandoned_) api_.vkDestroyDevice(handle_, nullptr);
}

Outcome Device::check(VkResult result, const char* what) {
  if (result == VK_SUCCESS) return std::nullopt;
  if (result == VK_ERROR_DEVICE_LOST) abandon();
  return Problem{std::string(what) + ": " + resultName(result)};
}

}  // namespace coopc::vk
