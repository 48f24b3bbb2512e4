// The only exported function: the loader and the layer negotiate the version of their interface, 2 or later.
#include "layer/state.hpp"

extern "C" __attribute__((visibility("default"))) VKAPI_ATTR VkResult VKAPI_CALL
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface* pVersionStruct) {
  constexpr uint32_t kVersion = 2;
  if (pVersionStruct == nullptr || pVersionStruct->sType != LAYER_NEGOTIATE_INTERFACE_STRUCT ||
      pVersionStruct->loaderLayerInterfaceVersion < kVersion)
    return VK_ERROR_INITIALIZATION_FAILED;
  pVersionStruct->loaderLayerInterfaceVersion = kVersion;
  pVersionStruct->pfnGetInstanceProcAddr = &coopc::layer::commands::vkGetInstanceProcAddr;
  pVersionStruct->pfnGetDeviceProcAddr = &coopc::layer::commands::vkGetDeviceProcAddr;
  pVersionStruct->pfnGetPhysicalDeviceProcAddr = &coopc::layer::physicalDeviceProcAddr;
  return VK_SUCCESS;
}
