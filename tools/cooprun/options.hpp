// The command line of cooprun.
#pragma once

#include <string>
#include <vector>

#include "harness/cases/case.hpp"
#include "harness/result.hpp"

namespace coopc::cooprun {

struct CooprunOptions {
  bool help = false;
  bool version = false;
  bool markdown = false;  ///< --options-markdown
  bool list = false;
  bool doctor = false;
  bool json = false;
  bool validation = false;
  bool time = false;
  bool statistics = false;
  bool compileOnly = false;
  bool lower = true;             ///< lower modules that the device cannot run
  std::string device;            ///< empty: the best device
  std::string compiler;          ///< empty: coopc in this program's folder, or else from PATH
  bool optimize = false;         ///< -O
  std::string reference;         ///< another compiler whose modules must leave the same bytes
  std::string referenceModules;  ///< or a folder of its modules
  std::string modules;           ///< folder with CASE.spv to use instead of compiling
  std::string saveModules;       ///< folder for CASE.spv
  std::string disassemble;       ///< folder for the driver's code
  std::string architecture = "SM90";
  std::string turnFile;  ///< lock file that is held while a run uses the device
  std::string dump;      ///< folder for the final contents of buffers, images and targets
  std::string profile;   ///< --dump-profile: the file, "-" for the standard output
  std::string layouts;   ///< --layouts: the file, "-" for the standard output
  std::string via;       ///< first lower modules for this device: a file or a name
  std::string without;   ///< features that lowering does not use
  std::string through;   ///< a program that every module goes through
  harness::Overrides overrides;
  std::vector<std::string> cases;
};

harness::Result<CooprunOptions> parseOptions(int argc, char** argv);

/// --help and --options-markdown.
std::string helpText();
std::string optionsMarkdown();

}  // namespace coopc::cooprun
