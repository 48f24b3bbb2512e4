// Runs one command line: compiles inputs, writes outputs and dependency rules, and prints messages.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/system.hpp"
#include "coopc/coopc.hpp"
#include "tools/coopc/options.hpp"

namespace coopc::tool {

constexpr int kInputError = 1;
constexpr int kUsageError = 2;

/// The environment in which a command line runs.
struct Surroundings {
  coopc::FileCache& files;     ///< reads inputs and includes
  std::string directory;       ///< start of relative paths: ends in a slash, or "" for the current folder
  std::string* out = nullptr;  ///< replaces the standard output; the standard input is not read then
  std::string* err = nullptr;  ///< replaces the standard error
  std::shared_ptr<coopc::GlslangPool> glslang = nullptr;  ///< null: a helper for each compile that needs one

  /// `path` in the form that the system needs.
  std::string place(const std::string& path) const {
    return directory.empty() || path.empty() || isAbsolutePath(path) ? path : directory + path;
  }
};

/// The exit code: 0, kInputError, or kUsageError if it would overwrite an input, or write one file twice.
int runCommandLine(const CommandLine& line, const Surroundings& where);

/// Prints "coopc: error: TEXT\n" and returns kUsageError; for glslc, with glslc's name and exit code.
int usageError(const std::string& text, std::string* err = nullptr, bool asGlslc = false);

/// The files that the command line writes, as given: modules and texts, then dependency files. The standard
/// output and devices are left out.
std::vector<std::string> writtenFiles(const CommandLine& line);

}  // namespace coopc::tool
