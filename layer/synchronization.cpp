// Dependencies that involve the layer's own tensors and conversions of matrices. Barriers of tensors become
// barriers of their buffers. The driver does not know the pipeline stage of conversions
// (VK_PIPELINE_STAGE_2_CONVERT_COOPERATIVE_VECTOR_MATRIX_BIT_NV). It becomes ALL_TRANSFER, which supports the
// same accesses, and conversions are recorded as parts of that stage (layer/vectors/device.cpp).
#include <algorithm>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "layer/chain.hpp"
#include "layer/state.hpp"

namespace coopc::layer {
namespace {

constexpr VkPipelineStageFlags2 kConvert = VK_PIPELINE_STAGE_2_CONVERT_COOPERATIVE_VECTOR_MATRIX_BIT_NV;

bool hasConvert(VkPipelineStageFlags2 stages) { return (stages & kConvert) != 0; }
VkPipelineStageFlags2 replaceConvert(VkPipelineStageFlags2 stages) {
  return hasConvert(stages) ? (stages & ~kConvert) | VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT : stages;
}
// For commands that take a single stage: a timestamp of the stage ALL_TRANSFER does not wait for the layer's
// conversions.
VkPipelineStageFlags2 replaceSingle(VkPipelineStageFlags2 stage) {
  return hasConvert(stage) ? VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT : stage;
}

template <class Barrier>
bool dependsOnConvert(const Barrier& b) {
  return hasConvert(b.srcStageMask | b.dstStageMask);
}

// The program's barriers, copied if a mask has to be replaced.
template <class Barrier>
class Barriers {
 public:
  Barriers(const Barrier* first, uint32_t count) : own_(first, first != nullptr ? count : 0) {
    if (std::none_of(own_.begin(), own_.end(), dependsOnConvert<Barrier>)) return;
    copies_.assign(own_.begin(), own_.end());
    for (Barrier& b : copies_) {
      b.srcStageMask = replaceConvert(b.srcStageMask);
      b.dstStageMask = replaceConvert(b.dstStageMask);
    }
  }

  // Adds a barrier after the program's.
  void add(const Barrier& barrier) {
    if (!isChanged()) copies_.assign(own_.begin(), own_.end());
    copies_.push_back(barrier);
  }

  bool isChanged() const { return !copies_.empty(); }
  const Barrier* data() const { return isChanged() ? copies_.data() : own_.data(); }
  uint32_t count() const { return uint32_t(isChanged() ? copies_.size() : own_.size()); }

 private:
  std::span<const Barrier> own_;
  std::vector<Barrier> copies_;
};

bool isOfTensors([[maybe_unused]] VkStructureType type) {
#ifdef VK_ARM_tensors
  return type == VK_STRUCTURE_TYPE_TENSOR_MEMORY_BARRIER_ARM ||
         type == VK_STRUCTURE_TYPE_TENSOR_DEPENDENCY_INFO_ARM;
#else
  return false;
#endif
}

bool isOfRanges([[maybe_unused]] VkStructureType type) {
#ifdef VK_KHR_device_address_commands
  return type == VK_STRUCTURE_TYPE_MEMORY_RANGE_BARRIERS_INFO_KHR;
#else
  return false;
#endif
}

// A dependency in the form for the driver.
class Dependency {
 public:
  Dependency(const DeviceState& device, const VkDependencyInfo& info)
      : info_(info),
        memory_(info.pMemoryBarriers, info.memoryBarrierCount),
        images_(info.pImageMemoryBarriers, info.imageMemoryBarrierCount) {
    info_.pImageMemoryBarriers = images_.data();
    const bool own = device.ownsTensors();
    buffers_.assign(info.pBufferMemoryBarriers, info.pBufferMemoryBarriers + info.bufferMemoryBarrierCount);
    if (own) addTensors(info.pNext);
    replaceIn(buffers_);
    info_.bufferMemoryBarrierCount = uint32_t(buffers_.size());
    info_.pBufferMemoryBarriers = buffers_.data();
    copyChain(own);
    info_.memoryBarrierCount = memory_.count();
    info_.pMemoryBarriers = memory_.data();
  }
  Dependency(const Dependency&) = delete;
  Dependency& operator=(const Dependency&) = delete;

  const VkDependencyInfo& info() const { return info_; }

