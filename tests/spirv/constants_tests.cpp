// Evaluation of constants: each operation is compared with the host's arithmetic; specialization constants
// are given, defaulted or unknown.
#include <limits>
#include <optional>
#include <string>

#include <catch2/catch_test_macros.hpp>

#include "spirv/constants.hpp"
#include "tests/spirv/spirv_text.hpp"

namespace coopc::tests {
namespace {

using spirv::ConstantEvaluator;
using spirv::ConstantValue;
using spirv::Id;
using spv::Op;

template <class T>
void integers(Op op, T a, T b, bool defined, T expected) {
  using U = std::make_unsigned_t<T>;
  constexpr uint32_t kWidth = sizeof(T) * 8;
  INFO(uint32_t(op) << " of " << kWidth << " bits: " << int64_t(a) << ", " << int64_t(b));
  const std::optional<uint64_t> result = spirv::evaluateIntegers(op, kWidth, kWidth, U(a), U(b));
  CHECK(result == (defined ? std::optional<uint64_t>(U(expected)) : std::nullopt));
}

template <class T>
void allOf() {
  constexpr T kLeast = std::numeric_limits<T>::min(), kMost = std::numeric_limits<T>::max();
  const T values[] = {0, 1, -1, 2, -2, 7, -7, T(kMost / 3), kMost, kLeast, T(kLeast + 1)};
  using U = std::make_unsigned_t<T>;
  for (const T a : values) {
    for (const T b : values) {
      const U x = U(a), y = U(b);
      integers<T>(Op::OpIAdd, a, b, true, T(U(x + y)));
      integers<T>(Op::OpISub, a, b, true, T(U(x - y)));
      integers<T>(Op::OpIMul, a, b, true, T(U(uint64_t(x) * uint64_t(y))));
      integers<T>(Op::OpUDiv, a, b, y != 0, y != 0 ? T(U(x / y)) : T(0));
      integers<T>(Op::OpUMod, a, b, y != 0, y != 0 ? T(U(x % y)) : T(0));
      const bool divides = b != 0 && !(a == kLeast && b == -1);
      integers<T>(Op::OpSDiv, a, b, divides, divides ? T(a / b) : T(0));
      integers<T>(Op::OpSRem, a, b, divides, divides ? T(a % b) : T(0));
      // The result has the sign of the divisor.
      const T rest = divides ? T(a % b) : T(0);
      integers<T>(Op::OpSMod, a, b, divides, rest != 0 && (rest < 0) != (b < 0) ? T(rest + b) : rest);
      integers<T>(Op::OpBitwiseXor, a, b, true, T(a ^ b));
      CHECK(spirv::evaluateIntegers(Op::OpSLessThan, sizeof(T) * 8, 1, x, y) == uint64_t(a < b));
      CHECK(spirv::evaluateIntegers(Op::OpULessThan, sizeof(T) * 8, 1, x, y) == uint64_t(x < y));
    }
    for (uint32_t k = 0; k < sizeof(T) * 8 + 2; ++k) {
      const bool shifts = k < sizeof(T) * 8;
      const auto shift = [&](Op op) {
        return spirv::evaluateIntegers(op, sizeof(T) * 8, sizeof(T) * 8, U(a), k);
      };
      const std::optional<uint64_t> right = shift(Op::OpShiftRightArithmetic),
                                    left = shift(Op::OpShiftLeftLogical);
      CHECK(right.has_value() == shifts);
      CHECK(left.has_value() == shifts);
      if (shifts) CHECK(right == U(T(a >> k)));
      if (shifts) CHECK(left == U(uint64_t(U(a)) << k));
    }
  }
}

TEST_CASE("integer operations of every width are the host's") {
  allOf<int8_t>();
  allOf<int16_t>();
  allOf<int32_t>();
  allOf<int64_t>();
}

// SpecId 1 is 8, 2 is true, 3 is 5 billion; constants without a SpecId keep their values.
constexpr const char* kText = R"(
OpCapability Shader
OpCapability Int64
OpCapability Int16
OpMemoryModel Logical GLSL450
OpDecorate %1 SpecId 1
OpDecorate %2 SpecId 2
OpDecorate %3 SpecId 3
%10 = OpTypeInt 32 0
%11 = OpTypeBool
%12 = OpTypeInt 64 1
%13 = OpTypeVector %10 3
%14 = OpTypeInt 16 1
%15 = OpTypeFloat 32
%1 = OpSpecConstant %10 8
%2 = OpSpecConstantTrue %11
%3 = OpSpecConstant %12 5000000000
%20 = OpConstant %10 3
%21 = OpConstant %14 -2
%22 = OpConstantNull %13
%23 = OpConstant %15 1
%24 = OpConstant %10 0
%25 = OpSpecConstant %10 77
%30 = OpSpecConstantOp %10 IAdd %1 %20
%31 = OpSpecConstantOp %10 Select %2 %20 %30
%32 = OpSpecConstantOp %12 SDiv %3 %3
%33 = OpSpecConstantComposite %13 %1 %20 %30
%34 = OpSpecConstantOp %13 IMul %33 %33
%35 = OpSpecConstantOp %10 CompositeExtract %34 2
%36 = OpSpecConstantOp %13 VectorShuffle %33 %22 2 5 0
%37 = OpSpecConstantOp %13 CompositeInsert %20 %36 1
%38 = OpSpecConstantOp %10 UDiv %20 %24
%39 = OpSpecConstantOp %11 ULessThan %1 %20
%40 = OpSpecConstantOp %12 SConvert %21
)";

TEST_CASE("constants are known, rest on defaults, or are unknown") {
  const spirv::Module module = read(assemble(kText));
  const auto id = [](uint32_t n) { return Id(n); };
  const auto bits = [](const ConstantValue& v) {
    return v.known ? std::to_string(v.bits) : std::string("?");
  };
  const ConstantEvaluator plain(module);
  CHECK(bits(plain.value(id(20))) == "3");
  CHECK_FALSE(bool(plain.value(id(20)).byDefault));
  CHECK(bits(plain.value(id(25))) == "77");
  CHECK_FALSE(bool(plain.value(id(25)).byDefault));
  CHECK(bits(plain.value(id(21))) == "65534");
  CHECK(plain.value(id(21)).width == 16);
  CHECK(bits(plain.value(id(1))) == "8");
  REQUIRE(bool(plain.value(id(1)).byDefault));
  CHECK(plain.value(id(1)).byDefault.ids()[0] == id(1));
  CHECK(bits(plain.value(id(30))) == "11");
  CHECK(plain.value(id(30)).byDefault.ids()[0] == id(1));
  CHECK(bits(plain.value(id(3))) == "5000000000");
  CHECK(bits(plain.value(id(32))) == "1");
  CHECK(plain.value(id(32)).width == 64);
  CHECK(bits(plain.value(id(35))) == "121");
  CHECK(bits(plain.component(id(34), 0)) == "64");
  CHECK(bits(plain.component(id(36), 0)) == "11");
  CHECK(bits(plain.component(id(36), 1)) == "0");
  CHECK(bits(plain.component(id(37), 1)) == "3");
  CHECK(bits(plain.component(id(37), 2)) == "8");
  CHECK(bits(plain.component(id(22), 2)) == "0");
  CHECK(bits(plain.component(id(22), 3)) == "?");
  CHECK(bits(plain.value(id(33))) == "?");
  CHECK(bits(plain.value(id(38))) == "?");
  CHECK(bits(plain.value(id(39))) == "0");
  CHECK(bits(plain.value(id(40))) == std::to_string(uint64_t(-2)));
  CHECK(bits(plain.value(id(10))) == "?");
  CHECK(bits(plain.value(id(999))) == "?");
  CHECK(bits(plain.value(id(23))) == std::to_string(0x3F800000));

  const spirv::SpecializationValue given[] = {{1, 100}, {2, 0}, {99, 5}};
  const ConstantEvaluator special(module, given);
  CHECK(bits(special.value(id(30))) == "103");
  CHECK_FALSE(bool(special.value(id(30)).byDefault));
  CHECK(bits(special.value(id(31))) == "103");
  CHECK(bits(special.value(id(35))) == "10609");
  CHECK(bool(special.value(id(3)).byDefault));
}

TEST_CASE("constants made of themselves are unknown") {
  spirv::Module module = read(assemble(kText));
  // %30 becomes one of its own operands.
  module.at(*module.def(Id(30u)))[4] = 30;
  CHECK_FALSE(ConstantEvaluator(module).value(Id(30u)).known);
  CHECK_FALSE(ConstantEvaluator(module).value(Id(31u)).byDefault.more());
}

// Each constant from %100 on is the sum of the previous one and %20.
std::string chainOfSums(uint32_t end) {
  std::string text = kText;
  for (uint32_t n = 100; n < end; ++n)
    text += "%" + std::to_string(n) + " = OpSpecConstantOp %10 IAdd %" +
            std::to_string(n == 100 ? 20 : n - 1) + " %20\n";
  return text;
}

TEST_CASE("deep constants are known, whatever was asked before") {
  const spirv::Module chain = read(assemble(chainOfSums(30000)));
  CHECK(ConstantEvaluator(chain).value(Id(29999u)).is(3 * 29901));
  const ConstantEvaluator upwards(chain), downwards(chain);
  for (uint32_t n = 100; n < 30000; ++n) {
    const uint32_t m = 30099 - n;
    if (!upwards.value(Id(n)).is(3 * (n - 98)) || !downwards.value(Id(m)).is(3 * (m - 98)))
      FAIL(n << " or " << m << " is unknown or wrong");
  }
}

TEST_CASE("what depends on a long cycle of constants is unknown, whatever was asked before") {
  spirv::Module module = read(assemble(chainOfSums(400)));
  // From %150 on, all constants depend on %299.
  module.at(*module.def(Id(150u)))[4] = 299;
  for (const uint32_t first : {399u, 150u, 299u, 200u}) {
    const ConstantEvaluator evaluator(module);
    CHECK_FALSE(evaluator.value(Id(first)).known);
    for (uint32_t n = 100; n < 400; ++n)
      if (evaluator.value(Id(n)).known != (n < 150)) FAIL(n << ", after " << first);
  }
}

TEST_CASE("components of deep vectors are known") {
  std::string text = kText;
  text += "%500 = OpTypeVector %10 2\n%501 = OpConstantComposite %500 %20 %20\n%502 = OpConstantNull %500\n";
  for (int n = 503; n < 900; ++n)
    text += "%" + std::to_string(n) + " = OpSpecConstantOp %500 IAdd %" + std::to_string(n - 1) + " %501\n";
  const spirv::Module module = read(assemble(text));
  CHECK(ConstantEvaluator(module).component(Id(899u), 1).is(3 * 397));
}

// Each vector is the sum of the previous one with itself, so that a component has 2^60 terms.
TEST_CASE("components of vectors that share operands are computed once") {
  std::string text = kText;
  text += "%500 = OpTypeVector %10 2\n%501 = OpConstantComposite %500 %20 %20\n";
  for (int n = 502; n < 562; ++n) {
    const std::string before = " %" + std::to_string(n - 1);
    text += "%" + std::to_string(n) + " = OpSpecConstantOp %500 IAdd" + before + before + "\n";
  }
  const spirv::Module module = read(assemble(text));
  const ConstantEvaluator evaluator(module);
  CHECK(evaluator.component(Id(531u), 1).is(uint64_t{3} << 30));
  CHECK(evaluator.component(Id(561u), 1).is(0));
}

}  // namespace
}  // namespace coopc::tests
