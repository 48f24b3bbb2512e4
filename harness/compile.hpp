// Compiles a case's shader by running a compiler program with glslc's command line (coopc's is the same).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "harness/case.hpp"
#include "vulkan/device/result.hpp"

namespace coopc::harness {

struct Compiler {
  std::string program;  ///< a path, or a name that is looked up in PATH
  uint32_t timeoutSeconds = 60;
};

struct ProcessResult {
  int exitCode = -1;  ///< -1: ended by a signal
  bool timedOut = false;
  std::string output;  ///< stdout and stderr together, at most 1 MiB
};

/// Runs a program without a shell and waits for it. It is killed at the timeout.
Result<ProcessResult> runProcess(const std::vector<std::string>& arguments, uint32_t timeoutSeconds);

/// The arguments that compile `subject`'s source into `output`.
std::vector<std::string> compilerArguments(const Case& subject, const Compiler& compiler,
                                           const std::string& output);

/// The words of the case's module: read from its .spv, or compiled in a temporary folder. A compiler that
/// fails is an error with its output.
Result<std::vector<uint32_t>> obtainModule(const Case& subject, const Compiler& compiler);

/// The module that `PROGRAM IN OUT` makes of a module.
Result<std::vector<uint32_t>> throughProgram(const std::string& program, std::span<const uint32_t> module);

/// `relative` in the folder of the case file.
std::string besideCase(const Case& subject, const std::string& relative);

}  // namespace coopc::harness
