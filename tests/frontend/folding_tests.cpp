// Constant folding against the host's own arithmetic: integers of every width, float and double by the host's
// types, the small encodings against an independent search for the nearest value.
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "frontend/check/folding.hpp"
#include "frontend/program/constant_values.hpp"
#include "frontend/program/numbers.hpp"
#include "tests/frontend/checker_fixture.hpp"

using namespace coopc::frontend;

namespace {

struct Fixture : coopc::tests::CheckerFixture {
  ConstId number(Scalar s, double v) { return program.constants.scalar(basicType(s), encodeFloat(s, v)); }
  ConstId integer(Scalar s, uint64_t v) {
    const uint32_t bits = scalarBits(s);
    return program.constants.scalar(basicType(s), bits == 64 ? v : v & ((uint64_t{1} << bits) - 1));
  }
  ConstId vec(std::vector<double> v, Scalar s = Scalar::Float) {
    std::vector<ConstId> parts;
    for (double x : v)
      parts.push_back(isFloatScalar(s) ? number(s, x)
                                       : integer(s, static_cast<uint64_t>(static_cast<int64_t>(x))));
    return program.constants.composite(basicType(s, static_cast<uint32_t>(v.size())), parts);
  }
  ConstId fold(ExprOp op, TypeId type, std::vector<ConstId> operands, uint64_t literal = 0) {
    return foldOperation(c, op, type, operands, {}, literal);
  }
  ConstId builtin(BuiltinOp op, TypeId type, std::vector<ConstId> operands) {
    return foldBuiltin(c, op, type, operands);
  }
  uint64_t bits(ConstId id) { return program.constants[id].bits; }
  double value(ConstId id) { return constantToDouble(program, id); }
  std::vector<double> values(ConstId id) {
    std::vector<double> r;
    const uint32_t n = program.constants[id].count;
    for (uint32_t i = 0; i < n; ++i) r.push_back(value(constituent(program, id, i)));
    return r;
  }
};

template <typename T>
T hostInteger(ExprOp op, T a, T b) {
  using U = std::make_unsigned_t<T>;
  using W = uint64_t;
  const W x = static_cast<W>(a), y = static_cast<W>(b);
  switch (op) {
    case ExprOp::Add: return static_cast<T>(static_cast<U>(x + y));
    case ExprOp::Sub: return static_cast<T>(static_cast<U>(x - y));
    case ExprOp::Mul: return static_cast<T>(static_cast<U>(x * y));
    case ExprOp::Div: return static_cast<T>(a / b);
    case ExprOp::Mod: return static_cast<T>(a % b);
    case ExprOp::BitAnd: return static_cast<T>(a & b);
    case ExprOp::BitOr: return static_cast<T>(a | b);
    case ExprOp::BitXor: return static_cast<T>(a ^ b);
    case ExprOp::ShiftLeft: return static_cast<T>(static_cast<U>(x << static_cast<unsigned>(b)));
    case ExprOp::ShiftRight: return static_cast<T>(a >> static_cast<unsigned>(b));
    default: return 0;
  }
}

template <typename T>
void checkIntegers(Scalar s, uint32_t seed) {
  Fixture f;
  std::mt19937_64 random(seed);
  constexpr unsigned kBits = sizeof(T) * 8;
  const T interesting[] = {
      0, 1, static_cast<T>(-1), std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), 2, 7};
  auto pick = [&]() -> T {
    return random() % 3 == 0 ? interesting[random() % std::size(interesting)] : static_cast<T>(random());
  };
  const ExprOp ops[] = {ExprOp::Add,    ExprOp::Sub,   ExprOp::Mul,    ExprOp::Div,       ExprOp::Mod,
                        ExprOp::BitAnd, ExprOp::BitOr, ExprOp::BitXor, ExprOp::ShiftLeft, ExprOp::ShiftRight};
  const TypeId type = basicType(s);
  for (int i = 0; i < 4000; ++i) {
    const ExprOp op = ops[random() % std::size(ops)];
    const T a = pick();
    T b = pick();
    if (op == ExprOp::ShiftLeft || op == ExprOp::ShiftRight) b = static_cast<T>(random() % kBits);
    if ((op == ExprOp::Div || op == ExprOp::Mod) &&
        (b == 0 || (std::is_signed_v<T> && b == static_cast<T>(-1) && a == std::numeric_limits<T>::min())))
      continue;
    const ConstId ca = f.integer(s, static_cast<uint64_t>(a)), cb = f.integer(s, static_cast<uint64_t>(b));
    const ConstId folded = f.fold(op, type, {ca, cb});
    REQUIRE(folded == f.integer(s, static_cast<uint64_t>(hostInteger(op, a, b))));
    REQUIRE(f.bits(f.fold(ExprOp::Less, kBool, {ca, cb})) == (a < b));
    REQUIRE(f.bits(f.fold(ExprOp::GreaterEqual, kBool, {ca, cb})) == (a >= b));
    REQUIRE(f.bits(f.fold(ExprOp::Equal, kBool, {ca, cb})) == (a == b));
    REQUIRE(f.fold(ExprOp::BitNot, type, {ca}) == f.integer(s, ~static_cast<uint64_t>(a)));
    REQUIRE(f.fold(ExprOp::Negate, type, {ca}) == f.integer(s, 0 - static_cast<uint64_t>(a)));
    REQUIRE(f.fold(ExprOp::Convert, kDouble, {ca}) == f.number(Scalar::Double, static_cast<double>(a)));
    REQUIRE(f.fold(ExprOp::Convert, kFloat, {ca}) ==
            f.program.constants.scalar(kFloat, std::bit_cast<uint32_t>(static_cast<float>(a))));
    REQUIRE(f.fold(ExprOp::Convert, kInt, {ca}) ==
            f.integer(Scalar::Int, static_cast<uint64_t>(static_cast<int64_t>(a))));
  }
  REQUIRE(f.diagnostics.all().empty());
}

}  // namespace

