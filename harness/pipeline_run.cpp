// The steps of a case's run up to its pipeline.
#include "harness/pipeline_run.hpp"

#include "vulkan/executor/preflight.hpp"
#include "vulkan/executor/runner.hpp"

namespace coopc::harness {

PipelineRun makePipeline(const vk::Instance& instance, const vk::PhysicalDevice& device,
                         vk::RunRequest request, const LoweringTargets* targets) {
  PipelineRun result;
  request.pipelineOnly = true;
  vk::Preflight possible = vk::preflight(device, request);
  std::vector<spirv::lower::LowerAnswer> answers;
  if (!request.stages.empty())
    result.lowered = lowerStagesWhereNeeded(device, targets, request, possible, answers);
  else if (lowerWhereNeeded(device, targets, request, possible, answers.emplace_back()))
    result.lowered = answers[0].lacking;
  if (const vk::EntryPoint* entry = possible.module.findEntry(request.entry)) {
    result.sharedBytes = entry->workgroupBytes;
    result.invocations = entry->workgroupSize[0] * entry->workgroupSize[1] * entry->workgroupSize[2];
  }
  result.outcome = vk::run(instance, device, request, std::move(possible));
  return result;
}

}  // namespace coopc::harness