 private:
  template <class Barrier>
  static void replaceIn(std::vector<Barrier>& barriers) {
    for (Barrier& b : barriers) {
      b.srcStageMask = replaceConvert(b.srcStageMask);
      b.dstStageMask = replaceConvert(b.dstStageMask);
    }
  }

  // If the chain cannot be copied, the driver skips structures that it does not know. Dependencies of its
  // ranges on conversions then become dependencies of all memory.
  void copyChain(bool dropsTensors) {
    const bool changesRanges = findRanges();
    const auto fate = [&](VkStructureType type) {
      if (dropsTensors && isOfTensors(type)) return ChainCopy::Fate::Drop;
      return changesRanges && isOfRanges(type) ? ChainCopy::Fate::Change : ChainCopy::Fate::Keep;
    };
    const bool copied = chain_.copy(info_.pNext, fate).empty();
    if (copied) info_.pNext = chain_.start();
    if (changesRanges) replaceRanges(copied);
  }

#ifdef VK_KHR_device_address_commands
  // Whether barriers of ranges depend on conversions; ranges_ has them then.
  bool findRanges() {
    const auto* found = findChained<VkMemoryRangeBarriersInfoKHR>(
        info_.pNext, VK_STRUCTURE_TYPE_MEMORY_RANGE_BARRIERS_INFO_KHR);
    if (found == nullptr) return false;
    const std::span<const VkMemoryRangeBarrierKHR> all(found->pMemoryRangeBarriers,
                                                       found->memoryRangeBarrierCount);
    if (std::none_of(all.begin(), all.end(), dependsOnConvert<VkMemoryRangeBarrierKHR>)) return false;
    ranges_.assign(all.begin(), all.end());
    replaceIn(ranges_);
    return true;
  }
  void replaceRanges(bool copied) {
    if (copied) {
      chain_.find<VkMemoryRangeBarriersInfoKHR>(VK_STRUCTURE_TYPE_MEMORY_RANGE_BARRIERS_INFO_KHR)
          ->pMemoryRangeBarriers = ranges_.data();
      return;
    }
    for (const VkMemoryRangeBarrierKHR& range : ranges_) {
      VkMemoryBarrier2 b{};
      b.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2;
      b.srcStageMask = range.srcStageMask;
      b.srcAccessMask = range.srcAccessMask;
      b.dstStageMask = range.dstStageMask;
      b.dstAccessMask = range.dstAccessMask;
      memory_.add(b);
    }
  }
#else
  static bool findRanges() { return false; }
  static void replaceRanges(bool) {}
#endif

#ifdef VK_ARM_tensors
  void addTensors(const void* chain) {
    const auto* at = static_cast<const VkBaseInStructure*>(chain);
    for (uint32_t n = 0; at != nullptr && n < kMaxChain; ++n, at = at->pNext) {
      if (at->sType == VK_STRUCTURE_TYPE_TENSOR_MEMORY_BARRIER_ARM) {
        add(*reinterpret_cast<const VkTensorMemoryBarrierARM*>(at));
      } else if (at->sType == VK_STRUCTURE_TYPE_TENSOR_DEPENDENCY_INFO_ARM) {
        const auto& all = *reinterpret_cast<const VkTensorDependencyInfoARM*>(at);
        std::for_each_n(all.pTensorMemoryBarriers, all.tensorMemoryBarrierCount,
                        [&](const VkTensorMemoryBarrierARM& barrier) { add(barrier); });
      }
    }
  }
  void add(const VkTensorMemoryBarrierARM& barrier) {
    if (barrier.tensor == VK_NULL_HANDLE) return;
    VkBufferMemoryBarrier2 b{};
    b.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2;
    b.srcStageMask = barrier.srcStageMask;
    b.srcAccessMask = barrier.srcAccessMask;
    b.dstStageMask = barrier.dstStageMask;
    b.dstAccessMask = barrier.dstAccessMask;
    b.srcQueueFamilyIndex = barrier.srcQueueFamilyIndex;
    b.dstQueueFamilyIndex = barrier.dstQueueFamilyIndex;
    b.buffer = tensors::tensorOf(barrier.tensor)->buffer;
    b.size = VK_WHOLE_SIZE;
    buffers_.push_back(b);
  }
#else
  void addTensors(const void*) {}
#endif