TEST_CASE("integers of every width fold as the host computes them") {
  checkIntegers<int8_t>(Scalar::Int8, 1);
  checkIntegers<uint8_t>(Scalar::Uint8, 2);
  checkIntegers<int16_t>(Scalar::Int16, 3);
  checkIntegers<uint16_t>(Scalar::Uint16, 4);
  checkIntegers<int32_t>(Scalar::Int, 5);
  checkIntegers<uint32_t>(Scalar::Uint, 6);
  checkIntegers<int64_t>(Scalar::Int64, 7);
  checkIntegers<uint64_t>(Scalar::Uint64, 8);
}

TEST_CASE("float and double fold as the host computes them, step by step") {
  Fixture f;
  std::mt19937_64 random(11);
  auto randomFloat = [&]() -> float {
    for (;;) {
      const auto v = std::bit_cast<float>(static_cast<uint32_t>(random()));
      if (!std::isnan(v))
        return random() % 4 == 0 ? std::ldexp(1.0f, static_cast<int>(random() % 40) - 20) : v;
    }
  };
  auto same = [&](ConstId id, float v) {
    return std::isnan(v) ? std::isnan(f.value(id)) : f.bits(id) == std::bit_cast<uint32_t>(v);
  };
  auto constant = [&](float v) { return f.program.constants.scalar(kFloat, std::bit_cast<uint32_t>(v)); };
  for (int i = 0; i < 20000; ++i) {
    volatile float a = randomFloat(), b = randomFloat();
    const ConstId x = constant(a), y = constant(b);
    volatile float sum = a + b, difference = a - b, product = a * b, quotient = a / b;
    REQUIRE(same(f.fold(ExprOp::Add, kFloat, {x, y}), sum));
    REQUIRE(same(f.fold(ExprOp::Sub, kFloat, {x, y}), difference));
    REQUIRE(same(f.fold(ExprOp::Mul, kFloat, {x, y}), product));
    REQUIRE(same(f.fold(ExprOp::Div, kFloat, {x, y}), quotient));
    REQUIRE(f.bits(f.fold(ExprOp::Less, kBool, {x, y})) == (a < b));
    REQUIRE(same(f.builtin(BuiltinOp::Sqrt, kFloat, {x}), std::sqrt(static_cast<float>(a))));
    REQUIRE(same(f.builtin(BuiltinOp::Floor, kFloat, {x}), std::floor(static_cast<float>(a))));
    // A random tree: (a + b) * a - b, each step rounded.
    volatile float t = sum * a;
    volatile float u = t - b;
    const ConstId tree = f.fold(ExprOp::Sub, kFloat,
                                {f.fold(ExprOp::Mul, kFloat, {f.fold(ExprOp::Add, kFloat, {x, y}), x}), y});
    REQUIRE(same(tree, u));
    volatile double da = std::bit_cast<double>(random()), db = a;
    if (std::isnan(da)) continue;
    const ConstId dx = f.number(Scalar::Double, da), dy = f.number(Scalar::Double, db);
    volatile double dq = da / db, dp = da * db;
    REQUIRE((std::isnan(dq)
                 ? std::isnan(f.value(f.fold(ExprOp::Div, kDouble, {dx, dy})))
                 : f.bits(f.fold(ExprOp::Div, kDouble, {dx, dy})) == std::bit_cast<uint64_t>(+dq)));
    REQUIRE(
        (std::isnan(dp) || f.bits(f.fold(ExprOp::Mul, kDouble, {dx, dy})) == std::bit_cast<uint64_t>(+dp)));
    REQUIRE(same(f.fold(ExprOp::Convert, kFloat, {dx}), static_cast<float>(da)));
  }
}

