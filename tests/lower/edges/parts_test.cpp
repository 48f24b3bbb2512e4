// Stores of components to memory of wider or narrower numbers: shared memory and buffers of integers and
// floats of 8 to 64 bits. The bytes between the components must not change.
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "coopc/coopc.hpp"
#include "spirv/lower/lower.hpp"
#include "tests/lower/matrix_run.hpp"
#include "tests/spirv/spirv_text.hpp"
#include "tests/support/vulkan.hpp"
#include "vulkan/device/lowering_target.hpp"

namespace coopc::tests {
namespace {

namespace lower = spirv::lower;

struct Memory {
  const char* component;
  uint32_t componentBytes;
  const char* number;
  uint32_t numberBytes;
};

constexpr Memory kMemories[] = {
    {"uint8_t", 1, "uint16_t", 2},     {"int8_t", 1, "float16_t", 2}, {"uint8_t", 1, "u16vec4", 8},
    {"int8_t", 1, "uint64_t", 8},      {"uint8_t", 1, "float", 4},    {"float16_t", 2, "float", 4},
    {"float16_t", 2, "uint64_t", 8},   {"float16_t", 2, "vec2", 8},   {"int8_t", 1, "uint", 4},
    {"floate4m3_t", 1, "uint16_t", 2}, {"bfloat16_t", 2, "float", 4},
};

constexpr Memory kNarrowMemories[] = {{"float", 4, "uint8_t", 1},
                                      {"double", 8, "uint8_t", 1},
                                      {"int64_t", 8, "u16vec2", 4},
                                      {"double", 8, "float", 4}};

enum Way : uint32_t { kRows, kColumns, kTensor, kTransposedTensor };

struct Store {
  Memory memory;
  Way way = kRows;
  bool shared = true, workgroup = true;
  uint32_t invocations = 64;
  uint32_t rows = 16, columns = 24;
  bool matrices = false;      // the device's native matrices may be used
  uint32_t subgroupSize = 0;  // the requested size; 0: the device's
  bool onePart = false;       // subgroup scope, with a workgroup of a single subgroup

