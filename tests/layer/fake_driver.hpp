// A Vulkan driver for tests, as the layer above it sees one: it makes handles, remembers what it was asked for, and writes down what a
// driver must not be asked for. Nothing runs on it, so that anything may be sent through the layer, from any number of threads.
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

/// What the driver is from now on; nothing of it may be alive. Forgets faults.
void become(const Driver& driver);

/// What was wrong with what the driver was asked for, and what is still alive of modules, pipelines, shaders, devices and instances.
std::vector<std::string> takeFaults();
size_t alive();

/// Of the last compute pipeline and of the last key: the words of its module, and its specialization, as one number.
uint64_t lastPipeline();

/// As the loader makes them: with the layer above the driver. `chain` is the program's.
VkResult createInstance(const void* chain, VkInstance* instance);
std::vector<VkPhysicalDevice> physicalDevices(VkInstance instance);
/// `info.pNext` is the program's chain; the loader's structure is put before it.
VkResult createDevice(VkPhysicalDevice physicalDevice, const VkDeviceCreateInfo& info, VkDevice* device);

/// The layer's commands, or the driver's where the layer has none.
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