namespace {

// The encoding nearest to v among all of a format, ties to even: by search, independent of the encoder.
uint64_t nearestBySearch(const std::vector<double>& values, double v, double overflow) {
  // values: the non-negative numbers by encoding, ascending.
  const double m = std::fabs(v);
  if (m >= overflow) return values.size();
  size_t best = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    const double d = std::fabs(values[i] - m), e = std::fabs(values[best] - m);
    if (d < e || (d == e && i % 2 == 0)) best = i;
  }
  return best;
}

}  // namespace

TEST_CASE("small floating-point encodings round to the nearest, ties to even") {
  struct Row {
    Scalar s;
    unsigned exponent, mantissa;
    int bias;
    size_t finite;  // number of non-negative finite encodings
    bool saturates;
  };
  const Row rows[] = {
      {Scalar::Float16, 5, 10, 15, 0x7C00, false}, {Scalar::BFloat16, 8, 7, 127, 0x7F80, false},
      {Scalar::FloatE5M2, 5, 2, 15, 0x7C, false},  {Scalar::FloatE4M3, 4, 3, 7, 0x7F, false},
      {Scalar::FloatE2M1, 2, 1, 1, 8, true},       {Scalar::FloatE2M3, 2, 3, 1, 32, true},
      {Scalar::FloatE3M2, 3, 2, 3, 32, true}};
  std::mt19937_64 random(5);
  for (const Row& row : rows) {
    std::vector<double> values;
    for (size_t i = 0; i < row.finite; ++i) {
      const auto e = static_cast<int>(i >> row.mantissa);
      const auto m = static_cast<double>(i & ((1u << row.mantissa) - 1));
      const double unit = std::ldexp(1.0, -static_cast<int>(row.mantissa));
      values.push_back(e == 0 ? std::ldexp(m * unit, 1 - row.bias) : std::ldexp(1 + m * unit, e - row.bias));
    }
    const uint64_t sign = uint64_t{1} << (row.exponent + row.mantissa);
    for (size_t i = 0; i<row.finite; i += row.finite> 2000 ? 17 : 1) {
      REQUIRE(decodeFloat(row.s, i) == values[i]);
      REQUIRE(decodeFloat(row.s, i | sign) == -values[i]);
      REQUIRE(encodeFloat(row.s, values[i]) == i);
      REQUIRE(encodeFloat(row.s, -values[i]) == (i | sign));
      if (i == 0) continue;
      const double middle = (values[i] + values[i - 1]) / 2;
      REQUIRE(encodeFloat(row.s, middle) == (i % 2 == 0 ? i : i - 1));
      REQUIRE(encodeFloat(row.s, std::nextafter(middle, 1e300)) == i);
      REQUIRE(encodeFloat(row.s, std::nextafter(middle, 0.0)) == i - 1);
    }
    const double largest = values.back(), step = largest - values[values.size() - 2];
    const double overflow = largest + step / 2;
    for (int i = 0; i < (row.finite > 2000 ? 60 : 2000); ++i) {
      const double v = std::ldexp(1 + static_cast<double>(random() % 100000) / 100000,
                                  static_cast<int>(random() % 20) - 10 + (row.bias > 15 ? 0 : -2));
      uint64_t expected = nearestBySearch(values, v, overflow);
      if (expected == row.finite && row.saturates) expected = row.finite - 1;
      REQUIRE(encodeFloat(row.s, v) == expected);
    }
    const double infinity = std::numeric_limits<double>::infinity();
    REQUIRE(encodeFloat(row.s, infinity) == (row.saturates ? row.finite - 1 : row.finite));
    REQUIRE(encodeFloat(row.s, std::nextafter(overflow, 0.0)) == row.finite - 1);
    if (!row.saturates) REQUIRE(std::isnan(decodeFloat(row.s, encodeFloat(row.s, std::nan("")))));
  }
  REQUIRE(std::isinf(decodeFloat(Scalar::Float16, 0x7C00)));
  REQUIRE(std::isnan(decodeFloat(Scalar::FloatE4M3, 0x7F)));
  REQUIRE(encodeFloat(Scalar::FloatE8M0, 1.0) == 127);
  REQUIRE(decodeFloat(Scalar::FloatE8M0, 130) == 8.0);
  REQUIRE(decodeFloat(Scalar::MxInt8, 0x80) == -2.0);
  REQUIRE(encodeFloat(Scalar::MxInt8, 0.5) == 32);
}

