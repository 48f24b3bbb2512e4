// Arithmetic of constants on scalar encodings. Internal to folding*.
#pragma once

#include <cstdint>
#include <optional>

#include "frontend/program/numbers.hpp"
#include "frontend/program/program.hpp"

namespace coopc::frontend {

/// Problems noticed while folding; the caller reports them if it has a place in the source.
enum class FoldIssue : uint8_t { None, DivisionByZero, ShiftTooWide, ConversionOverflow };

/// Unary operators on a scalar: Negate, Plus, BitNot, LogicalNot. None if the operator is not defined.
std::optional<uint64_t> foldUnaryScalar(ExprOp op, Scalar type, uint64_t a);
/// Binary operators on scalars of one type (shifts: `bType` may differ). Comparisons give 0 or 1.
std::optional<uint64_t> foldBinaryScalar(ExprOp op, Scalar type, uint64_t a, Scalar bType, uint64_t b,
                                         FoldIssue& issue);
}  // namespace coopc::frontend
