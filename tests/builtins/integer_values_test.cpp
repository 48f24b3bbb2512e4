// Integer built-in functions (GLSL 4.60, 8.3, 8.7, 8.8, GL_EXT_integer_dot_product), packing and bit casts
// (8.4, GL_EXT_shader_explicit_arithmetic_types) executed on a device, against plain arithmetic of the host.
#include <algorithm>
#include <bit>
#include <functional>

#include "frontend/check/folding.hpp"
#include "frontend/program/numbers.hpp"
#include "tests/builtins/device.hpp"
#include "tests/builtins/value_shader.hpp"

using namespace coopc::tests;
using coopc::frontend::decodeFloat;
using coopc::frontend::Scalar;

namespace {

constexpr uint32_t kInvocations = 128;

struct Type {
  const char* name;
  const char* prefix;
  int bits;
  bool isSigned;
};
constexpr Type kTypes[] = {{"int", "ivec", 32, true},       {"uint", "uvec", 32, false},
                           {"int16_t", "i16vec", 16, true}, {"uint16_t", "u16vec", 16, false},
                           {"int8_t", "i8vec", 8, true},    {"uint8_t", "u8vec", 8, false},
                           {"int64_t", "i64vec", 64, true}, {"uint64_t", "u64vec", 64, false}};

// A value of the type as 64 bits, sign- or zero-extended.
uint64_t wrap(const Type& t, uint64_t v) {
  if (t.bits == 64) return v;
  const uint64_t low = v & ((uint64_t{1} << t.bits) - 1);
  return t.isSigned && ((low >> (t.bits - 1)) & 1) ? low | ~((uint64_t{1} << t.bits) - 1) : low;
}
bool less(const Type& t, uint64_t a, uint64_t b) {
  return t.isSigned ? static_cast<int64_t>(a) < static_cast<int64_t>(b) : a < b;
}

using Reference = std::function<uint64_t(const Type&, uint64_t x, uint64_t y, uint64_t z, uint64_t s)>;

struct Test {
  const char* name;
  const char* statement;  // sets r from x, y, z (type V), s (type T)
  Reference reference;    // of one component
  int sizes = 15;
  bool onlySigned = false;
  bool only32 = false;
  bool onlyUnsigned = false;
};

uint32_t low32(uint64_t v) { return static_cast<uint32_t>(v); }

std::vector<Test> tests() {
  std::vector<Test> list;
  const auto add = [&](Test t) { list.push_back(std::move(t)); };
  const auto minimum = [](const Type& t, uint64_t a, uint64_t b) { return less(t, b, a) ? b : a; };
  const auto maximum = [](const Type& t, uint64_t a, uint64_t b) { return less(t, a, b) ? b : a; };
  add({"abs", "r = abs(x);",
       [](const Type&, uint64_t x, uint64_t, uint64_t, uint64_t) {
         return static_cast<int64_t>(x) < 0 ? 0 - x : x;
       },
       15, true});
  add({"sign", "r = sign(x);",
       [](const Type&, uint64_t x, uint64_t, uint64_t, uint64_t) {
         return x == 0 ? uint64_t{0} : static_cast<int64_t>(x) < 0 ? ~uint64_t{0} : uint64_t{1};
       },
       15, true});
  add({"min", "r = min(x, y);",
       [=](const Type& t, uint64_t x, uint64_t y, uint64_t, uint64_t) { return minimum(t, x, y); }});
  add({"max", "r = max(x, y);",
       [=](const Type& t, uint64_t x, uint64_t y, uint64_t, uint64_t) { return maximum(t, x, y); }});
  add({"min with a scalar", "r = min(x, s);",
       [=](const Type& t, uint64_t x, uint64_t, uint64_t, uint64_t s) { return minimum(t, x, s); }});
  add({"max with a scalar", "r = max(x, s);",
       [=](const Type& t, uint64_t x, uint64_t, uint64_t, uint64_t s) { return maximum(t, x, s); }});
  add({"clamp", "r = clamp(x, min(y, z), max(y, z));",
       [=](const Type& t, uint64_t x, uint64_t y, uint64_t z, uint64_t) {
         return minimum(t, maximum(t, x, minimum(t, y, z)), maximum(t, y, z));
       }});
  add({"clamp to scalars", "r = clamp(x, T(3), max(s, T(3)));",
       [=](const Type& t, uint64_t x, uint64_t, uint64_t, uint64_t s) {
         return minimum(t, maximum(t, x, 3), maximum(t, s, 3));
       }});
  add({"mix by bool", "r = mix(x, y, B(z & V(1)));",
       [](const Type&, uint64_t x, uint64_t y, uint64_t z, uint64_t) { return z & 1 ? y : x; }});
  add({"lessThan", "r = V(lessThan(x, y));",
       [](const Type& t, uint64_t x, uint64_t y, uint64_t, uint64_t) { return uint64_t{less(t, x, y)}; },
       14});
  add({"lessThanEqual", "r = V(lessThanEqual(x, y));",
       [](const Type& t, uint64_t x, uint64_t y, uint64_t, uint64_t) { return uint64_t{!less(t, y, x)}; },
       14});
  add({"greaterThan", "r = V(greaterThan(x, y));",
       [](const Type& t, uint64_t x, uint64_t y, uint64_t, uint64_t) { return uint64_t{less(t, y, x)}; },
       14});
  add({"greaterThanEqual", "r = V(greaterThanEqual(x, y));",
       [](const Type& t, uint64_t x, uint64_t y, uint64_t, uint64_t) { return uint64_t{!less(t, x, y)}; },
       14});
  add({"equal", "r = V(equal(x & V(1), y & V(1)));",
       [](const Type&, uint64_t x, uint64_t y, uint64_t, uint64_t) { return uint64_t{((x ^ y) & 1) == 0}; },
       14});
  add({"notEqual", "r = V(notEqual(x & V(1), y & V(1)));",
       [](const Type&, uint64_t x, uint64_t y, uint64_t, uint64_t) { return (x ^ y) & 1; }, 14});
  add({"equal, notEqual, not of bool",
       "r = V(equal(B(x & V(1)), B(y & V(1)))) + V(notEqual(B(x & V(1)), B(z & V(1)))) * T(2) + V(not(B(x & "
       "V(1)))) * T(4);",
       [](const Type&, uint64_t x, uint64_t y, uint64_t z, uint64_t) {
         return (((x ^ y) & 1) ^ 1) + ((x ^ z) & 1) * 2 + ((x & 1) ^ 1) * 4;
       },
       14});
  add({"any, all",
       "B b = B(x & V(0)); B c = not(b); b.y = c.x; r = V(T(any(b)) + T(all(b)) * T(2) + T(all(c)) * T(4) + "
       "T(any(not(c))) * T(8));",
       [](const Type&, uint64_t, uint64_t, uint64_t, uint64_t) { return uint64_t{5}; }, 14});
  add({"mix of bool", "r = V(mix(B(x & V(1)), B(y & V(1)), B(z & V(1))));",
       [](const Type&, uint64_t x, uint64_t y, uint64_t z, uint64_t) { return (z & 1 ? y : x) & 1; }});
  add({"expectEXT", "assumeEXT(i < 4096u); r = expectEXT(x, V(3)) + V(expectEXT(B(y & V(1)), B(V(1))));",
       [](const Type&, uint64_t x, uint64_t y, uint64_t, uint64_t) { return x + (y & 1); }});
  // 8.8
  add({"uaddCarry", "V c; r = uaddCarry(x, y, c); r ^= c * T(0x1000);",
       [](const Type&, uint64_t x, uint64_t y, uint64_t, uint64_t) {
         return (x + y) ^ (((x + y) >> 32) * 0x1000);
       },
       15, false, true, true});
  add({"usubBorrow", "V c; r = usubBorrow(x, y, c); r ^= c * T(0x1000);",
       [](const Type&, uint64_t x, uint64_t y, uint64_t, uint64_t) {
         return (x - y) ^ (x < y ? 0x1000u : 0u);
       },
       15, false, true, true});
  add({"umulExtended's msb", "V l; umulExtended(x, y, r, l);",
       [](const Type&, uint64_t x, uint64_t y, uint64_t, uint64_t) { return (x * y) >> 32; }, 15, false, true,
       true});
  add({"umulExtended's lsb", "V m; umulExtended(x, y, m, r);",
       [](const Type&, uint64_t x, uint64_t y, uint64_t, uint64_t) { return x * y; }, 15, false, true, true});
  add({"imulExtended's msb", "V l; imulExtended(x, y, r, l);",
       [](const Type&, uint64_t x, uint64_t y, uint64_t, uint64_t) { return (x * y) >> 32; }, 15, true,
       true});
  add({"imulExtended's lsb", "V m; imulExtended(x, y, m, r);",
       [](const Type&, uint64_t x, uint64_t y, uint64_t, uint64_t) { return x * y; }, 15, true, true});
  add({"bitfieldExtract", "r = bitfieldExtract(x, int(s & T(15)), 7);",
       [](const Type& t, uint64_t x, uint64_t, uint64_t, uint64_t s) {
         const uint64_t field = (low32(x) >> (s & 15)) & 0x7F;
         return t.isSigned && (field & 0x40) ? field | ~uint64_t{0x7F} : field;
       },
       15, false, true});
  add({"bitfieldInsert", "r = bitfieldInsert(x, y, int(s & T(15)), 9);",
       [](const Type&, uint64_t x, uint64_t y, uint64_t, uint64_t s) {
         const uint64_t mask = uint64_t{0x1FF} << (s & 15);
         return (x & ~mask) | ((y << (s & 15)) & mask);
       },
       15, false, true});
  add({"bitfieldReverse", "r = bitfieldReverse(x);",
       [](const Type&, uint64_t x, uint64_t, uint64_t, uint64_t) {
         uint64_t v = 0;
         for (int i = 0; i < 32; ++i) v |= ((x >> i) & 1) << (31 - i);
         return v;
       },
       15, false, true});
  add({"bitCount", "r = V(bitCount(x));",
       [](const Type&, uint64_t x, uint64_t, uint64_t, uint64_t) {
         return static_cast<uint64_t>(std::popcount(low32(x)));
       },
       15, false, true});
  add({"findLSB", "r = V(findLSB(x & (y | (V(1) << V(31)))));",
       [](const Type&, uint64_t x, uint64_t y, uint64_t, uint64_t) {
         const uint32_t v = low32(x & (y | 0x80000000u));
         return v == 0 ? ~uint64_t{0} : static_cast<uint64_t>(std::countr_zero(v));
       },
       15, false, true});
  add({"findLSB of 0", "r = V(findLSB(x & V(0)));",
       [](const Type&, uint64_t, uint64_t, uint64_t, uint64_t) { return ~uint64_t{0}; }, 15, false, true});
  add({"findMSB", "r = V(findMSB(x >> V(s & T(15))));",
       [](const Type& t, uint64_t x, uint64_t, uint64_t, uint64_t s) {
         const uint64_t shifted =
             t.isSigned ? static_cast<uint64_t>(static_cast<int64_t>(x) >> (s & 15)) : x >> (s & 15);
         uint32_t v = low32(shifted);
         if (t.isSigned && (v >> 31)) v = ~v;
         return v == 0 ? ~uint64_t{0} : static_cast<uint64_t>(31 - std::countl_zero(v));
       },
       15, false, true});
  return list;
}

using WholeReference =
    std::function<uint64_t(const uint64_t* x, const uint64_t* y, const uint64_t* z, int i)>;
struct Statement {
  std::string name;
  std::string text;
  WholeReference reference;  // of component i, from the values of whole invocations
};

std::string shader(const std::vector<Statement>& statements, const Type& t, int n) {
  std::string text =
      "#version 460\n#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
      "#extension GL_EXT_integer_dot_product : require\n#extension GL_EXT_expect_assume : require\n"
      "#extension GL_EXT_shader_8bit_storage : require\n#extension GL_EXT_shader_16bit_storage : require\n"
      "layout(local_size_x = 64) in;\n#define T " +
      std::string(t.name) + "\n#define V " + vectorName(t.prefix, t.name, n) + "\n#define B " +
      vectorName("bvec", "bool", n) + "\n";
  text += inputsOfInvocation(n);
  for (size_t k = 0; k < statements.size(); ++k) {
    text +=
        "  { " + statements[k].text + " }\n" + storeOfResult(n, k * kInvocations * static_cast<size_t>(n));
  }
  return text + "}\n";
}

// Runs statements on random numbers of the type.
void check(const std::vector<Statement>& statements, const Type& t, int n) {
  Xorshift random;
  const size_t bytes = static_cast<size_t>(t.bits / 8), count = size_t{kInvocations} * static_cast<size_t>(n);
  std::vector<uint64_t> values[3];
  std::vector<std::vector<uint8_t>> buffers(4);
  for (size_t k = 0; k < 3; ++k) {
    buffers[k].resize(count * bytes);
    for (size_t i = 0; i < count; ++i) {
      // Every third number is small.
      const uint64_t v = wrap(t, i % 3 == 0 ? random.next() % 64 - (t.isSigned ? 32 : 0) : random.next());
      values[k].push_back(v);
      std::memcpy(buffers[k].data() + i * bytes, &v, bytes);
    }
  }
  buffers[3].resize(statements.size() * count * bytes);
  INFO(t.name << ", " << n << " components");
  if (!runShader(shader(statements, t, n), buffers, kInvocations / 64)) return;
  for (size_t k = 0; k < statements.size(); ++k) {
    INFO(statements[k].name);
    int wrong = 0;
    for (size_t i = 0; i < count; ++i) {
      uint64_t got = 0;
      std::memcpy(&got, buffers[3].data() + (k * count + i) * bytes, bytes);
      got = wrap(t, got);
      const size_t base = i - i % static_cast<size_t>(n);
      const uint64_t expected =
          wrap(t, statements[k].reference(&values[0][base], &values[1][base], &values[2][base],
                                          static_cast<int>(i - base)));
      if (got != expected && wrong++ == 0)
        UNSCOPED_INFO("element " << i << ": x " << values[0][i] << " y " << values[1][i] << " z "
                                 << values[2][i] << " gave " << got << ", expected " << expected);
    }
    CHECK(wrong == 0);
  }
}

}  // namespace

