// Random compute programs that terminate and whose results are defined: every index is in range, divisors are
// positive, shifts are small, and floating-point numbers are kept to multiples of 1/8 below 64, so that all
// arithmetic on them is exact. What the language leaves open (the order of copying out, aliased outputs,
// unset variables) does not occur. Two right compilers must therefore make the same numbers of a program.
#pragma once

#include <cstdint>
#include <string>

namespace coopc::tests {

constexpr uint32_t kRandomInvocations = 16;  ///< the workgroup's size
constexpr uint32_t kRandomGroups = 2;
constexpr uint32_t kRandomInputs = 64;   ///< words at binding 0, read by all
constexpr uint32_t kRandomResults = 64;  ///< words per invocation at binding 1
constexpr uint32_t kRandomMemoryBytes = 1u
                                        << 18;  ///< at bindings 2 and 3: blocks of the program's own layout

/// The text of the program that belongs to the number.
std::string randomProgram(uint64_t seed);

}  // namespace coopc::tests
