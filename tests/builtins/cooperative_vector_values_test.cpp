// Executes cooperative vectors (GL_NV_cooperative_vector), lowered to plain code if the device does not have
// them: loads and stores, operators, functions, constructors, components, products of matrices and vectors,
// and the sums of training. Data are small integers, exact in every type, except where a function is
// transcendental. The types, and their combinations in products, are those that the device lists or that
// lowering supports.
#include <algorithm>
#include <cmath>
#include <functional>

#include "base/float_format.hpp"
#include "tests/builtins/device.hpp"
#include "tests/builtins/scalar_bits.hpp"

using namespace coopc::tests;
using coopc::frontend::Scalar;
using coopc::vk::componentTypeName;
using coopc::vk::VectorCombination;

namespace {

constexpr uint32_t kInvocations = 32;

// A component type. Some are only types of matrices in memory, and variables cannot have them.
struct Type {
  Scalar scalar;
  const char* glsl;         // nullptr: variables cannot have this type
  const char* listed;       // componentTypeName()
  const char* interpreted;  // gl_ComponentType...NV
  uint32_t bytes;
};
constexpr Type kTypes[] = {
    {Scalar::Float16, "float16_t", "f16", "gl_ComponentTypeFloat16NV", 2},
    {Scalar::Float, "float", "f32", "gl_ComponentTypeFloat32NV", 4},
    {Scalar::Int, "int", "s32", "gl_ComponentTypeSignedInt32NV", 4},
    {Scalar::Uint, "uint", "u32", "gl_ComponentTypeUnsignedInt32NV", 4},
    {Scalar::Int8, "int8_t", "s8", "gl_ComponentTypeSignedInt8NV", 1},
    {Scalar::Uint8, "uint8_t", "u8", "gl_ComponentTypeUnsignedInt8NV", 1},
    {Scalar::Int8, nullptr, "s8packed", "gl_ComponentTypeSignedInt8PackedNV", 1},
    {Scalar::Uint8, nullptr, "u8packed", "gl_ComponentTypeUnsignedInt8PackedNV", 1},
    {Scalar::FloatE4M3, nullptr, "e4m3", "gl_ComponentTypeFloatE4M3NV", 1},
    {Scalar::FloatE5M2, nullptr, "e5m2", "gl_ComponentTypeFloatE5M2NV", 1},
};

const Type* typeOf(VkComponentTypeKHR type) {
  const std::string name = componentTypeName(type);
  for (const Type& t : kTypes)
    if (name == t.listed) return &t;
  return nullptr;
}

void put(std::vector<uint8_t>& bytes, size_t offset, const Type& t, double v) {
  const uint64_t bits = bitsOf(t.scalar, v);
  if (bytes.size() < offset + t.bytes) bytes.resize(offset + t.bytes);
  std::memcpy(bytes.data() + offset, &bits, t.bytes);
}
double get(const std::vector<uint8_t>& bytes, size_t offset, const Type& t) {
  uint64_t bits = 0;
  std::memcpy(&bits, bytes.data() + offset, t.bytes);
  return valueOf(t.scalar, bits, t.bytes);
}

bool isLowered() { return testDevice().vectors.combinations.empty(); }

// The types of variables that the device accepts. If it lacks the extension: all types, so that the tests
// report why they do not run.
std::vector<Type> variableTypes() {
  const auto& listed = testDevice().vectors.combinations;
  std::vector<Type> list;
  for (const Type& t : kTypes) {
    if (t.glsl == nullptr || t.bytes == 1) continue;
    const bool there =
        listed.empty() || std::any_of(listed.begin(), listed.end(), [&](const VectorCombination& c) {
          return componentTypeName(c.input) == t.listed || componentTypeName(c.result) == t.listed;
        });
    if (there) list.push_back(t);
  }
  return list;
}

// The beginning is the same for all tests: `a` and `b` are inputs and `o` is the output, all as bytes.
std::string prologue(const std::string& extra = "") {
  return "#version 460\n#extension GL_NV_cooperative_vector : require\n"
         "#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
         "#extension GL_KHR_memory_scope_semantics : require\n" +
         extra + "layout(local_size_x = " + std::to_string(kInvocations) + ") in;\n";
}
std::string blocks(const std::string& type) {
  return "layout(set = 0, binding = 0) readonly buffer A { " + type +
         " a[]; };\nlayout(set = 0, binding = 1) readonly buffer B { " + type +
         " b[]; };\nlayout(set = 0, binding = 2) buffer O { " + type + " o[]; };\n";
}
std::string number(size_t n) { return std::to_string(n); }
// Vectors of different invocations start at multiples of 16 bytes.
size_t strideOf(const Type& t, size_t components) { return (components * t.bytes + 15) / 16 * 16; }

// Runs the shader as it is, or lowered to plain code if the device has no cooperative vectors.
bool runVectors(const std::string& text, std::vector<std::vector<uint8_t>>& buffers) {
  ShaderRun run;
  run.text = text;
  run.buffers = std::move(buffers);
  run.lowers = true;
  const bool done = runShader(run);
  buffers = std::move(run.buffers);
  return done;
}

struct Inputs {
  double x, y;  // this component's
  uint32_t invocation, component;
};
struct Expected {
  double value;
  double tolerance = 0;
};
struct Test {
  const char* statement;  // sets r from x and y, vectors of type V with N components of type T
  std::function<Expected(const Inputs&)> reference;
};

double ulp(const Type& t, double v) {
  int e = 0;
  std::frexp(v, &e);
  const int precision = t.scalar == Scalar::Float16 ? 11 : 24,
            smallest = t.scalar == Scalar::Float16 ? -14 : -126;
  return std::ldexp(1.0, std::max(e - 1, smallest) - (precision - 1));
}

// Runs each test in a separate shader, with vectors of `n` components.
void check(const std::vector<Test>& tests, const Type& t, size_t n, double low, double high,
           double quantum = 1) {
  const size_t stride = strideOf(t, n);
  for (const Test& test : tests) {
    std::string text = prologue() + "#define T " + t.glsl + "\n#define N " + number(n) +
                       "\n#define V coopvecNV<T, N>\n" + blocks(t.glsl) +
                       "void main() {\n  uint i = gl_GlobalInvocationID.x;\n  V x, y, r;\n"
                       "  coopVecLoadNV(x, a, i * " +
                       number(stride) + ");\n  coopVecLoadNV(y, b, i * " + number(stride) + ");\n  " +
                       test.statement + "\n  coopVecStoreNV(r, o, i * " + number(stride) + ");\n}\n";
    Xorshift random;
    std::vector<std::vector<uint8_t>> buffers(3);
    for (size_t k = 0; k < 2; ++k)
      for (size_t i = 0; i < kInvocations * stride; i += t.bytes)
        put(buffers[k], i, t, std::floor(random.between(low, high) / quantum) * quantum);
    buffers[2].resize(kInvocations * stride);
    INFO(test.statement << " of " << t.glsl << ", " << n << " components");
    if (!runVectors(text, buffers)) continue;
    int wrong = 0;
    for (uint32_t i = 0; i < kInvocations; ++i)
      for (uint32_t c = 0; c < n; ++c) {
        const size_t at = i * stride + c * t.bytes;
        const Inputs in{get(buffers[0], at, t), get(buffers[1], at, t), i, c};
        const Expected e = test.reference(in);
        const double got = get(buffers[2], at, t);
        if (!(std::fabs(got - e.value) <= e.tolerance) && wrong++ == 0)
          UNSCOPED_INFO("invocation " << i << " component " << c << ": x " << in.x << " y " << in.y
                                      << " gave " << got << ", expected " << e.value << " within "
                                      << e.tolerance);
      }
    CHECK(wrong == 0);
  }
}

}  // namespace

