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

/// Whether the bytes begin like a module, in either byte order.
bool isModule(std::string_view bytes);

/// The arguments of the matrix load or store number `which` (0 by default), counted in the order of the
/// module. All functions are walked in that order, once. `names` are values of specialization constants (by
/// name, or by their SpecId: "3"), of members of push constants and buffers by the module's names ("rows",
/// "parameters.rows"; "push.0" if it has none), and of built-in variables ("gl_WorkGroupID.x"). On an error
/// there is no value, and `error` says why, with the broken rule.
std::optional<TensorProgram> runTensorModule(std::string_view bytes,
                                             const std::map<std::string, int64_t>& names, std::string& error,
                                             std::optional<uint32_t> which = {});

/// The instructions that load or store matrices, in the order in which runTensorModule() counts them. Nothing and `error` for what is no
/// module.
std::vector<std::string> matrixAccessesOfModule(std::string_view bytes, std::string& error);

}  // namespace coopc::cooplayout
