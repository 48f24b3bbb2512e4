// Requirements of a use on the target: its version of SPIR-V, and the memory model of the module.
#pragma once

#include <string_view>

#include "frontend/check/checker.hpp"

namespace coopc::frontend {

/// Whether the target's SPIR-V supports what an enabled extension of `anyOf` adds; reports if it does not.
bool requireTarget(Checker& c, std::string_view name, const ExtensionSet& anyOf, SourceLoc loc);
/// Switches the module to the Vulkan memory model, which `what` needs. The first such use is reported for
/// targets below SPIR-V 1.3, which cannot declare the model (SPV_KHR_vulkan_memory_model).
void useVulkanMemoryModel(Checker& c, std::string_view what, SourceLoc loc);

}  // namespace coopc::frontend
