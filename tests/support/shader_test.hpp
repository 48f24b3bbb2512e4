// One shader test: a shader file, what its first lines ask for, and the expectation file next to it.
//
// Directives are `//` comments before the first line that is neither a comment, nor empty, nor #version:
//   // RUN: coopc ARGUMENT... %s     how to compile it; several lines are several runs. %s is the shader's
//                                    path relative to the root folder of the tests. Without such a line:
//                                    coopc --target-env=vulkan1.3 %s
//   // CHECK-SPIRV                   the expectation contains the module's disassembly
//   // VALIDATE: newest REASON       the linked SPIRV-Tools is too old for the module: only the newest checks
//                                    it
//   // VALIDATE: linked REASON       only the linked one checks it (a fault of the newest)
//   // VALIDATE: none REASON         nothing checks it
//
// The expectation NAME.expected contains for each run: the command, the exit code, the whole standard error,
// the standard output if there is any, and the disassembly if it was requested. Crashes, hangs and invalid
// modules are never expected.
#pragma once

#include <string>
#include <vector>

namespace coopc::tests {

struct RunnerOptions {
  std::string compiler;
  std::string root;       ///< tests run here; paths in diagnostics are relative to it
  std::string scratch;    ///< a folder for modules
  std::string spirvVal;   ///< the newest spirv-val, or ""
  std::string spirvDis;   ///< the newest spirv-dis, or ""
  bool update = false;    ///< rewrite the expectations
  int limitSeconds = 60;  ///< for one run of the compiler
};

struct ShaderTestResult {
  bool passed = false;
  bool updated = false;            ///< the expectation was rewritten
  std::string message;             ///< why it failed, several lines
  std::vector<std::string> skips;  ///< checks that were skipped, and why
};

enum class Validate { both, newest, linked, none };

struct Directives {
  std::vector<std::string> runs;  ///< without the leading "coopc"
  bool checkSpirv = false;
  bool scalarBlockLayout = false;  ///< the text enables GL_EXT_scalar_block_layout
  Validate validate = Validate::both;
  std::string error;  ///< what is wrong with a directive
};

Directives parseDirectives(const std::string& text);

/// `file` is relative to options.root; `index` distinguishes the scratch files of concurrent tests.
ShaderTestResult runShaderTest(const RunnerOptions& options, const std::string& file, int index);

/// Compiles `count` changed versions of the shader (mutation.hpp). Each run must end with exit code 0, 1 or
/// 2; with 0, the linked SPIRV-Tools must accept the module. `vocabulary` has words to insert. A changed
/// version that fails is kept as `keepFolder`/NAME.INDEX.STAGE.
ShaderTestResult runMutations(const RunnerOptions& options, const std::string& file, int index, int count,
                              const std::vector<std::string>& vocabulary, const std::string& keepFolder);

/// Whether a file name is that of a test (.comp and the other stages), not of an include or an expectation.
bool isShaderName(const std::string& name);

bool readFile(const std::string& path, std::string& text);
bool writeFile(const std::string& path, const std::string& text);

}  // namespace coopc::tests
