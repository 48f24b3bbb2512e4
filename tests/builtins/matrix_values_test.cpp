// Matrix functions (GLSL 4.60, 8.6) of every shape, bit casts of every size, and clocks, executed on a
// device. Matrices hold small integers, so that results are exact in every type.
#include "frontend/check/folding.hpp"
#include "frontend/program/numbers.hpp"
#include "tests/builtins/device.hpp"

using namespace coopc::tests;
using coopc::frontend::decodeFloat;
using coopc::frontend::encodeFloat;
using coopc::frontend::Scalar;

namespace {

struct Type {
  Scalar scalar;
  const char* name;
  const char* prefix;  // "f16": f16mat2x3
  size_t bytes;
};
constexpr Type kTypes[] = {{Scalar::Float, "float", "", 4},
                           {Scalar::Float16, "float16_t", "f16", 2},
                           {Scalar::Double, "double", "d", 8}};

std::string matrix(const Type& t, uint32_t columns, uint32_t rows) {
  return std::string(t.prefix) + "mat" + std::to_string(columns) + "x" + std::to_string(rows);
}

// Runs `body`, which has in[] and out[] of the type, in one invocation.
bool run(const Type& t, const std::string& body, const std::vector<double>& in, std::vector<double>& out) {
  std::vector<std::vector<uint8_t>> buffers(2);
  for (const double v : in) {
    const uint64_t bits = encodeFloat(t.scalar, v);
    const auto* raw = reinterpret_cast<const uint8_t*>(&bits);
    buffers[0].insert(buffers[0].end(), raw, raw + t.bytes);
  }
  buffers[1].resize(out.size() * t.bytes);
  const std::string text =
      "#version 460\n#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
      "layout(local_size_x = 1) in;\nlayout(set = 0, binding = 0) buffer I { " +
      std::string(t.name) + " given[]; };\nlayout(set = 0, binding = 1) buffer O { " + t.name +
      " result[]; };\nvoid main() {\n" + body + "}\n";
  if (!runShader(text, buffers, 1)) return false;
  for (size_t i = 0; i < out.size(); ++i) {
    uint64_t bits = 0;
    std::memcpy(&bits, buffers[1].data() + i * t.bytes, t.bytes);
    out[i] = decodeFloat(t.scalar, bits);
  }
  return true;
}

std::string fillMatrix(const std::string& type, const std::string& name, uint32_t columns, uint32_t rows,
                       uint32_t from) {
  std::string s = "  " + type + " " + name + " = " + type + "(";
  for (uint32_t i = 0; i < columns * rows; ++i)
    s += (i ? ", " : "") + std::string("given[") + std::to_string(from + i) + "]";
  return s + ");\n";
}
std::string storeMatrix(const std::string& name, uint32_t columns, uint32_t rows, uint32_t from) {
  std::string s;
  for (uint32_t c = 0; c < columns; ++c)
    for (uint32_t r = 0; r < rows; ++r)
      s += "  result[" + std::to_string(from + c * rows + r) + "] = " + name + "[" + std::to_string(c) +
           "][" + std::to_string(r) + "];\n";
  return s;
}

}  // namespace

COOPC_VALUES_TEST("values of matrix functions") {
  for (const Type& t : kTypes)
    for (uint32_t columns = 2; columns <= 4; ++columns)
      for (uint32_t rows = 2; rows <= 4; ++rows) {
        const std::string m = matrix(t, columns, rows), w = matrix(t, rows, columns);
        const std::string v = t.scalar == Scalar::Float ? "vec" : std::string(t.prefix) + "vec";
        const uint32_t n = columns * rows;
        std::vector<double> in;
        Xorshift random;
        for (uint32_t i = 0; i < 2 * n; ++i) in.push_back(static_cast<double>(random.next() % 31) - 15);
        const std::string body =
            fillMatrix(m, "a", columns, rows, 0) + fillMatrix(m, "b", columns, rows, n) + "  " + m +
            " product = matrixCompMult(a, b);\n  " + w + " turned = transpose(a);\n  " + m +
            " outer = outerProduct(a[0], " + v + std::to_string(columns) + "(" +
            (columns == 2   ? "b[0][0], b[1][0]"
             : columns == 3 ? "b[0][0], b[1][0], b[2][0]"
                            : "b[0][0], b[1][0], b[2][0], b[3][0]") +
            "));\n" + storeMatrix("product", columns, rows, 0) + storeMatrix("turned", rows, columns, n) +
            storeMatrix("outer", columns, rows, 2 * n);
        std::vector<double> out(size_t{3} * n);
        INFO(m);
        if (!run(t, body, in, out)) continue;
        for (uint32_t c = 0; c < columns; ++c)
          for (uint32_t r = 0; r < rows; ++r) {
            const uint32_t at = c * rows + r;
            CHECK(out[at] == in[at] * in[n + at]);
            CHECK(out[n + r * columns + c] == in[at]);
            CHECK(out[2 * n + at] == in[r] * in[n + c * rows]);
          }
      }
}