TEST_CASE("float16 arithmetic rounds once") {
  Fixture f;
  std::mt19937_64 random(3);
  const TypeId half = basicType(Scalar::Float16);
  for (int i = 0; i < 5000; ++i) {
    const double a = decodeFloat(Scalar::Float16, random() & 0x7BFF),
                 b = decodeFloat(Scalar::Float16, random() & 0x7BFF);
    const ConstId x = f.number(Scalar::Float16, a), y = f.number(Scalar::Float16, b);
    // Exact in double: sums and products of two halves need fewer than 53 bits.
    REQUIRE(f.fold(ExprOp::Add, half, {x, y}) == f.number(Scalar::Float16, a + b));
    REQUIRE(f.fold(ExprOp::Mul, half, {x, y}) == f.number(Scalar::Float16, a * b));
  }
}

TEST_CASE("wide integers round once into narrow floats") {
  Fixture f;
  // 2^24 + 1 + 2^-k style ties: rounding to double first would lose the sticky bit.
  const uint64_t v = (uint64_t{1} << 60) + (uint64_t{1} << 36) + 1;
  REQUIRE(f.fold(ExprOp::Convert, kFloat, {f.integer(Scalar::Uint64, v)}) ==
          f.program.constants.scalar(kFloat, std::bit_cast<uint32_t>(static_cast<float>(v))));
  REQUIRE(f.value(f.fold(ExprOp::Convert, basicType(Scalar::BFloat16),
                         {f.integer(Scalar::Uint64, (uint64_t{0x101} << 52) + 1)})) == std::ldexp(129.0, 53));
}

TEST_CASE("division by zero and wide shifts are warned about, and have fixed results") {
  Fixture f;
  const ConstId one = f.program.constants.int32(1), zero = f.program.constants.int32(0);
  REQUIRE(bool(f.fold(ExprOp::Div, kInt, {one, zero})));
  REQUIRE(f.diagnostics.warningCount() == 1);
  REQUIRE(f.diagnostics.all()[0].kind == DiagKind::DivisionByZero);
  f.fold(ExprOp::Mod, kInt, {one, zero});
  f.fold(ExprOp::ShiftLeft, kInt, {one, f.program.constants.int32(32)});
  f.fold(ExprOp::ShiftRight, kInt, {one, f.program.constants.int32(-1)});
  // All are at the same place, where each kind is reported once.
  REQUIRE(f.diagnostics.warningCount() == 2);
  REQUIRE(f.diagnostics.all()[1].kind == DiagKind::ShiftTooWide);
  // The smallest integer divided by -1 wraps without a warning, because overflow is defined (4.1.3).
  REQUIRE(f.fold(ExprOp::Div, kInt, {f.integer(Scalar::Int, 0x80000000), f.program.constants.int32(-1)}) ==
          f.integer(Scalar::Int, 0x80000000));
  REQUIRE(f.diagnostics.warningCount() == 2);
  // Floating point: IEEE 754.
  REQUIRE(std::isinf(
      f.value(f.fold(ExprOp::Div, kFloat, {f.number(Scalar::Float, -1), f.number(Scalar::Float, 0)}))));
  REQUIRE(std::isnan(
      f.value(f.fold(ExprOp::Div, kFloat, {f.number(Scalar::Float, 0), f.number(Scalar::Float, 0)}))));
  REQUIRE(f.diagnostics.warningCount() == 2);
}

