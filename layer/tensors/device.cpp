// Descriptions of tensors, as shaders read them, and the layer's tables of a device's descriptors.
#include "layer/tensors/device.hpp"

#ifdef VK_ARM_tensors
#include <algorithm>
#include <limits>

namespace coopc::layer::tensors {
namespace {

DriverFunctions functionsOf(VkDevice device, PFN_vkGetDeviceProcAddr following) {
  DriverFunctions f;
#define COOPC_LOAD(name) f.name = reinterpret_cast<PFN_##name>(following(device, #name));
  COOPC_TENSOR_FUNCTIONS(COOPC_LOAD)
#undef COOPC_LOAD
  return f;
}

}  // namespace

// "Compatibility Between SPIR-V Tensor Element Types And Vulkan Formats" in Vulkan's appendix on SPIR-V.
uint32_t elementBytes(VkFormat format) {
  switch (format) {
    case VK_FORMAT_R8_BOOL_ARM:
    case VK_FORMAT_R8_SFLOAT_FPENCODING_FLOAT8E4M3_ARM:
    case VK_FORMAT_R8_SFLOAT_FPENCODING_FLOAT8E5M2_ARM:
    case VK_FORMAT_R8_UINT:
    case VK_FORMAT_R8_SINT: return 1;
    case VK_FORMAT_R16_SFLOAT_FPENCODING_BFLOAT16_ARM:
    case VK_FORMAT_R16_SFLOAT:
    case VK_FORMAT_R16_UINT:
    case VK_FORMAT_R16_SINT: return 2;
    case VK_FORMAT_R32_SFLOAT:
    case VK_FORMAT_R32_UINT:
    case VK_FORMAT_R32_SINT: return 4;
    case VK_FORMAT_R64_SFLOAT:
    case VK_FORMAT_R64_UINT:
    case VK_FORMAT_R64_SINT: return 8;
    default: return 0;
  }
}

uint64_t describe(const VkTensorDescriptionARM& description, uint64_t most, Tensor& tensor) {
  tensor.elementBytes = elementBytes(description.format);
  const uint32_t count = description.dimensionCount;
  if (tensor.elementBytes == 0 || count == 0 || count > kMaxDimensions || description.pDimensions == nullptr)
    return 0;
  tensor.sizes.assign(description.pDimensions, description.pDimensions + count);
  tensor.strides.assign(count, 0);
  // Packed, unless the program gives strides; tilings that the driver could choose are linear here.
  const bool given = description.tiling == VK_TENSOR_TILING_LINEAR_ARM && description.pStrides != nullptr;
  const uint64_t element = tensor.elementBytes;
  uint64_t bytes = element, packed = element;
  for (uint32_t n = count; n-- > 0;) {
    if (tensor.sizes[n] <= 0) return 0;
    const uint64_t size = uint64_t(tensor.sizes[n]);
    const uint64_t stride = given ? uint64_t(description.pStrides[n]) : packed;
    // Neither the sum nor the product below can wrap: no factor has more than 32 bits.
    if (size > most || stride > most || stride == 0 || stride % element != 0) return 0;
    tensor.strides[n] = int64_t(stride);
    bytes += (size - 1) * stride;
    if (!given) packed *= size;
    if (bytes > most || packed > most) return 0;
  }
  return bytes;
}

std::vector<VkBufferCopy> copiesOf(const Tensor& from, const Tensor& to, const VkTensorCopyARM& region) {
  const size_t count = from.sizes.size();
  if (to.sizes.size() != count) return {};
  std::vector<uint64_t> extent(count);
  VkBufferCopy first{0, 0, from.elementBytes};
  for (size_t n = 0; n < count; ++n) {
    extent[n] = region.pExtent != nullptr ? region.pExtent[n] : uint64_t(from.sizes[n]);
    if (extent[n] == 0) return {};
    if (region.pSrcOffset != nullptr) first.srcOffset += region.pSrcOffset[n] * uint64_t(from.strides[n]);
    if (region.pDstOffset != nullptr) first.dstOffset += region.pDstOffset[n] * uint64_t(to.strides[n]);
  }
  // Innermost dimensions that are contiguous in both tensors are copied as one.
  size_t outer = count;
  for (; outer > 0; --outer) {
    const size_t n = outer - 1;
    const bool follows = uint64_t(from.strides[n]) == first.size && uint64_t(to.strides[n]) == first.size;
    if (!follows && extent[n] != 1) break;
    first.size *= extent[n];
  }
  std::vector<VkBufferCopy> copies{first};
  for (size_t n = outer; n-- > 0;) {
    const size_t inner = copies.size();
    copies.reserve(inner * extent[n]);
    for (uint64_t i = 1; i < extent[n]; ++i) {
      for (size_t k = 0; k < inner; ++k) {
        VkBufferCopy copy = copies[k];
        copy.srcOffset += i * uint64_t(from.strides[n]);
        copy.dstOffset += i * uint64_t(to.strides[n]);
        copies.push_back(copy);
      }
    }
  }
  return copies;
}

TensorDevice::TensorDevice(VkDevice device, const Offer& offer,
                           const VkPhysicalDeviceMemoryProperties& memory, PFN_vkGetDeviceProcAddr following)
    : driver_(functionsOf(device, following)),
      descriptions_(device, driver_, memory, offer.device.limits.minUniformBufferOffsetAlignment),
      maxBytes_(offer.device.limits.maxStorageBufferRange) {}

void TensorDevice::add(VkDescriptorSetLayout layout, TensorBindings bindings) {
  auto known = std::make_shared<const TensorBindings>(std::move(bindings));
  const std::unique_lock<std::shared_mutex> lock(mutex_);
  layouts_[layout] = std::move(known);
}

void TensorDevice::removeLayout(VkDescriptorSetLayout layout) {
  const std::unique_lock<std::shared_mutex> lock(mutex_);
  layouts_.erase(layout);
}

void TensorDevice::add(const VkDescriptorSetAllocateInfo& info, const VkDescriptorSet* sets) {
  const std::unique_lock<std::shared_mutex> lock(mutex_);
  for (uint32_t n = 0; n < info.descriptorSetCount; ++n) {
    const auto layout = layouts_.find(info.pSetLayouts[n]);
    if (layout != layouts_.end()) sets_[sets[n]] = {info.descriptorPool, layout->second};
  }
}

void TensorDevice::removeSets(std::span<const VkDescriptorSet> sets) {
  const std::unique_lock<std::shared_mutex> lock(mutex_);
  for (const VkDescriptorSet set : sets) sets_.erase(set);
}

void TensorDevice::removePool(VkDescriptorPool pool) {
  const std::unique_lock<std::shared_mutex> lock(mutex_);
  std::erase_if(sets_, [&](const auto& known) { return known.second.pool == pool; });
}

bool TensorDevice::isTensor(VkDescriptorSet set, uint32_t binding) const {
  const std::shared_lock<std::shared_mutex> lock(mutex_);
  const auto known = sets_.find(set);
  return known != sets_.end() && std::ranges::binary_search(*known->second.tensors, binding);
}

VkDescriptorUpdateTemplate TensorDevice::add(std::unique_ptr<UpdateTemplate> made) {
  // The key is a handle that no other template of the driver has: the handle of the driver's template, or the
  // address of this one.
  const VkDescriptorUpdateTemplate handle =
      made->others != VK_NULL_HANDLE
          ? made->others
          : std::bit_cast<VkDescriptorUpdateTemplate>(uint64_t(uintptr_t(made.get())));
  const std::unique_lock<std::shared_mutex> lock(mutex_);
  templates_[handle] = std::move(made);
  return handle;
}

std::shared_ptr<const UpdateTemplate> TensorDevice::find(VkDescriptorUpdateTemplate handle) const {
  const std::shared_lock<std::shared_mutex> lock(mutex_);
  const auto known = templates_.find(handle);
  return known != templates_.end() ? known->second : nullptr;
}

std::shared_ptr<const UpdateTemplate> TensorDevice::take(VkDescriptorUpdateTemplate handle) {
  const std::unique_lock<std::shared_mutex> lock(mutex_);
  const auto node = templates_.extract(handle);
  return node.empty() ? nullptr : node.mapped();
}

void TensorDevice::setPrivateData(VkTensorViewARM view, VkPrivateDataSlot slot, uint64_t data) {
  const std::unique_lock<std::shared_mutex> lock(mutex_);
  privateData_[{view, slot}] = data;
}

uint64_t TensorDevice::privateData(VkTensorViewARM view, VkPrivateDataSlot slot) const {
  const std::shared_lock<std::shared_mutex> lock(mutex_);
  const auto known = privateData_.find({view, slot});
  return known != privateData_.end() ? known->second : 0;
}

void TensorDevice::removeView(VkTensorViewARM view) {
  const std::unique_lock<std::shared_mutex> lock(mutex_);
  std::erase_if(privateData_, [&](const auto& known) { return known.first.first == view; });
}

void TensorDevice::removeSlot(VkPrivateDataSlot slot) {
  const std::unique_lock<std::shared_mutex> lock(mutex_);
  std::erase_if(privateData_, [&](const auto& known) { return known.first.second == slot; });
}

}  // namespace coopc::layer::tensors
#endif
