// The inputs whose whole outputs are recorded: the shaders of the tests and the samples, generated
// programs of each kind, the inputs of tests/growth, a call of each overload of each built-in function, and
// each operator with each type.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "coopc/coopc.hpp"

namespace coopc::tests {

struct InputShader {
  std::string name;  ///< without spaces; relative to the tree, or of its kind
  std::string text;
  Stage stage = Stage::Compute;
};

/// Shaders whose outputs have one line in a record.
struct InputGroup {
  std::string name;
  std::vector<InputShader> shaders;
};

/// One group for each file, each built-in function and each type. Sorted by name.
const std::vector<InputGroup>& inputGroups();

/// Modules of tests/growth and tests/validator, which are not compiled from text.
std::vector<std::pair<std::string, std::vector<uint32_t>>> inputModules();

/// Options for Vulkan 1.3 that start no other programs; `#include` finds the files of the tests.
Options inputOptions(const InputShader& shader);

}  // namespace coopc::tests
