// Compiles GLSL as `cooplayout tensor` takes it. A whole shader is compiled as it is. Statements alone, and
// shaders without #version, are completed: the version, extensions, a function main around the statements,
// types of variables that are assigned without one, and declarations of names that are not declared.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tools/cooplayout/tensor_program.hpp"

namespace coopc::cooplayout {

struct CompiledText {
  std::vector<uint32_t> words;  ///< the module, with lines and names, as programs/module.hpp reads it
  bool isShader = false;        ///< the text has a function main
  /// The places of names that are not declared and have no value: "3:14".
  std::map<std::string, std::string> places;
};

/// No value for a text that does not compile. `error` then has the compiler's errors, each on a line with its
/// place in the text: "3:14: MESSAGE [IDENTIFIER; CLAUSE]".
std::optional<CompiledText> compileText(const ProgramText& program, std::string& error);

}  // namespace coopc::cooplayout
