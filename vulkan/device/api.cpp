// Finds the Vulkan loader with dlopen and fills the function tables through vkGetInstanceProcAddr.
#include "vulkan/device/api.hpp"

#include <dlfcn.h>
#include <iterator>

namespace coopc::vk {

Result<GlobalApi> loadGlobalApi() {
#ifdef __APPLE__
  constexpr const char* kNames[] = {"libvulkan.1.dylib", "libvulkan.dylib"};
#else
  constexpr const char* kNames[] = {"libvulkan.so.1", "libvulkan.so"};
#endif
  void* library = nullptr;
  for (const char* name : kNames) {
    library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library != nullptr) break;
  }
  if (library == nullptr)
    return Error{std::string("no Vulkan loader: '") + kNames[0] + "' could not be opened"};

  GlobalApi api;
  api.vkGetInstanceProcAddr =
      reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vkGetInstanceProcAddr"));
  if (api.vkGetInstanceProcAddr == nullptr) return Error{"the Vulkan loader has no vkGetInstanceProcAddr"};
#define COOPC_LOAD(name)                                                                     \
  api.name = reinterpret_cast<PFN_##name>(api.vkGetInstanceProcAddr(VK_NULL_HANDLE, #name)); \
  if (api.name == nullptr) return Error{"the Vulkan loader has no " #name ", so it is older than 1.1"};
  COOPC_VULKAN_GLOBAL_FUNCTIONS(COOPC_LOAD)
#undef COOPC_LOAD
  return api;
}

Result<InstanceApi> loadInstanceApi(const GlobalApi& global, VkInstance instance) {
  InstanceApi api;
#define COOPC_LOAD(name) \
  api.name = reinterpret_cast<PFN_##name>(global.vkGetInstanceProcAddr(instance, #name));
#define COOPC_REQUIRE(name) \
  COOPC_LOAD(name)          \
  if (api.name == nullptr) return Error{"the Vulkan instance has no " #name};
  COOPC_VULKAN_INSTANCE_FUNCTIONS(COOPC_REQUIRE)
  COOPC_VULKAN_OPTIONAL_INSTANCE_FUNCTIONS(COOPC_LOAD)
#undef COOPC_LOAD
#undef COOPC_REQUIRE
  return api;
}

Result<DeviceApi> loadDeviceApi(const InstanceApi& instanceApi, VkDevice device) {
  DeviceApi api;
#define COOPC_LOAD(name) \
  api.name = reinterpret_cast<PFN_##name>(instanceApi.vkGetDeviceProcAddr(device, #name));
#define COOPC_REQUIRE(name) \
  COOPC_LOAD(name)          \
  if (api.name == nullptr) return Error{"the Vulkan device has no " #name};
  COOPC_VULKAN_DEVICE_FUNCTIONS(COOPC_REQUIRE)
  COOPC_VULKAN_OPTIONAL_DEVICE_FUNCTIONS(COOPC_LOAD)
#undef COOPC_LOAD
#undef COOPC_REQUIRE
  return api;
}

std::string resultName(VkResult result) {
  struct Name {
    VkResult result;
    const char* name;
  };
#define COOPC_NAME(name) \
  { name, #name }
  static constexpr Name kNames[] = {
      COOPC_NAME(VK_SUCCESS),
      COOPC_NAME(VK_NOT_READY),
      COOPC_NAME(VK_TIMEOUT),
      COOPC_NAME(VK_INCOMPLETE),
      COOPC_NAME(VK_ERROR_OUT_OF_HOST_MEMORY),
      COOPC_NAME(VK_ERROR_OUT_OF_DEVICE_MEMORY),
      COOPC_NAME(VK_ERROR_INITIALIZATION_FAILED),
      COOPC_NAME(VK_ERROR_DEVICE_LOST),
      COOPC_NAME(VK_ERROR_MEMORY_MAP_FAILED),
      COOPC_NAME(VK_ERROR_LAYER_NOT_PRESENT),
      COOPC_NAME(VK_ERROR_EXTENSION_NOT_PRESENT),
      COOPC_NAME(VK_ERROR_FEATURE_NOT_PRESENT),
      COOPC_NAME(VK_ERROR_INCOMPATIBLE_DRIVER),
      COOPC_NAME(VK_ERROR_TOO_MANY_OBJECTS),
      COOPC_NAME(VK_ERROR_FORMAT_NOT_SUPPORTED),
      COOPC_NAME(VK_ERROR_FRAGMENTED_POOL),
      COOPC_NAME(VK_ERROR_UNKNOWN),
      COOPC_NAME(VK_ERROR_OUT_OF_POOL_MEMORY),
      COOPC_NAME(VK_ERROR_INVALID_SHADER_NV),
      COOPC_NAME(VK_PIPELINE_COMPILE_REQUIRED),
  };
#undef COOPC_NAME
  for (const Name& row : kNames) {
    if (row.result == result) return row.name;
  }
  return "VkResult " + std::to_string(static_cast<int>(result));
}

}  // namespace coopc::vk
