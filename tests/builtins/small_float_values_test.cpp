// bfloat16_t, floate4m3_t and floate5m2_t (GL_EXT_bfloat16, GL_EXT_float_e4m3, GL_EXT_float_e5m2) executed on
// a device that has them: conversions from and to every other type and size, implicit conversions, and values
// of these types in variables, arrays, structures, functions and constants. The encodings are those of
// constant folding, which has separate tests. If a conversion rounds, both neighbors are right.
#include <algorithm>
#include <cmath>
#include <limits>

#include "frontend/check/folding.hpp"
#include "frontend/program/numbers.hpp"
#include "tests/builtins/device.hpp"
#include "tests/builtins/scalar_bits.hpp"

using namespace coopc::tests;
using coopc::frontend::decodeFloat;
using coopc::frontend::encodeFloat;
using coopc::frontend::isFloatScalar;
using coopc::frontend::isSignedScalar;
using coopc::frontend::Scalar;

namespace {

struct Type {
  Scalar scalar;
  const char* name;
  const char* prefix;  // of vectors
  uint32_t bytes;
  double largest;
};
constexpr Type kSmall[] = {{Scalar::BFloat16, "bfloat16_t", "bf16vec", 2, 3.3895e38},
                           {Scalar::FloatE4M3, "floate4m3_t", "fe4m3vec", 1, 448},
                           {Scalar::FloatE5M2, "floate5m2_t", "fe5m2vec", 1, 57344},
                           // Checks the tests themselves, on devices without the other types.
                           {Scalar::Float16, "float16_t", "f16vec", 2, 65504}};
constexpr Type kOthers[] = {
    {Scalar::Float, "float", "vec", 4, 1e30},          {Scalar::Float16, "float16_t", "f16vec", 2, 65504},
    {Scalar::Double, "double", "dvec", 8, 1e30},       {Scalar::Int8, "int8_t", "i8vec", 1, 127},
    {Scalar::Uint8, "uint8_t", "u8vec", 1, 255},       {Scalar::Int16, "int16_t", "i16vec", 2, 32767},
    {Scalar::Uint16, "uint16_t", "u16vec", 2, 65535},  {Scalar::Int, "int", "ivec", 4, 2147483000},
    {Scalar::Uint, "uint", "uvec", 4, 4294960000.0},   {Scalar::Int64, "int64_t", "i64vec", 8, 9e18},
    {Scalar::Uint64, "uint64_t", "u64vec", 8, 1.8e19},
};

const char* const kPrologue =
    "#version 460\n#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
    "#extension GL_EXT_scalar_block_layout : require\n#extension GL_EXT_shader_8bit_storage : require\n"
    "#extension GL_EXT_shader_16bit_storage : require\n";

std::string extensionOf(const Type& t) {
  return t.scalar == Scalar::BFloat16    ? "#extension GL_EXT_bfloat16 : require\n"
         : t.scalar == Scalar::FloatE4M3 ? "#extension GL_EXT_float_e4m3 : require\n"
         : t.scalar == Scalar::FloatE5M2 ? "#extension GL_EXT_float_e5m2 : require\n"
                                         : "";
}
std::string vectorOf(const Type& t, size_t n) {
  return n == 1 ? std::string(t.name) : t.prefix + std::to_string(n);
}

uint64_t encode(const Type& t, double v) { return bitsOf(t.scalar, v); }
double decode(const Type& t, uint64_t bits) { return valueOf(t.scalar, bits, t.bytes); }
void put(std::vector<uint8_t>& bytes, size_t index, const Type& t, uint64_t bits) {
  if (bytes.size() < (index + 1) * t.bytes) bytes.resize((index + 1) * t.bytes);
  std::memcpy(bytes.data() + index * t.bytes, &bits, t.bytes);
}
uint64_t get(const std::vector<uint8_t>& bytes, size_t index, const Type& t) {
  uint64_t bits = 0;
  std::memcpy(&bits, bytes.data() + index * t.bytes, t.bytes);
  return bits;
}

constexpr size_t kInvocations = 32;

// Checks r = to(x), with n components, for values that `from` represents exactly and that are in `to`'s
// range.
void checkConversion(const Type& from, const Type& to, size_t n, bool implicitly = false) {
  std::vector<double> values = {0, 1, 2, 3, 5, 6, 7, 9, 100, 1.5, 0.25, 2.75, 16, 17, 33, 240, 447, 1000};
  if (isFloatScalar(from.scalar) || isSignedScalar(from.scalar))
    for (size_t i = 0; i < 18; ++i) values.push_back(-values[i]);
  Xorshift random;
  while (values.size() < kInvocations * n) values.push_back(random.between(-60, 60));
  std::vector<std::vector<uint8_t>> buffers(2);
  for (size_t i = 0; i < kInvocations * n; ++i) {
    double v = values[i % values.size()];
    if (!isFloatScalar(from.scalar)) v = std::trunc(v);
    const bool isUnsigned = (!isFloatScalar(from.scalar) && !isSignedScalar(from.scalar)) ||
                            (!isFloatScalar(to.scalar) && !isSignedScalar(to.scalar));
    if (isUnsigned) v = std::fabs(v);
    const double most = std::min(from.largest, to.largest);
    v = std::clamp(v, -most, most);
    put(buffers[0], i, from, encode(from, v));
  }
  buffers[1].resize(kInvocations * n * to.bytes);
  const std::string x = vectorOf(from, n), r = vectorOf(to, n);
  const std::string text = kPrologue + extensionOf(from) + extensionOf(to) +
                           "layout(local_size_x = 32) in;\nlayout(set = 0, binding = 0, scalar) buffer I { " +
                           x + " given[]; };\nlayout(set = 0, binding = 1, scalar) buffer O { " + r +
                           " result[]; };\nvoid main() {\n  uint i = gl_GlobalInvocationID.x;\n  " + r +
                           " r = " + (implicitly ? "given[i]" : r + "(given[i])") +
                           ";\n  result[i] = r;\n}\n";
  INFO((implicitly ? "implicitly " : "") << x << " to " << r);
  if (!runShader(text, buffers, 1)) return;
  int wrong = 0;
  for (size_t i = 0; i < kInvocations * n; ++i) {
    const double v = decode(from, get(buffers[0], i, from));
    const double got = decode(to, get(buffers[1], i, to));
    double expected = v;
    double tolerance = 0;
    if (!isFloatScalar(to.scalar)) {
      expected = std::trunc(v);
    } else {
      const double nearest = decodeFloat(to.scalar, encodeFloat(to.scalar, v));
      // A unit in the last place of the result, where it is not exact.
      if (nearest != v) {
        const int precision = to.scalar == Scalar::BFloat16    ? 8
                              : to.scalar == Scalar::FloatE4M3 ? 4
                              : to.scalar == Scalar::FloatE5M2 ? 3
                              : to.scalar == Scalar::Float16   ? 11
                                                               : 24;
        int e = 0;
        std::frexp(v, &e);
        tolerance = std::ldexp(1.0, e - precision);
      }
    }
    const bool representable =
        !isFloatScalar(to.scalar) || decodeFloat(to.scalar, encodeFloat(to.scalar, got)) == got;
    if ((!(std::fabs(got - expected) <= tolerance) || !representable) && wrong++ == 0)
      UNSCOPED_INFO(v << " gave " << got << ", expected " << expected << " within " << tolerance);
  }
  CHECK(wrong == 0);
}

}  // namespace

