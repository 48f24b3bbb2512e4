// Tensors of SPV_ARM_tensors on a driver without them. Elements of each type are read and written at all
// coordinates in and around a tensor, one by one and as arrays, and compared bit by bit with plain loops over
// the same memory.
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "base/float_format.hpp"
#include "coopc/coopc.hpp"
#include "spirv/lower/lower.hpp"
#include "tests/spirv/spirv_text.hpp"
#include "tests/support/vulkan.hpp"
#include "vulkan/device/lowering_target.hpp"
#include "vulkan/executor/runner.hpp"

namespace coopc::tests {
namespace {

namespace lower = spirv::lower;

struct Element {
  const char* type;
  const char* stored;     // the type in other buffers
  const char* extension;  // of the type; "" if it needs none
  uint32_t bytes;
  uint64_t two;  // the bits of 2, or of true
};
constexpr Element kElements[] = {
    {"float", "float", "", 4, 0x40000000},
    {"double", "double", "", 8, 0x4000000000000000},
    {"float16_t", "float16_t", "", 2, 0x4000},
    {"int8_t", "int8_t", "", 1, 2},
    {"uint16_t", "uint16_t", "", 2, 2},
    {"int", "int", "", 4, 2},
    {"uint64_t", "uint64_t", "", 8, 2},
    {"bool", "uint8_t", "", 1, 1},
    {"bfloat16_t", "bfloat16_t", "bfloat16", 2, 0x4000},
    {"floate5m2_t", "floate5m2_t", "float_e5m2", 1, 0x40},
    {"floate4m3_t", "floate4m3_t", "float_e4m3", 1, 0x40},
};

// A tensor in memory. The outermost dimension is the first.
constexpr uint32_t kRank = 3;
struct Tensor {
  std::array<uint32_t, kRank> sizes, strides;
  uint64_t bytes(uint32_t element) const {
    uint64_t last = 0;
    for (uint32_t d = 0; d < kRank; ++d) last += uint64_t(sizes[d] - 1) * strides[d];
    return (last + 1) * element;
  }
  // The element's index, or -1 outside the tensor.
  int64_t at(const std::array<int64_t, kRank>& c) const {
    int64_t index = 0;
    for (uint32_t d = 0; d < kRank; ++d) {
      if (c[d] < 0 || c[d] >= int64_t(sizes[d])) return -1;
      index += c[d] * strides[d];
    }
    return index;
  }
  std::vector<uint8_t> description() const {
    std::vector<uint8_t> text(size_t{kRank} * 16);
    for (uint32_t d = 0; d < kRank; ++d) {
      std::memcpy(&text[size_t{d} * 16], &sizes[d], 4);
      std::memcpy(&text[size_t{d} * 16 + 4], &strides[d], 4);
    }
    return text;
  }
};
// One tensor has gaps, one has its dimensions in another order, and one has gaps in the innermost dimension.
constexpr Tensor kRead = {{3, 4, 5}, {37, 8, 1}}, kOne = {{3, 4, 5}, {1, 3, 12}},
                 kMany = {{3, 4, 5}, {64, 12, 2}};
// Coordinates from -1, which is the largest uint, to one after the last.
constexpr uint32_t kAround = 5 * 6 * 7;
constexpr uint32_t kResults = 1 + 1 + 3 + 11;

std::string shaderOf(const Element& e) {
  const std::string type = e.type, small = e.extension;
  std::string text =
      "#version 460\n#extension GL_ARM_tensors : require\n"
      "#extension GL_EXT_shader_explicit_arithmetic_types : require\n";
  if (!small.empty())
    text += "#extension GL_EXT_" + small + " : require\n#extension GL_ARM_tensors_" + small + " : require\n";
  const std::string two = type == "bool" ? "true" : type + "(2)", out = std::string(e.stored) + "(";
  return text + "layout(local_size_x = 35) in;\nlayout(constant_id = 0) const uint RANK = 3;\n" +
         "layout(binding = 0) uniform readonly tensorARM<" + type + ", RANK> from;\n" +
         "layout(binding = 1) uniform writeonly tensorARM<" + type + ", RANK> one;\n" +
         "layout(binding = 2) uniform tensorARM<" + type + ", RANK> many;\n" +
         "layout(binding = 3, std430) buffer R { " + e.stored + " results[]; };\n" +
         "layout(binding = 4, std430) buffer S { uint sizes[]; };\n" + "void put(writeonly tensorARM<" +
         type + ", RANK> t, uint c[RANK], " + type + " v) {\n" +
         "  if (c[0] != 1) tensorWriteARM(t, c, v);\n}\n" +
         "void main() {\n  for (uint n = gl_LocalInvocationIndex; n < 210; n += 35) {\n" +
         "    uint c[RANK]; c[0] = n / 42 - 1; c[1] = n / 7 % 6 - 1; c[2] = n % 7 - 1;\n    uint at = n * "
         "16;\n" +
         "    " + type + " v, w, three[3], eleven[11];\n" + "    tensorReadARM(from, c, v);\n" +
         "    tensorReadARM(from, c, w, gl_TensorOperandsOutOfBoundsValueARM, " + two + ");\n" +
         "    tensorReadARM(from, c, three);\n" +
         "    tensorReadARM(from, c, eleven, gl_TensorOperandsOutOfBoundsValueARM | "
         "gl_TensorOperandsNonTemporalARM, " +
         two + ");\n" + "    results[at] = " + out + "v);\n    results[at + 1] = " + out + "w);\n" +
         "    for (uint k = 0; k < 3; ++k) results[at + 2 + k] = " + out + "three[k]);\n" +
         "    for (uint k = 0; k < 11; ++k) results[at + 5 + k] = " + out + "eleven[k]);\n" +
         "    put(one, c, w);\n" +
         "    if (c[2] == 2) tensorWriteARM(many, c, eleven, gl_TensorOperandsNonTemporalARM);\n" +
         "    if (c[2] == 0 && c[1] != 0) { " + type + " two[2] = " + type + "[](three[1], three[2]); " +
         "tensorWriteARM(many, c, two); }\n  }\n" +
         "  sizes[0] = tensorSizeARM(from, 0); sizes[1] = tensorSizeARM(one, 1); sizes[2] = "
         "tensorSizeARM(many, RANK - 1);\n}\n";
}

uint64_t bitsAt(const std::vector<uint8_t>& bytes, uint64_t n, uint32_t size) {
  uint64_t bits = 0;
  std::memcpy(&bits, &bytes[n * size], size);
  return bits;
}
void setBits(std::vector<uint8_t>& bytes, uint64_t n, uint32_t size, uint64_t bits) {
  std::memcpy(&bytes[n * size], &bits, size);
}

vk::RunBuffer bufferOf(const char* name, uint32_t binding, std::vector<uint8_t> contents) {
  vk::RunBuffer buffer;
  buffer.name = name;
  buffer.binding = binding;
  buffer.bytes = contents.size();
  buffer.contents = std::move(contents);
  return buffer;
}

// The buffers' expected contents, computed by plain loops.
struct Expected {
  std::vector<uint8_t> one, many, results;
};

Expected expectedOf(const Element& e, const std::vector<uint8_t>& from, Expected before) {
  const auto read = [&](std::array<int64_t, kRank> c, int64_t k, uint64_t outside) {
    // -1 is the largest unsigned coordinate, so all elements of the array are outside.
    if (c[2] < 0) return outside;
    c[2] += k;
    const int64_t at = kRead.at(c);
    return at < 0 ? outside : bitsAt(from, uint64_t(at), e.bytes);
  };
  const auto write = [&](std::vector<uint8_t>& to, const Tensor& t, std::array<int64_t, kRank> c, int64_t k,
                         uint64_t bits) {
    c[2] += k;
    if (const int64_t at = t.at(c); at >= 0) setBits(to, uint64_t(at), e.bytes, bits);
  };
  for (uint32_t n = 0; n < kAround; ++n) {
    const std::array<int64_t, kRank> c = {int64_t(n / 42) - 1, int64_t(n / 7 % 6) - 1, int64_t(n % 7) - 1};
    const uint64_t at = uint64_t{n} * kResults;
    setBits(before.results, at, e.bytes, read(c, 0, 0));
    setBits(before.results, at + 1, e.bytes, read(c, 0, e.two));
    for (uint32_t k = 0; k < 3; ++k) setBits(before.results, at + 2 + k, e.bytes, read(c, k, 0));
    for (uint32_t k = 0; k < 11; ++k) setBits(before.results, at + 5 + k, e.bytes, read(c, k, e.two));
    if (c[0] != 1) write(before.one, kOne, c, 0, read(c, 0, e.two));
    if (c[2] == 2) {
      for (uint32_t k = 0; k < 11; ++k) write(before.many, kMany, c, k, read(c, k, e.two));
    }
    if (c[2] == 0 && c[1] != 0) {
      for (uint32_t k = 0; k < 2; ++k) write(before.many, kMany, c, k, read(c, k + 1, 0));
    }
  }
  return before;
}

TEST_CASE("tensors of all types are read and written as plain loops do, in and out of bounds") {
  size_t ran = 0;
  for (const Element& e : kElements) {
    for (const bool optimize : {true, false}) {
      INFO(e.type << (optimize ? "" : ", not optimized"));
      Options options;
      options.targetEnv = TargetEnv::Vulkan1_3;
      const Result compiled = compile(shaderOf(e), "tensors.comp", options);
      INFO(compiled.messages);
      REQUIRE(compiled.ok);
      lower::LowerRequest request;
      request.target = vk::loweringTarget(testDevice());
      request.specDefaults = true;
      request.checkPasses = true;
      request.optimize = optimize;
      const lower::LowerAnswer answer = lower::lower(compiled.words, request);
      INFO((answer.reasons.empty() ? std::string() : answer.reasons[0]));
      REQUIRE(answer.kind == lower::LowerAnswer::Kind::Lowered);
      CHECK(validate(answer.words) == "");
      REQUIRE(answer.tensors.size() == 3);
      std::vector<uint8_t> from(kRead.bytes(e.bytes));
      for (size_t n = 0; n < from.size(); ++n)
        from[n] = uint8_t(std::string(e.type) == "bool" ? n * 5 % 3 == 0 : (n * 37 + 11) & 0x3F);
      Expected before{std::vector<uint8_t>(kOne.bytes(e.bytes), 0x2A),
                      std::vector<uint8_t>(kMany.bytes(e.bytes), 0x2B),
                      std::vector<uint8_t>(size_t{kAround} * kResults * e.bytes, 0x2C)};
      vk::RunRequest run;
      run.module = answer.words;
      run.devices = &keptDevices();
      run.buffers = {bufferOf("from", 0, from), bufferOf("one", 1, before.one),
                     bufferOf("many", 2, before.many), bufferOf("results", 3, before.results),
                     bufferOf("sizes", 4, std::vector<uint8_t>(12))};
      const Tensor* const kTensors[] = {&kRead, &kOne, &kMany};
      for (size_t n = 0; n < 3; ++n) {
        CHECK(answer.tensors[n].binding == n);
        CHECK(answer.tensors[n].description == 5 + n);
        run.buffers.push_back(
            bufferOf("description", answer.tensors[n].description, kTensors[n]->description()));
        run.buffers.back().kind = vk::RunBuffer::Kind::Uniform;
      }
      const vk::RunOutcome outcome = vk::run(vulkan(), testDevice(), run);
      INFO((outcome.reasons.empty() ? std::string() : outcome.reasons[0]));
      REQUIRE(outcome.kind == vk::RunOutcome::Kind::Done);
      CHECK(outcome.strayWrites.empty());
      const Expected expected = expectedOf(e, from, std::move(before));
      CHECK(run.buffers[0].contents == from);
      CHECK(run.buffers[1].contents == expected.one);
      CHECK(run.buffers[2].contents == expected.many);
      CHECK(run.buffers[3].contents == expected.results);
      for (uint32_t d = 0; d < kRank; ++d) CHECK(bitsAt(run.buffers[4].contents, d, 4) == kRead.sizes[d]);
      ++ran;
    }
  }
  CHECK(ran == 22);
}

}  // namespace
}  // namespace coopc::tests
