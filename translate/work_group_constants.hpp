// Specialization constants that are both a size of the workgroup and an operand.
#pragma once

#include <string>

#include "spirv/module.hpp"

namespace coopc::translating {

/// SPIRV-Cross (up to version 1.4.357 of the Vulkan SDK at least) declares no specialization constant of the
/// composite with the built-in WorkgroupSize: in GLSL, `local_size_x_id` stands for it. An operand that is
/// such a constant then has a name that is not declared. Modules have such operands where an extraction from
/// the composite was folded, as of `gl_WorkGroupSize.x`.
///
/// This gives such operands another constant with the same SpecId and the same default, which GLSL declares
/// by `constant_id`: one that the module has, or else a new one. GLSL declares one constant for each SpecId,
/// so operands stay as they are if constants of a SpecId have several types or defaults. Returns "", or an
/// error if there are no ids left.
std::string repeatWorkGroupConstants(spirv::Module& module);

}  // namespace coopc::translating
