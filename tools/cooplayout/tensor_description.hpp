// A load or store by a tensor layout that options describe instead of GLSL: --dimensions 10,12 --offsets -2,6
// ...
#pragma once

#include <optional>

#include "tools/cooplayout/arguments.hpp"
#include "tools/cooplayout/tensor_program.hpp"

namespace coopc::cooplayout {

/// Reads the tensor of --dimensions and of the options that apply to it. No value after a mistake, which is
/// kept in `arguments`.
std::optional<TensorProgram> readTensorDescription(Arguments& arguments);

}  // namespace coopc::cooplayout
