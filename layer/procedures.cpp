// Finds the function that a program, or the layer above, gets for a name.
#include <cstring>
#include <string_view>

#include "layer/state.hpp"

namespace coopc::layer {
namespace {

// The devices on which the layer intercepts a command.
enum class Use : uint8_t {
  Any,      // for which the layer does something
  Tensors,  // whose tensors are its own
  Vectors,  // whose cooperative vectors are
  Either,
};

struct Procedure {
  std::string_view name;
  PFN_vkVoidFunction function;
  Use use = Use::Any;
};

const Procedure kProcedures[] = {
#define COOPC_ROW(name, function, use) \
  {#name, reinterpret_cast<PFN_vkVoidFunction>(&commands::function), use},
#define COOPC_COMMAND(level, name) COOPC_ROW(name, name, Use::Any)
#define COOPC_ALIAS(level, alias, name) COOPC_ROW(alias, name, Use::Any)
#define COOPC_TENSOR_COMMAND(level, name) COOPC_ROW(name, name, Use::Tensors)
#define COOPC_TENSOR_ALIAS(level, alias, name) COOPC_ROW(alias, name, Use::Tensors)
#define COOPC_VECTOR_COMMAND(level, name) COOPC_ROW(name, name, Use::Vectors)
#define COOPC_VECTOR_ALIAS(level, alias, name) COOPC_ROW(alias, name, Use::Vectors)
#define COOPC_SHARED_COMMAND(level, name) COOPC_ROW(name, name, Use::Either)
#define COOPC_SHARED_ALIAS(level, alias, name) COOPC_ROW(alias, name, Use::Either)
#include "layer/commands.def"
#undef COOPC_ROW
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
         name == "vkGetPhysicalDeviceExternalTensorPropertiesARM" ||
         name == "vkGetPhysicalDeviceCooperativeVectorPropertiesNV";
}

// Drivers without tensors and cooperative vectors do not have their commands.
bool isCommandOfExtension(std::string_view name) {
  return name.find("Tensor") != name.npos || name.find("CooperativeVector") != name.npos;
}

bool isUsed(Use use, const DeviceState& state) {
  switch (use) {
    case Use::Any: return true;
    case Use::Tensors: return state.ownsTensors();
    case Use::Vectors: return state.vectors() != nullptr;
    case Use::Either: return state.ownsTensors() || state.vectors() != nullptr;
  }
  return true;
}

// The layer's own command for a device; null: the driver's.
PFN_vkVoidFunction commandOf(const DeviceState& state, std::string_view name) {
  const Procedure* const p = findProcedure(name);
  if (p == nullptr || (state.offer() == nullptr && !isAlways(name))) return nullptr;
  return isUsed(p->use, state) ? p->function : nullptr;
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
  return own != nullptr && (next != nullptr || isCommandOfExtension(pName)) ? own : next;
}

}  // namespace commands
}  // namespace coopc::layer
