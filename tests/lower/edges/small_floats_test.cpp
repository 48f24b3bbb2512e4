// bfloat16 and 8-bit floats on a driver without these types. Every number of each type is read, and numbers
// around each rounding boundary are written, and compared bit by bit with encodings computed by integer
// operations on the CPU.
#include <bit>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "base/float_format.hpp"
#include "coopc/coopc.hpp"
#include "spirv/lower/lower.hpp"
#include "tests/lower/matrix_run.hpp"
#include "tests/spirv/spirv_text.hpp"
#include "tests/support/vulkan.hpp"
#include "vulkan/device/lowering_target.hpp"

namespace coopc::tests {
namespace {

namespace lower = spirv::lower;

struct Small {
  const char* type;
  const char* extension;
  FloatFormat format;
};
constexpr Small kSmall[] = {{"bfloat16_t", "GL_EXT_bfloat16", kBFloat16},
                            {"floate4m3_t", "GL_EXT_float_e4m3", kFloatE4M3},
                            {"floate5m2_t", "GL_EXT_float_e5m2", kFloatE5M2}};

// Runs `statement`, which computes result[i] from given[i], for all i.
bool run(const Small& small, const std::string& from, const std::string& to, const std::string& statement,
         size_t count, std::vector<std::vector<uint8_t>>& contents) {
  const std::string text =
      "#version 460\n#extension " + std::string(small.extension) +
      " : require\n#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
      "#extension GL_EXT_shader_8bit_storage : require\n#extension GL_EXT_shader_16bit_storage : require\n"
      "layout(local_size_x = 64) in;\nlayout(set = 0, binding = 0, std430) readonly buffer I { " +
      from + " given[]; };\nlayout(set = 0, binding = 1, std430) buffer O { " + to +
      " result[]; };\nvoid main() {\n  for (uint i = gl_LocalInvocationIndex; i < " + std::to_string(count) +
      "; i += 64) {\n    " + to + " r;\n    " + statement + "\n    result[i] = r;\n  }\n}\n";
  Options options;
  options.targetEnv = TargetEnv::Vulkan1_3;
  const Result compiled = compile(text, "small.comp", options);
  INFO(compiled.messages);
  REQUIRE(compiled.ok);
  lower::LowerRequest request;
  request.target = vk::loweringTarget(testDevice());
  request.checkPasses = true;
  const lower::LowerAnswer answer = lower::lower(compiled.words, request);
  INFO((answer.reasons.empty() ? std::string() : answer.reasons[0]));
  REQUIRE(answer.kind == lower::LowerAnswer::Kind::Lowered);
  CHECK(validate(answer.words) == "");
  return runOneWorkgroup(answer.words, 0, false, contents);
}

template <class Bits>
std::vector<uint8_t> bytesOf(const std::vector<Bits>& values) {
  std::vector<uint8_t> bytes(values.size() * sizeof(Bits));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

uint32_t bitsAt(const std::vector<uint8_t>& bytes, size_t n, uint32_t width) {
  uint32_t bits = 0;
  std::memcpy(&bits, &bytes[n * width / 8], width / 8);
  return bits;
}

uint64_t saturate(const FloatFormat& f, double value) {
  const uint64_t bits = encodeFloat(f, value), sign = bits >> (f.width() - 1) << (f.width() - 1);
  return !std::isnan(value) && (bits ^ sign) > f.largest() ? sign | f.largest() : bits;
}

// Checks the conversion of numbers of a type to small floats.
template <class Number>
void checkEncoding(const Small& small, const char* from, const std::vector<Number>& numbers, bool saturates) {
  INFO(small.type << " of " << from << (saturates ? ", saturated" : ""));
  const uint32_t width = small.format.width();
  std::vector<std::vector<uint8_t>> contents = {bytesOf(numbers),
                                                std::vector<uint8_t>(numbers.size() * width / 8)};
  const std::string statement =
      saturates ? "saturatedConvertEXT(r, given[i]);" : "r = " + std::string(small.type) + "(given[i]);";
  if (!run(small, from, small.type, statement, numbers.size(), contents)) return;
  size_t wrong = 0;
  for (size_t n = 0; n < numbers.size(); ++n) {
    const auto value = double(numbers[n]);
    const uint64_t expected = saturates ? saturate(small.format, value) : encodeFloat(small.format, value);
    if (bitsAt(contents[1], n, width) != expected && wrong++ < 3)
      UNSCOPED_INFO(value << " gave " << bitsAt(contents[1], n, width) << ", expected " << expected);
  }
  CHECK(wrong == 0);
}

TEST_CASE("all bfloat16 and 8-bit numbers are read as what they are") {
  for (const Small& small : kSmall) {
    INFO(small.type);
    const uint32_t width = small.format.width(), count = 1u << width;
    std::vector<uint8_t> given(size_t(count) * width / 8);
    for (uint32_t n = 0; n < count; ++n) std::memcpy(&given[size_t(n) * width / 8], &n, width / 8);
    std::vector<std::vector<uint8_t>> contents = {given, std::vector<uint8_t>(size_t(count) * 4)};
    if (!run(small, small.type, "float", "r = float(given[i]);", count, contents)) continue;
    size_t wrong = 0;
    for (uint32_t n = 0; n < count; ++n) {
      const double expected = decodeFloat(small.format, n);
      const auto got = double(std::bit_cast<float>(bitsAt(contents[1], n, 32)));
      const bool same = std::isnan(expected) ? std::isnan(got)
                                             : got == expected && std::signbit(got) == std::signbit(expected);
      if (!same && wrong++ < 3) UNSCOPED_INFO(n << " gave " << got << ", expected " << expected);
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("32-bit floats become bfloat16 and 8-bit numbers as rounding, range and NaN have it") {
  std::vector<float> numbers;
  for (uint32_t high = 0; high < 0x10000; ++high) {
    for (const uint32_t low : {0u, 1u, 0x7FFFu, 0x8000u, 0x8001u, 0xFFFFu})
      numbers.push_back(std::bit_cast<float>(high << 16 | low));
  }
  for (const Small& small : kSmall) {
    checkEncoding(small, "float", numbers, false);
    if (small.format.width() == 8) checkEncoding(small, "float", numbers, true);
  }
}

// Conversion by way of a 32-bit float would first round to the midpoint between two numbers, and then to the
// wrong one.
TEST_CASE("doubles and integers become 8-bit numbers, rounded once") {
  const Small* kEight[] = {&kSmall[1], &kSmall[2]};
  for (const Small* small : kEight) {
    std::vector<double> numbers = {0.0, -0.0, 1e300, -1e300, 1e-300, INFINITY, -INFINITY, double(NAN)};
    for (uint64_t n = 0; n < small->format.largest(); ++n) {
      const double middle = (decodeFloat(small->format, n) + decodeFloat(small->format, n + 1)) / 2;
      for (const double value : {middle, std::nextafter(middle, 1e300), std::nextafter(middle, -1e300)}) {
        numbers.push_back(value);
        numbers.push_back(-value);
      }
    }
    while (numbers.size() % 4 != 0) numbers.push_back(1.0);
    checkEncoding(*small, "double", numbers, false);
    checkEncoding(*small, "double", numbers, true);
    std::vector<int32_t> integers = {INT32_MAX, INT32_MIN, 448,   449,  464,  465,
                                     57344,     61440,     61439, -448, -465, 1000};
    for (int32_t n = -300; n < 300; ++n) integers.push_back(n * 7);
    checkEncoding(*small, "int", integers, false);
  }
}

// A has every finite number, row by row. B selects one element of a row for each column, so that each element
// of the result is a single product.
struct Product {
  bool workgroup, byColumns;  // of A; B has the opposite layout
  uint32_t invocations;
};
constexpr uint32_t kM = 16, kN = 24, kK = 32;

std::string productOf(const Small& small, const Product& p) {
  const std::string type = small.type, scope = p.workgroup ? "gl_ScopeWorkgroup" : "gl_ScopeSubgroup";
  const std::string rows = "gl_CooperativeMatrixLayoutRowMajor",
                    columns = "gl_CooperativeMatrixLayoutColumnMajor";
  const std::string ofA =
      p.byColumns ? std::to_string(kM) + ", " + columns : std::to_string(kK) + ", " + rows;
  const std::string ofB =
      p.byColumns ? std::to_string(kN) + ", " + rows : std::to_string(kK) + ", " + columns;
  const auto matrix = [&](const std::string& component, uint32_t m, uint32_t n, const char* use) {
    return "coopmat<" + component + ", " + scope + ", " + std::to_string(m) + ", " + std::to_string(n) +
           ", gl_MatrixUse" + use + "> ";
  };
  return "#version 460\n#extension " + std::string(small.extension) +
         " : require\n#extension GL_KHR_cooperative_matrix : require\n"
         "#extension GL_NV_cooperative_matrix2 : require\n#extension GL_KHR_memory_scope_semantics : "
         "require\n"
         "#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
         "#extension GL_EXT_shader_8bit_storage : require\nlayout(local_size_x = " +
         std::to_string(p.invocations) + ") in;\nlayout(set = 0, binding = 0, std430) readonly buffer A { " +
         type + " a[]; };\nlayout(set = 0, binding = 1, std430) readonly buffer B { " + type +
         " b[]; };\nlayout(set = 0, binding = 2, std430) buffer D { float d[]; };\nvoid main() {\n  " +
         matrix(type, kM, kK, "A") + "left;\n  " + matrix(type, kK, kN, "B") + "right;\n  " +
         matrix("float", kM, kN, "Accumulator") + "sum;\n  coopMatLoad(left, a, 16, " + ofA +
         ");\n  coopMatLoad(right, b, 0, " + ofB + ");\n  sum = coopMatMulAdd(left, right, " +
         matrix("float", kM, kN, "Accumulator") + "(1.0));\n  coopMatStore(sum, d, 0, " + std::to_string(kN) +
         ", " + rows + ");\n}\n";
}

lower::LowerAnswer lowerProduct(const std::string& text, const char* without) {
  Options options;
  options.targetEnv = TargetEnv::Vulkan1_3;
  const Result compiled = compile(text, "product.comp", options);
  INFO(compiled.messages);
  REQUIRE(compiled.ok);
  lower::LowerRequest request;
  request.target = vk::loweringTarget(testDevice());
  REQUIRE(lower::removeFeatures(request.target, without) == "");
  request.checkPasses = true;
  lower::LowerAnswer answer = lower::lower(compiled.words, request);
  INFO((answer.reasons.empty() ? std::string() : answer.reasons[0]));
  REQUIRE(answer.kind == lower::LowerAnswer::Kind::Lowered);
  CHECK(validate(answer.words) == "");
  return answer;
}

size_t multiplyAdds(const std::vector<uint32_t>& words) {
  size_t count = 0;
  for (const spirv::Instruction& i : read(words).instructions)
    count += i.op() == spv::Op::OpCooperativeMatrixMulAddKHR ? 1 : 0;
  return count;
}

TEST_CASE("products of 8-bit floats are native where 16-bit floats are multiplied") {
  const bool native = testDevice().features.has(vk::Feature::cooperativeMatrix);
  const uint32_t size = testDevice().subgroupSize;
  size_t runs = 0;
  for (const Small* small : {&kSmall[1], &kSmall[2]}) {
    for (const Product& p : {Product{false, false, size}, Product{false, true, size},
                             Product{true, false, 4 * size}, Product{true, true, 2 * size}}) {
      for (const char* without : {"nv,shaderFloat8,shaderFloat8CooperativeMatrix",
                                  "khr,nv,shaderFloat8,shaderFloat8CooperativeMatrix"}) {
        INFO(small->type << (p.workgroup ? ", workgroup" : ", subgroup")
                         << (p.byColumns ? ", by columns" : "") << ", without " << without);
        const lower::LowerAnswer answer = lowerProduct(productOf(*small, p), without);
        CHECK((multiplyAdds(answer.words) > 0) == (native && without[0] == 'n'));
        std::vector<uint8_t> a(16 + kM * kK), b(kK * kN);
        std::vector<double> numbers;
        for (uint32_t n = 0; n < kM * kK; ++n) {
          const uint64_t magnitude = n * 7 % (small->format.largest() + 1), bits = magnitude | (n & 1) << 7;
          const uint32_t row = n / kK, column = n % kK;
          a[16 + (p.byColumns ? column * kM + row : n)] = uint8_t(bits);
          numbers.push_back(decodeFloat(small->format, bits));
        }
        const auto selected = [](uint32_t column) { return (column * 5 + 3) % kK; };
        for (uint32_t n = 0; n < kN; ++n)
          b[p.byColumns ? selected(n) * kN + n : n * kK + selected(n)] =
              uint8_t(encodeFloat(small->format, 2));
        std::vector<std::vector<uint8_t>> contents = {a, b, std::vector<uint8_t>(kM * kN * 4)};
        if (!runOneWorkgroup(answer.words, answer.subgroupSize, true, contents)) continue;
        Matrix expected(kM, kN);
        for (uint32_t m = 0; m < kM; ++m) {
          for (uint32_t n = 0; n < kN; ++n) expected.at(m, n) = float(1 + 2 * numbers[m * kK + selected(n)]);
        }
        checkMatrix(contents[2], 0, expected);
        ++runs;
      }
    }
  }
  CHECK(runs == 2 * 4 * 2);
}

// Native matrices of 16-bit floats can replace matrices that are only loaded and multiplied. A program that
// accesses components would see that they are not 8-bit floats.
TEST_CASE("8-bit floats in matrices that do more than multiply become plain code") {
  const char* without = "nv,shaderFloat8,shaderFloat8CooperativeMatrix";
  std::string text = productOf(kSmall[1], {false, false, testDevice().subgroupSize});
  const size_t at = text.find("  sum = ");
  REQUIRE(at != std::string::npos);
  text.insert(at, "  left[0] = right[1];\n");
  const lower::LowerAnswer answer = lowerProduct(text, without);
  CHECK(multiplyAdds(answer.words) == 0);
}

}  // namespace
}  // namespace coopc::tests
