// Intercepts every way in which a shader can reach the driver. The layer keeps a module that is to be
// lowered, and gives the driver a placeholder. When a pipeline is made, the module is lowered with the
// pipeline's specialization values, and the driver gets the result.
#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

#include "layer/chain.hpp"
#include "layer/stages.hpp"
#include "layer/state.hpp"

namespace coopc::layer {
namespace {

// Stages may be in groups, whose chain the layer does not copy: a kept module is refused there.
bool hasKeptInGroups(const DeviceState& device, const void* chain) {
  const auto* all = findChained<VkGraphicsPipelineShaderGroupsCreateInfoNV>(
      chain, VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_SHADER_GROUPS_CREATE_INFO_NV);
  for (uint32_t g = 0; all != nullptr && all->pGroups != nullptr && g < all->groupCount; ++g) {
    const VkGraphicsShaderGroupCreateInfoNV& group = all->pGroups[g];
    for (uint32_t n = 0; group.pStages != nullptr && n < group.stageCount; ++n) {
      if (keptModuleOf(device, group.pStages[n]) != nullptr) return true;
    }
  }
  return false;
}

// The request for one pipeline, as it goes to the driver. It must not move, because the structure points into
// it.
template <class Info>
class PipelineRequest {
 public:
  PipelineRequest(DeviceState& device, const Info& info) : device_(device), info_(info) {}
  PipelineRequest(const PipelineRequest&) = delete;
  PipelineRequest& operator=(const PipelineRequest&) = delete;

  // VK_SUCCESS, or why there is no such pipeline. A pipeline from binaries gets the lowered modules too,
  // because its binaries were made with them.
  VkResult build() { return buildWith(compilesNothing(info_)); }
  VkResult buildWith(bool cachedOnly) {
    if constexpr (std::is_same_v<Info, VkComputePipelineCreateInfo>) {
      return requests_.emplace_back(device_).build(info_.stage, cachedOnly);
    } else {
      if (hasKeptInGroups(device_, info_.pNext)) {
        device_.messages().error("a module that would have to be lowered is used in a group of shaders");
        return VK_ERROR_INVALID_SHADER_NV;
      }
      if (info_.pStages == nullptr) return VK_SUCCESS;
      stages_.assign(info_.pStages, info_.pStages + info_.stageCount);
      for (VkPipelineShaderStageCreateInfo& stage : stages_) {
        const VkResult result = requests_.emplace_back(device_).build(stage, cachedOnly);
        if (result != VK_SUCCESS) return result;
      }
      info_.pStages = stages_.data();
      return VK_SUCCESS;
    }
  }

  const Info& info() const { return info_; }
  bool hasChanges() const { return std::any_of(requests_.begin(), requests_.end(), isChanged); }
  bool stopsOnFailure() const {
    return (pipelineFlags(info_) & VK_PIPELINE_CREATE_2_EARLY_RETURN_ON_FAILURE_BIT) != 0;
  }

  // Resolves the base of a derivative that names another pipeline of the same call, because each pipeline is
  // made by a separate call.
  bool setBase(const VkPipeline* made) {
    if ((pipelineFlags(info_) & VK_PIPELINE_CREATE_2_DERIVATIVE_BIT) == 0 || info_.basePipelineIndex < 0)
      return true;
    info_.basePipelineHandle = made[info_.basePipelineIndex];
    info_.basePipelineIndex = -1;
    return info_.basePipelineHandle != VK_NULL_HANDLE;
  }

 private:
  static bool isChanged(const StageRequest& request) { return request.isChanged(); }

  DeviceState& device_;
  Info info_;
  std::vector<VkPipelineShaderStageCreateInfo> stages_;
  std::deque<StageRequest> requests_;
};

// Identifies a pipeline that is not made, with the lowered modules in place of the program's. Keys then
// differ whenever the driver compiles something different, and equal the keys of pipelines that are made.
class NamedPipeline {
 public:
  NamedPipeline(DeviceState& device, const VkPipelineCreateInfoKHR* info) : named_(info) {
    const auto* first = info != nullptr ? static_cast<const VkBaseInStructure*>(info->pNext) : nullptr;
    if (device.offer() == nullptr || first == nullptr) return;
    if (first->sType == VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO)
      build(device, *info, first, compute_);
    else if (first->sType == VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO)
      build(device, *info, first, graphics_);
    else if (first->sType == VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR)
      build(device, *info, first, rays_);
  }
  const VkPipelineCreateInfoKHR* info() const { return named_; }
  // There is no such pipeline; the command that makes it would fail too.
  bool fails() const { return fails_; }

