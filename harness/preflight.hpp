// Whether a device can run what is asked, before anything is allocated or filled.
#pragma once

#include <string>
#include <vector>

#include "harness/device/physical_device.hpp"
#include "harness/features.hpp"
#include "harness/module_info.hpp"
#include "harness/run_request.hpp"

namespace coopc::harness {

struct Preflight {
  /// Done: nothing stands against running.
  RunOutcome::Kind kind = RunOutcome::Kind::Done;
  /// All reasons for Skipped or Failed.
  std::vector<std::string> reasons;
  ModuleInfo module;
  Requirements requirements;
};

/// Looks at features, limits, subgroup sizes and matrix shapes; not at the contents of buffers, which may still be missing.
Preflight preflight(const PhysicalDevice& device, const RunRequest& request);
/// As above, with what readModuleInfo() returned for the request's module and specialization values.
Preflight preflight(const PhysicalDevice& device, const RunRequest& request, Result<ModuleInfo> read);

/// Why the device cannot multiply matrices of this shape in workgroups of `invocations`, or nothing. Fixed shapes must be
/// equal; flexible ones must be multiples of a granularity and at most the largest dimension.
std::string missingShape(const PhysicalDevice& device, const MatrixShape& shape, uint64_t invocations);

}  // namespace coopc::harness
