// Known factors of numbers whose values are not known: how many of their low bits are 0. In most shaders,
// addresses and offsets are multiples of some power of two, which determines how wide loads may be.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "spirv/module.hpp"

namespace coopc::spirv::lower {

/// The number of low bits of an integer (or of each component of a vector) that are 0 for any input; at most
/// 32. For the tests: lowering asks returnsTrue(), which rests on the same analysis.
uint32_t lowZeroBits(const Module& module, Id value);

/// Whether a function without control flow returns true for all arguments that have at least their known
/// numbers of low zero bits. Understands comparisons of masked bits with 0, and conjunctions of conditions.
/// `promised`: values whose number of low zero bits is known from elsewhere.
bool returnsTrue(const Module& module, Id function, const std::vector<Id>& arguments,
                 const std::vector<std::pair<Id, uint32_t>>& promised = {});

}  // namespace coopc::spirv::lower