COOPC_VALUES_TEST("values of operators of cooperative vectors") {
  const std::vector<Test> all = {
      {"r = x + y;", [](const Inputs& in) { return Expected{in.x + in.y}; }},
      {"r = (x + y) - y; r += y; r -= y; r -= V(T(1)); r *= V(T(2));",
       [](const Inputs& in) { return Expected{(in.x - 1) * 2}; }},
      {"r = x * y;", [](const Inputs& in) { return Expected{in.x * in.y}; }},
      {"r = x * T(3) + T(2) * y;", [](const Inputs& in) { return Expected{in.x * 3 + 2 * in.y}; }},
      {"r = x; r *= y[0] * T(0) + T(5);", [](const Inputs& in) { return Expected{in.x * 5}; }},
      // 2.5 ULP of a half.
      {"r = (x * y) / y;",
       [](const Inputs& in) {
         return Expected{in.x, 2.5 / 128};
       }},
      {"r = x; for (int k = 0; k < r.length(); ++k) r[k] += T(k);",
       [](const Inputs& in) { return Expected{in.x + in.component}; }},
      {"r = V(T(7)); r[i % N] = T(9);",
       [](const Inputs& in) { return Expected{in.component == in.invocation % 7 ? 9.0 : 7.0}; }},
      {"if (i % 2u == 0u) r = x; else r = y;",
       [](const Inputs& in) { return Expected{in.invocation % 2 == 0 ? in.x : in.y}; }},
      {"V list[2]; list[0] = x; list[1] = y; r = list[i % 2u];",
       [](const Inputs& in) { return Expected{in.invocation % 2 == 0 ? in.x : in.y}; }},
      {"r = coopvecNV<T, N>(x[0], x[1], x[2], x[3], x[4], x[5], x[6]) + y;",
       [](const Inputs& in) { return Expected{in.x + in.y}; }},
      {"r = min(x, y);", [](const Inputs& in) { return Expected{std::min(in.x, in.y)}; }},
      {"r = max(x, y);", [](const Inputs& in) { return Expected{std::max(in.x, in.y)}; }},
      {"r = clamp(x, V(T(0)), y);",
       [](const Inputs& in) { return Expected{std::min(std::max(in.x, 0.0), in.y)}; }},
  };
  const std::vector<Test> negatable = {
      {"r = -x;", [](const Inputs& in) { return Expected{-in.x}; }},
      {"r = V(coopvecNV<int, N>(x)); r = V(coopvecNV<float, N>(r));",
       [](const Inputs& in) { return Expected{in.x}; }},
  };
  const std::vector<Test> integers = {
      {"r = (x & y) | (x ^ V(T(5)));",
       [](const Inputs& in) {
         const auto x = static_cast<uint32_t>(in.x), y = static_cast<uint32_t>(in.y);
         return Expected{static_cast<double>((x & y) | (x ^ 5u))};
       }},
      {"r = ~x & V(T(255));",
       [](const Inputs& in) { return Expected{static_cast<double>(~static_cast<uint32_t>(in.x) & 255u)}; }},
      {"r = (x << V(T(3))) >> V(T(1));", [](const Inputs& in) { return Expected{in.x * 4}; }},
      {"r = x; r <<= y & V(T(3)); r |= V(T(1)); r ^= V(T(2)); r &= V(T(1023)); r >>= V(T(1));",
       [](const Inputs& in) {
         uint32_t r = static_cast<uint32_t>(in.x) << (static_cast<uint32_t>(in.y) & 3);
         return Expected{static_cast<double>((((r | 1u) ^ 2u) & 1023u) >> 1)};
       }},
  };
  for (const Type& t : variableTypes()) {
    // Seven positive components, such that limits are in order and subtractions do not wrap.
    check(all, t, 7, 1, 12);
    if (t.scalar != Scalar::Uint) check(negatable, t, 7, 1, 12);
    if (!coopc::frontend::isFloatScalar(t.scalar)) check(integers, t, 7, 1, 12);
  }
}

