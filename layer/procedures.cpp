// Which function a program, or the layer above, gets for a name.
#include <cstring>
#include <string_view>

#include "layer/state.hpp"

namespace coopc::layer {
namespace {

struct Procedure {
  std::string_view name;
  PFN_vkVoidFunction function;
};

const Procedure kProcedures[] = {
#define COOPC_COMMAND(level, name) {#name, reinterpret_cast<PFN_vkVoidFunction>(&commands::name)},
#define COOPC_ALIAS(level, alias, name) {#alias, reinterpret_cast<PFN_vkVoidFunction>(&commands::name)},
#include "layer/commands.def"
};

PFN_vkVoidFunction find(std::string_view name) {
  for (const Procedure& p : kProcedures) {
    if (p.name == name) return p.function;
  }
  return nullptr;
}

// Commands that the layer also intercepts on devices for which it does nothing.
bool isAlways(std::string_view name) { return name == "vkGetDeviceProcAddr" || name == "vkDestroyDevice"; }

bool isGlobal(std::string_view name) { return name == "vkGetInstanceProcAddr" || name == "vkCreateInstance"; }

// The layer answers these itself, whether or not the driver has them.
bool isOwnQuery(std::string_view name) {
  return name == "vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR" ||
         name == "vkGetPhysicalDeviceCooperativeMatrixFlexibleDimensionsPropertiesNV" ||
         name == "vkGetPhysicalDeviceCooperativeMatrixProperties2EXT";
}

}  // namespace

PFN_vkVoidFunction VKAPI_CALL physicalDeviceProcAddr(VkInstance instance, const char* name) {
  if (isOwnQuery(name)) return find(name);
  const std::shared_ptr<InstanceState> state = instances().find(instance);
  if (state == nullptr || state->nextPhysicalProc() == nullptr) return nullptr;
  const PFN_vkVoidFunction next = state->nextPhysicalProc()(instance, name);
  if (next == nullptr || std::strncmp(name, "vkGetPhysicalDevice", 19) != 0) return next;
  const PFN_vkVoidFunction own = find(name);
  return own != nullptr ? own : next;
}

namespace commands {

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vkGetInstanceProcAddr(VkInstance instance, const char* pName) {
  if (pName == nullptr) return nullptr;
  const PFN_vkVoidFunction own = find(pName);
  // The loader asks for vkCreateInstance before the instance exists.
  if (isGlobal(pName)) return own;
  const std::shared_ptr<InstanceState> state = instances().find(instance);
  if (state == nullptr) return nullptr;
  if (own != nullptr && isOwnQuery(pName)) return own;
  const PFN_vkVoidFunction next = state->nextProc()(instance, pName);
  return next != nullptr && own != nullptr ? own : next;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vkGetDeviceProcAddr(VkDevice device, const char* pName) {
  const std::shared_ptr<DeviceState> state = devices().find(device);
  if (state == nullptr || pName == nullptr) return nullptr;
  const PFN_vkVoidFunction next = state->nextProc()(device, pName);
  const PFN_vkVoidFunction own = state->offer() != nullptr || isAlways(pName) ? find(pName) : nullptr;
  return next != nullptr && own != nullptr ? own : next;
}

}  // namespace commands
}  // namespace coopc::layer
