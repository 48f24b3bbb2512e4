// The first declarations of a module: capabilities, extensions, and sets of extended instructions.
// Each is declared once; new ones are collected, and put in place at the end.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spirv/module.hpp"

namespace coopc::spirv::lower {

class Preamble {
 public:
  explicit Preamble(Module& module) : m_(module) {}

  void capability(spv::Capability capability);
  void extension(std::string_view name);
  /// The extended instruction set GLSL.std.450, found or made.
  Id glslFunctions();

  /// Puts everything in place.
  void insert();

 private:
  Module& m_;
  std::vector<Instruction> capabilities_, extensions_, imports_;
  std::vector<spv::Capability> declared_;  ///< those that capability() was asked for
  std::vector<std::string> declaredExtensions_;
  Id glsl_;
};

}  // namespace coopc::spirv::lower
