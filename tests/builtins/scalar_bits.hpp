// Converts numbers to the bits of a component type and back, for the buffers of value tests. Uses the code of
// constant folding, which has separate tests.
#pragma once

#include <cstdint>

#include "frontend/check/folding.hpp"
#include "frontend/program/numbers.hpp"

namespace coopc::tests {

/// Integers must be in the type's range; floats are rounded to the nearest.
inline uint64_t bitsOf(coopc::frontend::Scalar type, double value) {
  if (coopc::frontend::isFloatScalar(type)) return coopc::frontend::encodeFloat(type, value);
  return coopc::frontend::isSignedScalar(type) ? static_cast<uint64_t>(static_cast<int64_t>(value))
                                               : static_cast<uint64_t>(value);
}

/// The value of the low `bytes` bytes of `bits`; higher bytes are 0. For 64-bit integers, the nearest double.
inline double valueOf(coopc::frontend::Scalar type, uint64_t bits, uint32_t bytes) {
  if (coopc::frontend::isFloatScalar(type)) return coopc::frontend::decodeFloat(type, bits);
  if (!coopc::frontend::isSignedScalar(type)) return static_cast<double>(bits);
  const uint32_t unused = 64 - 8 * bytes;
  return static_cast<double>(static_cast<int64_t>(bits << unused) >> unused);
}

}  // namespace coopc::tests
