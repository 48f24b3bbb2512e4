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
bool foldUnaryScalar(ExprOp op, Scalar type, uint64_t a, uint64_t& result) {
  if (op == ExprOp::Plus) {
    result = a;
    return true;
  }
  if (type == Scalar::Bool) {
    result = a ^ 1;
    return op == ExprOp::LogicalNot;
  }
  if (op == ExprOp::Negate) {
    if (isIntScalar(type)) result = wrapInteger(type, ~a + 1);
    // Changes the sign bit alone, also for NaN and zero.
    else if (isArithmeticFloat(type))
      result = a ^ (uint64_t{1} << (scalarBits(type) - 1));
    else
      return false;
    return true;
  }
  if (op == ExprOp::BitNot && isIntScalar(type)) {
    result = wrapInteger(type, ~a);
    return true;
  }
  return false;
}

namespace {

bool foldFloat(ExprOp op, Scalar type, double a, double b, uint64_t& result) {
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
    case ExprOp::Less: result = a < b; return true;
    case ExprOp::LessEqual: result = a <= b; return true;
    case ExprOp::Greater: result = a > b; return true;
    case ExprOp::GreaterEqual: result = a >= b; return true;
    case ExprOp::Equal: result = a == b; return true;
    case ExprOp::NotEqual: result = a != b; return true;
    default: return false;
  }
  result = encodeFloat(type, v);
  return true;
}

bool foldBool(ExprOp op, uint64_t a, uint64_t b, uint64_t& result) {
  switch (op) {
    case ExprOp::LogicalAnd: result = a & b; return true;
    case ExprOp::LogicalOr: result = a | b; return true;
    case ExprOp::LogicalXor:
    case ExprOp::NotEqual: result = a ^ b; return true;
    case ExprOp::Equal: result = (a ^ b) ^ 1; return true;
    default: return false;
  }
}

bool compareInteger(ExprOp op, bool less, bool equal, uint64_t& result) {
  switch (op) {
    case ExprOp::Less: result = less; return true;
    case ExprOp::LessEqual: result = less || equal; return true;
    case ExprOp::Greater: result = !less && !equal; return true;
    case ExprOp::GreaterEqual: result = !less; return true;
    case ExprOp::Equal: result = equal; return true;
    case ExprOp::NotEqual: result = !equal; return true;
    default: return false;
  }
}

bool foldInteger(ExprOp op, Scalar type, uint64_t a, Scalar bType, uint64_t b, uint64_t& result,
                 FoldIssue& issue) {
  const bool isSigned = isSignedScalar(type);
  switch (op) {
    case ExprOp::Add: result = wrapInteger(type, a + b); return true;
    case ExprOp::Sub: result = wrapInteger(type, a - b); return true;
    case ExprOp::Mul: result = wrapInteger(type, a * b); return true;
    case ExprOp::BitAnd: result = a & b; return true;
    case ExprOp::BitOr: result = a | b; return true;
    case ExprOp::BitXor: result = a ^ b; return true;
    case ExprOp::Div:
    case ExprOp::Mod: {
      const bool divide = op == ExprOp::Div;
      if (b == 0) {
        issue = FoldIssue::DivisionByZero;
        result = divide ? wrapInteger(type, ~uint64_t{0}) : 0;
      } else if (isSigned) {
        const int64_t x = signedValue(type, a), y = signedValue(type, b);
        // The one quotient that does not fit wraps; computing it in C++ would be undefined.
        const int64_t r = y == -1 ? (divide ? static_cast<int64_t>(~static_cast<uint64_t>(x) + 1) : 0)
                                  : (divide ? x / y : x % y);
        result = wrapInteger(type, static_cast<uint64_t>(r));
      } else {
        result = divide ? a / b : a % b;
      }
      return true;
    }
    case ExprOp::ShiftLeft:
    case ExprOp::ShiftRight: {
      const uint32_t width = scalarBits(type);
      if ((isSignedScalar(bType) && signedValue(bType, b) < 0) || b >= width) issue = FoldIssue::ShiftTooWide;
      const auto amount = static_cast<uint32_t>(b & (width - 1));
      if (op == ExprOp::ShiftLeft)
        result = wrapInteger(type, a << amount);
      else if (isSigned)
        result = wrapInteger(type, static_cast<uint64_t>(signedValue(type, a) >> amount));
      else
        result = a >> amount;
      return true;
    }
    default:
      return isSigned ? compareInteger(op, signedValue(type, a) < signedValue(type, b), a == b, result)
                      : compareInteger(op, a < b, a == b, result);
  }
}

}  // namespace

bool foldBinaryScalar(ExprOp op, Scalar type, uint64_t a, Scalar bType, uint64_t b, uint64_t& result,
                      FoldIssue& issue) {
  if (type == Scalar::Bool) return foldBool(op, a, b, result);
  if (isIntScalar(type)) return foldInteger(op, type, a, bType, b, result, issue);
  if (isArithmeticFloat(type)) return foldFloat(op, type, decodeFloat(type, a), decodeFloat(type, b), result);
  return false;
}

}  // namespace coopc::frontend
