// The functions that access elements of a tensor (TensorFunction).
#pragma once

#include <cstdint>
#include <vector>

#include "spirv/lower/code.hpp"
#include "spirv/lower/tensor_addressing/access.hpp"

namespace coopc::spirv::lower::tensor {

/// Writes the function for one element, and the functions for 16 bytes if they are possible. `operands`: the
/// caller's ids that the functions may need and that are not global. `order` gets the indices of those that
/// they use, in the order of their parameters.
TensorFunction writeAccessFunctions(Code& c, Pointers& pointers, const Access& access,
                                    const std::vector<Id>& operands, std::vector<uint32_t>& order);

}  // namespace coopc::spirv::lower::tensor
