// Number formats: between the encodings that constants hold and the host's numbers.
#pragma once

#include <cstdint>

#include "frontend/language/types.hpp"

namespace coopc::frontend {

/// Cuts to the width of an integer type (the form in which constants hold integers).
uint64_t wrapInteger(Scalar type, uint64_t value);
/// The value of an integer encoding, sign-extended for signed types.
int64_t signedValue(Scalar type, uint64_t bits);

uint64_t encodeFloat(Scalar type, double value);  ///< round to nearest even into the type's encoding
double decodeFloat(Scalar type, uint64_t bits);

/// Conversion by the rules of constructors (5.4.1). `*overflow` is set where a float is out of the integer's range, which the
/// specification leaves undefined: the result wraps as far as 64 bits go.
uint64_t convertScalar(Scalar from, uint64_t bits, Scalar to, bool* overflow = nullptr);

}  // namespace coopc::frontend