TEST_CASE("conversions follow the constructors' rules") {
  Fixture f;
  auto convert = [&](TypeId to, ConstId v) { return f.fold(ExprOp::Convert, to, {v}); };
  REQUIRE(convert(kInt, f.number(Scalar::Float, -3.9)) == f.program.constants.int32(-3));
  REQUIRE(convert(kUint, f.program.constants.int32(-1)) == f.program.constants.uint32(0xFFFFFFFFu));
  REQUIRE(convert(kInt, f.program.constants.uint32(0x80000000u)) == f.integer(Scalar::Int, 0x80000000));
  REQUIRE(convert(basicType(Scalar::Int64), f.program.constants.int32(-2)) ==
          f.integer(Scalar::Int64, ~uint64_t{1}));
  REQUIRE(convert(basicType(Scalar::Int64), f.program.constants.uint32(~0u)) ==
          f.integer(Scalar::Int64, 0xFFFFFFFFu));
  REQUIRE(convert(kBool, f.number(Scalar::Float, -0.0)) == f.program.constants.boolean(false));
  REQUIRE(convert(kBool, f.number(Scalar::Float, std::nan(""))) == f.program.constants.boolean(true));
  REQUIRE(convert(kFloat, f.program.constants.boolean(true)) == f.number(Scalar::Float, 1));
  REQUIRE(f.diagnostics.all().empty());
  REQUIRE(convert(kUint, f.number(Scalar::Float, -1)) == f.program.constants.uint32(0xFFFFFFFFu));
  REQUIRE(f.diagnostics.warningCount() == 1);
  REQUIRE(f.values(convert(basicType(Scalar::Int, 3), f.vec({1.5, -2.5, 3}))) ==
          std::vector<double>{1, -2, 3});
}

TEST_CASE("vectors and matrices fold by components and by linear algebra") {
  Fixture f;
  const TypeId vec2 = basicType(Scalar::Float, 2), mat2 = basicType(Scalar::Float, 2, 2);
  const ConstId a = f.vec({1, 2}), b = f.vec({3, 4});
  REQUIRE(f.values(f.fold(ExprOp::Add, vec2, {a, b})) == std::vector<double>{4, 6});
  REQUIRE(f.values(f.fold(ExprOp::Mul, vec2, {a, f.number(Scalar::Float, 10)})) ==
          std::vector<double>{10, 20});
  REQUIRE(f.values(f.fold(ExprOp::Sub, vec2, {f.number(Scalar::Float, 10), a})) == std::vector<double>{9, 8});
  const ConstId m = f.fold(ExprOp::Construct, mat2, {a, b});  // columns (1,2) and (3,4)
  REQUIRE(f.values(f.fold(ExprOp::Mul, vec2, {m, b})) == std::vector<double>{1 * 3 + 3 * 4, 2 * 3 + 4 * 4});
  REQUIRE(f.values(f.fold(ExprOp::Mul, vec2, {b, m})) == std::vector<double>{3 * 1 + 4 * 2, 3 * 3 + 4 * 4});
  const ConstId square = f.fold(ExprOp::Mul, mat2, {m, m});
  REQUIRE(f.values(constituent(f.program, square, 0)) == std::vector<double>{1 + 6, 2 + 8});
  REQUIRE(f.values(constituent(f.program, square, 1)) == std::vector<double>{3 + 12, 6 + 16});
  const ConstId product =
      f.fold(ExprOp::Mul, basicType(Scalar::Float, 3, 2),
             {f.fold(ExprOp::Construct, basicType(Scalar::Float, 3, 1), {f.vec({1, 2, 3})}),
              f.number(Scalar::Float, 2)});
  REQUIRE(!product);  // shapes that do not fit give no constant, and do not crash
  REQUIRE(f.fold(ExprOp::Equal, kBool, {m, m}) == f.program.constants.boolean(true));
  REQUIRE(f.fold(ExprOp::NotEqual, kBool, {a, b}) == f.program.constants.boolean(true));
  const ConstId nan = f.vec({std::nan(""), 1});
  REQUIRE(f.fold(ExprOp::Equal, kBool, {nan, nan}) == f.program.constants.boolean(false));
  const ConstId zeros = f.vec({0.0, 1}), minus = f.vec({-0.0, 1});
  REQUIRE(f.fold(ExprOp::Equal, kBool, {zeros, minus}) == f.program.constants.boolean(true));
  REQUIRE(f.values(f.fold(ExprOp::Swizzle, basicType(Scalar::Float, 3), {a},
                          3 | 1 << 4 | 0 << 8 | 1 << 12)) == std::vector<double>{2, 1, 2});
  const ConstId grown = f.fold(ExprOp::MatrixResize, basicType(Scalar::Float, 3, 3), {m});
  REQUIRE(f.values(constituent(f.program, grown, 1)) == std::vector<double>{3, 4, 0});
  REQUIRE(f.values(constituent(f.program, grown, 2)) == std::vector<double>{0, 0, 1});
  const ConstId diagonal = f.fold(ExprOp::MatrixDiagonal, mat2, {f.number(Scalar::Float, 7)});
  REQUIRE(f.values(constituent(f.program, diagonal, 1)) == std::vector<double>{0, 7});
  const ConstId null = f.program.constants.null(mat2);
  REQUIRE(f.values(f.fold(ExprOp::Add, mat2, {m, null})) == f.values(m));
  REQUIRE(f.value(f.fold(ExprOp::Index, kFloat,
                         {f.fold(ExprOp::Index, vec2, {m, f.program.constants.int32(1)}),
                          f.program.constants.uint32(0)})) == 3);
}

