// Lowering where a run needs it: a device in the form that spirv/lower asks, and requests whose module is rewritten for it.
#pragma once

#include "harness/device.hpp"
#include "harness/preflight.hpp"
#include "harness/run_request.hpp"
#include "spirv/lower/lower.hpp"

namespace coopc::harness {

spirv::lower::Target loweringTarget(const PhysicalDevice& device);

/// Lowers the request's module for a target (loweringTarget()'s, or one with less), with all specialization constants frozen:
/// those of the request at their values, the others at their defaults.
spirv::lower::LowerAnswer lowerFor(const spirv::lower::Target& target, const RunRequest& request);

/// Makes the request run what was lowered: its module (the answer must outlive the request), the subgroup size that it is right
/// for, and no matrix shapes, which lowering has looked at.
void useLowered(const PhysicalDevice& device, const spirv::lower::LowerAnswer& answer, RunRequest& request);

/// Lowers what the device cannot run, or where the target has features taken away; `answer` then owns the request's module, and
/// `possible` is asked again. Where that is declined, the reasons for skipping stay, and those of lowering follow. Without a
/// target nothing is done. True: the request's module is a lowered one.
bool lowerWhereNeeded(const PhysicalDevice& device, const spirv::lower::Target* target, RunRequest& request,
                      Preflight& possible, spirv::lower::LowerAnswer& answer);

}  // namespace coopc::harness
