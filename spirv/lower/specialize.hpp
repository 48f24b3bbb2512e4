// Specialization constants that become constants: sizes of matrices and of what is staged in shared memory need values.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "spirv/constants.hpp"
#include "spirv/module.hpp"

namespace coopc::spirv::lower {

/// Freezes the specialization constants of the module that have values in `given`, and with `defaults` all others at their
/// defaults: OpSpecConstant, OpSpecConstantTrue and OpSpecConstantFalse become plain constants and lose their SpecId,
/// OpSpecConstantComposite whose constituents are plain does too, and OpSpecConstantOp where its value is known (integers,
/// booleans, vectors of these); others stay operations, on constants. Returns the SpecIds of what was frozen with their
/// values, in the order of the SpecIds.
std::vector<SpecializationValue> specialize(Module& module, std::span<const SpecializationValue> given,
                                            bool defaults);

}  // namespace coopc::spirv::lower