COOPC_VALUES_TEST("values of bit casts of vectors") {
  struct Cast {
    const char* to;
    const char* back;
    const char* bits;  // type
    const char* value;
    size_t bytes;
  };
  constexpr Cast kCasts[] = {
      {"int16BitsToHalf", "halfBitsToInt16", "int16_t", "float16_t", 2},
      {"uint16BitsToHalf", "halfBitsToUint16", "uint16_t", "float16_t", 2},
      {"int16BitsToFloat16", "float16BitsToInt16", "int16_t", "float16_t", 2},
      {"uint16BitsToFloat16", "float16BitsToUint16", "uint16_t", "float16_t", 2},
      {"intBitsToFloat", "floatBitsToInt", "int", "float", 4},
      {"uintBitsToFloat", "floatBitsToUint", "uint", "float", 4},
      {"int64BitsToDouble", "doubleBitsToInt64", "int64_t", "double", 8},
      {"uint64BitsToDouble", "doubleBitsToUint64", "uint64_t", "double", 8},
      {"intBitsToBFloat16EXT", "bfloat16BitsToIntEXT", "int16_t", "bfloat16_t", 2},
      {"uintBitsToBFloat16EXT", "bfloat16BitsToUintEXT", "uint16_t", "bfloat16_t", 2},
      {"intBitsToFloate5m2EXT", "floate5m2BitsToIntEXT", "int8_t", "floate5m2_t", 1},
      {"uintBitsToFloate5m2EXT", "floate5m2BitsToUintEXT", "uint8_t", "floate5m2_t", 1},
      {"intBitsToFloate4m3EXT", "floate4m3BitsToIntEXT", "int8_t", "floate4m3_t", 1},
      {"uintBitsToFloate4m3EXT", "floate4m3BitsToUintEXT", "uint8_t", "floate4m3_t", 1},
  };
  const auto vector = [](const std::string& scalar, uint32_t n) {
    if (n == 1) return scalar;
    std::string prefix =
        scalar == "int"           ? "i"
        : scalar == "uint"        ? "u"
        : scalar == "float"       ? ""
        : scalar == "double"      ? "d"
        : scalar == "bfloat16_t"  ? "bf16"
        : scalar == "floate5m2_t" ? "fe5m2"
        : scalar == "floate4m3_t"
            ? "fe4m3"
            : scalar.substr(0, 1) + scalar.substr(scalar.find_first_of("0123456789"),
                                                  scalar.find('_') - scalar.find_first_of("0123456789"));
    return prefix + "vec" + std::to_string(n);
  };
  for (const Cast& cast : kCasts)
    for (uint32_t n = 1; n <= 4; ++n) {
      std::string text =
          "#version 460\n#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
          "#extension GL_EXT_shader_8bit_storage : require\n#extension GL_EXT_shader_16bit_storage : "
          "require\n";
      const std::string value = cast.value;
      if (value == "bfloat16_t") text += "#extension GL_EXT_bfloat16 : require\n";
      if (value == "floate5m2_t") text += "#extension GL_EXT_float_e5m2 : require\n";
      if (value == "floate4m3_t") text += "#extension GL_EXT_float_e4m3 : require\n";
      const std::string bits = vector(cast.bits, n);
      text += "layout(local_size_x = 8) in;\nlayout(set = 0, binding = 0, scalar) buffer I { " + bits +
              " given[]; };\nlayout(set = 0, binding = 1, scalar) buffer O { " + bits +
              " result[]; };\nvoid main() {\n  uint i = gl_GlobalInvocationID.x;\n  " + vector(value, n) +
              " v = " + cast.to + "(given[i]);\n  result[i] = " + cast.back + "(v) ^ " + bits + "(1);\n}\n";
      text.insert(text.find("layout("), "#extension GL_EXT_scalar_block_layout : require\n");
      std::vector<std::vector<uint8_t>> buffers(2);
      Xorshift random;
      for (size_t i = 0; i < 8 * n; ++i) {
        // No NaN: its bits may change on the way.
        const uint64_t v = random.next() & 0x3F3F3F3F3F3F3F3Fu;
        const auto* raw = reinterpret_cast<const uint8_t*>(&v);
        buffers[0].insert(buffers[0].end(), raw, raw + cast.bytes);
      }
      buffers[1].resize(buffers[0].size());
      INFO(text);
      if (!runShader(text, buffers, 1)) continue;
      for (size_t i = 0; i < buffers[0].size(); ++i)
        CHECK(buffers[1][i] == (buffers[0][i] ^ (i % cast.bytes == 0 ? 1 : 0)));
    }
}

