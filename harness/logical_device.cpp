// One VkDeviceCreateInfo: the features and extensions of a module, and the few that no capability announces.
#include "harness/logical_device.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace coopc::harness {
namespace {

constexpr size_t kKeptDevices = 8;

void add(Requirements& all, const Requirements& needs) {
  all.features.add(needs.features);
  std::vector<std::string> extensions;
  std::set_union(all.extensions.begin(), all.extensions.end(), needs.extensions.begin(),
                 needs.extensions.end(), std::back_inserter(extensions));
  all.extensions = std::move(extensions);
}

}  // namespace

std::optional<ComputeFamily> computeFamily(const Instance& instance, const PhysicalDevice& device) {
  const InstanceApi& api = instance.api();
  uint32_t count = 0;
  api.vkGetPhysicalDeviceQueueFamilyProperties(device.handle, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  api.vkGetPhysicalDeviceQueueFamilyProperties(device.handle, &count, families.data());
  families.resize(count);
  for (uint32_t i = 0; i < families.size(); ++i) {
    if ((families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) != 0 && families[i].queueCount > 0)
      return ComputeFamily{i, families[i].timestampValidBits};
  }
  return std::nullopt;
}

Result<LogicalDevice> createLogicalDevice(const Instance& instance, const PhysicalDevice& device,
                                          const ComputeFamily& family, const Requirements& needs,
                                          const LogicalDeviceOptions& options) {
  const InstanceApi& api = instance.api();
  const float priority = 1.0f;
  VkDeviceQueueCreateInfo queue{};
  queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
  queue.queueFamilyIndex = family.index;
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  std::vector<const char*> extensions;
  for (const std::string& extension : needs.extensions) extensions.push_back(extension.c_str());
  if (device.hasExtension("VK_KHR_portability_subset")) extensions.push_back("VK_KHR_portability_subset");
  VkDeviceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  FeatureChain chain(needs.features);
  VkPhysicalDeviceFeatures2* features = chain.start();
  features->features.robustBufferAccess = options.robustBufferAccess ? VK_TRUE : VK_FALSE;
  info.pNext = features;
  LogicalDevice result;
  result.statistics =
      options.statistics && device.hasExtension(VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME);
  VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR executables{};
  if (result.statistics) {
    extensions.push_back(VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME);
    executables.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR;
    executables.pNext = features;
    executables.pipelineExecutableInfo = VK_TRUE;
    info.pNext = &executables;
  }
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  info.enabledExtensionCount = static_cast<uint32_t>(extensions.size());
  info.ppEnabledExtensionNames = extensions.data();
  const VkResult created = api.vkCreateDevice(device.handle, &info, nullptr, &result.handle);
  if (created != VK_SUCCESS) return Error{"vkCreateDevice: " + resultName(created)};
  Result<DeviceApi> functions = loadDeviceApi(api, result.handle);
  if (!functions) {
    const auto destroy =
        reinterpret_cast<PFN_vkDestroyDevice>(api.vkGetDeviceProcAddr(result.handle, "vkDestroyDevice"));
    if (destroy != nullptr) destroy(result.handle, nullptr);
    return functions.error();
  }
  result.api = *functions;
  result.api.vkGetDeviceQueue(result.handle, family.index, 0, &result.queue);
  api.vkGetPhysicalDeviceMemoryProperties(device.handle, &result.memory);
  return result;
}

bool covers(const Requirements& all, const Requirements& needs) {
  return all.features.covers(needs.features) &&
         std::includes(all.extensions.begin(), all.extensions.end(), needs.extensions.begin(),
                       needs.extensions.end());
}

void LogicalDevices::destroy() {
  for (const Kept& kept : devices_) kept.device.api.vkDestroyDevice(kept.device.handle, nullptr);
  devices_.clear();
}

bool LogicalDevices::serves(const Kept& kept, const Requirements& needs,
                            const LogicalDeviceOptions& options) const {
  if (kept.options.robustBufferAccess != options.robustBufferAccess ||
      kept.options.statistics != options.statistics)
    return false;
  return covers(kept.needs, needs) && (match_ == Match::AtLeast || covers(needs, kept.needs));
}

Result<LogicalDevice> LogicalDevices::get(const Instance& instance, const PhysicalDevice& device,
                                          const ComputeFamily& family, const Requirements& needs,
                                          const LogicalDeviceOptions& options) {
  const auto it = std::find_if(devices_.begin(), devices_.end(),
                               [&](const Kept& kept) { return serves(kept, needs, options); });
  if (it != devices_.end()) {
    devices_.splice(devices_.begin(), devices_, it);
    return devices_.front().device;
  }
  Kept fresh{needs, options, {}};
  if (match_ == Match::AtLeast) {
    add(asked_, needs);
    fresh.needs = asked_;
  }
  Result<LogicalDevice> made = createLogicalDevice(instance, device, family, fresh.needs, options);
  if (!made && match_ == Match::AtLeast) {
    // Some of what was asked for before may exclude some of this.
    asked_ = fresh.needs = needs;
    made = createLogicalDevice(instance, device, family, fresh.needs, options);
  }
  if (!made) return made;
  fresh.device = *made;
  if (devices_.size() >= kKeptDevices) {
    const LogicalDevice& last = devices_.back().device;
    last.api.vkDestroyDevice(last.handle, nullptr);
    devices_.pop_back();
  }
  devices_.push_front(std::move(fresh));
  return made;
}

}  // namespace coopc::harness
