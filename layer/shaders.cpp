// The ways in which shaders reach the driver. The layer keeps a module with cooperative matrices, and gives
// the driver a placeholder. When a pipeline is made, the module is lowered with the pipeline's specialization
// values, and the driver gets the result.
#include <algorithm>
#include <deque>
#include <optional>

#include "layer/chain.hpp"
#include "layer/state.hpp"

namespace coopc::layer {
namespace {

using Kind = spirv::lower::LowerAnswer::Kind;

// The module or binary that the driver gets for a shader.
struct Decision {
  enum class Then : uint8_t {
    Pass,             // not the layer's business: as the program passed it
    Use,              // `words`
    Refuse,           // `why`
    CompileRequired,  // the program refuses anything that takes time
  };
  Then then = Then::Pass;
  std::span<const uint32_t> words;
  bool specialized = false;  // the constants are frozen, so the specialization data is dropped
  uint32_t requireSize = 0;  // 0: any subgroup size
  bool fullSubgroups = false;
  std::string why;
  std::shared_ptr<const KeptModule> module;
  std::shared_ptr<const Lowered> lowered;  // keeps `words` alive
};

Decision refuse(std::string why) {
  Decision d;
  d.then = Decision::Then::Refuse;
  d.why = std::move(why);
  return d;
}

// The subgroup size of a lowered module's pipeline. `asked`: the size that the program itself requires, 0 for
// none.
void decideSubgroups(const Offer& offer, const char* entry, uint32_t asked, Decision& d) {
  const uint32_t size = d.lowered->subgroupSize;
  const harness::PhysicalDevice& device = offer.device;
  if (size == 0) return;
  if (asked == 0 && device.minSubgroupSize != device.maxSubgroupSize) {
    if (!offer.target.subgroupSizeRequired) {
      d = refuse("the lowered module needs subgroups of " + std::to_string(size) +
                 ", and the device cannot require a subgroup size");
      return;
    }
    d.requireSize = size;
  }
  if (!device.features.has(Feature::computeFullSubgroups)) return;
  // VUID-VkPipelineShaderStageCreateInfo-flags-02758: full subgroups need a multiple of the size.
  const uint32_t width = workgroupWidth(d.words, entry);
  d.fullSubgroups = width != 0 && width % size == 0;
}

Decision decide(DeviceState& device, const std::shared_ptr<const KeptModule>& module, const char* entry,
                const VkSpecializationInfo* specialization, uint32_t requiredSize, bool cachedOnly) {
  Decision d;
  const std::shared_ptr<const Lowered> lowered =
      device.lower(module, specialization, requiredSize, cachedOnly);
  if (lowered == nullptr) {
    d.then = Decision::Then::CompileRequired;
    return d;
  }
  if (lowered->kind == Kind::Declined) return refuse(lowered->reasons);
  d.then = Decision::Then::Use;
  d.module = module;
  d.lowered = lowered;
  d.words = lowered->kind == Kind::Lowered ? lowered->words : module->words;
  d.specialized = lowered->kind == Kind::Lowered;
  if (d.specialized) decideSubgroups(*device.offer(), entry, requiredSize, d);
  return d;
}

uint32_t requiredSizeIn(const void* chain) {
  const auto* size = findChained<VkPipelineShaderStageRequiredSubgroupSizeCreateInfo>(
      chain, VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO);
  return size != nullptr ? size->requiredSubgroupSize : 0;
}

bool isForLowering(const DeviceState& device, std::span<const uint32_t> words) {
  return device.offer() != nullptr && layer::isForLowering(words, device.offer()->given);
}

// The module of a stage, if the layer has kept it: found by the stage's placeholder, or passed in the stage's
// chain.
std::shared_ptr<const KeptModule> keptModuleOf(const DeviceState& device,
                                               const VkPipelineShaderStageCreateInfo& stage) {
  if (stage.module != VK_NULL_HANDLE) return device.find(stage.module);
  const auto* inside =
      findChained<VkShaderModuleCreateInfo>(stage.pNext, VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
  if (inside == nullptr) return nullptr;
  const std::span<const uint32_t> words = wordsOf(inside->pCode, inside->codeSize);
  return isForLowering(device, words) ? keep(words) : nullptr;
}

VkPipelineCreateFlags2 flagsOf(const VkComputePipelineCreateInfo& info) {
  const auto* flags = findChained<VkPipelineCreateFlags2CreateInfo>(
      info.pNext, VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO);
  return flags != nullptr ? flags->flags : info.flags;
}

// A pipeline that is made from binaries does not need code.
bool hasBinaries(const VkComputePipelineCreateInfo& info) {
  const auto* binaries =
      findChained<VkPipelineBinaryInfoKHR>(info.pNext, VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR);
  return binaries != nullptr && binaries->binaryCount != 0;
}

// The request for one pipeline, as it goes to the driver. It must not move, because the structure points into
// it.
class PipelineRequest {
 public:
  PipelineRequest(DeviceState& device, const VkComputePipelineCreateInfo& info)
      : device_(device), info_(info) {}
  ~PipelineRequest() {
    if (module_ != VK_NULL_HANDLE) device_.next().vkDestroyShaderModule(device_.handle(), module_, nullptr);
  }
  PipelineRequest(const PipelineRequest&) = delete;
  PipelineRequest& operator=(const PipelineRequest&) = delete;

  // VK_SUCCESS, or why there is no such pipeline. A pipeline from binaries gets the lowered module too,
  // because its binaries were made with it.
  VkResult build() {
    const bool compilesNothing =
        (flagsOf(info_) & VK_PIPELINE_CREATE_2_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT) != 0;
    return buildWith(compilesNothing && !hasBinaries(info_));
  }
  VkResult buildWith(bool cachedOnly) {
    const std::shared_ptr<const KeptModule> module = keptModuleOf(device_, info_.stage);
    if (module == nullptr) return VK_SUCCESS;
    const char* const entry = info_.stage.pName != nullptr ? info_.stage.pName : "main";
    const Decision d = decide(device_, module, entry, info_.stage.pSpecializationInfo,
                              requiredSizeIn(info_.stage.pNext), cachedOnly);
    if (d.then == Decision::Then::CompileRequired) return VK_PIPELINE_COMPILE_REQUIRED;
    if (d.then == Decision::Then::Refuse) {
      device_.messages().error("a compute shader (entry point " + std::string(entry) +
                               ") cannot be lowered for this device: " + d.why);
      return VK_ERROR_INVALID_SHADER_NV;
    }
    return use(d);
  }

  const VkComputePipelineCreateInfo& info() const { return info_; }
  bool changed() const { return module_ != VK_NULL_HANDLE; }

  // Resolves the base of a derivative that names another pipeline of the same call, because each pipeline is
  // made by a call of its own.
  bool setBase(const VkPipeline* made) {
    if ((flagsOf(info_) & VK_PIPELINE_CREATE_2_DERIVATIVE_BIT) == 0 || info_.basePipelineIndex < 0)
      return true;
    info_.basePipelineHandle = made[info_.basePipelineIndex];
    info_.basePipelineIndex = -1;
    return info_.basePipelineHandle != VK_NULL_HANDLE;
  }

 private:
  VkResult use(const Decision& d) {
    VkPipelineShaderStageCreateInfo& stage = info_.stage;
    const std::string wrong = chain_.copy(stage.pNext, [](VkStructureType type) {
      return type == VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO ? ChainCopy::Fate::Drop
                                                                 : ChainCopy::Fate::Keep;
    });
    if (!wrong.empty()) {
      device_.messages().error("a compute pipeline's stage: " + wrong);
      return VK_ERROR_INVALID_SHADER_NV;
    }
    VkShaderModuleCreateInfo code{};
    code.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
    code.codeSize = d.words.size_bytes();
    code.pCode = d.words.data();
    const VkResult made = device_.next().vkCreateShaderModule(device_.handle(), &code, nullptr, &module_);
    if (made != VK_SUCCESS) return made;
    stage.module = module_;
    if (d.specialized) stage.pSpecializationInfo = nullptr;
    if (d.requireSize != 0) {
      size_.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO;
      size_.requiredSubgroupSize = d.requireSize;
      chain_.prepend(&size_);
    }
    if (d.fullSubgroups) stage.flags |= VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
    // Code cannot be written for a varying subgroup size.
    if (d.specialized)
      stage.flags &= ~VkFlags(VK_PIPELINE_SHADER_STAGE_CREATE_ALLOW_VARYING_SUBGROUP_SIZE_BIT);
    stage.pNext = chain_.start();
    return VK_SUCCESS;
  }

  DeviceState& device_;
  VkComputePipelineCreateInfo info_;
  ChainCopy chain_;
  VkPipelineShaderStageRequiredSubgroupSizeCreateInfo size_{};
  VkShaderModule module_ = VK_NULL_HANDLE;
};

// Identifies a compute pipeline that is not made, with the lowered module in place of the program's. Keys
// then differ whenever the driver compiles something different, and equal those of pipelines that are made.
class NamedPipeline {
 public:
  NamedPipeline(DeviceState& device, const VkPipelineCreateInfoKHR* info) : named_(info) {
    const auto* first = info != nullptr ? static_cast<const VkBaseInStructure*>(info->pNext) : nullptr;
    if (device.offer() == nullptr || first == nullptr ||
        first->sType != VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO)
      return;
    request_.emplace(device, *reinterpret_cast<const VkComputePipelineCreateInfo*>(first));
    fails_ = request_->buildWith(false) != VK_SUCCESS;
    if (fails_ || !request_->changed()) return;
    copy_ = *info;
    copy_.pNext = const_cast<VkComputePipelineCreateInfo*>(&request_->info());
    named_ = &copy_;
  }
  const VkPipelineCreateInfoKHR* info() const { return named_; }
  // There is no such pipeline; vkCreateComputePipelines would fail too.
  bool fails() const { return fails_; }

 private:
  std::optional<PipelineRequest> request_;
  bool fails_ = false;
  VkPipelineCreateInfoKHR copy_{};
  const VkPipelineCreateInfoKHR* named_;
};

bool isFailure(VkResult result) { return result != VK_SUCCESS; }

// One call per pipeline, because some may fail. The others are still made, unless the program asks to return
// at the first failure.
VkResult createOneByOne(DeviceState& device, VkPipelineCache cache, std::deque<PipelineRequest>& requests,
                        const std::vector<VkResult>& built, const VkAllocationCallbacks* allocator,
                        VkPipeline* pipelines) {
  VkResult all = VK_SUCCESS;
  bool stop = false;
  for (size_t n = 0; n < requests.size(); ++n) pipelines[n] = VK_NULL_HANDLE;
  for (size_t n = 0; n < requests.size() && !stop; ++n) {
    VkResult result = built[n];
    if (result == VK_SUCCESS && !requests[n].setBase(pipelines)) result = VK_ERROR_INVALID_SHADER_NV;
    if (result == VK_SUCCESS)
      result = device.next().vkCreateComputePipelines(device.handle(), cache, 1, &requests[n].info(),
                                                      allocator, &pipelines[n]);
    if (result == VK_SUCCESS) continue;
    pipelines[n] = VK_NULL_HANDLE;
    // An error takes precedence over a pipeline that was not compiled.
    if (all == VK_SUCCESS || (all > 0 && result < 0)) all = result;
    stop = (flagsOf(requests[n].info()) & VK_PIPELINE_CREATE_2_EARLY_RETURN_ON_FAILURE_BIT) != 0;
  }
  return all;
}

// A module in a stage of another kind, which the layer would have to rewrite but cannot.
std::string otherStage(const DeviceState& device, std::span<const uint32_t> words) {
  return "a module with " + whatIsLowered(words, device.offer()->given) +
         " is used in a stage that is not a compute shader";
}

// The first kept module of these stages; null: there is none.
std::shared_ptr<const KeptModule> keptIn(const DeviceState& device,
                                         const VkPipelineShaderStageCreateInfo* stages, uint32_t count) {
  for (uint32_t n = 0; stages != nullptr && n < count; ++n) {
    if (std::shared_ptr<const KeptModule> kept = keptModuleOf(device, stages[n])) return kept;
  }
  return nullptr;
}

// Stages may be in groups.
std::shared_ptr<const KeptModule> keptInGroups(const DeviceState& device, const void* chain) {
  const auto* all = findChained<VkGraphicsPipelineShaderGroupsCreateInfoNV>(
      chain, VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_SHADER_GROUPS_CREATE_INFO_NV);
  for (uint32_t n = 0; all != nullptr && all->pGroups != nullptr && n < all->groupCount; ++n) {
    if (std::shared_ptr<const KeptModule> kept =
            keptIn(device, all->pGroups[n].pStages, all->pGroups[n].stageCount))
      return kept;
  }
  return nullptr;
}

// Other kinds of pipelines, whose Info has pStages and stageCount. They are refused if a stage has a kept
// module.
template <class Info, class Create>
VkResult passOrRefuse(VkDevice handle, uint32_t count, const Info* infos, VkPipeline* pipelines,
                      const Create& create) {
  return guarded([&] {
    const std::shared_ptr<DeviceState> device = devices().find(handle);
    if (device == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
    std::shared_ptr<const KeptModule> kept;
    for (uint32_t n = 0; device->offer() != nullptr && kept == nullptr && n < count; ++n) {
      kept = keptIn(*device, infos[n].pStages, infos[n].stageCount);
      if (kept == nullptr) kept = keptInGroups(*device, infos[n].pNext);
    }
    if (kept == nullptr) return create(*device);
    std::fill_n(pipelines, count, VkPipeline{VK_NULL_HANDLE});
    device->messages().error(otherStage(*device, kept->words));
    return VK_ERROR_INVALID_SHADER_NV;
  });
}

}  // namespace

namespace commands {

VKAPI_ATTR VkResult VKAPI_CALL vkCreateShaderModule(VkDevice device,
                                                    const VkShaderModuleCreateInfo* pCreateInfo,
                                                    const VkAllocationCallbacks* pAllocator,
                                                    VkShaderModule* pShaderModule) {
  return guarded([&] {
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
  return guarded([&] {
    const std::shared_ptr<DeviceState> state = devices().find(device);
    if (state == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
    const auto next = state->next().vkCreateComputePipelines;
    if (state->offer() == nullptr)
      return next(device, pipelineCache, createInfoCount, pCreateInfos, pAllocator, pPipelines);
    std::deque<PipelineRequest> requests;
    std::vector<VkResult> built;
    bool changed = false;
    for (uint32_t n = 0; n < createInfoCount; ++n) {
      built.push_back(requests.emplace_back(*state, pCreateInfos[n]).build());
      changed = changed || requests.back().changed();
    }
    if (std::any_of(built.begin(), built.end(), isFailure))
      return createOneByOne(*state, pipelineCache, requests, built, pAllocator, pPipelines);
    if (!changed) return next(device, pipelineCache, createInfoCount, pCreateInfos, pAllocator, pPipelines);
    std::vector<VkComputePipelineCreateInfo> infos;
    for (const PipelineRequest& request : requests) infos.push_back(request.info());
    return next(device, pipelineCache, createInfoCount, infos.data(), pAllocator, pPipelines);
  });
}

VKAPI_ATTR void VKAPI_CALL
vkGetPipelineIndirectMemoryRequirementsNV(VkDevice device, const VkComputePipelineCreateInfo* pCreateInfo,
                                          VkMemoryRequirements2* pMemoryRequirements) {
  const std::shared_ptr<DeviceState> state = devices().find(device);
  if (state == nullptr) return;
  guarded([&] {
    const auto next = state->next().vkGetPipelineIndirectMemoryRequirementsNV;
    PipelineRequest request(*state, *pCreateInfo);
    const bool changed = state->offer() != nullptr && request.build() == VK_SUCCESS && request.changed();
    next(device, changed ? &request.info() : pCreateInfo, pMemoryRequirements);
    return VK_SUCCESS;
  });
}

VKAPI_ATTR VkResult VKAPI_CALL vkGetPipelineKeyKHR(VkDevice device,
                                                   const VkPipelineCreateInfoKHR* pPipelineCreateInfo,
                                                   VkPipelineBinaryKeyKHR* pPipelineKey) {
  return guarded([&] {
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
  return guarded([&] {
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
  guarded([&] {
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
  return passOrRefuse(device, createInfoCount, pCreateInfos, pPipelines, [&](const DeviceState& state) {
    return state.next().vkCreateGraphicsPipelines(device, pipelineCache, createInfoCount, pCreateInfos,
                                                  pAllocator, pPipelines);
  });
}

VKAPI_ATTR VkResult VKAPI_CALL
vkCreateRayTracingPipelinesNV(VkDevice device, VkPipelineCache pipelineCache, uint32_t createInfoCount,
                              const VkRayTracingPipelineCreateInfoNV* pCreateInfos,
                              const VkAllocationCallbacks* pAllocator, VkPipeline* pPipelines) {
  return passOrRefuse(device, createInfoCount, pCreateInfos, pPipelines, [&](const DeviceState& state) {
    return state.next().vkCreateRayTracingPipelinesNV(device, pipelineCache, createInfoCount, pCreateInfos,
                                                      pAllocator, pPipelines);
  });
}

VKAPI_ATTR VkResult VKAPI_CALL vkCreateRayTracingPipelinesKHR(
    VkDevice device, VkDeferredOperationKHR deferredOperation, VkPipelineCache pipelineCache,
    uint32_t createInfoCount, const VkRayTracingPipelineCreateInfoKHR* pCreateInfos,
    const VkAllocationCallbacks* pAllocator, VkPipeline* pPipelines) {
  return passOrRefuse(device, createInfoCount, pCreateInfos, pPipelines, [&](const DeviceState& state) {
    return state.next().vkCreateRayTracingPipelinesKHR(device, deferredOperation, pipelineCache,
                                                       createInfoCount, pCreateInfos, pAllocator, pPipelines);
  });
}

VKAPI_ATTR VkResult VKAPI_CALL vkCreateShadersEXT(VkDevice device, uint32_t createInfoCount,
                                                  const VkShaderCreateInfoEXT* pCreateInfos,
                                                  const VkAllocationCallbacks* pAllocator,
                                                  VkShaderEXT* pShaders) {
  return guarded([&] {
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
      const Decision& d = decisions.emplace_back(
          info.stage == VK_SHADER_STAGE_COMPUTE_BIT
              ? decide(*state, keep(words), info.pName != nullptr ? info.pName : "main",
                       info.pSpecializationInfo, requiredSizeIn(info.pNext), false)
              : refuse(otherStage(*state, words)));
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
