// Number formats: conversion between the encodings of numbers in constants and the host's numbers.
#pragma once

#include <cstdint>

#include "frontend/language/types.hpp"

namespace coopc::frontend {

/// `value` modulo 2 to the width of an integer type: zero-extended, as constants hold integers.
uint64_t wrapInteger(Scalar type, uint64_t value);
/// The value of an integer encoding, sign-extended for signed types.
int64_t signedValue(Scalar type, uint64_t bits);

/// The encoding of the nearest number, ties to even. FloatE8M0 rounds toward zero.
uint64_t encodeFloat(Scalar type, double value);
double decodeFloat(Scalar type, uint64_t bits);

/// Conversion by the rules of constructors (5.4.1). The value of a float outside the integer type's range is
/// undefined there; `*overflow` is set, and the result is the value modulo 2 to the type's width if 64 bits
/// can hold it.
uint64_t convertScalar(Scalar from, uint64_t bits, Scalar to, bool* overflow = nullptr);

}  // namespace coopc::frontend