COOPC_VALUES_TEST("values of conversions of small floats") {
  for (const Type& small : kSmall)
    for (size_t n = 1; n <= 4; ++n) {
      for (const Type& other : kOthers) {
        if (other.scalar == small.scalar) continue;
        checkConversion(small, other, n);
        checkConversion(other, small, n);
      }
      for (const Type& other : kSmall)
        if (other.scalar != small.scalar) checkConversion(small, other, n);
      checkConversion(small, kOthers[0], n, true);
      checkConversion(small, kOthers[2], n, true);
      if (small.bytes == 1) checkConversion(small, kOthers[1], n, true);
    }
}

// Passes bits through structures, arrays, dynamic indices, swizzles, parameters of every direction,
// selections, loops, constants, specialization constants, shared memory and private globals.
COOPC_VALUES_TEST("values of small floats go everywhere") {
  for (const Type& t : kSmall) {
    std::string text =
        kPrologue + extensionOf(t) +
        "layout(local_size_x = 32) in;\n#define T TYPE\n#define T2 VEC2\n#define T3 VEC3\n#define T4 VEC4\n"
        "struct S { T a; T2 b; T c[3]; T4 d; };\n"
        "layout(set = 0, binding = 0, scalar) readonly buffer I { T given[]; };\n"
        "layout(set = 0, binding = 1, scalar) buffer O { T result[]; };\n"
        "layout(set = 0, binding = 2, scalar) buffer P { S kept[]; };\n"
        "layout(constant_id = 3) const T five = T(5.0);\nconst T3 kThree = T3(1.0, T(-2.0), 3.5);\n"
        "shared T2 tile[32];\nT last;\n"
        "void swap(inout T x, inout T y) { T z = x; x = y; y = z; }\n"
        "T3 turned(const T3 v, out T first) { first = v.x; return v.zyx; }\n"
        "S make(T x, T4 v) { S s; s.a = x; s.b = v.wy; s.c = T[3](v.x, x, kThree[1]); s.d = v; return s; }\n"
        "void main() {\n  uint i = gl_LocalInvocationID.x, at = i * 12u;\n"
        "  T4 v = T4(given[i * 4u], given[i * 4u + 1u], given[i * 4u + 2u], given[i * 4u + 3u]);\n"
        "  T first;\n  T3 w = turned(v.xyz, first);\n  swap(w.x, v.w);\n  w[i % 3u] = five;\n"
        "  tile[i] = w.yx;\n  barrier();\n  T2 other = tile[31u - i];\n"
        "  for (int k = 0; k < 3; ++k) last = k == int(i % 3u) ? kThree[k] : last;\n"
        "  kept[i] = make(first, v);\n  S s = kept[i];\n  s.c[i % 2u] = last;\n"
        "  result[at] = first;\n  result[at + 1u] = w.x;\n  result[at + 2u] = w.y;\n"
        "  result[at + 3u] = w.z;\n  result[at + 4u] = other.x;\n  result[at + 5u] = other.y;\n"
        "  result[at + 6u] = last;\n  result[at + 7u] = s.c[0];\n  result[at + 8u] = s.c[1];\n"
        "  result[at + 9u] = s.c[2];\n  result[at + 10u] = float(v.x) < 2.0 ? v.y : s.b.x;\n"
        "  result[at + 11u] = T(float(s.d.w) * 2.0 + float(five));\n}\n";
    const auto replace = [&](const std::string& what, const std::string& by) {
      for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
        text.replace(at, what.size(), by);
    };
    replace("TYPE", t.name);
    for (size_t n = 2; n <= 4; ++n) replace("VEC" + std::to_string(n), vectorOf(t, n));
    std::vector<std::vector<uint8_t>> buffers(3);
    std::vector<double> in(kInvocations * 4);
    Xorshift random;
    for (size_t i = 0; i < in.size(); ++i) {
      in[i] = static_cast<double>(random.next() % 9) - 4;
      put(buffers[0], i, t, encodeFloat(t.scalar, in[i]));
    }
    buffers[1].resize(kInvocations * 12 * t.bytes);
    buffers[2].resize(kInvocations * 10 * t.bytes);
    INFO(text);
    if (!runShader(text, buffers, 1)) continue;
    const double three[] = {1, -2, 3.5};
    struct Places {
      double w[3], v[4], first;
    };
    const auto places = [&](size_t i) {
      const double* v = &in[i * 4];
      Places p{{v[3], v[1], v[0]}, {v[0], v[1], v[2], v[2]}, v[0]};
      p.w[i % 3] = 5;
      return p;
    };
    for (size_t i = 0; i < kInvocations; ++i) {
      const Places p = places(i), o = places(31 - i);
      double c[3] = {p.v[0], p.first, three[1]};
      const double last = three[i % 3];
      c[i % 2] = last;
      const double expected[12] = {p.first,
                                   p.w[0],
                                   p.w[1],
                                   p.w[2],
                                   o.w[1],
                                   o.w[0],
                                   last,
                                   c[0],
                                   c[1],
                                   c[2],
                                   p.v[0] < 2 ? p.v[1] : p.v[3],
                                   p.v[3] * 2 + 5};
      for (size_t k = 0; k < 12; ++k) {
        INFO("invocation " << i << ", result " << k);
        CHECK(decodeFloat(t.scalar, get(buffers[1], i * 12 + k, t)) == expected[k]);
      }
    }
  }
}
