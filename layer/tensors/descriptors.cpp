// Commands on descriptors of tensors. A tensor's descriptor becomes two for the driver: one for the buffer,
// at the same binding, and one for the description, at another binding.
#include "layer/chain.hpp"
#include "layer/tensors/commands.hpp"

#ifdef VK_ARM_tensors
#include <algorithm>
#include <cstring>
#include <deque>

namespace coopc::layer {
namespace {

using tensors::kDescriptionBindings;
using tensors::TensorDevice;
using tensors::UpdateTemplate;
using tensors::viewOf;

bool isTensor(VkDescriptorType type) { return type == VK_DESCRIPTOR_TYPE_TENSOR_ARM; }

// A set layout with two bindings for each binding of a tensor.
class LayoutRequest {
 public:
  explicit LayoutRequest(const VkDescriptorSetLayoutCreateInfo& info) : info_(info) {}

  // "", or why the layout is not possible.
  std::string build() {
    const std::span<const VkDescriptorSetLayoutBinding> own(info_.pBindings, info_.bindingCount);
    if (std::ranges::none_of(own, isTensor, &VkDescriptorSetLayoutBinding::descriptorType)) return {};
    constexpr VkStructureType kFlags = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO;
    const auto* flags = findChained<VkDescriptorSetLayoutBindingFlagsCreateInfo>(info_.pNext, kFlags);
    const bool hasFlags = flags != nullptr && flags->bindingCount == own.size();
    if (hasFlags) flags_.assign(flags->pBindingFlags, flags->pBindingFlags + flags->bindingCount);
    bindings_.assign(own.begin(), own.end());
    for (size_t n = 0; n < own.size(); ++n) {
      if (own[n].binding >= kDescriptionBindings)
        return "a set with tensors has binding " + std::to_string(own[n].binding) +
               "; it may have those below " + std::to_string(kDescriptionBindings);
      if (hasFlags && (flags_[n] & VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT) != 0)
        return "a set with tensors has a binding of variable length";
      if (!isTensor(own[n].descriptorType)) continue;
      bindings_[n].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
      bindings_[n].pImmutableSamplers = nullptr;
      bindings_.push_back(bindings_[n]);
      bindings_.back().binding += kDescriptionBindings;
      bindings_.back().descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
      if (hasFlags) flags_.push_back(flags_[n]);
      tensors_.push_back(own[n].binding);
    }
    std::ranges::sort(tensors_);
    info_.bindingCount = uint32_t(bindings_.size());
    info_.pBindings = bindings_.data();
    if (!hasFlags) return {};
    const std::string wrong = chain_.copy(info_.pNext, [](VkStructureType type) {
      return type == kFlags ? ChainCopy::Fate::Change : ChainCopy::Fate::Keep;
    });
    if (!wrong.empty()) return wrong;
    auto* changed = chain_.find<VkDescriptorSetLayoutBindingFlagsCreateInfo>(kFlags);
    changed->bindingCount = uint32_t(flags_.size());
    changed->pBindingFlags = flags_.data();
    info_.pNext = chain_.start();
    return {};
  }

  const VkDescriptorSetLayoutCreateInfo& info() const { return info_; }
  // Bindings of tensors, in ascending order.
  tensors::TensorBindings& tensorBindings() { return tensors_; }

 private:
  VkDescriptorSetLayoutCreateInfo info_;
  std::vector<VkDescriptorSetLayoutBinding> bindings_;
  std::vector<VkDescriptorBindingFlags> flags_;
  tensors::TensorBindings tensors_;
  ChainCopy chain_;
};

// Writes of descriptors. Each write of a tensor's descriptor has become two.
class Writes {
 public:
  explicit Writes(std::span<const VkWriteDescriptorSet> writes) {
    for (const VkWriteDescriptorSet& write : writes) {
      const auto* views = findChained<VkWriteDescriptorSetTensorARM>(
          write.pNext, VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_TENSOR_ARM);
      if (!isTensor(write.descriptorType)) {
        list_.push_back(write);
      } else if (views != nullptr) {
        add(write, {views->pTensorViews, views->tensorViewCount});
      }
    }
  }
  // The writes that a template's entries make. `set`: null for pushed descriptors.
  Writes(const UpdateTemplate& made, VkDescriptorSet set, const void* data) {
    for (const VkDescriptorUpdateTemplateEntry& entry : made.entries) {
      std::vector<VkTensorViewARM> views(entry.descriptorCount);
      for (uint32_t n = 0; n < entry.descriptorCount; ++n)
        std::memcpy(&views[n], static_cast<const std::byte*>(data) + entry.offset + n * entry.stride,
                    sizeof views[n]);
      VkWriteDescriptorSet write{};
      write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
      write.dstSet = set;
      write.dstBinding = entry.dstBinding;
      write.dstArrayElement = entry.dstArrayElement;
      add(write, views);
    }
  }

