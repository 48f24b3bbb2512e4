// Which function a program, or the layer above, gets for a name.
#include <cstring>
#include <string_view>

#include "layer/state.hpp"

namespace coopc::layer {
namespace {

struct Procedure {
  std::string_view name;
  PFN_vkVoidFunction function;
  bool ofTensors = false;
};

const Procedure kProcedures[] = {
#define COOPC_COMMAND(level, name) {#name, reinterpret_cast<PFN_vkVoidFunction>(&commands::name)},
#define COOPC_ALIAS(level, alias, name) {#alias, reinterpret_cast<PFN_vkVoidFunction>(&commands::name)},
#define COOPC_TENSOR_COMMAND(level, name) \
  {#name, reinterpret_cast<PFN_vkVoidFunction>(&commands::name), true},
#define COOPC_TENSOR_ALIAS(level, alias, name) \
  {#alias, reinterpret_cast<PFN_vkVoidFunction>(&commands::name), true},
#include "layer/commands.def"
};

const Procedure* findProcedure(std::string_view name) {
  for (const Procedure& p : kProcedures) {
    if (p.name == name) return &p;
  }
  return nullptr;
}

PFN_vkVoidFunction find(std::string_view name) {
  const Procedure* const p = findProcedure(name);
  return p != nullptr ? p->function : nullptr;
}

// Commands that the layer also intercepts on devices for which it does nothing.
bool isAlways(std::string_view name) { return name == "vkGetDeviceProcAddr" || name == "vkDestroyDevice"; }

bool isGlobal(std::string_view name) { return name == "vkGetInstanceProcAddr" || name == "vkCreateInstance"; }

// The layer answers these itself, whether or not the driver has them.
bool isOwnQuery(std::string_view name) {
  return name == "vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR" ||
         name == "vkGetPhysicalDeviceCooperativeMatrixFlexibleDimensionsPropertiesNV" ||
         name == "vkGetPhysicalDeviceCooperativeMatrixProperties2EXT" ||
         name == "vkGetPhysicalDeviceExternalTensorPropertiesARM";
}

// Commands by their use: drivers without tensors do not have those of tensors.
bool isCommandOfTensors(std::string_view name) { return name.find("Tensor") != name.npos; }

// The layer's own command for a device; null: the driver's.
PFN_vkVoidFunction commandOf(const DeviceState& state, std::string_view name) {
  const Procedure* const p = findProcedure(name);
  if (p == nullptr || (state.offer() == nullptr && !isAlways(name))) return nullptr;
#ifdef VK_ARM_tensors
  return p->ofTensors && state.tensors() == nullptr ? nullptr : p->function;
#else
  return p->function;
#endif
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
  const PFN_vkVoidFunction own = commandOf(*state, pName);
  return own != nullptr && (next != nullptr || isCommandOfTensors(pName)) ? own : next;
}

}  // namespace commands
}  // namespace coopc::layer
