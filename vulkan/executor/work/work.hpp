// The work of a run between filling the device's memory and reading the results: a dispatch, a drawing or
// ray tracing. The rest of the run (vulkan/executor/runner.cpp) is the same for all of them.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "vulkan/executor/commands.hpp"
#include "vulkan/executor/pipeline.hpp"
#include "vulkan/executor/run_request.hpp"

namespace coopc::vk {

/// The objects that the run has created for the work.
struct WorkPlace {
  const InstanceApi& instance;
  const PhysicalDevice& physical;
  std::span<const Buffer> buffers;  ///< of the request; their contents begin at kGuardBytes
  Transfer transfer;
};

/// The objects that are bound during the work.
struct Bound {
  const PipelineLayout& layout;
  std::span<const VkDescriptorSet> sets;
  std::span<const uint8_t> pushConstants;
};

class Work {
 public:
  Work() = default;
  virtual ~Work() = default;
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

  virtual Outcome createPipeline(Device& device, const PipelineLayout& layout) = 0;
  /// The driver's report about the pipeline.
  virtual void report(const Device&, RunOutcome&) const {}
  /// Creates the objects that the work needs besides the request's buffers, images and descriptors.
  virtual Outcome prepare(WorkPlace&) { return std::nullopt; }
  virtual void record(Commands& commands, const Bound& bound) = 0;
  /// Records the work once more; its state is still bound.
  virtual void recordAgain(Commands& commands) = 0;
  /// Reads the objects of prepare() back into the request.
  virtual Outcome read(Transfer&) { return std::nullopt; }
};

std::unique_ptr<Work> makeDispatch(const RunRequest& request, const PhysicalDevice& physical);
std::unique_ptr<Work> makeDrawing(RunRequest& request);
std::unique_ptr<Work> makeTracing(const RunRequest& request);

/// The shaders of a pipeline with several stages.
class StageModules {
 public:
  Outcome create(Device& device, const RunRequest& request, const SpecializationInfo& specialization);
  const std::vector<VkPipelineShaderStageCreateInfo>& infos() const { return infos_; }

 private:
  std::vector<ShaderModule> modules_;
  std::vector<VkPipelineShaderStageCreateInfo> infos_;
};

}  // namespace coopc::vk