  uint32_t count() const { return uint32_t(list_.size()); }
  const VkWriteDescriptorSet* data() const { return list_.data(); }

 private:
  void add(VkWriteDescriptorSet write, std::span<const VkTensorViewARM> views) {
    std::vector<VkDescriptorBufferInfo> elements, descriptions;
    for (const VkTensorViewARM view : views) {
      // Without a view (nullDescriptor) a shader finds sizes of 0.
      const tensors::Tensor* tensor = view != VK_NULL_HANDLE ? viewOf(view)->tensor : nullptr;
      const tensors::Descriptions::Slice none, &slice = tensor != nullptr ? tensor->description : none;
      elements.push_back({tensor != nullptr ? tensor->buffer : VkBuffer{VK_NULL_HANDLE}, 0, VK_WHOLE_SIZE});
      descriptions.push_back({slice.buffer, slice.offset,
                              tensor != nullptr ? tensors::Descriptions::kSliceBytes : VK_WHOLE_SIZE});
    }
    write.pNext = nullptr;
    write.descriptorCount = uint32_t(views.size());
    write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    write.pBufferInfo = infos_.emplace_back(std::move(elements)).data();
    list_.push_back(write);
    write.dstBinding += kDescriptionBindings;
    write.descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
    write.pBufferInfo = infos_.emplace_back(std::move(descriptions)).data();
    list_.push_back(write);
  }

