// Lowered tensor addressing, on a driver with per-element operations and without tensor addressing: the
// conformance generator's tensor and decode cases for subgroup scope. layout/tensor.hpp computes the expected
// results. Data are asymmetric.
#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>

#include <catch2/catch_test_macros.hpp>

#include "coopc/coopc.hpp"
#include "harness/suite/session.hpp"
#include "harness/suite/suite.hpp"
#include "spirv/lower/passes.hpp"
#include "spirv/lower/specialize.hpp"
#include "spirv/opt/passes.hpp"
#include "spirv/reader.hpp"
#include "spirv/writer.hpp"
#include "tests/lower/suite_target.hpp"
#include "tests/spirv/spirv_text.hpp"
#include "tests/support/vulkan.hpp"

namespace coopc::tests {
namespace {

namespace suite = harness::suite;

// The driver, as if it had tensor addressing. It lists granularities of 8 for these types.
suite::TargetDevice targetDevice(const vk::PhysicalDevice& device) {
  suite::TargetDevice target = tensorTarget(device);
  target.flexible = shapes({{8}});
  return target;
}

// Lowers the module in `words`. Returns "", or why it cannot be lowered.
std::string lowered(const suite::Program& program, std::vector<uint32_t>& words) {
  spirv::Module module = read(words);
  std::vector<spirv::SpecializationValue> values;
  for (const vk::Specialization& s : program.specializations) values.push_back({s.id, s.bits});
  spirv::lower::specialize(module, values, true);
  spirv::mergeReturns(module);
  spirv::inlineFunctions(module);
  spirv::lower::Report report;
  spirv::lower::lowerTensorAddressing(module, {}, report);
  if (report.isRefused()) return report.reason;
  words = spirv::writeModule(module);
  return {};
}

// The chosen cases that ran, and those that lowering refused. All others have failed the test.
struct Count {
  size_t ran = 0, refused = 0;
};

Count runCases(std::string_view prefix, size_t most) {
  const vk::PhysicalDevice& device = testDevice();
  const suite::TargetDevice target = targetDevice(device);
  std::vector<suite::SuiteCase> cases;
  for (suite::SuiteCase& c : suite::generate(target, 1)) {
    if (c.feature.starts_with(prefix) && suite::listMissing(c, target).empty()) cases.push_back(std::move(c));
  }
  REQUIRE(!cases.empty());
  suite::Session session(vulkan(), device, 60, false);
  Count count;
  const size_t chosen = std::min(most, cases.size());
  for (size_t n = 0; n < chosen; ++n) {
    // Cases are compiled with and without optimization in turn.
    const suite::SuiteCase& c = cases[n * cases.size() / chosen];
    INFO(c.name);
    const suite::Program program = c.make();
    REQUIRE(program.fault == "");
    Options options;
    options.targetEnv = TargetEnv::Vulkan1_3;
    options.optimization = n % 2 == 0 ? Optimization::Speed : Optimization::None;
    Result compiled = compile(program.source, c.name + ".comp", options);
    INFO(compiled.messages);
    REQUIRE(compiled.ok);
    std::vector<uint32_t> words = compiled.words;
    const std::string refusal = lowered(program, words);
    if (!refusal.empty()) {
      ++count.refused;
      WARN(c.name << ": " << refusal);
      continue;
    }
    CHECK(validate(words) == "");
    const suite::Execution execution = session.execute(program, words);
    INFO((execution.reasons.empty() ? std::string() : execution.reasons[0]));
    REQUIRE(execution.kind == suite::Execution::Kind::Done);
    const std::vector<std::string> wrong = suite::judge(program, execution.buffers);
    CHECK(execution.strayWrites.empty());
    CHECK(wrong == std::vector<std::string>());
    ++count.ran;
  }
  return count;
}

size_t mostCases() {
  const char* all = std::getenv("COOPC_TENSOR_CASES");
  return all == nullptr ? 20 : size_t(std::atoi(all));
}

void check(std::string_view prefix) {
  const Count count = runCases(prefix, mostCases());
  CHECK(count.ran >= mostCases());
  CHECK(count.refused == 0);
}

TEST_CASE("lowered tensor loads give what the reference gives") {
  for (const char* prefix :
       {"tensor-load-clamp-constant", "tensor-load-clamp-edge", "tensor-load-clamp-repeat",
        "tensor-load-clamp-mirror", "tensor-load-view", "tensor-load-partial", "tensor-load-s"})
    check(prefix);
}

TEST_CASE("lowered tensor stores give what the reference gives") {
  for (const char* prefix : {"tensor-store-clamp", "tensor-store-view", "tensor-store-s", "tensor-store"})
    check(prefix);
}

TEST_CASE("lowered loads with decode functions give what the reference gives") {
  check("tensor-load-decode");
}

// Shaders load columns 40 to 55 of 16 rows of 96 elements, in blocks of 32 that a function decodes, and store
// them.
constexpr char kHead[] = R"(#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 8) in;
layout(set = 0, binding = 1, std430) buffer Out { float16_t x[]; } result;
)";
constexpr char kMain[] = R"(
void main() {
  tensorLayoutNV<2> t = createTensorLayoutNV(2);
  t = setTensorLayoutBlockSizeNV(t, 1, 32);
  t = setTensorLayoutDimensionNV(t, 16, 96);
  t = sliceTensorLayoutNV(t, 0, 16, 40, 16);
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> m;
  coopMatLoadTensorNV(m, source.x, START, t, decode);
  tensorLayoutNV<2> dense = setTensorLayoutDimensionNV(createTensorLayoutNV(2), 16, 16);
  coopMatStoreTensorNV(m, result.x, 0, dense);
})";