COOPC_VALUES_TEST("clocks go on") {
  std::vector<std::vector<uint8_t>> buffers(1);
  buffers[0].resize(8 * 8);
  const std::string text =
      "#version 460\n#extension GL_ARB_shader_clock : require\n#extension GL_EXT_shader_realtime_clock : "
      "require\n"
      "#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
      "layout(local_size_x = 1) in;\nlayout(set = 0, binding = 0) buffer O { uint64_t o[8]; };\n"
      "void main() {\n  o[0] = clockARB();\n  o[2] = packUint2x32(clock2x32ARB());\n"
      "  o[4] = clockRealtimeEXT();\n  o[6] = packUint2x32(clockRealtime2x32EXT());\n"
      "  memoryBarrier();\n  for (int i = 0; i < 100000; ++i) o[1] += uint64_t(i) * o[1] + 1;\n"
      "  o[1] = o[1] == 1 ? 0 : clockARB();\n  o[3] = packUint2x32(clock2x32ARB());\n"
      "  o[5] = clockRealtimeEXT();\n  o[7] = packUint2x32(clockRealtime2x32EXT());\n}\n";
  if (!runShader(text, buffers, 1)) return;
  for (size_t i = 0; i < 8; i += 2) {
    INFO(i);
    CHECK(get<uint64_t>(buffers[0], i) != 0);
    CHECK(get<uint64_t>(buffers[0], i) < get<uint64_t>(buffers[0], i + 1));
  }
}