COOPC_VALUES_TEST("values of functions of cooperative vectors") {
  for (const Type& t : variableTypes()) {
    if (!coopc::frontend::isFloatScalar(t.scalar)) continue;
    const bool half = t.scalar == Scalar::Float16;
    const auto expUlps = [=](double x) { return (half ? 1 : 3) + 2 * std::fabs(x); };
    const std::vector<Test> list = {
        {"r = exp(x);",
         [=](const Inputs& in) {
           return Expected{std::exp(in.x), (expUlps(in.x) + 0.5) * ulp(t, std::exp(in.x))};
         }},
        {"r = log(y + V(T(3)));",
         [=](const Inputs& in) {
           const double v = std::log(in.y + 3);
           return Expected{v, std::max(3.5 * ulp(t, v), half ? 1.0 / 128 : std::ldexp(1.0, -21))};
         }},
        {"r = atan(x);",
         [=](const Inputs& in) {
           return Expected{std::atan(in.x), (half ? 5.5 : 4096) * ulp(t, std::atan(in.x))};
         }},
        // From exp(x) and exp(-x): Vulkan's formula.
        {"r = tanh(x);",
         [=](const Inputs& in) {
           const double e = std::exp(std::fabs(in.x)), error = (expUlps(in.x) + 3) * ulp(t, e);
           return Expected{std::tanh(in.x), 4 * error / e + 4 * ulp(t, 1)};
         }},
        {"r = fma(x, y, V(T(2)));",
         [=](const Inputs& in) {
           return Expected{in.x * in.y + 2, ulp(t, 8)};
         }},
        {"r = step(x, y);", [](const Inputs& in) { return Expected{in.y < in.x ? 0.0 : 1.0}; }},
    };
    for (const size_t n : {size_t{1}, size_t{4}, size_t{16}, size_t{33}}) check(list, t, n, -2, 2, 1.0 / 64);
  }
}

