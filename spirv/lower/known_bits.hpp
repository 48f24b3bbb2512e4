// What is known of numbers without knowing their values: how many of their lowest bits are 0. Addresses and offsets are multiples of
// something in most shaders, which decides how wide loads may be.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "spirv/module.hpp"

namespace coopc::spirv::lower {

/// The lowest bits of an integer (or of each component of a vector) that are 0, whatever the shader's input; 32 at most.
uint32_t lowZeroBits(const Module& module, Id value);

/// Whether a function without control flow returns true whatever its arguments are: of these, only how many of their lowest
/// bits are 0 is known. Knows the comparison of masked bits with 0, and that conditions may be joined. `promised`: values of which
/// something else says how many of their lowest bits are 0.
bool returnsTrue(const Module& module, Id function, const std::vector<Id>& arguments,
                 const std::vector<std::pair<Id, uint32_t>>& promised = {});

}  // namespace coopc::spirv::lower
