// Built-in functions of constants. 4.3.3 lists those that must fold; any other function without side effects
// may.
//
// Component-wise functions are one scalar function each. Operations that IEEE 754 rounds correctly (+ - * /
// sqrt, and those made of comparisons) are exact; the others are computed in double and rounded once, which
// is at least the precision that the target needs ("the host must use the same or greater precision").
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "frontend/check/expressions_common.hpp"
#include "frontend/check/folding_numbers.hpp"
#include "frontend/program/constant_values.hpp"
#include "frontend/program/numbers.hpp"

namespace coopc::frontend {
namespace {

constexpr double kPi = 3.14159265358979323846;

struct BuiltinFolder {
  Checker& c;
  BuiltinOp op;

  Program& program() { return c.program; }
  const Constant& at(ConstId id) { return c.program.constants[id]; }
  double value(ConstId id) { return constantToDouble(c.program, id); }
  ConstId number(Scalar s, double v) { return c.program.constants.scalar(basicType(s), encodeFloat(s, v)); }
  ConstId integer(Scalar s, uint64_t bits) {
    return c.program.constants.scalar(basicType(s), wrapInteger(s, bits));
  }
};

double roundEven(double x) {
  const double down = std::floor(x);
  const double rest = x - down;
  double r = down;
  if (rest > 0.5 || (rest == 0.5 && std::fmod(down, 2.0) != 0)) r = down + 1;
  return std::copysign(r, x);
}

// Functions of one floating-point argument; none for other functions.
std::optional<double> floatFunction(BuiltinOp op, double x) {
  switch (op) {
    case BuiltinOp::Radians: return x * (kPi / 180.0);
    case BuiltinOp::Degrees: return x * (180.0 / kPi);
    case BuiltinOp::Sin: return std::sin(x);
    case BuiltinOp::Cos: return std::cos(x);
    case BuiltinOp::Tan: return std::tan(x);
    case BuiltinOp::Asin: return std::asin(x);
    case BuiltinOp::Acos: return std::acos(x);
    case BuiltinOp::Atan: return std::atan(x);
    case BuiltinOp::Sinh: return std::sinh(x);
    case BuiltinOp::Cosh: return std::cosh(x);
    case BuiltinOp::Tanh: return std::tanh(x);
    case BuiltinOp::Asinh: return std::asinh(x);
    case BuiltinOp::Acosh: return std::acosh(x);
    case BuiltinOp::Atanh: return std::atanh(x);
    case BuiltinOp::Exp: return std::exp(x);
    case BuiltinOp::Log: return std::log(x);
    case BuiltinOp::Exp2: return std::exp2(x);
    case BuiltinOp::Log2: return std::log2(x);
    case BuiltinOp::Sqrt: return std::sqrt(x);
    case BuiltinOp::InverseSqrt:
      return x == 0 ? std::copysign(std::numeric_limits<double>::infinity(), x) : 1.0 / std::sqrt(x);
    case BuiltinOp::Abs: return std::fabs(x);
    case BuiltinOp::Sign: return x > 0 ? 1.0 : x < 0 ? -1.0 : 0.0;
    case BuiltinOp::Floor: return std::floor(x);
    case BuiltinOp::Trunc: return std::trunc(x);
    case BuiltinOp::Round:
    case BuiltinOp::RoundEven: return roundEven(x);
    case BuiltinOp::Ceil: return std::ceil(x);
    default: return std::nullopt;
  }
}

uint64_t absoluteInteger(Scalar s, uint64_t bits) {
  const int64_t v = signedValue(s, bits);
  return isSignedScalar(s) && v < 0 ? ~static_cast<uint64_t>(v) + 1 : bits;
}

// Functions of one integer argument with a result of the same type.
std::optional<uint64_t> integerFunction(BuiltinOp op, Scalar s, uint64_t x) {
  switch (op) {
    case BuiltinOp::Abs: return absoluteInteger(s, x);
    case BuiltinOp::Sign: {
      const int64_t v = signedValue(s, x);
      return isSignedScalar(s) && v < 0 ? ~uint64_t{0} : x != 0 ? 1 : 0;
    }
    case BuiltinOp::BitfieldReverse: {
      const uint32_t width = scalarBits(s);
      uint64_t r = 0;
      for (uint32_t i = 0; i < width; ++i) r |= ((x >> i) & 1) << (width - 1 - i);
      return r;
    }
    default: return std::nullopt;
  }
}

int64_t findMsb(Scalar s, uint64_t x) {
  const int64_t v = signedValue(s, x);
  // For negative numbers, the most significant 0 bit (8.8).
  const uint64_t bits = isSignedScalar(s) && v < 0 ? ~static_cast<uint64_t>(v) : x;
  return bits == 0 ? -1 : 63 - std::countl_zero(bits);
}

bool lessThan(Scalar s, uint64_t a, uint64_t b) {
  FoldIssue issue = FoldIssue::None;
  return foldBinaryScalar(ExprOp::Less, s, a, s, b, issue).value_or(0) != 0;
}

// An operator on two scalar constants of the same type, rounded as the operator rounds; none if an operand is
// none.
ConstId apply(BuiltinFolder& f, ExprOp op, ConstId a, ConstId b) {
  if (!a || !b) return {};
  const Scalar s = basicScalar(f.at(a).type);
  FoldIssue issue = FoldIssue::None;
  const std::optional<uint64_t> bits =
      foldBinaryScalar(op, s, f.at(a).bits, basicScalar(f.at(b).type), f.at(b).bits, issue);
  if (!bits || issue != FoldIssue::None) return {};
  return f.program().constants.scalar(basicType(s), *bits);
}

ConstId mix(BuiltinFolder& f, ConstId x, ConstId y, ConstId a) {
  // x * (1 - a) + y * a (8.3)
  const ConstId one = f.number(basicScalar(f.at(x).type), 1.0);
  return apply(f, ExprOp::Add, apply(f, ExprOp::Mul, x, apply(f, ExprOp::Sub, one, a)),
               apply(f, ExprOp::Mul, y, a));
}

ConstId smoothStep(BuiltinFolder& f, ConstId low, ConstId high, ConstId x) {
  const Scalar s = basicScalar(f.at(x).type);
  const double e0 = f.value(low), e1 = f.value(high), v = f.value(x);
  if (!(e0 < e1)) return {};  // undefined (8.3)
  const double t = std::clamp((v - e0) / (e1 - e0), 0.0, 1.0);
  return f.number(s, t * t * (3.0 - 2.0 * t));
}

// floatBitsToInt and similar functions: the same bits as another type of the same width.
ConstId reinterpret(BuiltinFolder& f, TypeId type, ConstId x) {
  const Scalar from = basicScalar(f.at(x).type), to = basicScalar(type);
  if (scalarBits(from) != scalarBits(to) || from == Scalar::Bool || to == Scalar::Bool) return {};
  return f.program().constants.scalar(type, f.at(x).bits);
}

// One argument. `type` is the scalar result type, here and below.
ConstId foldUnary(BuiltinFolder& f, TypeId type, ConstId x) {
  const Scalar s = basicScalar(f.at(x).type);
  const Scalar result = basicScalar(type);
  const uint64_t bits = f.at(x).bits;
  if (isFloatScalar(s)) {
    if (const auto real = floatFunction(f.op, f.value(x))) return f.number(result, *real);
  } else if (isIntScalar(s)) {
    if (const auto integer = integerFunction(f.op, s, bits)) return f.integer(result, *integer);
  }
  switch (f.op) {
    case BuiltinOp::Fract: {
      const ConstId whole = f.number(s, std::floor(f.value(x)));
      return apply(f, ExprOp::Sub, x, whole);
    }
    case BuiltinOp::IsNan: return f.program().constants.boolean(std::isnan(f.value(x)));
    case BuiltinOp::IsInf: return f.program().constants.boolean(std::isinf(f.value(x)));
    case BuiltinOp::BitcastToInt:
    case BuiltinOp::BitcastToUint:
    case BuiltinOp::BitcastToFloat:
    case BuiltinOp::BitcastFloatEncoding: return reinterpret(f, type, x);
    case BuiltinOp::BitCount: return f.integer(result, static_cast<uint64_t>(std::popcount(bits)));
    case BuiltinOp::FindLsb:
      return f.integer(result, bits == 0 ? ~uint64_t{0} : static_cast<uint64_t>(std::countr_zero(bits)));
    case BuiltinOp::FindMsb: return f.integer(result, static_cast<uint64_t>(findMsb(s, bits)));
    case BuiltinOp::VectorNot: return f.program().constants.boolean(bits == 0);
    default: return {};
  }
}

// x - y * floor(x / y)
ConstId modulo(BuiltinFolder& f, ConstId x, ConstId y) {
  const Scalar s = basicScalar(f.at(x).type);
  if (!isFloatScalar(s) || f.value(y) == 0) return {};
  const ConstId quotient = apply(f, ExprOp::Div, x, y);
  if (!quotient) return {};
  const ConstId whole = f.number(s, std::floor(f.value(quotient)));
  return apply(f, ExprOp::Sub, x, apply(f, ExprOp::Mul, y, whole));
}

ConstId compare(BuiltinFolder& f, ExprOp op, ConstId x, ConstId y) {
  const Scalar s = basicScalar(f.at(x).type);
  FoldIssue issue = FoldIssue::None;
  const std::optional<uint64_t> holds = foldBinaryScalar(op, s, f.at(x).bits, s, f.at(y).bits, issue);
  return holds ? f.program().constants.boolean(*holds != 0) : ConstId();
}

ConstId foldBinary(BuiltinFolder& f, ConstId x, ConstId y) {
  const Scalar s = basicScalar(f.at(x).type);
  const auto less = [&](ConstId a, ConstId b) { return lessThan(s, f.at(a).bits, f.at(b).bits); };
  switch (f.op) {
    case BuiltinOp::Min: return less(y, x) ? y : x;
    case BuiltinOp::Max: return less(x, y) ? y : x;
    case BuiltinOp::Mod: return modulo(f, x, y);
    case BuiltinOp::Step: return f.number(s, f.value(y) < f.value(x) ? 0.0 : 1.0);
    case BuiltinOp::Pow: {
      const double a = f.value(x), b = f.value(y);
      if (a < 0 || (a == 0 && b <= 0)) return {};  // undefined (8.2)
      return f.number(s, std::pow(a, b));
    }
    case BuiltinOp::Atan2: {
      const double a = f.value(x), b = f.value(y);
      if (a == 0 && b == 0) return {};  // undefined (8.1)
      return f.number(s, std::atan2(a, b));
    }
    case BuiltinOp::Ldexp: {
      const int64_t e = std::clamp<int64_t>(constantToInt(f.program(), y), -5000, 5000);
      return f.number(s, std::ldexp(f.value(x), static_cast<int>(e)));
    }
    case BuiltinOp::LessThan: return compare(f, ExprOp::Less, x, y);
    case BuiltinOp::LessThanEqual: return compare(f, ExprOp::LessEqual, x, y);
    case BuiltinOp::GreaterThan: return compare(f, ExprOp::Greater, x, y);
    case BuiltinOp::GreaterThanEqual: return compare(f, ExprOp::GreaterEqual, x, y);
    case BuiltinOp::VectorEqual: return compare(f, ExprOp::Equal, x, y);
    case BuiltinOp::VectorNotEqual: return compare(f, ExprOp::NotEqual, x, y);
    default: return {};
  }
}

// Whether `count` bits from bit `offset` are in a value of `width` bits. If they are not, the result is
// undefined (8.8).
bool isField(int64_t offset, int64_t count, int64_t width) {
  return offset >= 0 && count >= 0 && offset <= width && count <= width && offset + count <= width;
}

ConstId bitfieldExtract(BuiltinFolder& f, ConstId value, ConstId offsetOf, ConstId countOf) {
  const Scalar s = basicScalar(f.at(value).type);
  const int64_t offset = constantToInt(f.program(), offsetOf), count = constantToInt(f.program(), countOf);
  if (!isField(offset, count, scalarBits(s))) return {};
  if (count == 0) return f.integer(s, 0);
  const uint64_t field = f.at(value).bits << (64 - offset - count);
  const auto shift = static_cast<uint32_t>(64 - count);
  return f.integer(
      s, isSignedScalar(s) ? static_cast<uint64_t>(static_cast<int64_t>(field) >> shift) : field >> shift);
}

ConstId bitfieldInsert(BuiltinFolder& f, ConstId base, ConstId insert, ConstId offsetOf, ConstId countOf) {
  const Scalar s = basicScalar(f.at(base).type);
  const int64_t offset = constantToInt(f.program(), offsetOf), count = constantToInt(f.program(), countOf);
  if (!isField(offset, count, scalarBits(s))) return {};
  const uint64_t low = count == 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1;
  const uint64_t mask = count == 0 ? 0 : low << offset;
  const uint64_t inserted = count == 0 ? 0 : (f.at(insert).bits << offset) & mask;
  return f.integer(s, (f.at(base).bits & ~mask) | inserted);
}

ConstId foldTernary(BuiltinFolder& f, ConstId x, ConstId y, ConstId z) {
  const Scalar s = basicScalar(f.at(x).type);
  const bool real = isFloatScalar(s);
  const auto less = [&](ConstId a, ConstId b) { return lessThan(s, f.at(a).bits, f.at(b).bits); };
  switch (f.op) {
    case BuiltinOp::Clamp: {      // min(max(x, low), high)
      if (less(z, y)) return {};  // undefined (8.3)
      const ConstId raised = less(x, y) ? y : x;
      return less(z, raised) ? z : raised;
    }
    case BuiltinOp::Mix: return real ? mix(f, x, y, z) : ConstId();
    case BuiltinOp::MixSelect: return f.at(z).bits != 0 ? y : x;
    case BuiltinOp::SmoothStep: return smoothStep(f, x, y, z);
    case BuiltinOp::Fma: {
      if (!real) return {};
      if (s == Scalar::Double) return f.number(s, std::fma(f.value(x), f.value(y), f.value(z)));
      return apply(f, ExprOp::Add, apply(f, ExprOp::Mul, x, y), z);
    }
    case BuiltinOp::BitfieldExtract: return bitfieldExtract(f, x, y, z);
    default: return {};
  }
}

// A component-wise function on scalars.
ConstId foldScalarFunction(BuiltinFolder& f, TypeId type, std::span<const ConstId> x) {
  for (ConstId id : x)
    if (!id || f.at(id).kind != ConstKind::Scalar || f.at(id).isSpec) return {};
  const Scalar s = basicScalar(f.at(x[0]).type);
  if (isFloatScalar(s) && !isArithmeticFloat(s) && f.op != BuiltinOp::BitcastFloatEncoding) return {};
  switch (x.size()) {
    case 1: return foldUnary(f, type, x[0]);
    case 2: return foldBinary(f, x[0], x[1]);
    case 3: return foldTernary(f, x[0], x[1], x[2]);
    case 4: return f.op == BuiltinOp::BitfieldInsert ? bitfieldInsert(f, x[0], x[1], x[2], x[3]) : ConstId();
    default: return {};
  }
}

uint32_t vectorSize(TypeId type) { return isVectorType(type) ? basicRows(type) : 1; }
ConstId component(BuiltinFolder& f, ConstId value, uint32_t i) {
  return isScalarType(f.at(value).type) ? value : constituent(f.program(), value, i);
}

ConstId componentWise(BuiltinFolder& f, TypeId type, std::span<const ConstId> x) {
  if (x.empty() || x.size() > 4) return {};
  const bool isScalar = isScalarType(type);
  const TypeId scalar = componentType(f.program(), type);
  // If all components are equal, one value represents all of them, whatever their number.
  const bool same = !isScalar && f.program().types.kind(type) == TypeKind::CoopVec &&
                    std::all_of(x.begin(), x.end(), [&](ConstId k) {
                      return isScalarType(f.at(k).type) || isReplicated(f.program(), k);
                    });
  const uint32_t size = isScalar || same ? 1 : vectorLength(f.program(), type);
  ConstId parts[4];
  IdBuffer<ConstId, 16> results;
  for (uint32_t i = 0; i < size; ++i) {
    for (size_t k = 0; k < x.size(); ++k) {
      parts[k] = component(f, x[k], i);
      if (!parts[k]) return {};
    }
    const ConstId result = foldScalarFunction(f, scalar, {parts, x.size()});
    if (!result) return {};
    results.push(result);
  }
  if (size == 0) return {};
  return isScalar ? results.view()[0] : f.program().constants.composite(type, results.view());
}

// ---------------------------------------------------------------------------------------- geometric (8.5)

ConstId dot(BuiltinFolder& f, ConstId a, ConstId b) {
  ConstId sum;
  const uint32_t size = vectorSize(f.at(a).type);
  for (uint32_t i = 0; i < size; ++i) {
    const ConstId term = apply(f, ExprOp::Mul, component(f, a, i), component(f, b, i));
    sum = i == 0 ? term : !sum || !term ? ConstId() : apply(f, ExprOp::Add, sum, term);
    if (!sum) return {};
  }
  return sum;
}

// The length, not yet rounded to the components' type.
double lengthOf(BuiltinFolder& f, ConstId v) {
  double sum = 0;
  const uint32_t size = vectorSize(f.at(v).type);
  for (uint32_t i = 0; i < size; ++i) {
    const double x = f.value(component(f, v, i));
    sum += x * x;
  }
  return std::sqrt(sum);
}

template <typename Make>
ConstId makeVector(BuiltinFolder& f, TypeId type, Make make) {
  ConstId parts[4];
  const uint32_t size = vectorSize(type);
  for (uint32_t i = 0; i < size; ++i) {
    parts[i] = make(i);
    if (!parts[i]) return {};
  }
  return size == 1 ? parts[0] : f.program().constants.composite(type, {parts, size});
}

ConstId minus(BuiltinFolder& f, ConstId a, ConstId b) {
  return makeVector(f, f.at(a).type, [&](uint32_t i) {
    return apply(f, ExprOp::Sub, component(f, a, i), component(f, b, i));
  });
}

ConstId cross(BuiltinFolder& f, TypeId type, ConstId a, ConstId b) {
  return makeVector(f, type, [&](uint32_t i) {
    const uint32_t j = (i + 1) % 3, k = (i + 2) % 3;
    return apply(f, ExprOp::Sub, apply(f, ExprOp::Mul, component(f, a, j), component(f, b, k)),
                 apply(f, ExprOp::Mul, component(f, a, k), component(f, b, j)));
  });
}

ConstId geometric(BuiltinFolder& f, TypeId type, std::span<const ConstId> x, bool& handled) {
  handled = true;
  const Scalar s = basicScalar(f.at(x[0]).type);
  switch (f.op) {
    case BuiltinOp::Length: return f.number(s, lengthOf(f, x[0]));
    case BuiltinOp::Distance: {
      const ConstId d = minus(f, x[0], x[1]);
      return !d ? ConstId() : f.number(s, lengthOf(f, d));
    }
    case BuiltinOp::Dot: return isArithmeticFloat(s) ? dot(f, x[0], x[1]) : ConstId();
    case BuiltinOp::Cross: return cross(f, type, x[0], x[1]);
    case BuiltinOp::Normalize: {
      const double length = lengthOf(f, x[0]);
      if (!(length > 0)) return {};
      return makeVector(f, type,
                        [&](uint32_t i) { return f.number(s, f.value(component(f, x[0], i)) / length); });
    }
    case BuiltinOp::FaceForward: {
      const ConstId d = dot(f, x[2], x[1]);
      if (!d) return {};
      if (f.value(d) < 0) return x[0];
      return makeVector(f, type, [&](uint32_t i) {
        return apply(f, ExprOp::Sub, f.number(s, -0.0), component(f, x[0], i));
      });
    }
    case BuiltinOp::Reflect: {  // I - 2 * dot(N, I) * N
      const ConstId d = dot(f, x[1], x[0]);
      if (!d) return {};
      const ConstId twice = apply(f, ExprOp::Mul, f.number(s, 2.0), d);
      return makeVector(f, type, [&](uint32_t i) {
        return apply(f, ExprOp::Sub, component(f, x[0], i),
                     apply(f, ExprOp::Mul, twice, component(f, x[1], i)));
      });
    }
    case BuiltinOp::Refract: {
      const double eta = f.value(x[2]);
      double d = 0;
      for (uint32_t i = 0; i < vectorSize(type); ++i)
        d += f.value(component(f, x[1], i)) * f.value(component(f, x[0], i));
      const double k = 1.0 - eta * eta * (1.0 - d * d);
      return makeVector(f, type, [&](uint32_t i) {
        if (k < 0) return f.number(s, 0.0);
        return f.number(s, eta * f.value(component(f, x[0], i)) -
                               (eta * d + std::sqrt(k)) * f.value(component(f, x[1], i)));
      });
    }
    default: handled = false; return {};
  }
}

// ------------------------------------------------------------------------------------------- matrices (8.6)

struct DoubleMatrix {
  uint32_t size = 0;
  double m[4][4] = {};  // [column][row]
};

DoubleMatrix readMatrix(BuiltinFolder& f, ConstId id) {
  DoubleMatrix r;
  r.size = basicColumns(f.at(id).type);
  for (uint32_t column = 0; column < r.size; ++column)
    for (uint32_t row = 0; row < r.size; ++row)
      r.m[column][row] = f.value(constituent(f.program(), constituent(f.program(), id, column), row));
  return r;
}

// Determinant of the matrix without one column and one row (kNoSkip: of the whole).
constexpr uint32_t kNoSkip = 4;
double minorOf(const DoubleMatrix& a, uint32_t skipColumn, uint32_t skipRow) {
  uint32_t columns[4], rows[4];
  uint32_t n = 0, k = 0;
  for (uint32_t i = 0; i < a.size; ++i)
    if (i != skipColumn) columns[n++] = i;
  for (uint32_t i = 0; i < a.size; ++i)
    if (i != skipRow) rows[k++] = i;
  auto at = [&](uint32_t column, uint32_t row) { return a.m[columns[column]][rows[row]]; };
  if (n == 1) return at(0, 0);
  if (n == 2) return at(0, 0) * at(1, 1) - at(1, 0) * at(0, 1);
  if (n == 3)
    return at(0, 0) * (at(1, 1) * at(2, 2) - at(2, 1) * at(1, 2)) -
           at(1, 0) * (at(0, 1) * at(2, 2) - at(2, 1) * at(0, 2)) +
           at(2, 0) * (at(0, 1) * at(1, 2) - at(1, 1) * at(0, 2));
  double sum = 0;
  for (uint32_t column = 0; column < 4; ++column)
    sum += (column % 2 == 0 ? 1.0 : -1.0) * a.m[column][0] * minorOf(a, column, 0);
  return sum;
}

template <typename Make>
ConstId makeMatrix(BuiltinFolder& f, TypeId type, Make make) {
  const Scalar s = basicScalar(type);
  const uint32_t rows = basicRows(type), columns = basicColumns(type);
  ConstId parts[4];
  for (uint32_t column = 0; column < columns; ++column) {
    parts[column] = makeVector(f, basicType(s, rows), [&](uint32_t row) { return make(column, row); });
    if (!parts[column]) return {};
  }
  return f.program().constants.composite(type, {parts, columns});
}

ConstId matrixFunction(BuiltinFolder& f, TypeId type, std::span<const ConstId> x, bool& handled) {
  handled = true;
  auto element = [&](ConstId m, uint32_t column, uint32_t row) {
    return constituent(f.program(), constituent(f.program(), m, column), row);
  };
  const Scalar s = basicScalar(f.at(x[0]).type);
  switch (f.op) {
    case BuiltinOp::MatrixCompMult:
      return makeMatrix(f, type, [&](uint32_t column, uint32_t row) {
        return apply(f, ExprOp::Mul, element(x[0], column, row), element(x[1], column, row));
      });
    case BuiltinOp::OuterProduct:
      return makeMatrix(f, type, [&](uint32_t column, uint32_t row) {
        return apply(f, ExprOp::Mul, component(f, x[0], row), component(f, x[1], column));
      });
    case BuiltinOp::Transpose:
      return makeMatrix(f, type, [&](uint32_t column, uint32_t row) { return element(x[0], row, column); });
    case BuiltinOp::Determinant: return f.number(s, minorOf(readMatrix(f, x[0]), kNoSkip, kNoSkip));
    case BuiltinOp::Inverse: {
      const DoubleMatrix a = readMatrix(f, x[0]);
      const double d = minorOf(a, kNoSkip, kNoSkip);
      if (d == 0 || !std::isfinite(d)) return {};  // undefined (8.6)
      return makeMatrix(f, type, [&](uint32_t column, uint32_t row) {
        // The adjugate's element is the cofactor of the transposed place.
        const double cofactor = minorOf(a, row, column) * ((row + column) % 2 == 0 ? 1.0 : -1.0);
        return f.number(s, cofactor / d);
      });
    }
    default: handled = false; return {};
  }
}

// --------------------------------------------------------------------------- packing, any and all (8.4, 8.7)

uint64_t normalized(double v, double low, double scale, uint32_t bits) {
  const double clamped = std::isnan(v) ? 0.0 : std::clamp(v, low, 1.0);
  return static_cast<uint64_t>(static_cast<int64_t>(roundEven(clamped * scale))) &
         ((uint64_t{1} << bits) - 1);
}

ConstId packNormalized(BuiltinFolder& f, ConstId v, uint32_t bits, bool isSigned) {
  const double scale = static_cast<double>((1u << (isSigned ? bits - 1 : bits)) - 1);
  uint64_t packed = 0;
  for (uint32_t i = 0; i < 32 / bits; ++i)
    packed |= normalized(f.value(component(f, v, i)), isSigned ? -1.0 : 0.0, scale, bits) << (i * bits);
  return f.integer(Scalar::Uint, packed);
}

ConstId unpackNormalized(BuiltinFolder& f, TypeId type, ConstId v, uint32_t bits, bool isSigned) {
  const double scale = static_cast<double>((1u << (isSigned ? bits - 1 : bits)) - 1);
  const uint64_t packed = f.at(v).bits;
  return makeVector(f, type, [&](uint32_t i) {
    const uint64_t field = (packed >> (i * bits)) & ((uint64_t{1} << bits) - 1);
    if (!isSigned) return f.number(Scalar::Float, static_cast<double>(field) / scale);
    const int64_t value = static_cast<int64_t>(field << (64 - bits)) >> (64 - bits);
    return f.number(Scalar::Float, std::clamp(static_cast<double>(value) / scale, -1.0, 1.0));
  });
}

// The bits of a vector or scalar, component 0 lowest, divided into the components of another type.
ConstId rebits(BuiltinFolder& f, TypeId type, ConstId v) {
  const TypeId from = f.at(v).type;
  if (!isBasic(from) || !isBasic(type) || isMatrixType(from) || isMatrixType(type)) return {};
  const Scalar a = basicScalar(from), b = basicScalar(type);
  if (a == Scalar::Bool || b == Scalar::Bool) return {};
  const uint32_t bitsA = scalarBits(a), bitsB = scalarBits(b);
  if (bitsA * vectorSize(from) != bitsB * vectorSize(type) || bitsA * vectorSize(from) > 64) return {};
  uint64_t all = 0;
  for (uint32_t i = 0; i < vectorSize(from); ++i) all |= f.at(component(f, v, i)).bits << (i * bitsA);
  return makeVector(f, type, [&](uint32_t i) {
    const uint64_t field = all >> (i * bitsB);
    const uint64_t mask = bitsB == 64 ? ~uint64_t{0} : (uint64_t{1} << bitsB) - 1;
    return f.program().constants.scalar(basicType(b), field & mask);
  });
}

ConstId packing(BuiltinFolder& f, TypeId type, ConstId v, bool& handled) {
  handled = true;
  switch (f.op) {
    case BuiltinOp::PackUnorm2x16: return packNormalized(f, v, 16, false);
    case BuiltinOp::PackSnorm2x16: return packNormalized(f, v, 16, true);
    case BuiltinOp::PackUnorm4x8: return packNormalized(f, v, 8, false);
    case BuiltinOp::PackSnorm4x8: return packNormalized(f, v, 8, true);
    case BuiltinOp::UnpackUnorm2x16: return unpackNormalized(f, type, v, 16, false);
    case BuiltinOp::UnpackSnorm2x16: return unpackNormalized(f, type, v, 16, true);
    case BuiltinOp::UnpackUnorm4x8: return unpackNormalized(f, type, v, 8, false);
    case BuiltinOp::UnpackSnorm4x8: return unpackNormalized(f, type, v, 8, true);
    case BuiltinOp::PackHalf2x16: {
      const uint64_t low = encodeFloat(Scalar::Float16, f.value(component(f, v, 0)));
      const uint64_t high = encodeFloat(Scalar::Float16, f.value(component(f, v, 1)));
      return f.integer(Scalar::Uint, low | high << 16);
    }
    case BuiltinOp::UnpackHalf2x16: {
      const uint64_t packed = f.at(v).bits;
      return makeVector(f, type, [&](uint32_t i) {
        return f.number(Scalar::Float, decodeFloat(Scalar::Float16, (packed >> (16 * i)) & 0xFFFF));
      });
    }
    case BuiltinOp::PackDouble2x32:
    case BuiltinOp::UnpackDouble2x32:
    case BuiltinOp::PackBits:
    case BuiltinOp::UnpackBits: return rebits(f, type, v);
    case BuiltinOp::Any:
    case BuiltinOp::All: {
      uint32_t set = 0;
      const uint32_t size = vectorSize(f.at(v).type);
      for (uint32_t i = 0; i < size; ++i) set += f.at(component(f, v, i)).bits != 0;
      return f.program().constants.boolean(f.op == BuiltinOp::Any ? set != 0 : set == size);
    }
    default: handled = false; return {};
  }
}

}  // namespace

ConstId foldBuiltin(Checker& c, BuiltinOp op, TypeId type, std::span<const ConstId> operands) {
  if (operands.empty() || operands.size() > 4) return {};
  bool basic = isBasic(type);
  for (ConstId o : operands) {
    if (!o || c.program.constants[o].isSpec) return {};
    basic = basic && isBasic(c.program.constants[o].type);
  }
  BuiltinFolder f{c, op};
  bool handled = false;
  ConstId result;
  // Long and cooperative vectors: component-wise functions.
  if (!basic) return isScalarType(type) ? ConstId() : componentWise(f, type, operands);
  if (operands.size() == 1) {
    result = packing(f, type, operands[0], handled);
    if (handled) return result;
  }
  if (isFloatScalar(basicScalar(c.program.constants[operands[0]].type))) {
    result = matrixFunction(f, type, operands, handled);
    if (handled) return result;
    result = geometric(f, type, operands, handled);
    if (handled) return result;
  }
  return componentWise(f, type, operands);
}

}  // namespace coopc::frontend