// Blocks of other element types, shared memory, offsets that are not constants, lengths by specialization
// constants, parameters and results.
COOPC_VALUES_TEST("values of loads and stores of cooperative vectors") {
  for (const Type& t : variableTypes())
    for (const char* element : {"uint8_t", "float16_t", "uint", "uvec4", "uint64_t"})
      for (const size_t n : {size_t{1}, size_t{5}, size_t{16}, size_t{32}}) {
        // For plain code, two sizes are enough for each type and element. One of them ends inside a word.
        if (isLowered() && n != 5 && n != 16) continue;
        const size_t stride = strideOf(t, n) + 16;
        const std::string e = element;
        // A store to shared memory that ends inside a number which has no atomic operations is refused
        // (tests/lower/edges/vectors_test.cpp).
        const size_t numberBytes = e == "float16_t" ? 2 : e == "uint64_t" ? 8 : 0;
        if (isLowered() && numberBytes != 0 && n * t.bytes % numberBytes != 0 && t.bytes < numberBytes)
          continue;
        const size_t elements = stride * kInvocations /
                                (e == "uint8_t"     ? 1
                                 : e == "float16_t" ? 2
                                 : e == "uint"      ? 4
                                 : e == "uint64_t"  ? 8
                                                    : 16);
        const std::string text =
            prologue() + "layout(constant_id = 7) const uint N = " + number(n) + ";\n#define T " + t.glsl +
            "\n#define V coopvecNV<T, N>\n" + blocks(e) + "shared " + e + " s[" + number(elements) +
            "];\nV turned(V v, inout V sum) {\n  sum += v;\n  V w = v;\n  for (uint k = 0; k < N; ++k) w[k] "
            "= "
            "v[N - 1u - k];\n  return w;\n}\n"
            "void main() {\n  uint i = gl_GlobalInvocationID.x, at = i * " +
            number(stride) +
            ";\n  V x, y;\n  coopVecLoadNV(x, a, at + 16);\n  coopVecLoadNV(y, b, at);\n"
            "  coopVecStoreNV(turned(x, y), s, at);\n  V z;\n  coopVecLoadNV(z, s, at);\n"
            "  coopVecStoreNV(z, o, at);\n  coopVecStoreNV(y, o, " +
            number(stride * kInvocations) + " + at);\n}\n";
        Xorshift random;
        std::vector<std::vector<uint8_t>> buffers(3);
        for (size_t k = 0; k < 2; ++k)
          for (size_t i = 0; i < (kInvocations + 1) * stride; i += t.bytes)
            put(buffers[k], i, t, static_cast<double>(random.next() % 100));
        buffers[2].assign(2 * kInvocations * stride, 0xEE);
        INFO(t.glsl << " in " << element << ", " << n << " components");
        if (!runVectors(text, buffers)) continue;
        int wrong = 0;
        for (size_t i = 0; i < kInvocations; ++i)
          for (size_t c = 0; c < stride / t.bytes; ++c) {
            const size_t at = i * stride + c * t.bytes, second = kInvocations * stride + at;
            if (c >= n) {
              for (size_t byte = 0; byte < t.bytes; ++byte)
                wrong += buffers[2][at + byte] != 0xEE || buffers[2][second + byte] != 0xEE ? 1 : 0;
              continue;
            }
            const double x = get(buffers[0], at + 16, t), y = get(buffers[1], at, t);
            const double last = get(buffers[0], i * stride + 16 + (n - 1 - c) * t.bytes, t);
            const double got = get(buffers[2], at, t), sum = get(buffers[2], second, t);
            if ((got != last || sum != x + y) && wrong++ == 0)
              UNSCOPED_INFO("invocation " << i << " component " << c << ": " << got << ", expected " << last
                                          << "; " << sum << ", expected " << x + y);
          }
        CHECK(wrong == 0);
      }
}