TEST_CASE("specialization constants keep their operations, as far as the list of 5.12 goes") {
  Fixture f;
  Constants& k = f.program.constants;
  const ConstId n = k.spec(kInt, 8, VarId(1u)), flag = k.spec(kBool, 1, VarId(2u)),
                x = k.spec(kFloat, 0, VarId(3u));
  const ConstId half = f.fold(ExprOp::Div, kInt, {n, k.int32(2)});
  REQUIRE(k[half].kind == ConstKind::SpecOp);
  REQUIRE(k[half].isSpec);
  REQUIRE(half == f.fold(ExprOp::Div, kInt, {n, k.int32(2)}));  // symbolic identity
  REQUIRE(half != f.fold(ExprOp::Div, kInt, {k.spec(kInt, 8, VarId(4u)), k.int32(2)}));
  REQUIRE(!f.fold(ExprOp::Add, kFloat, {x, x}));
  REQUIRE(!f.fold(ExprOp::Convert, kFloat, {n}));
  REQUIRE(!f.fold(ExprOp::Convert, kInt, {x}));
  REQUIRE(k[f.fold(ExprOp::Convert, kUint, {n})].op == ExprOp::Convert);
  REQUIRE(k[f.fold(ExprOp::Convert, kBool, {n})].op == ExprOp::Convert);
  REQUIRE(k[f.fold(ExprOp::BitNot, kInt, {n})].op == ExprOp::BitNot);  // decision 31
  REQUIRE(k[f.fold(ExprOp::LogicalNot, kBool, {flag})].kind == ConstKind::SpecOp);
  REQUIRE(k[f.fold(ExprOp::Select, kInt, {flag, n, k.int32(1)})].op == ExprOp::Select);
  REQUIRE(f.fold(ExprOp::Select, kInt, {k.boolean(true), n, k.int32(1)}) == n);
  // Vectors are composites of scalar operations.
  const TypeId ivec2 = basicType(Scalar::Int, 2);
  const ConstId v = f.fold(ExprOp::Construct, ivec2, {n, k.int32(3)});
  REQUIRE(k[v].kind == ConstKind::Composite);
  REQUIRE(k[v].isSpec);
  const ConstId sum = f.fold(ExprOp::Add, ivec2, {v, v});
  REQUIRE(k[constituent(f.program, sum, 0)].kind == ConstKind::SpecOp);
  REQUIRE(constituent(f.program, sum, 1) == k.int32(6));
  REQUIRE(f.fold(ExprOp::Swizzle, kInt, {v}, 1 | 0 << 4) == n);
  REQUIRE(!f.fold(ExprOp::Equal, kBool, {v, v}));                          // scalars only
  REQUIRE(!f.fold(ExprOp::Index, kInt, {f.vec({1, 2}, Scalar::Int), n}));  // 4.3.3
  REQUIRE(!f.builtin(BuiltinOp::Max, kInt, {n, k.int32(1)}));
  REQUIRE(bool(f.fold(ExprOp::Construct, basicType(Scalar::Float, 2), {x, x})));
}