COOPC_VALUES_TEST("values of integer functions") {
  const std::vector<Test> all = tests();
  for (const Type& t : kTypes)
    for (int n = 1; n <= 4; ++n) {
      std::vector<Statement> statements;
      for (const Test& test : all)
        if (!((test.onlySigned && !t.isSigned) || (test.onlyUnsigned && t.isSigned) ||
              (test.only32 && t.bits != 32)) &&
            ((test.sizes >> (n - 1)) & 1))
          statements.push_back({test.name, test.statement,
                                [&](const uint64_t* x, const uint64_t* y, const uint64_t* z, int i) {
                                  return test.reference(t, x[i], y[i], z[i], z[0]);
                                }});
      check(statements, t, n);
    }
}

COOPC_VALUES_TEST("values of packing functions and bit casts") {
  struct Packing {
    const char* statement;  // r (uint) from x and y
    std::function<uint32_t(uint32_t x, uint32_t y)> reference;
  };
  const auto half = [](uint32_t bits) { return decodeFloat(Scalar::Float16, bits & 0xFFFF); };
  const auto floatBits = [](double v) { return std::bit_cast<uint32_t>(static_cast<float>(v)); };
  const Packing list[] = {
      {"r = pack32(u16vec2(x, y));", [](uint32_t x, uint32_t y) { return (x & 0xFFFF) | y << 16; }},
      {"r = uint(pack32(i16vec2(int(x), int(y))));",
       [](uint32_t x, uint32_t y) { return (x & 0xFFFF) | y << 16; }},
      {"r = pack32(u8vec4(x, y, x >> 8, y >> 8));",
       [](uint32_t x, uint32_t y) {
         return (x & 0xFF) | (y & 0xFF) << 8 | ((x >> 8) & 0xFF) << 16 | ((y >> 8) & 0xFF) << 24;
       }},
      {"r = uint(pack32(i8vec4(int(x), int(y), int(x) >> 8, int(y) >> 8)));",
       [](uint32_t x, uint32_t y) {
         return (x & 0xFF) | (y & 0xFF) << 8 | ((x >> 8) & 0xFF) << 16 | ((y >> 8) & 0xFF) << 24;
       }},
      {"r = uint(pack16(u8vec2(x, y))) + uint(uint16_t(pack16(i8vec2(int(y), int(x))))) * 65536u;",
       [](uint32_t x, uint32_t y) {
         return (x & 0xFF) | (y & 0xFF) << 8 | ((y & 0xFF) | (x & 0xFF) << 8) << 16;
       }},
      {"uint64_t p = pack64(u32vec2(x, y)); r = uint(p) ^ uint(p >> 32) * 3u;",
       [](uint32_t x, uint32_t y) { return x ^ y * 3; }},
      {"int64_t p = pack64(i32vec2(int(x), int(y))); r = uint(p) ^ uint(p >> 32) * 3u;",
       [](uint32_t x, uint32_t y) { return x ^ y * 3; }},
      {"uint64_t p = pack64(u16vec4(x, x >> 16, y, y >> 16)); r = uint(p) ^ uint(p >> 32) * 3u;",
       [](uint32_t x, uint32_t y) { return x ^ y * 3; }},
      {"int64_t p = pack64(i16vec4(int(x), int(x) >> 16, int(y), int(y) >> 16)); r = uint(p) ^ uint(p >> 32) "
       "* 3u;",
       [](uint32_t x, uint32_t y) { return x ^ y * 3; }},
      {"u16vec2 u = unpack16(x); r = uint(u.y) | uint(u.x) << 16;",
       [](uint32_t x, uint32_t) { return x >> 16 | x << 16; }},
      {"i16vec2 u = unpack16(int(x)); r = uint(int(u.y)) + uint(int(u.x));",
       [](uint32_t x, uint32_t) {
         return static_cast<uint32_t>(static_cast<int16_t>(x >> 16) + static_cast<int16_t>(x));
       }},
      {"i16vec4 u = unpack16(int64_t(x) << 32 | int64_t(y)); r = uint(uint16_t(u.y)) | uint(uint16_t(u.w)) "
       "<< 16;",
       [](uint32_t x, uint32_t y) { return y >> 16 | (x & 0xFFFF0000u); }},
      {"i32vec2 u = unpack32(int64_t(x) << 32 | int64_t(y)); r = uint(u.x) ^ uint(u.y) * 3u;",
       [](uint32_t x, uint32_t y) { return y ^ x * 3; }},
      {"i8vec2 u = unpack8(int16_t(x)); r = uint(uint8_t(u.y)) | uint(uint8_t(u.x)) << 8;",
       [](uint32_t x, uint32_t) { return ((x >> 8) & 0xFF) | (x & 0xFF) << 8; }},
      {"u8vec4 u = unpack8(x); r = uint(u.w) | uint(u.z) << 8 | uint(u.y) << 16 | uint(u.x) << 24;",
       [](uint32_t x, uint32_t) {
         return x >> 24 | ((x >> 16) & 0xFF) << 8 | ((x >> 8) & 0xFF) << 16 | x << 24;
       }},
      {"u8vec2 u = unpack8(uint16_t(x)); r = uint(u.y) | uint(u.x) << 8;",
       [](uint32_t x, uint32_t) { return ((x >> 8) & 0xFF) | (x & 0xFF) << 8; }},
      {"i8vec4 u = unpack8(int(x)); r = uint(int(u.w));",
       [](uint32_t x, uint32_t) { return static_cast<uint32_t>(static_cast<int8_t>(x >> 24)); }},
      {"u32vec2 u = unpack32(uint64_t(x) << 32 | uint64_t(y)); r = u.x ^ u.y * 3u;",
       [](uint32_t x, uint32_t y) { return y ^ x * 3; }},
      {"u16vec4 u = unpack16(uint64_t(x) << 32 | uint64_t(y)); r = uint(u.x) ^ uint(u.w) << 8;",
       [](uint32_t x, uint32_t y) { return (y & 0xFFFF) ^ (x >> 16) << 8; }},
      {"r = unpackUint2x32(packUint2x32(uvec2(x, y))).y ^ uint(unpackInt2x32(packInt2x32(ivec2(x, y))).x);",
       [](uint32_t x, uint32_t y) { return y ^ x; }},
      {"r = packUint2x16(unpackUint2x16(x).yx) ^ uint(packInt2x16(unpackInt2x16(int(y)).yx)) * 3u;",
       [](uint32_t x, uint32_t y) { return (x >> 16 | x << 16) ^ (y >> 16 | y << 16) * 3; }},
      {"r = uint(unpackUint4x16(packUint4x16(u16vec4(x, y, x >> 16, y >> 16))).z) + "
       "uint(uint16_t(unpackInt4x16(packInt4x16(i16vec4(x, y, x >> 16, y >> 16))).y)) * 65536u;",
       [](uint32_t x, uint32_t y) { return x >> 16 | y << 16; }},
      {"r = packFloat2x16(unpackFloat2x16(x & 0x3FFF3FFFu).yx);",
       [](uint32_t x, uint32_t) { return ((x & 0x3FFF3FFFu) >> 16) | (x & 0x3FFF) << 16; }},
      {"r = uint(float16BitsToUint16(uint16BitsToFloat16(uint16_t(x & 0x3FFFu)))) | "
       "uint(uint16_t(float16BitsToInt16(int16BitsToFloat16(int16_t(y & 0x3FFFu))))) << 16;",
       [](uint32_t x, uint32_t y) { return (x & 0x3FFF) | (y & 0x3FFF) << 16; }},
      {"r = uint(halfBitsToUint16(uint16BitsToHalf(uint16_t(x & 0x3FFFu)))) | "
       "uint(uint16_t(halfBitsToInt16(int16BitsToHalf(int16_t(y & 0x3FFFu))))) << 16;",
       [](uint32_t x, uint32_t y) { return (x & 0x3FFF) | (y & 0x3FFF) << 16; }},
      {"uvec2 u = unpackDouble2x32(packDouble2x32(uvec2(x, y & 0x3FFFFFFFu))); r = u.x ^ u.y * 3u;",
       [](uint32_t x, uint32_t y) { return x ^ (y & 0x3FFFFFFFu) * 3; }},
      {"uint64_t u = doubleBitsToUint64(uint64BitsToDouble(uint64_t(y & 0x3FFFFFFFu) << 32 | uint64_t(x))); "
       "r = uint(u) ^ uint(u >> 32) * 3u;",
       [](uint32_t x, uint32_t y) { return x ^ (y & 0x3FFFFFFFu) * 3; }},
      {"int64_t u = doubleBitsToInt64(int64BitsToDouble(int64_t(y & 0x3FFFFFFFu) << 32 | int64_t(x))); r = "
       "uint(u) ^ uint(u >> 32) * 3u;",
       [](uint32_t x, uint32_t y) { return x ^ (y & 0x3FFFFFFFu) * 3; }},
      {"r = floatBitsToUint(unpackHalf2x16(x & 0x3FFF3FFFu | 0x04000400u).y);",
       [=](uint32_t x, uint32_t) { return floatBits(half(((x & 0x3FFF3FFFu) | 0x04000400u) >> 16)); }},
      // Every half is a float, so packing what was unpacked is exact.
      {"r = packHalf2x16(unpackHalf2x16(x & 0x3FFF3FFFu | 0x04000400u).yx);",
       [](uint32_t x, uint32_t) {
         const uint32_t v = (x & 0x3FFF3FFFu) | 0x04000400u;
         return v >> 16 | v << 16;
       }},
      // k / 255 is nearer to k than to any other when it is packed, whatever the division's rounding.
      {"r = packUnorm4x8(vec4(x & 255u, y & 255u, 300u, 0u) / 255.0 + vec4(0, 0, 0, -1));",
       [](uint32_t x, uint32_t y) { return (x & 255) | (y & 255) << 8 | 255u << 16; }},
      {"r = packSnorm4x8(vec4(int(x & 255u) - 128, int(y & 127u), 200, -200) / 127.0);",
       [](uint32_t x, uint32_t y) {
         const int a = std::max(static_cast<int>(x & 255) - 128, -127);
         return (static_cast<uint32_t>(a) & 255) | (y & 127) << 8 | 127u << 16 | 0x81u << 24;
       }},
      {"r = packUnorm2x16(vec2(x & 65535u, y & 65535u) / 65535.0);",
       [](uint32_t x, uint32_t y) { return (x & 65535) | y << 16; }},
      {"r = packSnorm2x16(vec2(int(x & 65535u) - 32768, int(y & 32767u)) / 32767.0);",
       [](uint32_t x, uint32_t y) {
         const int a = std::max(static_cast<int>(x & 65535) - 32768, -32767);
         return (static_cast<uint32_t>(a) & 65535) | (y & 32767) << 16;
       }},
      {"vec4 u = unpackUnorm4x8(x); r = uint(round(u.x * 255.0)) | uint(round(u.y * 255.0)) << 8 | "
       "uint(round(u.z * 255.0)) << 16 | uint(round(u.w * 255.0)) << 24;",
       [](uint32_t x, uint32_t) { return x; }},
      {"vec4 u = unpackSnorm4x8(x); r = uint(int(round(u.y * 127.0)));",
       [](uint32_t x, uint32_t) {
         return static_cast<uint32_t>(std::max<int>(static_cast<int8_t>(x >> 8), -127));
       }},
      {"vec2 u = unpackUnorm2x16(x); r = uint(round(u.x * 65535.0)) | uint(round(u.y * 65535.0)) << 16;",
       [](uint32_t x, uint32_t) { return x; }},
      {"vec2 u = unpackSnorm2x16(x); r = uint(int(round(u.y * 32767.0)));",
       [](uint32_t x, uint32_t) {
         return static_cast<uint32_t>(std::max<int>(static_cast<int16_t>(x >> 16), -32767));
       }},
  };
  std::vector<Statement> statements;
  for (const Packing& p : list)
    statements.push_back(
        {p.statement, p.statement, [&](const uint64_t* x, const uint64_t* y, const uint64_t*, int) {
           return uint64_t{p.reference(low32(x[0]), low32(y[0]))};
         }});
  check(statements, kTypes[1], 1);
}

