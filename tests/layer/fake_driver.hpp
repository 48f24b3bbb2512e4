// A Vulkan driver for tests, below the layer. It creates handles, records requests, and notes requests that a
// driver must not get. Nothing runs on it, so any request may be sent through the layer, from any number of
// threads.
#pragma once

#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include <cstdint>
#include <string>
#include <vector>
#include <vulkan/vulkan_core.h>

namespace coopc::tests::fake {

struct Driver {
  bool hasMatrices = false;  ///< VK_KHR_cooperative_matrix and VK_NV_cooperative_matrix2 with all features
  uint32_t physicalDevices = 1;
};

/// Reconfigures the driver, which must not have any live object. Clears the recorded faults.
void become(const Driver& driver);

/// Faults in the requests to the driver, and modules, pipelines, shaders, devices and instances that still
/// exist.
std::vector<std::string> takeFaults();
size_t alive();

/// For the last compute pipeline and the last key: its module's words, and its specialization as one number.
uint64_t lastPipeline();

/// Creates an instance as the loader does, with the layer above the driver. `chain` is the program's.
VkResult createInstance(const void* chain, VkInstance* instance);
std::vector<VkPhysicalDevice> physicalDevices(VkInstance instance);
/// `info.pNext` is the program's chain; the loader's structure is put before it.
VkResult createDevice(VkPhysicalDevice physicalDevice, const VkDeviceCreateInfo& info, VkDevice* device);

/// The layer's commands, or the driver's for those that the layer does not have.
template <class Pfn>
Pfn instanceCommand(VkInstance instance, const char* name);
template <class Pfn>
Pfn deviceCommand(VkDevice device, const char* name);

PFN_vkVoidFunction instanceProc(VkInstance instance, const char* name);
PFN_vkVoidFunction deviceProc(VkDevice device, const char* name);

template <class Pfn>
Pfn instanceCommand(VkInstance instance, const char* name) {
  return reinterpret_cast<Pfn>(instanceProc(instance, name));
}
template <class Pfn>
Pfn deviceCommand(VkDevice device, const char* name) {
  return reinterpret_cast<Pfn>(deviceProc(device, name));
}

}  // namespace coopc::tests::fake
