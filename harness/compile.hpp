// Compiles a case's shaders by running a compiler program with glslc's command line (coopc's is the same).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "harness/cases/case.hpp"
#include "harness/result.hpp"

namespace coopc::harness {

struct Compiler {
  std::string program;  ///< a path, or a name that is looked up in PATH
  uint32_t timeoutSeconds = 60;
  std::vector<std::string> options{};  ///< before a case's own
};

struct ProcessResult {
  int exitCode = -1;  ///< -1: ended by a signal
  bool timedOut = false;
  std::string output;  ///< stdout and stderr together, at most 1 MiB
};

/// Runs a program without a shell and waits for it. It is killed at the timeout.
Result<ProcessResult> runProcess(const std::vector<std::string>& arguments, uint32_t timeoutSeconds);

/// The arguments that compile the source of a shader of the case in `file` into `output`.
std::vector<std::string> compilerArguments(const ShaderSpec& shader, const std::string& file,
                                           const Compiler& compiler, const std::string& output);

/// The words of a shader's module: read from its .spv, or compiled in a temporary folder. A compiler that
/// fails is an error with its output.
Result<std::vector<uint32_t>> obtainModule(const ShaderSpec& shader, const std::string& file,
                                           const Compiler& compiler);
/// The modules of all shaders of a case, in its order.
Result<std::vector<std::vector<uint32_t>>> obtainModules(const Case& subject, const Compiler& compiler);

/// The module that `PROGRAM IN OUT` makes of a module.
Result<std::vector<uint32_t>> throughProgram(const std::string& program, std::span<const uint32_t> module);

/// `relative` in the folder of the case's file.
std::string besideCase(const std::string& file, const std::string& relative);

}  // namespace coopc::harness
