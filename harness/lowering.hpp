// Lowering where a run needs it: a device in the form that spirv/lower asks, and requests whose module is rewritten for it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "harness/device/physical_device.hpp"
#include "harness/preflight.hpp"
#include "harness/run_request.hpp"
#include "spirv/lower/lower.hpp"

namespace coopc::harness {

/// What modules are lowered for.
struct LoweringTargets {
  spirv::lower::Target device;  ///< the device that runs them, or one with less
  /// Another device, which modules are lowered for first; the result is lowered again for `device`. In this way the code that
  /// lowering makes for a device that is not there can be run.
  std::optional<spirv::lower::Target> via;
};

/// The targets for `device` less the features `without` (removeFeatures()'s list). With `via`, the name of a target or of a shipped
/// profile, or a profile's text, it is that device which lacks the features; it has the subgroup sizes of `device` and no more
/// shared memory. The error names what is unknown or cannot be read.
Result<LoweringTargets> loweringTargets(const PhysicalDevice& device, std::string_view without,
                                        std::string_view via = {});

/// Lowers the request's module, with all specialization constants frozen: those of the request at their values, the others at
/// their defaults. `parsed` is ModuleInfo::parsed of that module, where it was read before.
spirv::lower::LowerAnswer lowerFor(const LoweringTargets& targets, const RunRequest& request,
                                   std::optional<spirv::Module> parsed = {});

/// Makes the request run what was lowered: its module (the answer must outlive the request), the subgroup size that it is right
/// for, and no matrix shapes, which lowering has looked at. `read` is readModuleInfo() of the answer's words.
void useLowered(const PhysicalDevice& device, const spirv::lower::LowerAnswer& answer,
                const Result<ModuleInfo>& read, RunRequest& request);

/// Lowers what the device cannot run, or where features were taken away; `answer` then owns the request's module, and
/// `possible` is asked again. Where that is declined, the reasons for skipping stay, and those of lowering follow. Without
/// targets nothing is done. True: the request's module is a lowered one.
bool lowerWhereNeeded(const PhysicalDevice& device, const LoweringTargets* targets, RunRequest& request,
                      Preflight& possible, spirv::lower::LowerAnswer& answer);

}  // namespace coopc::harness
