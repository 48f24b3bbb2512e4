// The loads and stores of matrices in a SPIR-V module, from any compiler: its constants, variables and tensor operations are executed on
// the values of layout/, as tensor_program.hpp does with GLSL.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "tools/cooplayout/tensor_program.hpp"

namespace coopc::cooplayout {

/// Does it begin as a module does, in either byte order?
bool isModule(std::string_view bytes);

/// What the matrix load or store `which` (without it the first) is given, counted in the order of the module from 0. All functions are walked through in that
/// order, once. `names` are values of specialization constants (by name, or by their SpecId: "3"), of members of push constants and of
/// buffers by the names that the module has ("rows", "parameters.rows"; "push.0" where it has none), and of built-in variables ("gl_WorkGroupID.x"). On an error
/// nothing, and `error` says why, and which rule is broken.
std::optional<TensorProgram> runTensorModule(std::string_view bytes,
                                             const std::map<std::string, int64_t>& names, std::string& error,
                                             std::optional<uint32_t> which = {});

}  // namespace coopc::cooplayout
