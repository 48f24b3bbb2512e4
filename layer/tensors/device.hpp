// Tensors of VK_ARM_tensors on devices whose drivers have none. A tensor is a buffer of its elements. Its
// description has sizes and strides, and lowered shaders read it from a uniform buffer
// (spirv/lower/tensors/). A descriptor of a tensor becomes two: the buffer's at the binding of the tensor,
// and the description's at another binding of the same set, which programs do not see.
#pragma once

#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include <vulkan/vulkan_core.h>

#ifdef VK_ARM_tensors
#include <bit>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "layer/offer.hpp"
#include "layer/tensors/descriptions.hpp"

namespace coopc::layer::tensors {

/// The description of the tensor at binding B has this number + B as its binding, in the same set. Drivers
/// keep a table of all bindings up to the last one of a set, so the number is not large. In a set with
/// tensors, programs must not use bindings from this number on.
inline constexpr uint32_t kDescriptionBindings = 1024;

/// The usage of the buffers for tensors, whatever the tensors' usage is.
inline constexpr VkBufferUsageFlags kBufferUsage =
    VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;

/// A tensor (VkTensorARM). Its buffer contains nothing else.
struct Tensor {
  VkBuffer buffer = VK_NULL_HANDLE;
  uint32_t elementBytes = 0;
  std::vector<int64_t> sizes;    ///< of dimensions, the outermost first
  std::vector<int64_t> strides;  ///< in bytes
  Descriptions::Slice description;
};

/// A view of a tensor (VkTensorViewARM). Its format has elements of the same size, so the tensor's
/// description is right for it.
struct TensorView {
  const Tensor* tensor = nullptr;
};

/// Handles are the objects' addresses.
inline VkTensorARM handleOf(Tensor* tensor) {
  return std::bit_cast<VkTensorARM>(uint64_t(uintptr_t(tensor)));
}
inline VkTensorViewARM handleOf(TensorView* view) {
  return std::bit_cast<VkTensorViewARM>(uint64_t(uintptr_t(view)));
}
/// With distinct names, because handles that are 64-bit numbers all have the same type.
inline Tensor* tensorOf(VkTensorARM handle) {
  return reinterpret_cast<Tensor*>(uintptr_t(std::bit_cast<uint64_t>(handle)));
}
inline TensorView* viewOf(VkTensorViewARM handle) {
  return reinterpret_cast<TensorView*>(uintptr_t(std::bit_cast<uint64_t>(handle)));
}

/// Bytes of an element of a tensor; 0 for formats that tensors cannot have here.
uint32_t elementBytes(VkFormat format);

/// Sets sizes, strides and the bytes of an element, and returns the bytes of the buffer; 0 if the description
/// is invalid or needs more than `most` bytes.
uint64_t describe(const VkTensorDescriptionARM& description, uint64_t most, Tensor& tensor);

/// The copies between buffers that copy a region of one tensor to another, in the order of their places. No
/// region: all of the tensor.
std::vector<VkBufferCopy> copiesOf(const Tensor& from, const Tensor& to, const VkTensorCopyARM& region);

/// Bindings of tensors of a set layout, in ascending order.
using TensorBindings = std::vector<uint32_t>;

/// An update template with entries of tensors. The driver's template has the other entries; it is null if
/// there are none.
struct UpdateTemplate {
  VkDescriptorUpdateTemplate others = VK_NULL_HANDLE;
  std::vector<VkDescriptorUpdateTemplateEntry> entries;  ///< of tensors
  VkPipelineBindPoint bindPoint{};                       ///< of templates that push
};

/// The layer's state of a device whose tensors are its own. Thread-safe.
class TensorDevice {
 public:
  /// The device's functions are the next layer's or the driver's.
  TensorDevice(VkDevice device, const Offer& offer, const VkPhysicalDeviceMemoryProperties& memory,
               PFN_vkGetDeviceProcAddr following);

  const DriverFunctions& driver() const { return driver_; }
  Descriptions& descriptions() { return descriptions_; }
  /// Bytes of the largest tensor.
  uint64_t maxBytes() const { return maxBytes_; }

  void add(VkDescriptorSetLayout layout, TensorBindings bindings);
  void removeLayout(VkDescriptorSetLayout layout);
  /// Called after sets were allocated. Sets whose layouts have tensors are remembered, because copies of
  /// descriptors need them.
  void add(const VkDescriptorSetAllocateInfo& info, const VkDescriptorSet* sets);
  void removeSets(std::span<const VkDescriptorSet> sets);
  void removePool(VkDescriptorPool pool);
  bool isTensor(VkDescriptorSet set, uint32_t binding) const;

  VkDescriptorUpdateTemplate add(std::unique_ptr<UpdateTemplate> made);
  /// Null: a template of the driver's own.
  std::shared_ptr<const UpdateTemplate> find(VkDescriptorUpdateTemplate handle) const;
  std::shared_ptr<const UpdateTemplate> take(VkDescriptorUpdateTemplate handle);

  /// Private data of views, for which the driver has no object.
  void setPrivateData(VkTensorViewARM view, VkPrivateDataSlot slot, uint64_t data);
  uint64_t privateData(VkTensorViewARM view, VkPrivateDataSlot slot) const;
  void removeView(VkTensorViewARM view);
  void removeSlot(VkPrivateDataSlot slot);

 private:
  struct KnownSet {
    VkDescriptorPool pool;
    std::shared_ptr<const TensorBindings> tensors;
  };

  DriverFunctions driver_;
  Descriptions descriptions_;
  uint64_t maxBytes_;
  mutable std::shared_mutex mutex_;
  std::unordered_map<VkDescriptorSetLayout, std::shared_ptr<const TensorBindings>> layouts_;
  std::unordered_map<VkDescriptorSet, KnownSet> sets_;
  std::unordered_map<VkDescriptorUpdateTemplate, std::shared_ptr<const UpdateTemplate>> templates_;
  std::map<std::pair<VkTensorViewARM, VkPrivateDataSlot>, uint64_t> privateData_;
};

}  // namespace coopc::layer::tensors
#endif