  VkDependencyInfo info_;
  Barriers<VkMemoryBarrier2> memory_;
  Barriers<VkImageMemoryBarrier2> images_;
  std::vector<VkBufferMemoryBarrier2> buffers_;
#ifdef VK_KHR_device_address_commands
  std::vector<VkMemoryRangeBarrierKHR> ranges_;
#endif
  ChainCopy chain_;
};

// The semaphores of a submission.
class Submission {
 public:
  explicit Submission(const VkSubmitInfo2& info) : info_(info) {
    wait_.assign(info.pWaitSemaphoreInfos, info.pWaitSemaphoreInfos + info.waitSemaphoreInfoCount);
    signal_.assign(info.pSignalSemaphoreInfos, info.pSignalSemaphoreInfos + info.signalSemaphoreInfoCount);
    for (auto* list : {&wait_, &signal_}) {
      for (VkSemaphoreSubmitInfo& s : *list) s.stageMask = replaceConvert(s.stageMask);
    }
    info_.pWaitSemaphoreInfos = wait_.data();
    info_.pSignalSemaphoreInfos = signal_.data();
  }
  Submission(const Submission&) = delete;
  Submission& operator=(const Submission&) = delete;

  const VkSubmitInfo2& info() const { return info_; }

 private:
  VkSubmitInfo2 info_;
  std::vector<VkSemaphoreSubmitInfo> wait_, signal_;
};

// A render pass's dependencies may have their masks in a chained VkMemoryBarrier2.
class PassRequest {
 public:
  explicit PassRequest(const VkRenderPassCreateInfo2& info) : info_(info) {
    dependencies_.assign(info.pDependencies, info.pDependencies + info.dependencyCount);
    for (VkSubpassDependency2& d : dependencies_) {
      const auto* barrier = findChained<VkMemoryBarrier2>(d.pNext, VK_STRUCTURE_TYPE_MEMORY_BARRIER_2);
      if (barrier == nullptr || !hasConvert(barrier->srcStageMask | barrier->dstStageMask)) continue;
      ChainCopy& chain = chains_.emplace_back();
      wrong_ = chain.copy(d.pNext, [](VkStructureType type) {
        return type == VK_STRUCTURE_TYPE_MEMORY_BARRIER_2 ? ChainCopy::Fate::Change : ChainCopy::Fate::Keep;
      });
      if (!wrong_.empty()) return;
      auto* copy = chain.find<VkMemoryBarrier2>(VK_STRUCTURE_TYPE_MEMORY_BARRIER_2);
      copy->srcStageMask = replaceConvert(copy->srcStageMask);
      copy->dstStageMask = replaceConvert(copy->dstStageMask);
      d.pNext = chain.start();
    }
    info_.pDependencies = dependencies_.data();
  }
  PassRequest(const PassRequest&) = delete;
  PassRequest& operator=(const PassRequest&) = delete;

  const VkRenderPassCreateInfo2& info() const { return info_; }
  // "", or an error in the render pass.
  const std::string& wrong() const { return wrong_; }

