// Rewrites integer operations into forms that SPIRV-Cross translates correctly.
#pragma once

#include <string>

#include "spirv/module.hpp"

namespace coopc::translating {

/// SPIRV-Cross (up to version 1.3.239 of the Vulkan SDK at least) reinterprets operands whose types differ
/// from the result's in a way that is right for operands of one size and signedness only. The following are
/// rewritten so that their operands are like that:
///
/// - shifts by a number of another width than the shifted one: the number is converted;
/// - bit casts between an integer and a vector of smaller integers, one signed and the other not: the integer
///   changes its sign by a separate bit cast.
///
/// SPIRV-Cross does not support dot products of integers (SPV_KHR_integer_dot_product). If they have 32-bit
/// results, they become sums of products: of four 8-bit integers in a 32-bit one (PackedVectorFormat4x8Bit),
/// which lowering writes, and of vectors. Products with saturating accumulation are rewritten only for
/// integers of 8 bits, whose sums fit. Returns what is wrong with the first product that cannot be rewritten,
/// or "".
std::string matchIntegers(spirv::Module& module);

}  // namespace coopc::translating
