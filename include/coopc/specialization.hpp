// Values of specialization constants, for the validator and for lowering.
#pragma once

#include <cstdint>

namespace coopc {

// A specialization constant given a value: its SpecId and the value's bits.
struct Specialization {
  uint32_t id = 0;
  uint64_t value = 0;
};

}  // namespace coopc