namespace {

// How a matrix lies in memory. The optimal layouts are the driver's own; plain code has rows that begin at
// multiples of 16 bytes there, and takes the transposed matrix as well (docs/lowering.md).
enum class Form : uint8_t { Rows, Columns, Optimal, Transposed };

const char* name(Form form) {
  switch (form) {
    case Form::Rows: return "by rows";
    case Form::Columns: return "by columns";
    case Form::Optimal: return "in an optimal layout";
    case Form::Transposed: return "in an optimal layout, transposed";
  }
  return "";
}

// The product of an M x K matrix and a vector, plus a bias, for one listed combination.
void checkProduct(const VectorCombination& c, uint32_t m, uint32_t k, Form form, bool biased) {
  const bool columns = form == Form::Columns || form == Form::Transposed,
             optimal = form == Form::Optimal || form == Form::Transposed;
  const Type *input = typeOf(c.input), *as = typeOf(c.inputInterpretation),
             *matrix = typeOf(c.matrixInterpretation);
  const Type *bias = typeOf(c.biasInterpretation), *result = typeOf(c.result);
  const std::string what = componentTypeName(c.input) + " as " + componentTypeName(c.inputInterpretation) +
                           ", " + componentTypeName(c.matrixInterpretation) + ", " +
                           componentTypeName(c.biasInterpretation) + " -> " + componentTypeName(c.result);
  INFO(what << ", " << m << " x " << k << " " << name(form) << (biased ? ", bias" : ""));
  if (input == nullptr || as == nullptr || matrix == nullptr || bias == nullptr || result == nullptr ||
      input->glsl == nullptr || result->glsl == nullptr) {
    leaveOut("no such types here: " + what);
    return;
  }
  const bool packed =
      as->glsl == nullptr && as->scalar != Scalar::FloatE4M3 && as->scalar != Scalar::FloatE5M2;
  const size_t inputs = packed ? (k + 3) / 4 : k;
  const size_t stride = strideOf(*input, inputs),
               rowBytes = strideOf(*matrix, columns ? m : k) + (optimal ? 0 : 16);
  const size_t outStride = strideOf(*result, m), matrixAt = 128, biasAt = 48;
  std::string text = prologue() + "layout(set = 0, binding = 0) readonly buffer A { " + input->glsl +
                     " a[]; };\nlayout(set = 0, binding = 1) readonly buffer W { uint8_t w[]; };\n"
                     "layout(set = 0, binding = 2) buffer O { " +
                     result->glsl +
                     " o[]; };\nlayout(set = 0, binding = 3) readonly buffer S { uint s[]; };\n"
                     "void main() {\n  uint i = gl_GlobalInvocationID.x;\n  coopvecNV<" +
                     input->glsl + ", " + number(inputs) + "> x;\n  coopvecNV<" + result->glsl + ", " +
                     number(m) + "> r;\n  coopVecLoadNV(x, a, i * " + number(stride) + ");\n  coopVecMatMul" +
                     (biased ? "Add" : "") + "NV(r, x, " + as->interpreted + ", w, " + number(matrixAt) +
                     ", " + matrix->interpreted +
                     (biased ? ", s, " + number(biasAt) + ", " + std::string(bias->interpreted) : "") + ", " +
                     number(m) + ", " + number(k) + ", gl_CooperativeVectorMatrixLayout" +
                     (optimal              ? "InferencingOptimalNV"
                      : form == Form::Rows ? "RowMajorNV"
                                           : "ColumnMajorNV") +
                     (form == Form::Transposed ? ", true, " : ", false, ") + number(optimal ? 0 : rowBytes) +
                     ");\n  coopVecStoreNV(r, o, i * " + number(outStride) + ");\n}\n";
  Xorshift random;
  std::vector<std::vector<uint8_t>> buffers(4);
  // Unsigned interpretations accept no negative numbers.
  const auto value = [&](const Type& t) {
    const double v = static_cast<double>(random.next() % 5);
    return t.scalar == Scalar::Uint || t.scalar == Scalar::Uint8 ? v : v - 2;
  };
  std::vector<double> x(kInvocations * k), w(size_t{m} * k), b(m);
  for (uint32_t i = 0; i < kInvocations; ++i)
    for (uint32_t j = 0; j < k; ++j) {
      x[i * k + j] = value(*as);
      put(buffers[0], i * stride + j * (packed ? 1 : input->bytes), packed ? *as : *input, x[i * k + j]);
    }
  buffers[0].resize(kInvocations * stride);
  for (uint32_t row = 0; row < m; ++row)
    for (uint32_t j = 0; j < k; ++j) {
      w[row * k + j] = value(*matrix);
      put(buffers[1],
          matrixAt + (columns ? j * rowBytes + row * matrix->bytes : row * rowBytes + j * matrix->bytes),
          *matrix, w[row * k + j]);
    }
  // Rows are read in pieces of 16 bytes.
  buffers[1].resize(matrixAt + rowBytes * (columns ? k : m) + 64);
  for (uint32_t row = 0; row < m; ++row) {
    b[row] = value(*bias);
    put(buffers[3], biasAt + row * bias->bytes, *bias, b[row]);
  }
  buffers[3].resize((buffers[3].size() + 63) / 16 * 16);
  buffers[2].resize(kInvocations * outStride);
  if (!runVectors(text, buffers)) return;
  int wrong = 0;
  for (uint32_t i = 0; i < kInvocations; ++i)
    for (uint32_t row = 0; row < m; ++row) {
      double expected = biased ? b[row] : 0;
      for (uint32_t j = 0; j < k; ++j) expected += x[i * k + j] * w[row * k + j];
      if (expected < 0 && (result->scalar == Scalar::Uint || result->scalar == Scalar::Uint8))
        expected += std::ldexp(1.0, static_cast<int>(8 * result->bytes));  // integers wrap
      const double got = get(buffers[2], i * outStride + row * result->bytes, *result);
      if (got != expected && wrong++ == 0)
        UNSCOPED_INFO("invocation " << i << " row " << row << ": " << got << ", expected " << expected);
    }
  CHECK(wrong == 0);
}

std::vector<VectorCombination> combinations() {
  std::vector<VectorCombination> listed = testDevice().vectors.combinations;
  if (!listed.empty()) return listed;
  // Every device with the extension has some of these. Lowering supports the others as well.
  constexpr auto f16 = VK_COMPONENT_TYPE_FLOAT16_KHR, f32 = VK_COMPONENT_TYPE_FLOAT32_KHR,
                 s8 = VK_COMPONENT_TYPE_SINT8_KHR, u8 = VK_COMPONENT_TYPE_UINT8_KHR,
                 s32 = VK_COMPONENT_TYPE_SINT32_KHR, u32 = VK_COMPONENT_TYPE_UINT32_KHR,
                 s8Packed = VK_COMPONENT_TYPE_SINT8_PACKED_NV, u8Packed = VK_COMPONENT_TYPE_UINT8_PACKED_NV,
                 e4m3 = VK_COMPONENT_TYPE_FLOAT_E4M3_NV, e5m2 = VK_COMPONENT_TYPE_FLOAT_E5M2_NV;
  return {{f16, f16, f16, f16, f16, true},     {f16, e4m3, e4m3, f16, f16, true},
          {f16, e5m2, e5m2, f16, f16, true},   {u32, s8Packed, s8, s32, s32, true},
          {u32, u8Packed, u8, u32, u32, true}, {f32, s8, s8, s32, s32, true},
          {s8, s8, s8, s32, s32, true},        {f16, f16, f16, f32, f32, true},
          {f32, f32, f32, f32, f32, true},     {f32, f16, e5m2, f32, f32, true},
          {s32, s8, s8, s32, s32, true},       {u32, s8Packed, s8, s32, f32, true},
          {f32, s8, f16, s8, f16, true},       {u32, u32, s32, u8, u32, true}};
}

}  // namespace

