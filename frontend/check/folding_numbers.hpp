// Arithmetic of constants on scalar encodings. Internal to folding*.
#pragma once

#include "frontend/program/program.hpp"

namespace coopc::frontend {

/// Cuts to the width of an integer type (the form in which constants hold integers).
uint64_t wrapInteger(Scalar type, uint64_t value);
/// The value of an integer encoding, sign-extended for signed types.
int64_t signedValue(Scalar type, uint64_t bits);

/// What was noticed while folding; the caller reports it where it has a place.
enum class FoldIssue : uint8_t { None, DivisionByZero, ShiftTooWide, ConversionOverflow };

/// Unary operators on a scalar: Negate, Plus, BitNot, LogicalNot. False where the operator is not defined.
bool foldUnaryScalar(ExprOp op, Scalar type, uint64_t a, uint64_t& result);
/// Binary operators on scalars of one type (shifts: `bType` may differ). Comparisons give 0 or 1.
bool foldBinaryScalar(ExprOp op, Scalar type, uint64_t a, Scalar bType, uint64_t b, uint64_t& result,
                      FoldIssue& issue);
/// Conversion by the rules of constructors (5.4.1).
uint64_t convertScalar(Scalar from, uint64_t bits, Scalar to, FoldIssue& issue);

}  // namespace coopc::frontend