// GL_EXT_float_e4m3, GL_EXT_float_e5m2: what is out of range becomes the largest number. GL_EXT_bfloat16: dot
// products.
COOPC_VALUES_TEST("values of functions of small floats") {
  struct Source {
    const char* scalar;
    const char* prefix;
    const char* extension;
  };
  constexpr Source kSources[] = {{"float16_t", "f16vec", ""},
                                 {"float", "vec", ""},
                                 {"double", "dvec", ""},
                                 {"bfloat16_t", "bf16vec", "#extension GL_EXT_bfloat16 : require\n"}};
  const std::string prologue =
      "#version 460\n#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
      "#extension GL_EXT_float_e4m3 : require\n#extension GL_EXT_float_e5m2 : require\n";
  const float given[] = {0.5f, -3.0f, 100000.0f, -100000.0f};
  for (const bool e5m2 : {false, true})
    for (const Source& source : kSources)
      for (uint32_t n = 1; n <= 4; ++n) {
        const std::string size = std::to_string(n), target = e5m2 ? "floate5m2_t" : "floate4m3_t";
        const std::string to = n == 1 ? target : (e5m2 ? "fe5m2vec" : "fe4m3vec") + size;
        const std::string from = n == 1 ? source.scalar : source.prefix + size;
        const std::string floats = n == 1 ? "float" : "vec" + size;
        std::string text = prologue + source.extension +
                           "layout(local_size_x = 1) in;\nlayout(set = 0, binding = 0) buffer I { float "
                           "given[4]; };\nlayout(set = 0, binding = 1) buffer O { float result[4]; };\n"
                           "void main() {\n  " +
                           to + " v;\n  saturatedConvertEXT(v, " + from + "(" + floats + "(";
        for (uint32_t i = 0; i < n; ++i) text += (i ? ", given[" : "given[") + std::to_string(i) + "]";
        text += ")));\n";
        for (uint32_t i = 0; i < n; ++i)
          text += "  result[" + std::to_string(i) + "] = float(v" +
                  (n == 1 ? "" : "[" + std::to_string(i) + "]") + ");\n";
        text += "}\n";
        std::vector<std::vector<uint8_t>> buffers(2);
        for (size_t i = 0; i < 4; ++i) put(buffers[0], i, given[i]);
        buffers[1].resize(16);
        INFO(text);
        if (!runShader(text, buffers, 1)) continue;
        const float largest = e5m2 ? 57344.0f : 448.0f;
        for (uint32_t i = 0; i < n; ++i)
          CHECK(get<float>(buffers[1], i) == std::fmax(-largest, std::fmin(largest, given[i])));
      }
  for (uint32_t n = 1; n <= 4; ++n) {
    const std::string v = n == 1 ? "bfloat16_t" : "bf16vec" + std::to_string(n);
    const std::string floats = n == 1 ? "float" : "vec" + std::to_string(n);
    const std::string text =
        "#version 460\n#extension GL_EXT_bfloat16 : require\nlayout(local_size_x = 1) in;\n"
        "layout(set = 0, binding = 0) buffer I { float x; };\nlayout(set = 0, binding = 1) buffer O { float "
        "result; };\nvoid main() {\n  " +
        v + " v = " + v + "(" + floats + "(x));\n  result = float(dot(v, v));\n}\n";
    std::vector<std::vector<uint8_t>> buffers(2);
    put(buffers[0], 0, 3.0f);
    buffers[1].resize(4);
    INFO(text);
    if (runShader(text, buffers, 1)) CHECK(get<float>(buffers[1], 0) == 9.0f * static_cast<float>(n));
  }
}

// GL_EXT_float_e2m1: four bits a number.
COOPC_VALUES_TEST("values of functions of floate2m1_t") {
  const std::string prologue =
      "#version 460\n#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
      "#extension GL_EXT_float_e2m1 : require\n#extension GL_EXT_long_vector : require\n"
      "layout(local_size_x = 1) in;\nlayout(set = 0, binding = 0) buffer I { uvec2 given; };\n"
      "layout(set = 0, binding = 1) buffer O { uvec2 result; };\nvoid main() {\n";
  struct Test {
    const char* statement;
    uint64_t expected;
  };
  constexpr uint64_t kGiven = 0xFEDCBA9876543210u;
  const Test list[] = {
      {"result.x = uint(packFloat2xfe2m1EXT(unpackFloat2xfe2m1EXT(uint8_t(given.x))));", kGiven & 0xFF},
      {"result.x = uint(packFloat4xfe2m1EXT(unpackFloat4xfe2m1EXT(uint16_t(given.x))));", kGiven & 0xFFFF},
      {"result.x = packFloat8xfe2m1EXT(unpackFloat8xfe2m1EXT(given.x));", kGiven & 0xFFFFFFFFu},
      {"result = packFloat16xfe2m1EXT(unpackFloat16xfe2m1EXT(given));", kGiven},
      // Number 5 of the low nibble: 3; number 2 of the high one: 1.
      {"result.x = uint(float(bitcastExtractfe2m1EXT(uint8_t(0x25u + (given.x & 1u)), 0u)));", 3},
      {"result.x = uint(vec2(bitcastExtractfe2m1EXT(u8vec2(0x25u, 0x25u + (given.x & 1u)), 1u)).y);", 1},
      {"result.x = uint(vec3(bitcastExtractfe2m1EXT(u8vec3(0x25u + (given.x & 1u)), 1u)).z);", 1},
      {"result.x = uint(vec4(bitcastExtractfe2m1EXT(u8vec4(0x25u + (given.x & 1u)), 0u)).w);", 3},
  };
  for (const Test& test : list) {
    std::vector<std::vector<uint8_t>> buffers(2);
    put(buffers[0], 0, kGiven);
    buffers[1].resize(8);
    INFO(test.statement);
    if (runShader(prologue + "  " + test.statement + "\n}\n", buffers, 1))
      CHECK(get<uint64_t>(buffers[1], 0) == test.expected);
  }
}
