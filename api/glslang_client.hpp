// The helper program coopc-glslang, started and asked: internal to api/.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "coopc/coopc.hpp"

namespace coopc {

struct GlslangFinding {
  bool error = false;
  std::string file;
  uint32_t line = 0;  ///< 0: no place
  std::string text;
};

struct GlslangAnswer {
  enum class Status {
    Done,
    Failed,             ///< `findings` say why
    ExtensionsUnknown,  ///< glslang supports none of the requested extensions
    NotFound,           ///< there is no helper; `problem` lists the places that were searched
    Broken,             ///< the helper ended before it answered; `problem` says how
  } status = Status::Broken;
  std::vector<uint32_t> words;
  std::string text;
  std::vector<GlslangFinding> findings;
  std::string problem;
};

struct GlslangRequest {
  Stage stage = Stage::Compute;
  uint32_t spirvVersion = 0;  ///< of the module
  const Options* options = nullptr;
  uint32_t bindingBase[6] = {};
  std::vector<std::string> extensions;  ///< glslang must support at least one of these; empty: no requirement
  std::string_view name;
  std::string_view source;
  /// A file that the text includes; no value if there is none.
  IncludeResolver include;
};

/// Starts a helper for one request. It is looked for in Options::glslangProgram, in the environment's
/// COOPC_GLSLANG, in the running program's folder, in ../libexec/coopc relative to that, and where the build
/// installs it.
GlslangAnswer askGlslang(const GlslangRequest& request);

}  // namespace coopc