  uint32_t parts(uint32_t subgroup) const { return workgroup || onePart ? 1 : invocations / subgroup; }
  bool byRows() const { return way == kRows || way == kTensor; }
  bool ofTensor() const { return way == kTensor || way == kTransposedTensor; }
  // In bytes. Lines of a matrix begin at multiples of 16 bytes, and lines of a tensor at odd components.
  uint32_t stride() const {
    const uint32_t along = (byRows() ? columns : rows) * memory.componentBytes;
    return ofTensor() ? along + 7 * memory.componentBytes : (along + 15) / 16 * 16 + 16;
  }
  uint32_t first() const { return 32; }
  // A tensor's slice begins 3 lines and 3 components after the first one.
  uint32_t perPart() const { return ((byRows() ? rows : columns) + 4) * stride() / 16 * 16 + 64; }
  uint32_t bytes(uint32_t subgroup) const { return first() + parts(subgroup) * perPart(); }
};

std::vector<uint32_t> compileStore(const Store& s, uint32_t subgroup, bool optimized) {
  const std::string file = std::string(COOPC_EDGE_SHADERS) + "/parts.comp";
  const auto number = [](uint32_t n) { return std::to_string(n); };
  const uint32_t unit = s.ofTensor() ? s.memory.componentBytes : s.memory.numberBytes;
  Options options;
  options.targetEnv = TargetEnv::Vulkan1_3;
  options.optimization = optimized ? Optimization::Speed : Optimization::None;
  options.macros = {{"SCOPE", s.workgroup ? "gl_ScopeWorkgroup" : "gl_ScopeSubgroup"},
                    {"WORKGROUP", number(s.invocations)},
                    {"ROWS", number(s.rows)},
                    {"COLUMNS", number(s.columns)},
                    {"COMPONENT", s.memory.component},
                    {"NUMBER", s.memory.number},
                    {"SHARED", s.shared ? "1" : "0"},
                    {"NUMBERS", number(s.bytes(subgroup) / s.memory.numberBytes)},
                    {"FIRST", number(s.first() / s.memory.numberBytes)},
                    {"PER_PART", number(s.perPart() / s.memory.numberBytes)},
                    {"STRIDE", number(s.stride() / unit)},
                    {"WAY", number(s.way)}};
  if (s.onePart) options.macros.push_back({"PART", "0u"});
  const Result result = compile(readFile(file), file, options);
  INFO(result.messages);
  REQUIRE(result.ok);
  return result.words;
}

// Bytes that differ from their neighbors. As halves they are finite and have no leading zeros.
uint8_t given(size_t n) { return uint8_t(1 + (n * 37 + n / 13) % 113); }

void check(const Store& s, bool optimized) {
  INFO(s.memory.component << " in " << s.memory.number << ", way " << s.way << (s.shared ? ", shared" : "")
                          << (s.workgroup ? ", workgroup" : ", subgroup") << " scope, " << s.invocations
                          << " invocations, " << s.rows << "x" << s.columns << (s.matrices ? ", native" : "")
                          << (optimized ? ", optimized" : ""));
  lower::LowerRequest request;
  request.target = vk::loweringTarget(testDevice());
  REQUIRE(lower::removeFeatures(request.target, s.matrices ? "nv" : "khr,nv") == "");
  request.subgroupSize = s.subgroupSize;
  request.checkPasses = true;
  const uint32_t subgroup = testDevice().subgroupSize;
  const lower::LowerAnswer answer = lower::lower(compileStore(s, subgroup, optimized), request);
  INFO((answer.reasons.empty() ? std::string() : answer.reasons[0]));
  CHECK(answer.kind == lower::LowerAnswer::Kind::Lowered);
  if (answer.kind != lower::LowerAnswer::Kind::Lowered) return;
  CHECK(validate(answer.words) == "");

  const uint32_t size = s.memory.componentBytes, parts = s.parts(subgroup);
  std::vector<uint8_t> matrix(size_t(parts) * s.rows * s.columns * size);
  for (size_t n = 0; n < matrix.size(); ++n) matrix[n] = given(n);
  std::vector<uint8_t> before(s.bytes(subgroup));
  for (size_t n = 0; n < before.size(); ++n) before[n] = uint8_t(0x30 + n % 7);
  std::vector<uint8_t> expected = before;
  for (uint32_t part = 0; part < parts; ++part) {
    for (uint32_t r = 0; r < s.rows; ++r) {
      for (uint32_t c = 0; c < s.columns; ++c) {
        const uint32_t line = s.byRows() ? r : c, along = s.byRows() ? c : r, skipped = s.ofTensor() ? 3 : 0;
        if (s.ofTensor() && r + 3 >= s.rows + 1) continue;
        const size_t to =
            s.first() + part * s.perPart() + (line + skipped) * s.stride() + (along + skipped) * size;
        std::memcpy(&expected[to], &matrix[((size_t(part) * s.rows + r) * s.columns + c) * size], size);
      }
    }
  }
  std::vector<std::vector<uint8_t>> contents = {matrix, before};
  const bool full = answer.subgroupSize != 0 && s.invocations % answer.subgroupSize == 0;
  if (!runOneWorkgroup(answer.words, answer.subgroupSize, full, contents)) return;
  CHECK(contents[1] == expected);
}

bool hasMatrices() { return testDevice().features.has(vk::Feature::cooperativeMatrix); }

void checkAll(Store s) {
  for (const Memory& memory : kMemories) {
    for (const Way way : {kRows, kColumns, kTensor, kTransposedTensor}) {
      s.memory = memory;
      s.way = way;
      check(s, (way + memory.numberBytes) % 2 != 0);
    }
  }
}

TEST_CASE("components stored to shared memory of wider numbers") {
  for (const bool workgroup : {true, false}) {
    Store s;
    s.workgroup = workgroup;
    s.invocations = workgroup ? 64 : 4 * testDevice().subgroupSize;
    checkAll(s);
  }
}

TEST_CASE("components stored to buffers of wider numbers") {
  for (const bool workgroup : {true, false}) {
    Store s;
    s.shared = false;
    s.workgroup = workgroup;
    s.invocations = workgroup ? 64 : 4 * testDevice().subgroupSize;
    checkAll(s);
  }
}

TEST_CASE("components stored to memory of narrower numbers") {
  for (const bool shared : {true, false})
    for (const Memory& memory : kNarrowMemories)
      for (const Way way : {kRows, kColumns, kTensor, kTransposedTensor}) {
        Store s;
        s.memory = memory;
        s.way = way;
        s.shared = shared;
        check(s, way == kTensor || way == kColumns);
      }
}

TEST_CASE("components stored to wider numbers by native matrices' granules") {
  if (!hasMatrices()) SKIP("the driver has no matrices");
  for (const bool workgroup : {true, false}) {
    Store s;
    s.matrices = true;
    s.workgroup = workgroup;
    s.invocations = workgroup ? 64 : 4 * testDevice().subgroupSize;
    for (const Way way : {kTensor, kTransposedTensor}) {
      for (const Memory& memory : kMemories) {
        s.memory = memory;
        s.way = way;
        check(s, way == kTensor);
      }
    }
  }
}

// Lines that end in the middle of a number.
TEST_CASE("lines that do not fill their last number") {
  for (const bool shared : {true, false}) {
    for (const Memory& memory : kMemories) {
      for (const Way way : {kRows, kColumns}) {
        Store s;
        s.memory = memory;
        s.way = way;
        s.shared = shared;
        s.rows = 7;
        s.columns = 13;
        check(s, shared);
      }
    }
  }
}

// Here subgroup barriers must become workgroup barriers.
TEST_CASE("parts of numbers stored by a workgroup that forms a subgroup of a size that the driver has not") {
  Store s;
  s.memory = kMemories[0];
  s.workgroup = false;
  s.onePart = true;
  s.invocations = s.subgroupSize = 32;
  for (const Way way : {kRows, kColumns, kTensor, kTransposedTensor}) {
    s.way = way;
    check(s, false);
  }
}

}  // namespace
}  // namespace coopc::tests