// `definitions` has the buffer `source`, START and the function `decode`. value(row, column) is the expected
// element.
template <class Value>
suite::Program decodingProgram(const std::string& definitions, const std::vector<uint8_t>& data,
                               Value&& value) {
  using coopc::NumberType;
  suite::Program program;
  program.source = kHead + definitions + kMain;
  program.buffers = {data, std::vector<uint8_t>(16 * 16 * 2)};
  suite::Expected expected;
  expected.buffer = 1;
  expected.type = NumberType::F16;
  for (uint32_t row = 0; row < 16; ++row) {
    for (uint32_t column = 40; column < 56; ++column)
      expected.bits.push_back(harness::fromDouble(NumberType::F16, value(row, column)));
  }
  expected.kinds.assign(expected.bits.size(), suite::Expected::kValue);
  program.expected.push_back(expected);
  return program;
}

std::vector<uint8_t> bytesOf(size_t count) {
  std::vector<uint8_t> data(count);
  for (size_t n = 0; n < count; ++n) data[n] = uint8_t(n * 37 + n / 11);
  return data;
}

// Blocks of 1 x 32 signed bytes with a scale, in a buffer of bytes. The decode function reads them by other
// types than its parameter's. A block has 34 bytes, so only single numbers are aligned.
constexpr char kBytes[] = R"(
#define START 48
layout(buffer_reference, std430, buffer_reference_align = 2) readonly buffer Raw { uint8_t raw[34]; };
layout(buffer_reference, std430, buffer_reference_align = 2) readonly buffer Shorts { uint16_t v[17]; };
struct Parts { float16_t scale; uint16_t v[16]; };
layout(buffer_reference, std430, buffer_reference_align = 2) readonly buffer Whole { Parts parts; };
layout(set = 0, binding = 0, std430) readonly buffer In { uint8_t x[]; } source;
float16_t scaleOf(const Raw raw) {
  Whole whole = Whole(raw);
  return whole.parts.scale;
}
float16_t decode(const in Raw raw, const in uint32_t blockCoord[2], const in uint32_t coordInBlock[2]) {
  Shorts shorts = Shorts(raw);
  uint two = uint(shorts.v[1 + coordInBlock[1] / 2]);
  int value = int(int8_t(coordInBlock[1] % 2 == 0 ? two & 255 : two >> 8));
  if (coordInBlock[1] == 7) value = int(int8_t(raw.raw[2 + 7]));
  return scaleOf(raw) * float16_t(value);
}
)";

