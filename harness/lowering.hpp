// Lowering where a run needs it: a device in the form that spirv/lower asks, and requests whose module is rewritten for it.
#pragma once

#include "harness/device.hpp"
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

}  // namespace coopc::harness
