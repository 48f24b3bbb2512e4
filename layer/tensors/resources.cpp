// Commands on tensors and their views. Tensors are created, bound to memory, copied and named as buffers.
#include "layer/chain.hpp"
#include "layer/tensors/commands.hpp"

#ifdef VK_ARM_tensors
#include <algorithm>

namespace coopc::layer {
namespace {

using tensors::handleOf;
using tensors::Tensor;
using tensors::TensorDevice;
using tensors::tensorOf;
using tensors::TensorView;
using tensors::viewOf;

// The buffer of a tensor.
class BufferRequest {
 public:
  BufferRequest(const VkTensorCreateInfoARM& info, uint64_t bytes) {
    info_.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
    info_.size = bytes;
    info_.usage = tensors::kBufferUsage;
    if ((info.flags & VK_TENSOR_CREATE_PROTECTED_BIT_ARM) != 0) info_.flags = VK_BUFFER_CREATE_PROTECTED_BIT;
    info_.sharingMode = info.sharingMode;
    info_.queueFamilyIndexCount = info.queueFamilyIndexCount;
    info_.pQueueFamilyIndices = info.pQueueFamilyIndices;
    const auto* shared = findChained<VkExternalMemoryTensorCreateInfoARM>(
        info.pNext, VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_TENSOR_CREATE_INFO_ARM);
    if (shared == nullptr) return;
    external_.sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO;
    external_.handleTypes = shared->handleTypes;
    info_.pNext = &external_;
  }
  BufferRequest(const BufferRequest&) = delete;
  BufferRequest& operator=(const BufferRequest&) = delete;

  const VkBufferCreateInfo& info() const { return info_; }

