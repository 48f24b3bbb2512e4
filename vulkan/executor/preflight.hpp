// Whether a device can run a request, checked before anything is allocated or filled.
#pragma once

#include <string>
#include <vector>

#include "vulkan/device/api.hpp"
#include "vulkan/device/physical_device.hpp"
#include "vulkan/executor/features.hpp"
#include "vulkan/executor/module_info.hpp"
#include "vulkan/executor/run_request.hpp"

namespace coopc::vk {

struct Preflight {
  /// Done: nothing prevents the run.
  RunOutcome::Kind kind = RunOutcome::Kind::Done;
  /// All reasons for Skipped or Failed.
  std::vector<std::string> reasons;
  ModuleInfo module;
  Requirements requirements;
};

/// Checks features, limits, subgroup sizes and matrix shapes, but not the contents of buffers, which may
/// still be missing.
Preflight preflight(const PhysicalDevice& device, const RunRequest& request);
/// The same, given the result of readModuleInfo() for the request's module and specialization values.
Preflight preflight(const PhysicalDevice& device, const RunRequest& request, Result<ModuleInfo> read);

/// The limits that the request's work exceeds and PhysicalDevice does not hold: limits of ray tracing
/// pipelines and of mesh shaders, whose extensions the device must have. run() checks them before it makes
/// anything.
std::vector<std::string> exceededLimits(const InstanceApi& api, const PhysicalDevice& device,
                                        const RunRequest& request);

/// Why the device cannot multiply matrices of this shape in workgroups of `invocations`; no value if it can.
/// Fixed shapes must be equal; flexible ones must be multiples of a granularity and at most the largest
/// dimension.
std::string missingShape(const PhysicalDevice& device, const spirv::MatrixShape& shape, uint64_t invocations);

}  // namespace coopc::vk