 private:
  template <class Info>
  void build(DeviceState& device, const VkPipelineCreateInfoKHR& info, const VkBaseInStructure* first,
             std::optional<PipelineRequest<Info>>& request) {
    request.emplace(device, *reinterpret_cast<const Info*>(first));
    fails_ = request->buildWith(false) != VK_SUCCESS;
    if (fails_ || !request->hasChanges()) return;
    copy_ = info;
    copy_.pNext = const_cast<Info*>(&request->info());
    named_ = &copy_;
  }

  std::optional<PipelineRequest<VkComputePipelineCreateInfo>> compute_;
  std::optional<PipelineRequest<VkGraphicsPipelineCreateInfo>> graphics_;
  std::optional<PipelineRequest<VkRayTracingPipelineCreateInfoKHR>> rays_;
  bool fails_ = false;
  VkPipelineCreateInfoKHR copy_{};
  const VkPipelineCreateInfoKHR* named_;
};

bool isFailure(VkResult result) { return result != VK_SUCCESS; }

// Makes pipelines by `create(device, count, infos, pipelines)`. One call per pipeline if some cannot be
// described; the others are still made, unless the program asks to return at the first failure. `changed`:
// whether the driver gets other structures than the program's.
template <class Info, class Create>
VkResult createPipelines(VkDevice handle, uint32_t count, const Info* infos, VkPipeline* pipelines,
                         const Create& create) {
  return guard([&] {
    const std::shared_ptr<DeviceState> state = devices().find(handle);
    if (state == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
    if (state->offer() == nullptr) return create(*state, count, infos, pipelines, false);
    std::deque<PipelineRequest<Info>> requests;
    std::vector<VkResult> built;
    bool changed = false;
    for (uint32_t n = 0; n < count; ++n) {
      built.push_back(requests.emplace_back(*state, infos[n]).build());
      changed = changed || requests.back().hasChanges();
    }
    if (std::any_of(built.begin(), built.end(), isFailure)) {
      const auto one = [&](size_t n) -> VkResult {
        if (!requests[n].setBase(pipelines)) return VK_ERROR_INVALID_SHADER_NV;
        return create(*state, 1, &requests[n].info(), &pipelines[n], true);
      };
      return createOneByOne(built, pipelines, one, [&](size_t n) { return requests[n].stopsOnFailure(); });
    }
    if (!changed) return create(*state, count, infos, pipelines, false);
    std::vector<Info> copies;
    for (const PipelineRequest<Info>& request : requests) copies.push_back(request.info());
    return create(*state, count, copies.data(), pipelines, true);
  });
}

}  // namespace

namespace commands {

VKAPI_ATTR VkResult VKAPI_CALL vkCreateShaderModule(VkDevice device,
                                                    const VkShaderModuleCreateInfo* pCreateInfo,
                                                    const VkAllocationCallbacks* pAllocator,
                                                    VkShaderModule* pShaderModule) {
  return guard([&] {
    const std::shared_ptr<DeviceState> state = devices().find(device);
    if (state == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
    const auto next = state->next().vkCreateShaderModule;
    const std::span<const uint32_t> words = wordsOf(pCreateInfo->pCode, pCreateInfo->codeSize);
    if (!isForLowering(*state, words)) return next(device, pCreateInfo, pAllocator, pShaderModule);
    std::shared_ptr<const KeptModule> kept = keep(words);
    const std::vector<uint32_t> placeholder = placeholderFor(*kept);
    VkShaderModuleCreateInfo info = *pCreateInfo;
    info.codeSize = placeholder.size() * sizeof(uint32_t);
    info.pCode = placeholder.data();
    const VkResult result = next(device, &info, pAllocator, pShaderModule);
    if (result != VK_SUCCESS) return result;
    try {
      state->add(*pShaderModule, std::move(kept));
    } catch (...) {
      state->next().vkDestroyShaderModule(device, *pShaderModule, pAllocator);
      throw;
    }
    return result;
  });
}

VKAPI_ATTR void VKAPI_CALL vkDestroyShaderModule(VkDevice device, VkShaderModule shaderModule,
                                                 const VkAllocationCallbacks* pAllocator) {
  const std::shared_ptr<DeviceState> state = devices().find(device);
  if (state == nullptr) return;
  // Removed first: the driver may reuse the handle at once.
  if (state->offer() != nullptr) state->remove(shaderModule);
  state->next().vkDestroyShaderModule(device, shaderModule, pAllocator);
}

VKAPI_ATTR VkResult VKAPI_CALL vkCreateComputePipelines(VkDevice device, VkPipelineCache pipelineCache,
                                                        uint32_t createInfoCount,
                                                        const VkComputePipelineCreateInfo* pCreateInfos,
                                                        const VkAllocationCallbacks* pAllocator,
                                                        VkPipeline* pPipelines) {
  return createPipelines(device, createInfoCount, pCreateInfos, pPipelines,
                         [&](const DeviceState& state, uint32_t count,
                             const VkComputePipelineCreateInfo* infos, VkPipeline* pipelines, bool) {
                           return state.next().vkCreateComputePipelines(device, pipelineCache, count, infos,
                                                                        pAllocator, pipelines);
                         });
}

VKAPI_ATTR void VKAPI_CALL
vkGetPipelineIndirectMemoryRequirementsNV(VkDevice device, const VkComputePipelineCreateInfo* pCreateInfo,
                                          VkMemoryRequirements2* pMemoryRequirements) {
  const std::shared_ptr<DeviceState> state = devices().find(device);
  if (state == nullptr) return;
  guard([&] {
    const auto next = state->next().vkGetPipelineIndirectMemoryRequirementsNV;
    PipelineRequest<VkComputePipelineCreateInfo> request(*state, *pCreateInfo);
    const bool changed = state->offer() != nullptr && request.build() == VK_SUCCESS && request.hasChanges();
    next(device, changed ? &request.info() : pCreateInfo, pMemoryRequirements);
    return VK_SUCCESS;
  });
}

VKAPI_ATTR VkResult VKAPI_CALL vkGetPipelineKeyKHR(VkDevice device,
                                                   const VkPipelineCreateInfoKHR* pPipelineCreateInfo,
                                                   VkPipelineBinaryKeyKHR* pPipelineKey) {
  return guard([&] {
    const std::shared_ptr<DeviceState> state = devices().find(device);
    if (state == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
    const NamedPipeline pipeline(*state, pPipelineCreateInfo);
    if (pipeline.fails()) return VK_ERROR_UNKNOWN;
    return state->next().vkGetPipelineKeyKHR(device, pipeline.info(), pPipelineKey);
  });
}

VKAPI_ATTR VkResult VKAPI_CALL vkCreatePipelineBinariesKHR(VkDevice device,
                                                           const VkPipelineBinaryCreateInfoKHR* pCreateInfo,
                                                           const VkAllocationCallbacks* pAllocator,
                                                           VkPipelineBinaryHandlesInfoKHR* pBinaries) {
  return guard([&] {
    const std::shared_ptr<DeviceState> state = devices().find(device);
    if (state == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
    const NamedPipeline pipeline(*state, pCreateInfo->pPipelineCreateInfo);
    if (pipeline.fails()) {
      if (pBinaries->pPipelineBinaries != nullptr)
        std::fill_n(pBinaries->pPipelineBinaries, pBinaries->pipelineBinaryCount,
                    VkPipelineBinaryKHR{VK_NULL_HANDLE});
      return VK_ERROR_INITIALIZATION_FAILED;
    }
    VkPipelineBinaryCreateInfoKHR info = *pCreateInfo;
    info.pPipelineCreateInfo = pipeline.info();
    return state->next().vkCreatePipelineBinariesKHR(device, &info, pAllocator, pBinaries);
  });
}

VKAPI_ATTR void VKAPI_CALL vkGetShaderModuleCreateInfoIdentifierEXT(
    VkDevice device, const VkShaderModuleCreateInfo* pCreateInfo, VkShaderModuleIdentifierEXT* pIdentifier) {
  const std::shared_ptr<DeviceState> state = devices().find(device);
  if (state == nullptr) return;
  guard([&] {
    const auto next = state->next().vkGetShaderModuleCreateInfoIdentifierEXT;
    const std::span<const uint32_t> words = wordsOf(pCreateInfo->pCode, pCreateInfo->codeSize);
    VkShaderModuleCreateInfo info = *pCreateInfo;
    std::vector<uint32_t> placeholder;
    if (isForLowering(*state, words)) {
      placeholder = placeholderFor(*keep(words));
      info.codeSize = placeholder.size() * sizeof(uint32_t);
      info.pCode = placeholder.data();
    }
    next(device, &info, pIdentifier);
    return VK_SUCCESS;
  });
}

VKAPI_ATTR VkResult VKAPI_CALL vkCreateGraphicsPipelines(VkDevice device, VkPipelineCache pipelineCache,
                                                         uint32_t createInfoCount,
                                                         const VkGraphicsPipelineCreateInfo* pCreateInfos,
                                                         const VkAllocationCallbacks* pAllocator,
                                                         VkPipeline* pPipelines) {
  return createPipelines(device, createInfoCount, pCreateInfos, pPipelines,
                         [&](const DeviceState& state, uint32_t count,
                             const VkGraphicsPipelineCreateInfo* infos, VkPipeline* pipelines, bool) {
                           return state.next().vkCreateGraphicsPipelines(device, pipelineCache, count, infos,
                                                                         pAllocator, pipelines);
                         });
}

VKAPI_ATTR VkResult VKAPI_CALL
vkCreateRayTracingPipelinesNV(VkDevice device, VkPipelineCache pipelineCache, uint32_t createInfoCount,
                              const VkRayTracingPipelineCreateInfoNV* pCreateInfos,
                              const VkAllocationCallbacks* pAllocator, VkPipeline* pPipelines) {
  return createPipelines(device, createInfoCount, pCreateInfos, pPipelines,
                         [&](const DeviceState& state, uint32_t count,
                             const VkRayTracingPipelineCreateInfoNV* infos, VkPipeline* pipelines, bool) {
                           return state.next().vkCreateRayTracingPipelinesNV(device, pipelineCache, count,
                                                                             infos, pAllocator, pipelines);
                         });
}

VKAPI_ATTR VkResult VKAPI_CALL vkCreateRayTracingPipelinesKHR(
    VkDevice device, VkDeferredOperationKHR deferredOperation, VkPipelineCache pipelineCache,
    uint32_t createInfoCount, const VkRayTracingPipelineCreateInfoKHR* pCreateInfos,
    const VkAllocationCallbacks* pAllocator, VkPipeline* pPipelines) {
  // The structures of a deferred operation must live until it ends ("Deferred Host Operations"). Structures
  // of the layer do not, so that it is not deferred, which every implementation may decide.
  bool isDeferred = deferredOperation != VK_NULL_HANDLE;
  const auto create = [&](const DeviceState& state, uint32_t count,
                          const VkRayTracingPipelineCreateInfoKHR* infos, VkPipeline* pipelines,
                          bool changed) {
    if (!changed)
      return state.next().vkCreateRayTracingPipelinesKHR(device, deferredOperation, pipelineCache, count,
                                                         infos, pAllocator, pipelines);
    isDeferred = false;
    return state.next().vkCreateRayTracingPipelinesKHR(device, VK_NULL_HANDLE, pipelineCache, count, infos,
                                                       pAllocator, pipelines);
  };
  const VkResult result = createPipelines(device, createInfoCount, pCreateInfos, pPipelines, create);
  const bool wasToBe = deferredOperation != VK_NULL_HANDLE;
  return result == VK_SUCCESS && wasToBe && !isDeferred ? VK_OPERATION_NOT_DEFERRED_KHR : result;
}

VKAPI_ATTR VkResult VKAPI_CALL vkCreateShadersEXT(VkDevice device, uint32_t createInfoCount,
                                                  const VkShaderCreateInfoEXT* pCreateInfos,
                                                  const VkAllocationCallbacks* pAllocator,
                                                  VkShaderEXT* pShaders) {
  return guard([&] {
    const std::shared_ptr<DeviceState> state = devices().find(device);
    if (state == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
    const auto next = state->next().vkCreateShadersEXT;
    if (state->offer() == nullptr) return next(device, createInfoCount, pCreateInfos, pAllocator, pShaders);
    std::vector<VkShaderCreateInfoEXT> infos(pCreateInfos, pCreateInfos + createInfoCount);
    std::deque<Decision> decisions;  // these own the words
    std::deque<VkPipelineShaderStageRequiredSubgroupSizeCreateInfo> sizes;
    for (VkShaderCreateInfoEXT& info : infos) {
      const std::span<const uint32_t> words = wordsOf(info.pCode, info.codeSize);
      if (info.codeType != VK_SHADER_CODE_TYPE_SPIRV_EXT || !isForLowering(*state, words)) continue;
      const Decision& d = decisions.emplace_back(decide(*state, keep(words),
                                                        {.stage = info.stage,
                                                         .entry = info.pName,
                                                         .specialization = info.pSpecializationInfo,
                                                         .chain = info.pNext}));
      if (d.then == Decision::Then::Refuse) {
        state->messages().error("a shader object cannot be lowered for this device: " + d.why);
        std::fill_n(pShaders, createInfoCount, VkShaderEXT{VK_NULL_HANDLE});
        return VK_ERROR_INITIALIZATION_FAILED;
      }
      info.codeSize = d.words.size_bytes();
      info.pCode = d.words.data();
      if (!d.specialized) continue;
      info.pSpecializationInfo = nullptr;
      info.flags &= ~VkFlags(VK_SHADER_CREATE_ALLOW_VARYING_SUBGROUP_SIZE_BIT_EXT);
      if (d.fullSubgroups) info.flags |= VK_SHADER_CREATE_REQUIRE_FULL_SUBGROUPS_BIT_EXT;
      if (d.requireSize == 0) continue;
      VkPipelineShaderStageRequiredSubgroupSizeCreateInfo& size = sizes.emplace_back();
      size.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO;
      size.pNext = const_cast<void*>(info.pNext);
      size.requiredSubgroupSize = d.requireSize;
      info.pNext = &size;
    }
    return next(device, createInfoCount, infos.data(), pAllocator, pShaders);
  });
}

}  // namespace commands
}  // namespace coopc::layer
