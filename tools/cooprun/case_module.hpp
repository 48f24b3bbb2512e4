// Finds or compiles the modules of a case.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/cases/case.hpp"
#include "harness/compile.hpp"
#include "harness/result.hpp"

namespace coopc::cooprun {

/// coopc in the folder of the program `self` (argv[0]), or else from PATH.
std::string defaultCompiler(const char* self);

/// The name of a case's shader in folders of modules: STEM, with a suffix for the stage in cases that draw or
/// trace rays.
std::string moduleName(const harness::Case& subject, size_t shader, const std::string& stem);

/// The modules of a case's shaders. Each is FOLDER/NAME.spv if `folder` is not empty and contains it; else
/// the module that the case names, or a compiled one.
harness::Result<std::vector<std::vector<uint32_t>>> modulesOf(const harness::Case& subject,
                                                              const std::string& stem,
                                                              const std::string& folder,
                                                              const harness::Compiler& compiler);

}  // namespace coopc::cooprun