COOPC_VALUES_TEST("values of products of matrices and cooperative vectors") {
  const std::vector<VectorCombination> all = combinations();
  const VectorCombination* const first = all.data();
  uint32_t turn = 0;
  for (const VectorCombination& c : all) {
    const std::string matrix = componentTypeName(c.matrixInterpretation);
    const bool small = matrix == "e4m3" || matrix == "e5m2";
    if (small && !isLowered()) {
      leaveOut("matrices of " + matrix + ": only in the driver's own layouts");
      continue;
    }
    for (const Form form : {Form::Rows, Form::Columns, Form::Optimal, Form::Transposed}) {
      const bool optimal = form == Form::Optimal || form == Form::Transposed;
      // Optimal layouts can be written here for plain code only. 8-bit floats must have an optimal layout
      // (VUID-RuntimeSpirv-OpCooperativeVectorMatrixMulNV-10090).
      if (optimal ? !isLowered() : small) continue;
      for (const bool biased : {false, true})
        for (const auto& [m, k] : {std::pair{16u, 16u}, {8u, 32u}, {33u, 12u}, {1u, 5u}, {64u, 80u}}) {
          // Plain code has the same loops for all types, so that each type has its turn with each size.
          if (isLowered() && first != &c && turn++ % 7 != 0) continue;
          checkProduct(c, m, k, form, biased);
        }
    }
  }
}

namespace {

struct Conversion {
  const Type& input;
  const Type& as;
  std::function<double(double)> reference;
};

std::vector<Conversion> conversions() {
  const auto integer = [](double low, double high) {
    return [=](double v) { return std::clamp(std::nearbyint(v), low, high); };
  };
  // Rounded, then saturated.
  const auto small = [](const coopc::FloatFormat& format) {
    return [=](double v) {
      const double rounded = coopc::decodeFloat(format, coopc::encodeFloat(format, v));
      return std::isfinite(rounded) ? rounded
                                    : std::copysign(coopc::decodeFloat(format, format.largest()), v);
    };
  };
  const auto limited = [](double low, double high) {
    return [=](double v) { return std::clamp(v, low, high); };
  };
  const Type &f32 = kTypes[1], &s32 = kTypes[2], &u32 = kTypes[3], &s8 = kTypes[4], &u8 = kTypes[5];
  return {{f32, s8, integer(-128, 127)},
          {f32, u8, integer(0, 255)},
          {f32, s32, integer(-0x1p31, 0x1p31 - 1)},
          {f32, u32, integer(0, 0x1p32 - 1)},
          {f32, kTypes[8], small(coopc::kFloatE4M3)},
          {f32, kTypes[9], small(coopc::kFloatE5M2)},
          {s32, s8, limited(-128, 127)},
          {s32, u8, limited(0, 255)},
          {s32, u32, limited(0, 0x1p31)},
          {u32, s32, limited(0, 0x1p31 - 1)},
          {u32, s8, limited(0, 127)}};
}

}  // namespace

