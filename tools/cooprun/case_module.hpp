// Where the modules of a case come from.
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

/// The name of a case's shader in folders of modules: STEM, and a suffix that distinguishes the stages of a
/// drawing or a tracing.
std::string moduleName(const harness::Case& subject, size_t shader, const std::string& stem);

/// The modules of a case's shaders, each one FOLDER/NAME.spv where `folder` is not empty and has it, the
/// case's own, or compiled.
harness::Result<std::vector<std::vector<uint32_t>>> modulesOf(const harness::Case& subject,
                                                              const std::string& stem,
                                                              const std::string& folder,
                                                              const harness::Compiler& compiler);

}  // namespace coopc::cooprun