COOPC_VALUES_TEST("values of integer dot products") {
  const auto s8 = [](uint64_t v, int i) { return int64_t{static_cast<int8_t>(v >> (8 * i))}; };
  const auto u8 = [](uint64_t v, int i) { return static_cast<int64_t>((v >> (8 * i)) & 255); };
  const auto dot = [](auto a, uint64_t x, auto b, uint64_t y) {
    int64_t sum = 0;
    for (int i = 0; i < 4; ++i) sum += a(x, i) * b(y, i);
    return sum;
  };
  const auto saturate = [](int64_t v, int64_t low, int64_t high) {
    return static_cast<uint64_t>(std::clamp(v, low, high));
  };
  struct Product {
    const char* statement;  // of uint
    std::function<uint64_t(uint64_t x, uint64_t y, uint64_t z)> reference;
  };
  const Product list[] = {
      {"r = dotPacked4x8EXT(x, y);",
       [=](uint64_t x, uint64_t y, uint64_t) { return static_cast<uint64_t>(dot(u8, x, u8, y)); }},
      {"r = uint(dotPacked4x8EXT(int(x), y));",
       [=](uint64_t x, uint64_t y, uint64_t) { return static_cast<uint64_t>(dot(s8, x, u8, y)); }},
      {"r = uint(dotPacked4x8EXT(x, int(y)));",
       [=](uint64_t x, uint64_t y, uint64_t) { return static_cast<uint64_t>(dot(u8, x, s8, y)); }},
      {"r = uint(dotPacked4x8EXT(int(x), int(y)));",
       [=](uint64_t x, uint64_t y, uint64_t) { return static_cast<uint64_t>(dot(s8, x, s8, y)); }},
      {"r = dotEXT(unpack8(x), unpack8(y));",
       [=](uint64_t x, uint64_t y, uint64_t) { return static_cast<uint64_t>(dot(u8, x, u8, y)); }},
      {"r = uint(dotEXT(unpack8(int(x)), unpack8(y)));",
       [=](uint64_t x, uint64_t y, uint64_t) { return static_cast<uint64_t>(dot(s8, x, u8, y)); }},
      {"r = uint(dotEXT(unpack8(x), unpack8(int(y))));",
       [=](uint64_t x, uint64_t y, uint64_t) { return static_cast<uint64_t>(dot(u8, x, s8, y)); }},
      {"r = dotEXT(uvec2(x, y), uvec2(z, 3u));",
       [](uint64_t x, uint64_t y, uint64_t z) { return x * z + y * 3; }},
      {"r = uint(dotEXT(u16vec2(unpack16(x)), i16vec2(unpack16(int(y)))));",
       [](uint64_t x, uint64_t y, uint64_t) {
         return static_cast<uint64_t>(static_cast<int64_t>(x & 65535) * static_cast<int16_t>(y) +
                                      static_cast<int64_t>((x >> 16) & 65535) *
                                          static_cast<int16_t>(y >> 16));
       }},
      {"r = uint(dotPacked4x8AccSatEXT(int(x), y, int(z)));",
       [=](uint64_t x, uint64_t y, uint64_t z) {
         return saturate(dot(s8, x, u8, y) + static_cast<int32_t>(z), INT32_MIN, INT32_MAX);
       }},
      {"r = uint(dotPacked4x8AccSatEXT(x, int(y), int(z)));",
       [=](uint64_t x, uint64_t y, uint64_t z) {
         return saturate(dot(u8, x, s8, y) + static_cast<int32_t>(z), INT32_MIN, INT32_MAX);
       }},
      {"r = uint(dotPacked4x8AccSatEXT(int(x), int(y), int(z)));",
       [=](uint64_t x, uint64_t y, uint64_t z) {
         return saturate(dot(s8, x, s8, y) + static_cast<int32_t>(z), INT32_MIN, INT32_MAX);
       }},
      {"r = dotPacked4x8AccSatEXT(x, y, z);",
       [=](uint64_t x, uint64_t y, uint64_t z) {
         return saturate(dot(u8, x, u8, y) + static_cast<int64_t>(z), 0, 0xFFFFFFFF);
       }},
      {"r = uint(dotAccSatEXT(unpack8(int(x)), unpack8(int(y)), int(z)));",
       [=](uint64_t x, uint64_t y, uint64_t z) {
         return saturate(dot(s8, x, s8, y) + static_cast<int32_t>(z), -2147483648LL, 2147483647LL);
       }},
  };
  std::vector<Statement> statements;
  for (const Product& p : list)
    statements.push_back(
        {p.statement, p.statement, [&](const uint64_t* x, const uint64_t* y, const uint64_t* z, int) {
           return p.reference(x[0], y[0], z[0]);
         }});
  check(statements, kTypes[1], 1);
}

