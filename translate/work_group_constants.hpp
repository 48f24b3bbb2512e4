// Specialization constants that are both the size of a workgroup and operands.
#pragma once

#include "spirv/module.hpp"

namespace coopc::translating {

/// SPIRV-Cross (up to version 1.4.357 of the Vulkan SDK at least) declares no specialization constant that is
/// the size of a workgroup: in GLSL, `local_size_x_id` stands for it. An operand that is such a constant then
/// has a name without a declaration. A module may use it so, for example for `gl_WorkGroupSize.x`, whose
/// extraction folds to the constant. Such operands become a second constant with the same SpecId, which GLSL
/// declares with `constant_id`.
void repeatWorkGroupConstants(spirv::Module& module);

}  // namespace coopc::translating