 private:
  VkRenderPassCreateInfo2 info_;
  std::vector<VkSubpassDependency2> dependencies_;
  std::deque<ChainCopy> chains_;
  std::string wrong_;
};

// Runs `body` with the state of a command's device.
template <class Handle, class Body>
VkResult withState(Handle handle, const Body& body) {
  return guard([&]() -> VkResult {
    const std::shared_ptr<DeviceState> state = devices().find(handle);
    return state == nullptr ? VK_ERROR_INITIALIZATION_FAILED : body(*state);
  });
}

}  // namespace

namespace commands {

VKAPI_ATTR void VKAPI_CALL vkCmdPipelineBarrier2(VkCommandBuffer commandBuffer,
                                                 const VkDependencyInfo* pDependencyInfo) {
  withState(commandBuffer, [&](const DeviceState& state) {
    const Dependency dependency(state, *pDependencyInfo);
    state.next().vkCmdPipelineBarrier2(commandBuffer, &dependency.info());
    return VK_SUCCESS;
  });
}

VKAPI_ATTR void VKAPI_CALL vkCmdSetEvent2(VkCommandBuffer commandBuffer, VkEvent event,
                                          const VkDependencyInfo* pDependencyInfo) {
  withState(commandBuffer, [&](const DeviceState& state) {
    const Dependency dependency(state, *pDependencyInfo);
    state.next().vkCmdSetEvent2(commandBuffer, event, &dependency.info());
    return VK_SUCCESS;
  });
}

VKAPI_ATTR void VKAPI_CALL vkCmdWaitEvents2(VkCommandBuffer commandBuffer, uint32_t eventCount,
                                            const VkEvent* pEvents,
                                            const VkDependencyInfo* pDependencyInfos) {
  withState(commandBuffer, [&](const DeviceState& state) {
    std::deque<Dependency> dependencies;
    std::vector<VkDependencyInfo> infos;
    for (uint32_t n = 0; n < eventCount; ++n)
      infos.push_back(dependencies.emplace_back(state, pDependencyInfos[n]).info());
    state.next().vkCmdWaitEvents2(commandBuffer, eventCount, pEvents, infos.data());
    return VK_SUCCESS;
  });
}

VKAPI_ATTR void VKAPI_CALL vkCmdResetEvent2(VkCommandBuffer commandBuffer, VkEvent event,
                                            VkPipelineStageFlags2 stageMask) {
  withState(commandBuffer, [&](const DeviceState& state) {
    state.next().vkCmdResetEvent2(commandBuffer, event, replaceConvert(stageMask));
    return VK_SUCCESS;
  });
}

VKAPI_ATTR void VKAPI_CALL vkCmdWriteTimestamp2(VkCommandBuffer commandBuffer, VkPipelineStageFlags2 stage,
                                                VkQueryPool queryPool, uint32_t query) {
  withState(commandBuffer, [&](const DeviceState& state) {
    state.next().vkCmdWriteTimestamp2(commandBuffer, replaceSingle(stage), queryPool, query);
    return VK_SUCCESS;
  });
}

VKAPI_ATTR void VKAPI_CALL vkCmdWriteBufferMarker2AMD(VkCommandBuffer commandBuffer,
                                                      VkPipelineStageFlags2 stage, VkBuffer dstBuffer,
                                                      VkDeviceSize dstOffset, uint32_t marker) {
  withState(commandBuffer, [&](const DeviceState& state) {
    state.next().vkCmdWriteBufferMarker2AMD(commandBuffer, replaceSingle(stage), dstBuffer, dstOffset,
                                            marker);
    return VK_SUCCESS;
  });
}

#ifdef VK_KHR_device_address_commands
VKAPI_ATTR void VKAPI_CALL vkCmdWriteMarkerToMemoryAMD(VkCommandBuffer commandBuffer,
                                                       const VkMemoryMarkerInfoAMD* pInfo) {
  withState(commandBuffer, [&](const DeviceState& state) {
    VkMemoryMarkerInfoAMD info = *pInfo;
    info.stage = replaceSingle(info.stage);
    state.next().vkCmdWriteMarkerToMemoryAMD(commandBuffer, &info);
    return VK_SUCCESS;
  });
}
#endif

VKAPI_ATTR VkResult VKAPI_CALL vkQueueSubmit2(VkQueue queue, uint32_t submitCount,
                                              const VkSubmitInfo2* pSubmits, VkFence fence) {
  return withState(queue, [&](const DeviceState& state) {
    std::deque<Submission> submissions;
    std::vector<VkSubmitInfo2> infos;
    for (uint32_t n = 0; n < submitCount; ++n) infos.push_back(submissions.emplace_back(pSubmits[n]).info());
    return state.next().vkQueueSubmit2(queue, submitCount, infos.data(), fence);
  });
}

VKAPI_ATTR VkResult VKAPI_CALL vkCreateRenderPass2(VkDevice device,
                                                   const VkRenderPassCreateInfo2* pCreateInfo,
                                                   const VkAllocationCallbacks* pAllocator,
                                                   VkRenderPass* pRenderPass) {
  return withState(device, [&](const DeviceState& state) -> VkResult {
    const PassRequest request(*pCreateInfo);
    if (!request.wrong().empty()) {
      state.messages().error("vkCreateRenderPass2: " + request.wrong());
      return VK_ERROR_UNKNOWN;
    }
    return state.next().vkCreateRenderPass2(device, &request.info(), pAllocator, pRenderPass);
  });
}

}  // namespace commands
}  // namespace coopc::layer
