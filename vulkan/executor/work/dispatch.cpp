// A dispatch of a compute shader.
#include "vulkan/executor/work/work.hpp"

namespace coopc::vk {
namespace {

class Dispatch : public Work {
 public:
  Dispatch(const RunRequest& request, const PhysicalDevice& physical)
      : request_(request),
        canRequire_((physical.requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT) != 0) {}

  Outcome createPipeline(Device& device, const PipelineLayout& layout) override {
    return pipeline_.create(device, layout,
                            {request_.module, request_.entry, request_.specializations,
                             canRequire_ ? request_.subgroupSize : 0, request_.fullSubgroups});
  }
  void report(const Device& device, RunOutcome& outcome) const override {
    outcome.statistics = pipeline_.statistics(device);
    outcome.subgroupSize = pipeline_.subgroupSize(device);
    outcome.code = pipeline_.code(device);
  }
  void record(Commands& commands, const Bound& bound) override {
    commands.dispatch(pipeline_, bound.layout, bound.sets, bound.pushConstants, request_.groups);
  }
  void recordAgain(Commands& commands) override { commands.dispatchAgain(request_.groups); }

 private:
  const RunRequest& request_;
  bool canRequire_ = false;
  ComputePipeline pipeline_;
};

}  // namespace

std::unique_ptr<Work> makeDispatch(const RunRequest& request, const PhysicalDevice& physical) {
  return std::make_unique<Dispatch>(request, physical);
}

}  // namespace coopc::vk