 private:
  VkBufferCreateInfo info_{};
  VkExternalMemoryBufferCreateInfo external_{};
};

std::vector<tensors::Descriptions::Dimension> dimensionsOf(const Tensor& tensor) {
  std::vector<tensors::Descriptions::Dimension> dimensions;
  for (size_t n = 0; n < tensor.sizes.size(); ++n)
    dimensions.push_back(
        {uint32_t(tensor.sizes[n]), uint32_t(uint64_t(tensor.strides[n]) / tensor.elementBytes), 0, 0});
  return dimensions;
}

void requirementsOf(const tensors::DriverFunctions& driver, VkDevice device, VkBuffer buffer,
                    VkMemoryRequirements2* requirements) {
  VkBufferMemoryRequirementsInfo2 info{};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_REQUIREMENTS_INFO_2;
  info.buffer = buffer;
  driver.vkGetBufferMemoryRequirements2(device, &info, requirements);
}

// Replaces the layer's object by the driver's. False: the driver has no object for it.
bool toDriver(VkObjectType& type, uint64_t& handle) {
  if (type == VK_OBJECT_TYPE_TENSOR_VIEW_ARM) return false;
  if (type != VK_OBJECT_TYPE_TENSOR_ARM) return true;
  type = VK_OBJECT_TYPE_BUFFER;
  handle = std::bit_cast<uint64_t>(tensorOf(std::bit_cast<VkTensorARM>(handle))->buffer);
  return true;
}

}  // namespace

namespace commands {

VKAPI_ATTR VkResult VKAPI_CALL vkCreateTensorARM(VkDevice device, const VkTensorCreateInfoARM* pCreateInfo,
                                                 const VkAllocationCallbacks* pAllocator,
                                                 VkTensorARM* pTensor) {
  const auto create = [&](const DeviceState& state, TensorDevice& all) {
    *pTensor = VK_NULL_HANDLE;
    auto tensor = std::make_unique<Tensor>();
    const uint64_t bytes = tensors::describe(*pCreateInfo->pDescription, all.maxBytes(), *tensor);
    if (bytes == 0) {
      state.messages().error(
          "vkCreateTensorARM: the description is invalid, or the tensor is larger than the limits");
      return VK_ERROR_UNKNOWN;
    }
    const auto dimensions = dimensionsOf(*tensor);
    const BufferRequest request(*pCreateInfo, bytes);
    VkResult result = all.driver().vkCreateBuffer(device, &request.info(), pAllocator, &tensor->buffer);
    if (result != VK_SUCCESS) return result;
    result = guard([&] { return all.descriptions().allocate(dimensions, tensor->description); });
    if (result != VK_SUCCESS) {
      all.driver().vkDestroyBuffer(device, tensor->buffer, pAllocator);
      return result;
    }
    *pTensor = handleOf(tensor.release());
    return VK_SUCCESS;
  };
  return tensors::run(&Functions::vkCreateTensorARM, create, device, pCreateInfo, pAllocator, pTensor);
}

VKAPI_ATTR void VKAPI_CALL vkDestroyTensorARM(VkDevice device, VkTensorARM tensor,
                                              const VkAllocationCallbacks* pAllocator) {
  const auto destroy = [&](const DeviceState&, TensorDevice& all) {
    if (tensor == VK_NULL_HANDLE) return;
    const std::unique_ptr<Tensor> gone(tensorOf(tensor));
    all.driver().vkDestroyBuffer(device, gone->buffer, pAllocator);
    all.descriptions().release(gone->description);
  };
  tensors::run(&Functions::vkDestroyTensorARM, destroy, device, tensor, pAllocator);
}

VKAPI_ATTR VkResult VKAPI_CALL vkCreateTensorViewARM(VkDevice device,
                                                     const VkTensorViewCreateInfoARM* pCreateInfo,
                                                     const VkAllocationCallbacks* pAllocator,
                                                     VkTensorViewARM* pView) {
  const auto create = [&](const DeviceState& state, TensorDevice&) {
    *pView = VK_NULL_HANDLE;
    const Tensor* const tensor = tensorOf(pCreateInfo->tensor);
    if (tensors::elementBytes(pCreateInfo->format) != tensor->elementBytes) {
      state.messages().error(
          "vkCreateTensorViewARM: the format's elements have another size than the tensor's");
      return VK_ERROR_UNKNOWN;
    }
    *pView = handleOf(std::make_unique<TensorView>(TensorView{tensor}).release());
    return VK_SUCCESS;
  };
  return tensors::run(&Functions::vkCreateTensorViewARM, create, device, pCreateInfo, pAllocator, pView);
}

VKAPI_ATTR void VKAPI_CALL vkDestroyTensorViewARM(VkDevice device, VkTensorViewARM tensorView,
                                                  const VkAllocationCallbacks* pAllocator) {
  const auto destroy = [&](const DeviceState&, TensorDevice& all) {
    if (tensorView == VK_NULL_HANDLE) return;
    all.removeView(tensorView);
    const std::unique_ptr<TensorView> gone(viewOf(tensorView));
  };
  tensors::run(&Functions::vkDestroyTensorViewARM, destroy, device, tensorView, pAllocator);
}

VKAPI_ATTR void VKAPI_CALL vkGetTensorMemoryRequirementsARM(VkDevice device,
                                                            const VkTensorMemoryRequirementsInfoARM* pInfo,
                                                            VkMemoryRequirements2* pMemoryRequirements) {
  const auto get = [&](const DeviceState&, TensorDevice& all) {
    requirementsOf(all.driver(), device, tensorOf(pInfo->tensor)->buffer, pMemoryRequirements);
  };
  tensors::run(&Functions::vkGetTensorMemoryRequirementsARM, get, device, pInfo, pMemoryRequirements);
}

VKAPI_ATTR void VKAPI_CALL
vkGetDeviceTensorMemoryRequirementsARM(VkDevice device, const VkDeviceTensorMemoryRequirementsARM* pInfo,
                                       VkMemoryRequirements2* pMemoryRequirements) {
  // Creates a buffer to ask about it: drivers may lack vkGetDeviceBufferMemoryRequirements.
  const auto get = [&](const DeviceState&, TensorDevice& all) {
    Tensor tensor;
    const uint64_t bytes = tensors::describe(*pInfo->pCreateInfo->pDescription, all.maxBytes(), tensor);
    const BufferRequest request(*pInfo->pCreateInfo, bytes);
    VkBuffer buffer = VK_NULL_HANDLE;
    if (bytes == 0 || all.driver().vkCreateBuffer(device, &request.info(), nullptr, &buffer) != VK_SUCCESS)
      return;
    requirementsOf(all.driver(), device, buffer, pMemoryRequirements);
    all.driver().vkDestroyBuffer(device, buffer, nullptr);
  };
  tensors::run(&Functions::vkGetDeviceTensorMemoryRequirementsARM, get, device, pInfo, pMemoryRequirements);
}

VKAPI_ATTR VkResult VKAPI_CALL vkBindTensorMemoryARM(VkDevice device, uint32_t bindInfoCount,
                                                     const VkBindTensorMemoryInfoARM* pBindInfos) {
  const auto bind = [&](const DeviceState&, TensorDevice& all) {
    std::vector<VkBindBufferMemoryInfo> infos(bindInfoCount);
    for (uint32_t n = 0; n < bindInfoCount; ++n) {
      infos[n].sType = VK_STRUCTURE_TYPE_BIND_BUFFER_MEMORY_INFO;
      infos[n].buffer = tensorOf(pBindInfos[n].tensor)->buffer;
      infos[n].memory = pBindInfos[n].memory;
      infos[n].memoryOffset = pBindInfos[n].memoryOffset;
    }
    return all.driver().vkBindBufferMemory2(device, bindInfoCount, infos.data());
  };
  return tensors::run(&Functions::vkBindTensorMemoryARM, bind, device, bindInfoCount, pBindInfos);
}

VKAPI_ATTR VkResult VKAPI_CALL vkAllocateMemory(VkDevice device, const VkMemoryAllocateInfo* pAllocateInfo,
                                                const VkAllocationCallbacks* pAllocator,
                                                VkDeviceMemory* pMemory) {
  const auto allocate = [&](const DeviceState& state, TensorDevice&) {
    constexpr VkStructureType kDedicated = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO_TENSOR_ARM;
    const auto* dedicated =
        findChained<VkMemoryDedicatedAllocateInfoTensorARM>(pAllocateInfo->pNext, kDedicated);
    const auto next = state.next().vkAllocateMemory;
    if (dedicated == nullptr) return next(device, pAllocateInfo, pAllocator, pMemory);
    ChainCopy chain;
    const std::string wrong = chain.copy(pAllocateInfo->pNext, [](VkStructureType type) {
      return type == kDedicated ? ChainCopy::Fate::Drop : ChainCopy::Fate::Keep;
    });
    if (!wrong.empty()) {
      state.messages().error("vkAllocateMemory: " + wrong);
      return VK_ERROR_UNKNOWN;
    }
    VkMemoryDedicatedAllocateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO;
    info.buffer = tensorOf(dedicated->tensor)->buffer;
    chain.prepend(&info);
    VkMemoryAllocateInfo allocation = *pAllocateInfo;
    allocation.pNext = chain.start();
    return next(device, &allocation, pAllocator, pMemory);
  };
  return tensors::run(&Functions::vkAllocateMemory, allocate, device, pAllocateInfo, pAllocator, pMemory);
}

VKAPI_ATTR void VKAPI_CALL vkCmdCopyTensorARM(VkCommandBuffer commandBuffer,
                                              const VkCopyTensorInfoARM* pCopyTensorInfo) {
  const auto record = [&](const DeviceState&, TensorDevice& all) {
    const Tensor& from = *tensorOf(pCopyTensorInfo->srcTensor);
    const Tensor& to = *tensorOf(pCopyTensorInfo->dstTensor);
    // In a tensor with gaps each row is a copy; drivers allocate for all copies of a command at once.
    constexpr size_t kCopiesOfCommand = 4096;
    for (uint32_t n = 0; n < pCopyTensorInfo->regionCount; ++n) {
      const std::vector<VkBufferCopy> copies = tensors::copiesOf(from, to, pCopyTensorInfo->pRegions[n]);
      for (size_t at = 0; at < copies.size(); at += kCopiesOfCommand)
        all.driver().vkCmdCopyBuffer(commandBuffer, from.buffer, to.buffer,
                                     uint32_t(std::min(kCopiesOfCommand, copies.size() - at)),
                                     copies.data() + at);
    }
  };
  tensors::run(&Functions::vkCmdCopyTensorARM, record, commandBuffer, pCopyTensorInfo);
}

VKAPI_ATTR VkResult VKAPI_CALL vkSetDebugUtilsObjectNameEXT(VkDevice device,
                                                            const VkDebugUtilsObjectNameInfoEXT* pNameInfo) {
  const auto set = [&](const DeviceState& state, TensorDevice&) {
    VkDebugUtilsObjectNameInfoEXT info = *pNameInfo;
    return toDriver(info.objectType, info.objectHandle)
               ? state.next().vkSetDebugUtilsObjectNameEXT(device, &info)
               : VK_SUCCESS;
  };
  return tensors::run(&Functions::vkSetDebugUtilsObjectNameEXT, set, device, pNameInfo);
}

VKAPI_ATTR VkResult VKAPI_CALL vkSetDebugUtilsObjectTagEXT(VkDevice device,
                                                           const VkDebugUtilsObjectTagInfoEXT* pTagInfo) {
  const auto set = [&](const DeviceState& state, TensorDevice&) {
    VkDebugUtilsObjectTagInfoEXT info = *pTagInfo;
    return toDriver(info.objectType, info.objectHandle)
               ? state.next().vkSetDebugUtilsObjectTagEXT(device, &info)
               : VK_SUCCESS;
  };
  return tensors::run(&Functions::vkSetDebugUtilsObjectTagEXT, set, device, pTagInfo);
}

VKAPI_ATTR void VKAPI_CALL vkDestroyPrivateDataSlot(VkDevice device, VkPrivateDataSlot privateDataSlot,
                                                    const VkAllocationCallbacks* pAllocator) {
  const auto destroy = [&](const DeviceState& state, TensorDevice& all) {
    all.removeSlot(privateDataSlot);
    state.next().vkDestroyPrivateDataSlot(device, privateDataSlot, pAllocator);
  };
  tensors::run(&Functions::vkDestroyPrivateDataSlot, destroy, device, privateDataSlot, pAllocator);
}

VKAPI_ATTR VkResult VKAPI_CALL vkSetPrivateData(VkDevice device, VkObjectType objectType,
                                                uint64_t objectHandle, VkPrivateDataSlot privateDataSlot,
                                                uint64_t data) {
  const auto set = [&](const DeviceState& state, TensorDevice& all) {
    VkObjectType type = objectType;
    uint64_t handle = objectHandle;
    if (toDriver(type, handle))
      return state.next().vkSetPrivateData(device, type, handle, privateDataSlot, data);
    all.setPrivateData(std::bit_cast<VkTensorViewARM>(objectHandle), privateDataSlot, data);
    return VK_SUCCESS;
  };
  return tensors::run(&Functions::vkSetPrivateData, set, device, objectType, objectHandle, privateDataSlot,
                      data);
}

VKAPI_ATTR void VKAPI_CALL vkGetPrivateData(VkDevice device, VkObjectType objectType, uint64_t objectHandle,
                                            VkPrivateDataSlot privateDataSlot, uint64_t* pData) {
  const auto get = [&](const DeviceState& state, TensorDevice& all) {
    VkObjectType type = objectType;
    uint64_t handle = objectHandle;
    if (toDriver(type, handle))
      state.next().vkGetPrivateData(device, type, handle, privateDataSlot, pData);
    else
      *pData = all.privateData(std::bit_cast<VkTensorViewARM>(objectHandle), privateDataSlot);
  };
  tensors::run(&Functions::vkGetPrivateData, get, device, objectType, objectHandle, privateDataSlot, pData);
}

}  // namespace commands
}  // namespace coopc::layer
#endif