// Multiplies by the identity, so that the results are the converted inputs.
COOPC_VALUES_TEST("values of interpretations of cooperative vectors") {
  if (!isLowered()) return leaveOut("conversions of inputs, which a device may make in ways of its own");
  const std::vector<double> numbers = {0,     1,   -1,   0.5,    1.5,   2.5,     -2.5,  126.5,
                                       127.5, 128, -128, -128.5, -200,  1000,    -1000, 447,
                                       465,   1e6, -1e6, 0.017,  0.001, 3000000, 5e9,   -5e9};
  const auto count = static_cast<uint32_t>(numbers.size());
  size_t checked = 0;
  for (const Conversion& c : conversions()) {
    const Type& matrix = coopc::frontend::isFloatScalar(c.as.scalar) ? c.as : kTypes[4];
    const Type& result = coopc::frontend::isFloatScalar(c.as.scalar)                   ? kTypes[1]
                         : c.as.scalar == Scalar::Uint || c.as.scalar == Scalar::Uint8 ? kTypes[3]
                                                                                       : kTypes[2];
    INFO(c.input.listed << " as " << c.as.listed);
    const std::string text = prologue() + "layout(set = 0, binding = 0) readonly buffer A { " + c.input.glsl +
                             " a[]; };\nlayout(set = 0, binding = 1) readonly buffer W { uint w[]; };\n"
                             "layout(set = 0, binding = 2) buffer O { " +
                             result.glsl + " o[]; };\nvoid main() {\n  coopvecNV<" + c.input.glsl + ", " +
                             number(count) + "> x;\n  coopvecNV<" + result.glsl + ", " + number(count) +
                             "> r;\n  coopVecLoadNV(x, a, 0);\n  coopVecMatMulNV(r, x, " + c.as.interpreted +
                             ", w, 0, " + matrix.interpreted + ", " + number(count) + ", " + number(count) +
                             ", gl_CooperativeVectorMatrixLayoutTrainingOptimalNV, false, 0);\n"
                             "  if (gl_GlobalInvocationID.x == 0) coopVecStoreNV(r, o, 0);\n}\n";
    std::vector<std::vector<uint8_t>> buffers(3);
    std::vector<double> inputs;
    for (uint32_t n = 0; n < count; ++n) {
      double v = numbers[n];
      if (c.input.scalar == Scalar::Float)
        v = static_cast<float>(v);
      else if (c.input.scalar == Scalar::Uint)
        v = std::clamp(std::trunc(v), 0.0, 0x1p32 - 1);
      else
        v = std::clamp(std::trunc(v), -0x1p31, 0x1p31 - 1);
      inputs.push_back(v);
      put(buffers[0], n * 4, c.input, v);
      put(buffers[1], n * strideOf(matrix, count) + n, matrix, 1);
    }
    buffers[1].resize(count * strideOf(matrix, count));
    buffers[2].resize(count * 4);
    if (!runVectors(text, buffers)) continue;
    ++checked;
    for (uint32_t n = 0; n < count; ++n) {
      INFO("input " << inputs[n]);
      CHECK(get(buffers[2], n * 4, result) == c.reference(inputs[n]));
    }
  }
  if (!notingCoverage()) CHECK(checked == conversions().size());
}

