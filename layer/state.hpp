// The instances and devices that use the layer, found by the loader's dispatch key, the first word of each
// dispatchable handle. An instance shares it with its physical devices, a device with its queues and command
// buffers.
#pragma once

#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <shared_mutex>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan_core.h>

#include "layer/advice/advice.hpp"
#include "layer/cache.hpp"
#include "layer/messages.hpp"
#include "layer/module.hpp"
#include "layer/offer.hpp"
#include "layer/settings.hpp"
#include "layer/tensors/device.hpp"
#include "layer/vectors/device.hpp"
#include "vulkan/device/api.hpp"

namespace coopc::layer {

/// The commands of an instance or a device that the layer intercepts, as the next layer or the driver has
/// them.
struct Functions {
#define COOPC_COMMAND(level, name) PFN_##name name = nullptr;
#include "layer/commands.def"
};

inline void* dispatchKey(const void* dispatchable) { return *static_cast<void* const*>(dispatchable); }

class InstanceState {
 public:
  /// `following`: the next layer's or the driver's function.
  InstanceState(VkInstance instance, const VkInstanceCreateInfo& info, PFN_vkGetInstanceProcAddr following,
                PFN_GetPhysicalDeviceProcAddr followingPhysical, ReadSettings settings);

  VkPhysicalDeviceMemoryProperties memoryOf(VkPhysicalDevice device) const;

  /// The layer's offer for a device, decided once. Null if it provides nothing: the instance is below Vulkan
  /// 1.1, the device has everything, or lowering cannot work there.
  const Offer* offer(VkPhysicalDevice device);

  /// The flexible shapes and limits that the layer reports for a device with an offer, decided at the first
  /// query of them, because that takes a while.
  const AdvisedShapes& shapes(const Offer& offer);

  VkInstance handle() const { return handle_; }
  PFN_vkGetInstanceProcAddr nextProc() const { return nextProc_; }
  PFN_GetPhysicalDeviceProcAddr nextPhysicalProc() const { return nextPhysicalProc_; }
  const Functions& next() const { return next_; }
  Messages& messages() { return messages_; }
  Cache& cache() { return cache_; }

 private:
  VkInstance handle_;
  PFN_vkGetInstanceProcAddr nextProc_;
  PFN_GetPhysicalDeviceProcAddr nextPhysicalProc_;
  uint32_t version_;
  Settings settings_;
  Functions next_;
  vk::InstanceApi api_;
  bool usable_ = false;
  Messages messages_;
  Cache cache_;
  std::mutex mutex_;
  std::map<VkPhysicalDevice, std::unique_ptr<const Offer>> offers_;
  std::mutex shapesMutex_;
  std::map<const Offer*, std::unique_ptr<const AdvisedShapes>> shapes_;
};

class DeviceState {
 public:
  /// Requests of a program that the layer serves with its own objects.
  struct Asked {
    bool tensors = false, vectors = false;
  };
  /// `offer`: null if the program requested nothing that the layer provides.
  DeviceState(VkDevice device, std::shared_ptr<InstanceState> instance, const Offer* offer, Asked asked,
              PFN_vkGetDeviceProcAddr following);

  VkDevice handle() const { return handle_; }
  InstanceState& instance() const { return *instance_; }
  const Messages& messages() const { return instance_->messages(); }
  /// Null: modules go to the driver unchanged.
  const Offer* offer() const { return offer_; }
  PFN_vkGetDeviceProcAddr nextProc() const { return nextProc_; }
  const Functions& next() const { return next_; }
#ifdef VK_ARM_tensors
  /// Null: the device has no tensors, or they are the driver's.
  tensors::TensorDevice* tensors() const { return tensors_.get(); }
  bool ownsTensors() const { return tensors_ != nullptr; }
#else
  bool ownsTensors() const { return false; }
#endif
  /// Null: the device has no cooperative vectors, or they are the driver's.
  vectors::VectorDevice* vectors() const { return vectors_.get(); }
  /// Destroys the layer's objects on the device.
  void destroyOwn();

  /// The module for which a placeholder was created; null for the driver's own modules.
  std::shared_ptr<const KeptModule> find(VkShaderModule placeholder) const;
  void add(VkShaderModule placeholder, std::shared_ptr<const KeptModule> module);
  void remove(VkShaderModule placeholder);

  /// Lowers a module with a pipeline's specialization values, or returns the result of an earlier call.
  /// `cachedOnly`: null if there was none.
  std::shared_ptr<const Lowered> lower(const std::shared_ptr<const KeptModule>& module,
                                       const VkSpecializationInfo* specialization, uint32_t subgroupSize,
                                       bool cachedOnly);

 private:
  VkDevice handle_;
  std::shared_ptr<InstanceState> instance_;
  const Offer* offer_;
  PFN_vkGetDeviceProcAddr nextProc_;
  Functions next_;
#ifdef VK_ARM_tensors
  std::unique_ptr<tensors::TensorDevice> tensors_;
#endif
  std::unique_ptr<vectors::VectorDevice> vectors_;
  struct Placeholder {
    std::shared_ptr<const KeptModule> module;
    uint32_t count = 0;  ///< drivers may use one handle for equal modules
  };
  mutable std::shared_mutex mutex_;
  std::unordered_map<VkShaderModule, Placeholder> placeholders_;
};

/// Live states by key. A command holds a reference to the one that it found while it runs.
template <class State>
class States {
 public:
  std::shared_ptr<State> find(const void* dispatchable) const {
    if (dispatchable == nullptr) return nullptr;
    const std::shared_lock<std::shared_mutex> lock(mutex_);
    const auto at = states_.find(dispatchKey(dispatchable));
    return at == states_.end() ? nullptr : at->second;
  }
  void add(const void* dispatchable, std::shared_ptr<State> state) {
    const std::unique_lock<std::shared_mutex> lock(mutex_);
    states_[dispatchKey(dispatchable)] = std::move(state);
  }
  std::shared_ptr<State> take(const void* dispatchable) {
    if (dispatchable == nullptr) return nullptr;
    const std::unique_lock<std::shared_mutex> lock(mutex_);
    const auto node = states_.extract(dispatchKey(dispatchable));
    return node.empty() ? nullptr : node.mapped();
  }

 private:
  mutable std::shared_mutex mutex_;
  std::unordered_map<void*, std::shared_ptr<State>> states_;
};

/// Never destroyed, because programs may call Vulkan while the process ends.
States<InstanceState>& instances();
States<DeviceState>& devices();

/// Runs a command's body. No exception leaves the library; a lack of memory becomes Vulkan's error for it.
template <class Body>
VkResult guard(const Body& body) noexcept {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  } catch (...) {
    return VK_ERROR_UNKNOWN;
  }
}

namespace commands {
#define COOPC_COMMAND(level, name) std::remove_pointer_t<PFN_##name> name;
#include "layer/commands.def"
}  // namespace commands

/// vk_layerGetPhysicalDeviceProcAddr, part of the loader's interface.
PFN_vkVoidFunction VKAPI_CALL physicalDeviceProcAddr(VkInstance instance, const char* name);

}  // namespace coopc::layer