  std::vector<VkWriteDescriptorSet> list_;
  std::deque<std::vector<VkDescriptorBufferInfo>> infos_;
};

// Pushes a template's entries of tensors.
void push(const DeviceState& state, VkCommandBuffer commands, const UpdateTemplate& made,
          VkPipelineLayout layout, uint32_t set, const void* data) {
  const Writes writes(made, VK_NULL_HANDLE, data);
  state.next().vkCmdPushDescriptorSet(commands, made.bindPoint, layout, set, writes.count(), writes.data());
}

}  // namespace

namespace commands {

VKAPI_ATTR VkResult VKAPI_CALL vkCreateDescriptorSetLayout(VkDevice device,
                                                           const VkDescriptorSetLayoutCreateInfo* pCreateInfo,
                                                           const VkAllocationCallbacks* pAllocator,
                                                           VkDescriptorSetLayout* pSetLayout) {
  const auto body = [&](const DeviceState& state, TensorDevice& all) {
    const auto next = state.next().vkCreateDescriptorSetLayout;
    LayoutRequest request(*pCreateInfo);
    if (const std::string wrong = request.build(); !wrong.empty()) {
      state.messages().error("vkCreateDescriptorSetLayout: " + wrong);
      return VK_ERROR_UNKNOWN;
    }
    const VkResult result = next(device, &request.info(), pAllocator, pSetLayout);
    if (result != VK_SUCCESS || request.tensorBindings().empty()) return result;
    try {
      all.add(*pSetLayout, std::move(request.tensorBindings()));
    } catch (...) {
      state.next().vkDestroyDescriptorSetLayout(device, *pSetLayout, pAllocator);
      throw;
    }
    return result;
  };
  return tensors::run(&Functions::vkCreateDescriptorSetLayout, body, device, pCreateInfo, pAllocator,
                      pSetLayout);
}

VKAPI_ATTR void VKAPI_CALL vkDestroyDescriptorSetLayout(VkDevice device,
                                                        VkDescriptorSetLayout descriptorSetLayout,
                                                        const VkAllocationCallbacks* pAllocator) {
  const auto body = [&](const DeviceState& state, TensorDevice& all) {
    all.removeLayout(descriptorSetLayout);
    state.next().vkDestroyDescriptorSetLayout(device, descriptorSetLayout, pAllocator);
  };
  tensors::run(&Functions::vkDestroyDescriptorSetLayout, body, device, descriptorSetLayout, pAllocator);
}

VKAPI_ATTR void VKAPI_CALL vkGetDescriptorSetLayoutSupport(VkDevice device,
                                                           const VkDescriptorSetLayoutCreateInfo* pCreateInfo,
                                                           VkDescriptorSetLayoutSupport* pSupport) {
  const auto body = [&](const DeviceState& state, TensorDevice&) {
    LayoutRequest request(*pCreateInfo);
    pSupport->supported = VK_FALSE;
    if (request.build().empty())
      state.next().vkGetDescriptorSetLayoutSupport(device, &request.info(), pSupport);
  };
  tensors::run(&Functions::vkGetDescriptorSetLayoutSupport, body, device, pCreateInfo, pSupport);
}

VKAPI_ATTR VkResult VKAPI_CALL vkCreateDescriptorPool(VkDevice device,
                                                      const VkDescriptorPoolCreateInfo* pCreateInfo,
                                                      const VkAllocationCallbacks* pAllocator,
                                                      VkDescriptorPool* pDescriptorPool) {
  const auto body = [&](const DeviceState& state, TensorDevice&) {
    std::vector<VkDescriptorPoolSize> sizes(pCreateInfo->pPoolSizes,
                                            pCreateInfo->pPoolSizes + pCreateInfo->poolSizeCount);
    for (size_t n = 0, count = sizes.size(); n < count; ++n) {
      if (!isTensor(sizes[n].type)) continue;
      sizes[n].type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
      sizes.push_back({VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, sizes[n].descriptorCount});
    }
    VkDescriptorPoolCreateInfo info = *pCreateInfo;
    info.poolSizeCount = uint32_t(sizes.size());
    info.pPoolSizes = sizes.data();
    return state.next().vkCreateDescriptorPool(device, &info, pAllocator, pDescriptorPool);
  };
  return tensors::run(&Functions::vkCreateDescriptorPool, body, device, pCreateInfo, pAllocator,
                      pDescriptorPool);
}

VKAPI_ATTR void VKAPI_CALL vkDestroyDescriptorPool(VkDevice device, VkDescriptorPool descriptorPool,
                                                   const VkAllocationCallbacks* pAllocator) {
  const auto body = [&](const DeviceState& state, TensorDevice& all) {
    all.removePool(descriptorPool);
    state.next().vkDestroyDescriptorPool(device, descriptorPool, pAllocator);
  };
  tensors::run(&Functions::vkDestroyDescriptorPool, body, device, descriptorPool, pAllocator);
}

VKAPI_ATTR VkResult VKAPI_CALL vkResetDescriptorPool(VkDevice device, VkDescriptorPool descriptorPool,
                                                     VkDescriptorPoolResetFlags flags) {
  const auto body = [&](const DeviceState& state, TensorDevice& all) {
    all.removePool(descriptorPool);
    return state.next().vkResetDescriptorPool(device, descriptorPool, flags);
  };
  return tensors::run(&Functions::vkResetDescriptorPool, body, device, descriptorPool, flags);
}

VKAPI_ATTR VkResult VKAPI_CALL vkAllocateDescriptorSets(VkDevice device,
                                                        const VkDescriptorSetAllocateInfo* pAllocateInfo,
                                                        VkDescriptorSet* pDescriptorSets) {
  const auto body = [&](const DeviceState& state, TensorDevice& all) {
    const VkResult result = state.next().vkAllocateDescriptorSets(device, pAllocateInfo, pDescriptorSets);
    if (result == VK_SUCCESS) all.add(*pAllocateInfo, pDescriptorSets);
    return result;
  };
  return tensors::run(&Functions::vkAllocateDescriptorSets, body, device, pAllocateInfo, pDescriptorSets);
}

VKAPI_ATTR VkResult VKAPI_CALL vkFreeDescriptorSets(VkDevice device, VkDescriptorPool descriptorPool,
                                                    uint32_t descriptorSetCount,
                                                    const VkDescriptorSet* pDescriptorSets) {
  const auto body = [&](const DeviceState& state, TensorDevice& all) {
    all.removeSets({pDescriptorSets, descriptorSetCount});
    return state.next().vkFreeDescriptorSets(device, descriptorPool, descriptorSetCount, pDescriptorSets);
  };
  return tensors::run(&Functions::vkFreeDescriptorSets, body, device, descriptorPool, descriptorSetCount,
                      pDescriptorSets);
}

VKAPI_ATTR void VKAPI_CALL vkUpdateDescriptorSets(VkDevice device, uint32_t descriptorWriteCount,
                                                  const VkWriteDescriptorSet* pDescriptorWrites,
                                                  uint32_t descriptorCopyCount,
                                                  const VkCopyDescriptorSet* pDescriptorCopies) {
  const auto body = [&](const DeviceState& state, TensorDevice& all) {
    const Writes writes({pDescriptorWrites, descriptorWriteCount});
    std::vector<VkCopyDescriptorSet> copies(pDescriptorCopies, pDescriptorCopies + descriptorCopyCount);
    for (uint32_t n = 0; n < descriptorCopyCount; ++n) {
      VkCopyDescriptorSet copy = copies[n];
      if (!all.isTensor(copy.srcSet, copy.srcBinding)) continue;
      copy.srcBinding += kDescriptionBindings;
      copy.dstBinding += kDescriptionBindings;
      copies.push_back(copy);
    }
    state.next().vkUpdateDescriptorSets(device, writes.count(), writes.data(), uint32_t(copies.size()),
                                        copies.data());
  };
  tensors::run(&Functions::vkUpdateDescriptorSets, body, device, descriptorWriteCount, pDescriptorWrites,
               descriptorCopyCount, pDescriptorCopies);
}

VKAPI_ATTR void VKAPI_CALL vkCmdPushDescriptorSet(VkCommandBuffer commandBuffer,
                                                  VkPipelineBindPoint pipelineBindPoint,
                                                  VkPipelineLayout layout, uint32_t set,
                                                  uint32_t descriptorWriteCount,
                                                  const VkWriteDescriptorSet* pDescriptorWrites) {
  const auto body = [&](const DeviceState& state, TensorDevice&) {
    const Writes writes({pDescriptorWrites, descriptorWriteCount});
    state.next().vkCmdPushDescriptorSet(commandBuffer, pipelineBindPoint, layout, set, writes.count(),
                                        writes.data());
  };
  tensors::run(&Functions::vkCmdPushDescriptorSet, body, commandBuffer, pipelineBindPoint, layout, set,
               descriptorWriteCount, pDescriptorWrites);
}

VKAPI_ATTR void VKAPI_CALL vkCmdPushDescriptorSet2(VkCommandBuffer commandBuffer,
                                                   const VkPushDescriptorSetInfo* pPushDescriptorSetInfo) {
  const auto body = [&](const DeviceState& state, TensorDevice&) {
    const Writes writes(
        {pPushDescriptorSetInfo->pDescriptorWrites, size_t(pPushDescriptorSetInfo->descriptorWriteCount)});
    VkPushDescriptorSetInfo info = *pPushDescriptorSetInfo;
    info.descriptorWriteCount = writes.count();
    info.pDescriptorWrites = writes.data();
    state.next().vkCmdPushDescriptorSet2(commandBuffer, &info);
  };
  tensors::run(&Functions::vkCmdPushDescriptorSet2, body, commandBuffer, pPushDescriptorSetInfo);
}

VKAPI_ATTR VkResult VKAPI_CALL vkCreateDescriptorUpdateTemplate(
    VkDevice device, const VkDescriptorUpdateTemplateCreateInfo* pCreateInfo,
    const VkAllocationCallbacks* pAllocator, VkDescriptorUpdateTemplate* pDescriptorUpdateTemplate) {
  const auto body = [&](const DeviceState& state, TensorDevice& all) {
    const auto next = state.next().vkCreateDescriptorUpdateTemplate;
    auto made = std::make_unique<UpdateTemplate>();
    std::vector<VkDescriptorUpdateTemplateEntry> others;
    for (uint32_t n = 0; n < pCreateInfo->descriptorUpdateEntryCount; ++n) {
      const VkDescriptorUpdateTemplateEntry& entry = pCreateInfo->pDescriptorUpdateEntries[n];
      (isTensor(entry.descriptorType) ? made->entries : others).push_back(entry);
    }
    if (made->entries.empty()) return next(device, pCreateInfo, pAllocator, pDescriptorUpdateTemplate);
    made->bindPoint = pCreateInfo->pipelineBindPoint;
    VkDescriptorUpdateTemplateCreateInfo info = *pCreateInfo;
    info.descriptorUpdateEntryCount = uint32_t(others.size());
    info.pDescriptorUpdateEntries = others.data();
    const VkResult result = others.empty() ? VK_SUCCESS : next(device, &info, pAllocator, &made->others);
    if (result != VK_SUCCESS) return result;
    const VkDescriptorUpdateTemplate driversOwn = made->others;
    try {
      *pDescriptorUpdateTemplate = all.add(std::move(made));
    } catch (...) {
      state.next().vkDestroyDescriptorUpdateTemplate(device, driversOwn, pAllocator);
      throw;
    }
    return VK_SUCCESS;
  };
  return tensors::run(&Functions::vkCreateDescriptorUpdateTemplate, body, device, pCreateInfo, pAllocator,
                      pDescriptorUpdateTemplate);
}

VKAPI_ATTR void VKAPI_CALL
vkDestroyDescriptorUpdateTemplate(VkDevice device, VkDescriptorUpdateTemplate descriptorUpdateTemplate,
                                  const VkAllocationCallbacks* pAllocator) {
  const auto body = [&](const DeviceState& state, TensorDevice& all) {
    const auto made = all.take(descriptorUpdateTemplate);
    state.next().vkDestroyDescriptorUpdateTemplate(
        device, made != nullptr ? made->others : descriptorUpdateTemplate, pAllocator);
  };
  tensors::run(&Functions::vkDestroyDescriptorUpdateTemplate, body, device, descriptorUpdateTemplate,
               pAllocator);
}

VKAPI_ATTR void VKAPI_CALL
vkUpdateDescriptorSetWithTemplate(VkDevice device, VkDescriptorSet descriptorSet,
                                  VkDescriptorUpdateTemplate descriptorUpdateTemplate, const void* pData) {
  const auto body = [&](const DeviceState& state, TensorDevice& all) {
    const auto made = all.find(descriptorUpdateTemplate);
    if (made == nullptr || made->others != VK_NULL_HANDLE)
      state.next().vkUpdateDescriptorSetWithTemplate(device, descriptorSet, descriptorUpdateTemplate, pData);
    if (made == nullptr) return;
    const Writes writes(*made, descriptorSet, pData);
    state.next().vkUpdateDescriptorSets(device, writes.count(), writes.data(), 0, nullptr);
  };
  tensors::run(&Functions::vkUpdateDescriptorSetWithTemplate, body, device, descriptorSet,
               descriptorUpdateTemplate, pData);
}

VKAPI_ATTR void VKAPI_CALL vkCmdPushDescriptorSetWithTemplate(
    VkCommandBuffer commandBuffer, VkDescriptorUpdateTemplate descriptorUpdateTemplate,
    VkPipelineLayout layout, uint32_t set, const void* pData) {
  const auto body = [&](const DeviceState& state, TensorDevice& all) {
    const auto made = all.find(descriptorUpdateTemplate);
    if (made == nullptr || made->others != VK_NULL_HANDLE)
      state.next().vkCmdPushDescriptorSetWithTemplate(commandBuffer, descriptorUpdateTemplate, layout, set,
                                                      pData);
    if (made != nullptr) push(state, commandBuffer, *made, layout, set, pData);
  };
  tensors::run(&Functions::vkCmdPushDescriptorSetWithTemplate, body, commandBuffer, descriptorUpdateTemplate,
               layout, set, pData);
}

VKAPI_ATTR void VKAPI_CALL vkCmdPushDescriptorSetWithTemplate2(
    VkCommandBuffer commandBuffer,
    const VkPushDescriptorSetWithTemplateInfo* pPushDescriptorSetWithTemplateInfo) {
  const auto body = [&](const DeviceState& state, TensorDevice& all) {
    const VkPushDescriptorSetWithTemplateInfo& info = *pPushDescriptorSetWithTemplateInfo;
    const auto made = all.find(info.descriptorUpdateTemplate);
    if (made == nullptr || made->others != VK_NULL_HANDLE)
      state.next().vkCmdPushDescriptorSetWithTemplate2(commandBuffer, &info);
    if (made != nullptr) push(state, commandBuffer, *made, info.layout, info.set, info.pData);
  };
  tensors::run(&Functions::vkCmdPushDescriptorSetWithTemplate2, body, commandBuffer,
               pPushDescriptorSetWithTemplateInfo);
}

}  // namespace commands
}  // namespace coopc::layer
#endif
