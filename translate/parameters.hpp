// Rewrites stores to parameters that SPIRV-Cross would lose.
#pragma once

#include "spirv/module.hpp"

namespace coopc::translating {

/// SPIRV-Cross (up to version 1.4.357 of the Vulkan SDK at least) takes a local variable to which a constant
/// array is stored once for a lookup table: it declares the constant at global scope, and writes no
/// assignment. It does the same with an `out` or `inout` parameter, whose argument then keeps its old value.
/// Stores of constants to parameters become stores of copies, which it does not take for constants.
void keepParameterStores(spirv::Module& module);

}  // namespace coopc::translating
