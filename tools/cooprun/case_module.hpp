// Where the module of a case comes from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/case.hpp"
#include "harness/compile.hpp"
#include "vulkan/device/result.hpp"

namespace coopc::cooprun {

/// coopc beside the program `self` (argv[0]), or else from PATH.
std::string defaultCompiler(const char* self);

/// The case's module: FOLDER/STEM.spv where `folder` is not empty and has it, the case's own, or compiled.
harness::Result<std::vector<uint32_t>> moduleOf(const harness::Case& subject, const std::string& stem,
                                                const std::string& folder, const harness::Compiler& compiler);

}  // namespace coopc::cooprun
