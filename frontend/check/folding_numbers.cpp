// Arithmetic of constants on scalar encodings.
//
// Floats are computed in double and rounded once into their own type. For float16 and float that gives the
// correctly rounded result of + - * / and sqrt, since 53 >= 2 * 24 + 2 bits make the double rounding
// harmless. Integers wrap at their width (4.1.3). Operations that the specification leaves undefined have a
// fixed result here: x / 0 is all ones for integers, x % 0 is 0, shifts take the amount modulo the width.
#include "frontend/check/folding_numbers.hpp"

#include <bit>
#include <cmath>
#include <limits>

#include "frontend/program/numbers.hpp"

namespace coopc::frontend {
std::optional<uint64_t> foldUnaryScalar(ExprOp op, Scalar type, uint64_t a) {
  if (op == ExprOp::Plus) return a;
  if (type == Scalar::Bool) return op == ExprOp::LogicalNot ? std::optional(a ^ 1) : std::nullopt;
  if (op == ExprOp::Negate) {
    if (isIntScalar(type)) return wrapInteger(type, ~a + 1);
    // Changes only the sign bit, even for NaN and zero.
    if (isArithmeticFloat(type)) return a ^ (uint64_t{1} << (scalarBits(type) - 1));
  }
  if (op == ExprOp::BitNot && isIntScalar(type)) return wrapInteger(type, ~a);
  return std::nullopt;
}

namespace {

std::optional<uint64_t> foldFloat(ExprOp op, Scalar type, double a, double b) {
  double v = 0;
  switch (op) {
    case ExprOp::Add: v = a + b; break;
    case ExprOp::Sub: v = a - b; break;
    case ExprOp::Mul: v = a * b; break;
    case ExprOp::Div:
      if (b == 0) {  // as in IEEE 754, but without a division by zero in C++
        v = a == 0 || std::isnan(a) ? std::numeric_limits<double>::quiet_NaN()
                                    : std::copysign(std::numeric_limits<double>::infinity(),
                                                    std::signbit(a) != std::signbit(b) ? -1.0 : 1.0);
      } else {
        v = a / b;
      }
      break;
    case ExprOp::Less: return a < b;
    case ExprOp::LessEqual: return a <= b;
    case ExprOp::Greater: return a > b;
    case ExprOp::GreaterEqual: return a >= b;
    case ExprOp::Equal: return a == b;
    case ExprOp::NotEqual: return a != b;
    default: return std::nullopt;
  }
  return encodeFloat(type, v);
}

std::optional<uint64_t> foldBool(ExprOp op, uint64_t a, uint64_t b) {
  switch (op) {
    case ExprOp::LogicalAnd: return a & b;
    case ExprOp::LogicalOr: return a | b;
    case ExprOp::LogicalXor:
    case ExprOp::NotEqual: return a ^ b;
    case ExprOp::Equal: return (a ^ b) ^ 1;
    default: return std::nullopt;
  }
}

std::optional<uint64_t> compareInteger(ExprOp op, bool less, bool equal) {
  switch (op) {
    case ExprOp::Less: return less;
    case ExprOp::LessEqual: return less || equal;
    case ExprOp::Greater: return !less && !equal;
    case ExprOp::GreaterEqual: return !less;
    case ExprOp::Equal: return equal;
    case ExprOp::NotEqual: return !equal;
    default: return std::nullopt;
  }
}

std::optional<uint64_t> foldInteger(ExprOp op, Scalar type, uint64_t a, Scalar bType, uint64_t b,
                                    FoldIssue& issue) {
  const bool isSigned = isSignedScalar(type);
  switch (op) {
    case ExprOp::Add: return wrapInteger(type, a + b);
    case ExprOp::Sub: return wrapInteger(type, a - b);
    case ExprOp::Mul: return wrapInteger(type, a * b);
    case ExprOp::BitAnd: return a & b;
    case ExprOp::BitOr: return a | b;
    case ExprOp::BitXor: return a ^ b;
    case ExprOp::Div:
    case ExprOp::Mod: {
      const bool divide = op == ExprOp::Div;
      if (b == 0) {
        issue = FoldIssue::DivisionByZero;
        return divide ? wrapInteger(type, ~uint64_t{0}) : 0;
      }
      if (isSigned) {
        const int64_t x = signedValue(type, a), y = signedValue(type, b);
        // The one quotient that does not fit wraps; computing it in C++ would be undefined.
        const int64_t r = y == -1 ? (divide ? static_cast<int64_t>(~static_cast<uint64_t>(x) + 1) : 0)
                                  : (divide ? x / y : x % y);
        return wrapInteger(type, static_cast<uint64_t>(r));
      }
      return divide ? a / b : a % b;
    }
    case ExprOp::ShiftLeft:
    case ExprOp::ShiftRight: {
      const uint32_t width = scalarBits(type);
      if ((isSignedScalar(bType) && signedValue(bType, b) < 0) || b >= width) issue = FoldIssue::ShiftTooWide;
      const auto amount = static_cast<uint32_t>(b & (width - 1));
      if (op == ExprOp::ShiftLeft) return wrapInteger(type, a << amount);
      return isSigned ? wrapInteger(type, static_cast<uint64_t>(signedValue(type, a) >> amount))
                      : a >> amount;
    }
    default:
      return isSigned ? compareInteger(op, signedValue(type, a) < signedValue(type, b), a == b)
                      : compareInteger(op, a < b, a == b);
  }
}

}  // namespace

std::optional<uint64_t> foldBinaryScalar(ExprOp op, Scalar type, uint64_t a, Scalar bType, uint64_t b,
                                         FoldIssue& issue) {
  if (type == Scalar::Bool) return foldBool(op, a, b);
  if (isIntScalar(type)) return foldInteger(op, type, a, bType, b, issue);
  if (isArithmeticFloat(type)) return foldFloat(op, type, decodeFloat(type, a), decodeFloat(type, b));
  return std::nullopt;
}

}  // namespace coopc::frontend