namespace {

// Holds a sum of products before it is wrapped or saturated to a type.
__extension__ typedef __int128 Wide;

}  // namespace

// dotEXT and dotAccSatEXT of every component type, size and combination of signs.
COOPC_VALUES_TEST("values of integer dot products of all types") {
  for (const int bits : {8, 16, 32, 64})
    for (const bool xSigned : {false, true})
      for (const bool ySigned : {false, true})
        for (size_t n = 2; n <= 4; ++n) {
          const bool isSigned = xSigned || ySigned;
          const auto typeOf = [&](bool s) {
            for (const Type& t : kTypes)
              if (t.bits == bits && t.isSigned == s) return t;
            return kTypes[0];
          };
          const Type x = typeOf(xSigned), y = typeOf(ySigned);
          const Type result = bits == 64 ? typeOf(isSigned) : kTypes[isSigned ? 0 : 1];
          const auto vector = [&](const Type& t, const char* array) {
            std::string v = std::string(t.prefix) + std::to_string(n) + "(";
            for (size_t k = 0; k < n; ++k)
              v += (k ? ", " : "") + std::string(array) + "[i * " + std::to_string(n) + " + " +
                   std::to_string(k) + "]";
            return v + ")";
          };
          const std::string operands = vector(x, "a") + ", " + vector(y, "b");
          std::string text =
              "#version 460\n#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
              "#extension GL_EXT_integer_dot_product : require\nlayout(local_size_x = 64) in;\n";
          const std::string names[] = {x.name, y.name, result.name, result.name};
          for (size_t k = 0; k < 4; ++k)
            text += "layout(set = 0, binding = " + std::to_string(k) + ", std430) buffer B" + "abco"[k] +
                    " { " + names[k] + " " + "abco"[k] + "[]; };\n";
          text += "void main() {\n  uint i = gl_GlobalInvocationID.x;\n  o[2 * i] = dotEXT(" + operands +
                  ");\n  o[2 * i + 1] = dotAccSatEXT(" + operands + ", c[i]);\n}\n";
          Xorshift random;
          const auto bytes = [](const Type& t) { return static_cast<size_t>(t.bits / 8); };
          const auto fill = [&](const Type& t, size_t count, std::vector<uint8_t>& buffer) {
            std::vector<uint64_t> values;
            buffer.resize(count * bytes(t));
            for (size_t k = 0; k < count; ++k) {
              // Some values are small, so that sums of products fit; of 64-bit values, most are.
              const int kinds[] = {0, t.bits == 64 ? 34 : 0, 60};
              const int shift = kinds[random.next() % 3];
              values.push_back(wrap(t, random.next() >> shift));
              std::memcpy(buffer.data() + k * bytes(t), &values[k], bytes(t));
            }
            return values;
          };
          std::vector<std::vector<uint8_t>> buffers(4);
          const auto a = fill(x, 64 * n, buffers[0]), b = fill(y, 64 * n, buffers[1]),
                     c = fill(result, 64, buffers[2]);
          buffers[3].resize(128 * bytes(result));
          INFO(text);
          if (!runShader(text, buffers, 1)) continue;
          const auto wide = [](const Type& t, uint64_t v) {
            return t.isSigned ? Wide{static_cast<int64_t>(v)} : Wide{v};
          };
          int wrong[2] = {0, 0};
          std::string first[2];
          for (size_t i = 0; i < 64; ++i) {
            // The low bits are right even if this arithmetic wraps.
            Wide sum = 0, product = 0;
            bool overflows = false;
            for (size_t k = 0; k < n; ++k) {
              overflows |= __builtin_mul_overflow(wide(x, a[i * n + k]), wide(y, b[i * n + k]), &product);
              overflows |= __builtin_add_overflow(sum, product, &sum);
            }
            Wide low = 0, high = 1;
            for (int k = 0; k < result.bits - (isSigned ? 1 : 0); ++k) high *= 2;
            if (isSigned) low = -high;
            // Only the final addition saturates. If the sum of products does not fit, the result is
            // undefined.
            const bool fits = !overflows && sum >= low && sum < high;
            const Wide total = fits ? std::clamp(sum + wide(result, c[i]), low, high - 1) : 0;
            const uint64_t expected[2] = {wrap(result, static_cast<uint64_t>(sum)),
                                          wrap(result, static_cast<uint64_t>(total))};
            for (size_t k = 0; k < (fits ? 2 : 1); ++k) {
              uint64_t got = 0;
              std::memcpy(&got, buffers[3].data() + (2 * i + k) * bytes(result), bytes(result));
              got = wrap(result, got);
              if (got == expected[k] || wrong[k]++ != 0) continue;
              first[k] = (k == 0 ? "dotEXT" : "dotAccSatEXT") + std::string(", invocation ") +
                         std::to_string(i) + ": " + std::to_string(got) + ", expected " +
                         std::to_string(expected[k]) + " of products of";
              for (size_t m = 0; m < n; ++m)
                first[k] += " " + std::to_string(a[i * n + m]) + "*" + std::to_string(b[i * n + m]);
              if (k == 1) first[k] += " and " + std::to_string(c[i]);
            }
          }
          INFO(first[0] << "\n" << first[1]);
          CHECK(wrong[0] == 0);
          // NVIDIA's driver (580.159) gives other results for 64 bits. coopc is not at fault: the reference
          // compiler's module has the same instruction.
          if (bits == 64 && wrong[1] != 0 && testDevice().driverName.find("NVIDIA") != std::string::npos)
            WARN("the driver's fault: " << wrong[1] << " wrong: " << first[1]);
          else
            CHECK(wrong[1] == 0);
        }
}