// A matrix in the driver's optimal layout: the first dispatch accumulates outer products into it, and the
// next one multiplies by it and by its transpose. All-zero memory is a matrix of zeros in every optimal
// layout (GL_NV_cooperative_vector, coopVecMatMulNV).
COOPC_VALUES_TEST("values of sums of outer products of cooperative vectors") {
  const Type& t = kTypes[0];
  for (const auto& [m, n] : {std::pair{16u, 16u}, {32u, 16u}, {16u, 48u}, {8u, 5u}}) {
    const size_t stride = strideOf(t, std::max(m, n)), room = 16 * 1024;
    const std::string text =
        prologue() + "#define V(N) coopvecNV<float16_t, N>\n" + blocks("float16_t") +
        "layout(set = 0, binding = 3) buffer W { float16_t w[]; };\nlayout(set = 0, binding = 4) buffer P { "
        "uint phase[]; "
        "};\nvoid main() {\n  uint i = gl_GlobalInvocationID.x;\n"
        "  V(" +
        number(m) + ") x;\n  V(" + number(n) + ") y;\n  coopVecLoadNV(x, a, i * " + number(stride) +
        ");\n  coopVecLoadNV(y, b, i * " + number(stride) +
        ");\n  if (phase[i]++ == 0) {\n"
        "    coopVecOuterProductAccumulateNV(x, y, w, 64, 0, "
        "gl_CooperativeVectorMatrixLayoutTrainingOptimalNV, "
        "gl_ComponentTypeFloat16NV);\n    coopVecReduceSumAccumulateNV(x, w, " +
        number(room) +
        ");\n    return;\n  }\n"
        "  V(" +
        number(n) + ") unit = V(" + number(n) + ")(0.0);\n  unit[i % " + number(n) +
        "] = float16_t(1);\n"
        "  V(" +
        number(m) +
        ") column;\n"
        "  coopVecMatMulNV(column, unit, gl_ComponentTypeFloat16NV, w, 64, gl_ComponentTypeFloat16NV, " +
        number(m) + ", " + number(n) +
        ", gl_CooperativeVectorMatrixLayoutTrainingOptimalNV, false, 0);\n  coopVecStoreNV(column, o, i * " +
        number(stride) +
        ");\n"
        "  V(" +
        number(m) + ") other = V(" + number(m) + ")(0.0);\n  other[i % " + number(m) +
        "] = float16_t(1);\n"
        "  V(" +
        number(n) +
        ") row;\n"
        "  coopVecMatMulNV(row, other, gl_ComponentTypeFloat16NV, w, 64, gl_ComponentTypeFloat16NV, " +
        number(n) + ", " + number(m) +
        ", gl_CooperativeVectorMatrixLayoutTrainingOptimalNV, true, 0);\n  coopVecStoreNV(row, o, (i + 32) "
        "* " +
        number(stride) + ");\n}\n";
    Xorshift random;
    ShaderRun run;
    run.text = text;
    run.dispatches = 2;
    run.buffers.resize(5);
    std::vector<double> x(kInvocations * m), y(kInvocations * n);
    run.buffers[0].resize(kInvocations * stride);
    run.buffers[1].resize(kInvocations * stride);
    for (uint32_t i = 0; i < kInvocations; ++i) {
      for (uint32_t c = 0; c < m; ++c)
        put(run.buffers[0], i * stride + c * 2, t, x[i * m + c] = static_cast<double>(random.next() % 5) - 2);
      for (uint32_t c = 0; c < n; ++c)
        put(run.buffers[1], i * stride + c * 2, t, y[i * n + c] = static_cast<double>(random.next() % 5) - 2);
    }
    run.buffers[2].resize(2 * kInvocations * stride);
    run.buffers[3].resize(room + 256);
    run.buffers[4].resize(kInvocations * 4);
    INFO(m << " x " << n);
    run.lowers = true;
    if (!runShader(run)) continue;
    const auto element = [&](uint32_t row, uint32_t column) {
      double sum = 0;
      for (uint32_t i = 0; i < kInvocations; ++i) sum += x[i * m + row] * y[i * n + column];
      return sum;
    };
    int wrong = 0, wrongTransposed = 0, wrongSums = 0;
    for (uint32_t i = 0; i < kInvocations; ++i) {
      for (uint32_t row = 0; row < m; ++row)
        if (get(run.buffers[2], i * stride + row * 2, t) != element(row, i % n) && wrong++ == 0)
          UNSCOPED_INFO("row " << row << " column " << i % n << ": "
                               << get(run.buffers[2], i * stride + row * 2, t) << ", expected "
                               << element(row, i % n));
      for (uint32_t column = 0; column < n; ++column)
        if (get(run.buffers[2], (i + 32) * stride + column * 2, t) != element(i % m, column) &&
            wrongTransposed++ == 0)
          UNSCOPED_INFO("transposed: row " << i % m << " column " << column << ": "
                                           << get(run.buffers[2], (i + 32) * stride + column * 2, t)
                                           << ", expected " << element(i % m, column));
    }
    for (uint32_t row = 0; row < m; ++row) {
      double sum = 0;
      for (uint32_t i = 0; i < kInvocations; ++i) sum += x[i * m + row];
      wrongSums += get(run.buffers[3], room + row * 2, t) != sum ? 1 : 0;
    }
    CHECK(wrong == 0);
    CHECK(wrongTransposed == 0);
    CHECK(wrongSums == 0);
  }
}