TEST_CASE("comparisons of nested aggregates stay within a budget") {
  Fixture f;
  // S(n) has two members of S(n-1): 2^60 scalars in 60 lines.
  TypeId type = kInt;
  ConstId value = f.program.constants.int32(1);
  for (int i = 0; i < 60; ++i) {
    StructInfo s;
    Member m;
    m.type = type;
    s.members = f.program.members.addAll({m, m});
    type = f.program.types.structure(f.program.structs.add(s));
    const ConstId parts[2] = {value, value};
    value = f.program.constants.composite(type, parts);
  }
  REQUIRE(!f.fold(ExprOp::Equal, kBool, {value, value}));
}

TEST_CASE("built-in functions of constants") {
  Fixture f;
  Constants& k = f.program.constants;
  auto number = [&](double v) { return f.number(Scalar::Float, v); };
  auto one = [&](BuiltinOp op, double v) { return f.value(f.builtin(op, kFloat, {number(v)})); };
  auto two = [&](BuiltinOp op, double v, double w) {
    return f.value(f.builtin(op, kFloat, {number(v), number(w)}));
  };
  CHECK(one(BuiltinOp::Sin, 0.5) == static_cast<double>(static_cast<float>(std::sin(0.5))));
  CHECK(one(BuiltinOp::Exp2, 10) == 1024);
  CHECK(one(BuiltinOp::Log2, 8) == 3);
  CHECK(one(BuiltinOp::InverseSqrt, 4) == 0.5);
  CHECK(one(BuiltinOp::Abs, -3) == 3);
  CHECK(one(BuiltinOp::Sign, -3) == -1);
  CHECK(one(BuiltinOp::Sign, 0) == 0);
  CHECK(one(BuiltinOp::Fract, -0.25) == 0.75);
  CHECK(one(BuiltinOp::RoundEven, 2.5) == 2);
  CHECK(one(BuiltinOp::RoundEven, -3.5) == -4);
  CHECK(one(BuiltinOp::Trunc, -3.5) == -3);
  CHECK(one(BuiltinOp::Degrees, 3.14159265f) ==
        static_cast<double>(static_cast<float>(3.14159265f * 180.0 / 3.14159265358979323846)));
  CHECK(two(BuiltinOp::Mod, 5.5, 2) == 1.5);
  CHECK(two(BuiltinOp::Mod, -1, 3) == 2);
  CHECK(two(BuiltinOp::Min, 1, 2) == 1);
  CHECK(two(BuiltinOp::Max, 1, 2) == 2);
  CHECK(two(BuiltinOp::Step, 1, 0.5) == 0);
  CHECK(two(BuiltinOp::Pow, 2, 10) == 1024);
  CHECK(two(BuiltinOp::Atan2, 1, 1) == static_cast<double>(static_cast<float>(std::atan2(1.0, 1.0))));
  CHECK(!f.builtin(BuiltinOp::Pow, kFloat, {number(-1), number(2)}));  // undefined: not folded
  CHECK(f.value(f.builtin(BuiltinOp::Clamp, kFloat, {number(5), number(0), number(1)})) == 1);
  CHECK(f.value(f.builtin(BuiltinOp::Mix, kFloat, {number(2), number(4), number(0.25)})) == 2.5);
  CHECK(f.value(f.builtin(BuiltinOp::SmoothStep, kFloat, {number(0), number(2), number(1)})) == 0.5);
  const TypeId vec3 = basicType(Scalar::Float, 3);
  CHECK(f.values(f.builtin(BuiltinOp::Cross, vec3, {f.vec({1, 0, 0}), f.vec({0, 1, 0})})) ==
        std::vector<double>{0, 0, 1});
  CHECK(f.value(f.builtin(BuiltinOp::Dot, kFloat, {f.vec({1, 2, 3}), f.vec({4, 5, 6})})) == 32);
  CHECK(f.value(f.builtin(BuiltinOp::Length, kFloat, {f.vec({3, 4})})) == 5);
  CHECK(f.value(f.builtin(BuiltinOp::Distance, kFloat, {f.vec({3, 4}), f.vec({0, 0})})) == 5);
  CHECK(f.values(f.builtin(BuiltinOp::Normalize, basicType(Scalar::Float, 2), {f.vec({0, 4})})) ==
        std::vector<double>{0, 1});
  CHECK(f.values(f.builtin(BuiltinOp::Max, vec3, {f.vec({1, 5, 3}), number(2)})) ==
        std::vector<double>{2, 5, 3});
  CHECK(f.values(f.builtin(BuiltinOp::LessThan, basicType(Scalar::Bool, 3),
                           {f.vec({1, 5, 3}), f.vec({2, 2, 3})})) == std::vector<double>{1, 0, 0});
  CHECK(f.bits(f.builtin(BuiltinOp::Any, kBool,
                         {f.builtin(BuiltinOp::LessThan, basicType(Scalar::Bool, 3),
                                    {f.vec({1, 5, 3}), f.vec({2, 2, 3})})})) == 1);
  CHECK(f.bits(f.builtin(BuiltinOp::BitcastToInt, kInt, {number(1)})) == 0x3F800000);
  CHECK(f.value(f.builtin(BuiltinOp::BitcastToFloat, kFloat, {k.uint32(0x40000000)})) == 2);
  CHECK(f.bits(f.builtin(BuiltinOp::BitCount, kInt, {k.uint32(0xF0F0)})) == 8);
  CHECK(f.builtin(BuiltinOp::FindMsb, kInt, {k.int32(-1)}) == k.int32(-1));
  CHECK(f.builtin(BuiltinOp::FindMsb, kInt, {k.int32(-2)}) == k.int32(0));
  CHECK(f.builtin(BuiltinOp::FindMsb, kInt, {k.uint32(0x80000000)}) == k.int32(31));
  CHECK(f.builtin(BuiltinOp::FindLsb, kInt, {k.uint32(0x50)}) == k.int32(4));
  CHECK(f.builtin(BuiltinOp::BitfieldReverse, kUint, {k.uint32(1)}) == k.uint32(0x80000000));
  CHECK(f.builtin(BuiltinOp::BitfieldExtract, kInt, {k.int32(0xF0), k.int32(4), k.int32(4)}) == k.int32(-1));
  CHECK(f.builtin(BuiltinOp::BitfieldExtract, kUint, {k.uint32(0xF0), k.int32(4), k.int32(4)}) ==
        k.uint32(15));
  CHECK(f.builtin(BuiltinOp::BitfieldInsert, kUint, {k.uint32(0), k.uint32(~0u), k.int32(8), k.int32(8)}) ==
        k.uint32(0xFF00));
  CHECK(f.builtin(BuiltinOp::PackHalf2x16, kUint, {f.vec({1, -2})}) == k.uint32(0xC0003C00));
  CHECK(f.values(f.builtin(BuiltinOp::UnpackHalf2x16, basicType(Scalar::Float, 2), {k.uint32(0xC0003C00)})) ==
        std::vector<double>{1, -2});
  CHECK(f.builtin(BuiltinOp::PackUnorm4x8, kUint, {f.vec({1, 0, 0.5, 2})}) == k.uint32(0xFF8000FF));
  CHECK(f.builtin(BuiltinOp::PackSnorm2x16, kUint, {f.vec({-1, 1})}) == k.uint32(0x7FFF8001));
  const TypeId mat3 = basicType(Scalar::Float, 3, 3);
  const ConstId m = f.fold(ExprOp::Construct, mat3, {f.vec({2, 0, 0}), f.vec({0, 4, 0}), f.vec({0, 1, 1})});
  CHECK(f.value(f.builtin(BuiltinOp::Determinant, kFloat, {m})) == 8);
  const ConstId inverse = f.builtin(BuiltinOp::Inverse, mat3, {m});
  const ConstId identity = f.fold(ExprOp::MatrixDiagonal, mat3, {number(1)});
  CHECK(f.fold(ExprOp::Equal, kBool, {f.fold(ExprOp::Mul, mat3, {m, inverse}), identity}) == k.boolean(true));
  CHECK(f.builtin(BuiltinOp::Transpose, mat3, {f.builtin(BuiltinOp::Transpose, mat3, {m})}) == m);
  const ConstId outer =
      f.builtin(BuiltinOp::OuterProduct, basicType(Scalar::Float, 3, 2), {f.vec({1, 2, 3}), f.vec({10, 20})});
  CHECK(f.values(constituent(f.program, outer, 1)) == std::vector<double>{20, 40, 60});
  CHECK(f.bits(f.builtin(BuiltinOp::IsNan, kBool, {number(std::nan(""))})) == 1);
  CHECK(f.bits(f.builtin(BuiltinOp::IsInf, kBool, {number(1)})) == 0);
  CHECK(!f.builtin(BuiltinOp::AtomicAdd, kInt, {k.int32(1), k.int32(1)}));
}
