// Lowering for runs that need it: a device in the form that spirv/lower expects, and requests whose module is
// rewritten for it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/result.hpp"
#include "spirv/lower/lower.hpp"
#include "vulkan/device/physical_device.hpp"
#include "vulkan/executor/preflight.hpp"
#include "vulkan/executor/run_request.hpp"

namespace coopc::harness {

/// The target that modules are lowered for.
struct LoweringTargets {
  spirv::lower::Target device;  ///< the device that runs them, or the same with fewer features
  /// Another device for which modules are lowered first; the result is then lowered for `device`. In this
  /// way, code that lowering generates for a device that is not present can be run.
  std::optional<spirv::lower::Target> via;
};

/// The targets for `device` minus the features `without` (a list for removeFeatures()). With `via`, the name
/// of a target or of a shipped profile, or the text of a profile, that device lacks the features instead; it
/// gets the subgroup sizes of `device` and no more shared memory. The error names what is unknown or cannot
/// be read.
Result<LoweringTargets> loweringTargets(const vk::PhysicalDevice& device, std::string_view without,
                                        std::string_view via = {});

/// Lowers the request's module, with all specialization constants frozen: the request's at their
/// values, the others at their defaults. `parsed` is ModuleInfo::parsed of that module, where it was read
/// before.
spirv::lower::LowerAnswer lowerFor(const LoweringTargets& targets, const vk::RunRequest& request,
                                   std::optional<spirv::Module> parsed = {});

/// Makes the request run the lowered module: the module itself (the answer must outlive the request), the
/// subgroup size that it is valid for, no matrix shapes, as lowering has checked those, and the descriptions
/// of tensors that became buffers. `read` is readModuleInfo() of the answer's words.
void useLowered(const vk::PhysicalDevice& device, const spirv::lower::LowerAnswer& answer,
                const Result<vk::ModuleInfo>& read, vk::RunRequest& request);

/// Lowers a module that the device cannot run, or any module if features were taken away; `answer` then owns
/// the request's module, and `possible` is evaluated again. If lowering declines, the reasons for skipping
/// stay, followed by the ones that lowering adds. Without targets, nothing is done. Returns whether the
/// request's module is a lowered one.
bool lowerWhereNeeded(const vk::PhysicalDevice& device, const LoweringTargets* targets,
                      vk::RunRequest& request, vk::Preflight& possible, spirv::lower::LowerAnswer& answer);
/// The same for each stage of a request that draws or traces rays, with one answer for each stage. Returns
/// the features that were lowered because the device lacks them; empty if the modules are unchanged.
std::vector<std::string> lowerStagesWhereNeeded(const vk::PhysicalDevice& device,
                                                const LoweringTargets* targets, vk::RunRequest& request,
                                                vk::Preflight& possible,
                                                std::vector<spirv::lower::LowerAnswer>& answers);

}  // namespace coopc::harness
