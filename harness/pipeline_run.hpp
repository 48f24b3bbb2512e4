// Creates the pipeline of a module, natively or lowered, without executing it: also works on devices that do
// not execute.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/lowering.hpp"
#include "vulkan/device/physical_device.hpp"
#include "vulkan/executor/instance.hpp"
#include "vulkan/executor/run_request.hpp"

namespace coopc::harness {

struct PipelineRun {
  vk::RunOutcome outcome;  ///< Done: the pipeline was made
  /// If the module was lowered, the features that it needs and the device lacks; otherwise empty.
  std::vector<std::string> lowered;
  uint64_t sharedBytes = 0;  ///< workgroup memory that the driver's module declares
  uint32_t invocations = 0;  ///< of a workgroup
};

/// Makes the pipeline of the request's module; what the device lacks is lowered for `targets`, if these are
/// given. The contents of the request's buffers may be missing.
PipelineRun makePipeline(const vk::Instance& instance, const vk::PhysicalDevice& device,
                         vk::RunRequest request, const LoweringTargets* targets);

}  // namespace coopc::harness
