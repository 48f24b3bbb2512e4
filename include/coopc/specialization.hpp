// Values of specialization constants, for the validator, reflection and lowering.
//
// Ownership, Threads, Errors: a plain value. Units: bits as the constant has them; booleans 0 or 1.
#pragma once

#include <cstdint>

namespace coopc {

/// A specialization constant given a value: its SpecId and the value's bits.
struct Specialization {
  uint32_t id = 0;
  uint64_t value = 0;
};

}  // namespace coopc