// Compiles the program with and without optimization, lowers it, runs it, and checks the results.
void checkProgram(const suite::Program& program) {
  suite::Session session(vulkan(), testDevice(), 60, false);
  for (const Optimization level : {Optimization::None, Optimization::Speed}) {
    Options options;
    options.targetEnv = TargetEnv::Vulkan1_3;
    options.optimization = level;
    Result compiled = compile(program.source, "decode.comp", options);
    INFO(compiled.messages);
    REQUIRE(compiled.ok);
    std::vector<uint32_t> words = compiled.words;
    REQUIRE(lowered(program, words) == "");
    CHECK(validate(words) == "");
    const suite::Execution execution = session.execute(program, words);
    REQUIRE(execution.kind == suite::Execution::Kind::Done);
    CHECK(suite::judge(program, execution.buffers) == std::vector<std::string>());
  }
}

TEST_CASE("a decode function that casts its pointer reads a storage buffer of bytes") {
  using coopc::NumberType;
  constexpr uint32_t kStart = 48, kBlockBytes = 34, kRowBlocks = 3;
  std::vector<uint8_t> data = bytesOf(kStart + 16 * kRowBlocks * kBlockBytes);
  const auto block = [&](uint32_t row, uint32_t n) { return kStart + (row * kRowBlocks + n) * kBlockBytes; };
  for (uint32_t row = 0; row < 16; ++row) {
    for (uint32_t n = 0; n < kRowBlocks; ++n)
      harness::storeBits(NumberType::F16, data.data() + block(row, n), 0,
                         harness::fromDouble(NumberType::F16, double(row % 5 + n + 1)));
  }
  checkProgram(decodingProgram(kBytes, data, [&](uint32_t row, uint32_t column) {
    const uint32_t at = block(row, column / 32);
    return double(row % 5 + column / 32 + 1) * double(int8_t(data[at + 2 + column % 32]));
  }));
}

// Blocks of 32 signed bytes. One branch reads one half and the other branch reads the other half, both from
// the same block.
constexpr char kBranches[] = R"(
#define START 0
struct Halves { int8_t low[16]; int8_t high[16]; };
layout(buffer_reference, std430, buffer_reference_align = 1) readonly buffer Block { Halves h; };
layout(buffer_reference, std430, buffer_reference_align = 1) readonly buffer Raw { uint8_t raw[32]; };
layout(set = 0, binding = 0, std430) readonly buffer In { ELEMENT x[]; } source;
float16_t decode(const in POINTER block, const in uint32_t blockCoord[2], const in uint32_t coordInBlock[2]) {
  uint k = coordInBlock[1];
  float16_t sum = float16_t(0);
  if (k < 16) {
    for (uint n = 0; n < 2; ++n) sum += float16_t(int(Block(block).h.low[k]));
  } else {
    sum = float16_t(int(Block(block).h.high[k - 16]));
  }
  return sum + float16_t(int(Block(block).h.low[0]));
}
)";

TEST_CASE("a decode function reads a block in its branches and after them") {
  constexpr uint32_t kBlockBytes = 32, kRowBlocks = 3;
  const std::vector<uint8_t> data = bytesOf(16 * kRowBlocks * kBlockBytes);
  size_t programs = 0;
  for (const auto& [element, pointer] : {std::pair{"Halves", "Block"}, {"uint8_t", "Raw"}}) {
    INFO(element);
    const std::string names = std::string("#define ELEMENT ") + element + "\n#define POINTER " + pointer;
    checkProgram(decodingProgram(names + kBranches, data, [&](uint32_t row, uint32_t column) {
      const uint8_t* block = data.data() + (row * kRowBlocks + column / 32) * kBlockBytes;
      const uint32_t k = column % 32;
      return double((k < 16 ? 2 : 1) * int8_t(block[k]) + int8_t(block[0]));
    }));
    ++programs;
  }
  CHECK(programs == 2);
}

}  // namespace
}  // namespace coopc::tests
