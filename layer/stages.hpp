// Shaders of a pipeline's stages, as the driver gets them: a module that the layer has kept is lowered with
// the pipeline's specialization values, and the stage names the result.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "layer/chain.hpp"
#include "layer/state.hpp"

namespace coopc::layer {

/// The module that the driver gets for a shader.
struct Decision {
  enum class Then : uint8_t {
    Use,              ///< `words`
    Refuse,           ///< `why`
    CompileRequired,  ///< the program refuses anything that takes time
  };
  Then then = Then::Use;
  std::span<const uint32_t> words;
  bool specialized = false;  ///< the constants are frozen, so the specialization data is dropped
  uint32_t requireSize = 0;  ///< 0: any subgroup size
  bool fullSubgroups = false;
  std::string why;
  std::shared_ptr<const KeptModule> module;
  std::shared_ptr<const Lowered> lowered;  ///< keeps `words` alive
};

/// A shader that the layer may have to lower, as a program passes it.
struct ShaderRequest {
  VkShaderStageFlagBits stage = VK_SHADER_STAGE_COMPUTE_BIT;
  const char* entry = nullptr;  ///< null: "main"
  const VkSpecializationInfo* specialization = nullptr;
  const void* chain = nullptr;  ///< of the stage, with the subgroup size that the program requires
  bool cachedOnly = false;      ///< lower nothing that was not lowered before
};
Decision decide(DeviceState& device, const std::shared_ptr<const KeptModule>& module,
                const ShaderRequest& request);

bool isForLowering(const DeviceState& device, std::span<const uint32_t> words);

/// The module of a stage, if the layer has kept it: found by the stage's placeholder, or passed in the
/// stage's chain.
std::shared_ptr<const KeptModule> keptModuleOf(const DeviceState& device,
                                               const VkPipelineShaderStageCreateInfo& stage);

/// A pipeline's stage as it goes to the driver. It must not move, because the structure points into it.
class StageRequest {
 public:
  explicit StageRequest(DeviceState& device) : device_(device) {}
  ~StageRequest();
  StageRequest(const StageRequest&) = delete;
  StageRequest& operator=(const StageRequest&) = delete;

  /// Changes the stage if the layer has kept its module. VK_SUCCESS, or why there is no such pipeline.
  VkResult build(VkPipelineShaderStageCreateInfo& stage, bool cachedOnly);
  bool isChanged() const { return module_ != VK_NULL_HANDLE; }

 private:
  VkResult use(const Decision& decision, VkPipelineShaderStageCreateInfo& stage);

  DeviceState& device_;
  ChainCopy chain_;
  VkPipelineShaderStageRequiredSubgroupSizeCreateInfo size_{};
  VkShaderModule module_ = VK_NULL_HANDLE;
};

/// Whether a pipeline may only be made of modules that were lowered before
/// (VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT). A pipeline that is made from binaries needs no
/// code.
template <class Info>
VkPipelineCreateFlags2 pipelineFlags(const Info& info) {
  const auto* flags = findChained<VkPipelineCreateFlags2CreateInfo>(
      info.pNext, VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO);
  return flags != nullptr ? flags->flags : info.flags;
}
template <class Info>
bool compilesNothing(const Info& info) {
  const auto* binaries =
      findChained<VkPipelineBinaryInfoKHR>(info.pNext, VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR);
  return (pipelineFlags(info) & VK_PIPELINE_CREATE_2_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT) != 0 &&
         (binaries == nullptr || binaries->binaryCount == 0);
}

/// Calls `create(n)` for each pipeline that could be described (`built`), because some may fail. The others
/// are still made, unless the program asks to return at the first failure (`stops(n)`).
template <class Create, class Stops>
VkResult createOneByOne(const std::vector<VkResult>& built, VkPipeline* pipelines, const Create& create,
                        const Stops& stops) {
  VkResult all = VK_SUCCESS;
  bool stop = false;
  std::fill_n(pipelines, built.size(), VkPipeline{VK_NULL_HANDLE});
  for (size_t n = 0; n < built.size() && !stop; ++n) {
    const VkResult result = built[n] == VK_SUCCESS ? create(n) : built[n];
    if (result == VK_SUCCESS) continue;
    pipelines[n] = VK_NULL_HANDLE;
    // An error takes precedence over a pipeline that was not compiled.
    if (all == VK_SUCCESS || (all > 0 && result < 0)) all = result;
    stop = stops(n);
  }
  return all;
}

}  // namespace coopc::layer
