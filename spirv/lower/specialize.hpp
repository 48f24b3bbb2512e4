// Turns specialization constants into plain constants, because the sizes of matrices and of shared memory
// must be known.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "spirv/constants.hpp"
#include "spirv/module.hpp"

namespace coopc::spirv::lower {

/// Freezes the module's specialization constants that have values in `given`, and with `defaults` all others
/// at their defaults. OpSpecConstant, OpSpecConstantTrue and OpSpecConstantFalse become plain constants and
/// lose their SpecId. OpSpecConstantComposite becomes plain if its constituents are plain, and
/// OpSpecConstantOp if its value is known (integers, booleans, vectors of these). Other operations remain,
/// with constant operands. Returns the SpecIds of the frozen constants with their values, in the order of the
/// SpecIds.
std::vector<SpecializationValue> specialize(Module& module, std::span<const SpecializationValue> given,
                                            bool defaults);

}  // namespace coopc::spirv::lower
