// VkShaderModules and their stages.
#include "vulkan/executor/work/work.hpp"

namespace coopc::vk {

Outcome StageModules::create(Device& device, const RunRequest& request,
                             const SpecializationInfo& specialization) {
  for (const RunStage& stage : request.stages) {
    if (Outcome bad = makeShaderModule(device, stage.module, modules_.emplace_back())) return bad;
    VkPipelineShaderStageCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    info.stage = stage.stage->bit;
    info.module = modules_.back().get();
    info.pName = stage.entry.c_str();
    info.pSpecializationInfo = specialization.get();
    infos_.push_back(info);
  }
  return std::nullopt;
}

}  // namespace coopc::vk
