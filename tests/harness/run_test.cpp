// Whole runs on lavapipe. The reference compiler compiles the shaders, so nothing here depends on coopc.
#include "harness/cases/run.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <sys/resource.h>

#include <catch2/catch_test_macros.hpp>

#include "harness/compile.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/vulkan.hpp"
#include "vulkan/executor/instance.hpp"
#include "vulkan/executor/kept_devices.hpp"
#include "vulkan/executor/runner.hpp"

using namespace coopc::harness;
using namespace coopc::vk;
using namespace coopc::tests;

namespace {

const std::string kShaderHead = R"(#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 8) in;
)";

// Two buffers of 8 numbers: `a` is a ramp, `b` is poison.
const std::string kTwoBuffers = R"(name = 'test'
[shader]
source = 's.comp'
[[buffer]]
name = 'a'
binding = 0
type = 'u32'
count = 8
fill = { pattern = 'ramp' }
[[buffer]]
name = 'b'
binding = 1
type = 'u32'
count = 8
)";
const std::string kTwoBlocks = R"(layout(binding = 0) buffer A { uint a[]; };
layout(binding = 1) buffer B { uint b[]; };
)";
const std::string kSame = "[[expect]]\nbuffer = 'b'\nreference = 'copy'\narguments = { source = 'a' }\n";

CaseResult runText(const std::string& caseText, const std::string& shader, const CaseOptions& options = {}) {
  const TemporaryFolder folder;
  folder.write("s.comp", kShaderHead + shader);
  auto subject = parseCase(caseText, folder.place("case.toml"), {});
  if (!subject) FAIL(subject.error().message);
  const auto words = obtainModules(*subject, {COOPC_TEST_COMPILER, 60});
  if (!words) FAIL(words.error().message);
  return runCase(vulkan(), lavapipe(), *subject, *words, options);
}

bool says(const CaseResult& result, const std::string& part) {
  for (const std::string& reason : result.reasons) UNSCOPED_INFO(reason);
  return std::any_of(result.reasons.begin(), result.reasons.end(),
                     [&](const std::string& reason) { return reason.find(part) != std::string::npos; });
}

std::string firstReason(const CaseResult& result) {
  return result.reasons.empty() ? std::string() : result.reasons[0];
}

}  // namespace

TEST_CASE("the driver is the one that the tests are meant for") {
  CHECK(lavapipe().type == VK_PHYSICAL_DEVICE_TYPE_CPU);
  INFO(lavapipe().driverInfo);
  CHECK(lavapipe().driverName == "llvmpipe");
  CHECK(lavapipe().driverInfo.find(COOPC_LAVAPIPE_VERSION) != std::string::npos);
}

TEST_CASE("a copy passes") {
  const CaseResult result = runText(
      kTwoBuffers + kSame, kTwoBlocks + "void main() { uint i = gl_LocalInvocationID.x; b[i] = a[i]; }");
  INFO(firstReason(result));
  CHECK(result.verdict == Verdict::Pass);
  REQUIRE(result.checked.size() == 1);
  CHECK(result.checked[0].comparison.checked == 8);
}

TEST_CASE("a wrong element fails, with its place and values") {
  const CaseResult result =
      runText(kTwoBuffers + kSame,
              kTwoBlocks + "void main() { uint i = gl_LocalInvocationID.x; b[i] = i == 5 ? 77 : a[i]; }");
  CHECK(result.verdict == Verdict::Fail);
  CHECK(says(result, "b: 1 of 8 elements differ from 'copy'"));
  CHECK(says(result, "b[5] is 77, expected 5"));
}

TEST_CASE("an element that is never written stays poison") {
  const CaseResult result =
      runText(kTwoBuffers + kSame,
              kTwoBlocks + "void main() { uint i = gl_LocalInvocationID.x; if (i != 2) b[i] = a[i]; }");
  CHECK(says(result, "b[2] is 4294967295, expected 2"));
}

TEST_CASE("writes through an address past the end and before the start are seen") {
  const std::string text = kTwoBuffers + kSame + "[[push-constant]]\naddress = 'b'\n";
  const std::string block = R"(layout(buffer_reference, std430) buffer Words { uint x[]; };
layout(push_constant) uniform P { Words words; };
)";
  CaseResult result = runText(
      text, kTwoBlocks + block +
                "void main() { uint i = gl_LocalInvocationID.x; words.x[i] = a[i]; words.x[8] = 1; }");
  CHECK(result.verdict == Verdict::Fail);
  CHECK(says(result, "buffer 'b': 4 bytes written past its end, the nearest 0 bytes away"));
  result = runText(text, kTwoBlocks + block + R"(void main() {
  uint i = gl_LocalInvocationID.x;
  words.x[i] = a[i];
  Words before = Words(uint64_t(words) - 16);
  before.x[0] = 1;
})");
  CHECK(says(result, "buffer 'b': 4 bytes written before its start, the nearest 13 bytes away"));
}

TEST_CASE("an input that changes fails unless the case allows it") {
  const std::string shader =
      kTwoBlocks + "void main() { uint i = gl_LocalInvocationID.x; b[i] = a[i]; if (i == 3) a[i] = 9; }";
  CHECK(says(runText(kTwoBuffers + kSame, shader), "buffer 'a' was changed"));
  std::string allowed = kTwoBuffers;
  allowed.insert(allowed.find("fill"), "written = true\n");
  const CaseResult result = runText(allowed + kSame, shader);
  INFO(firstReason(result));
  CHECK(result.verdict == Verdict::Pass);
}

TEST_CASE("specialization constants, push constants, uniforms, addresses in buffers, several sets") {
  const CaseResult result = runText(R"(name = 'test'
[variables]
N = 16
[shader]
source = 's.comp'
[[specialization]]
id = 0
value = "N / 2"
[[specialization]]
id = 1
type = 'f32'
value = 0.5
[[specialization]]
id = 2
type = 'bool'
value = true
[[buffer]]
name = 'numbers'
type = 'f32'
count = 'N'
fill = { pattern = 'ramp', step = 2 }
[[buffer]]
name = 'table'
set = 1
binding = 3
count = 1
record = [{ type = 'u32', value = 4 }, { address = 'numbers', offset = 8 }]
[[buffer]]
name = 'plain'
set = 2
binding = 0
kind = 'uniform'
type = 's32'
count = 4
fill = { pattern = 'constant', value = -10 }
[[buffer]]
name = 'result'
set = 1
binding = 0
type = 'f32'
count = 'N'
[[push-constant]]
type = 'f32'
value = 100
[[push-constant]]
type = 'u32'
count = 2
fill = { pattern = 'values', values = [3, 4] }
[dispatch]
groups = [2]
[[expect]]
buffer = 'result'
reference = 'values'
arguments = { values = [105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119, 120] }
)",
                                    R"(
layout(constant_id = 0) const uint kHalf = 1;
layout(constant_id = 1) const float kFactor = 1;
layout(constant_id = 2) const bool kYes = false;
layout(buffer_reference, std430) buffer Numbers { float x[]; };
layout(set = 1, binding = 3, std430) buffer Table { uint four; Numbers numbers; } table;
layout(set = 2, binding = 0) uniform Plain { ivec4 v; } plain;
layout(set = 1, binding = 0) buffer Result { float r[]; };
layout(push_constant) uniform P { float base; uint two[2]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  // 100 + i + 4 - 10 + 7 + 8 - 4
  r[i] = base + table.numbers.x[i] * kFactor + table.four + plain.v.w + two[0] + two[1] + kHalf - (kYes ? 4 : 0);
})");
  INFO(firstReason(result));
  CHECK(result.verdict == Verdict::Pass);
}

TEST_CASE("images: stored to, loaded from, sampled") {
  const CaseResult result = runText(R"(name = 'test'
[shader]
source = 's.comp'
[[image]]
name = 'picture'
binding = 0
kind = 'sampled'
format = 'r32f'
size = [8]
fill = { pattern = 'ramp' }
filter = 'linear'
[[image]]
name = 'canvas'
binding = 1
format = 'rgba16f'
size = [4, 2]
fill = { pattern = 'constant', value = -1 }
[[buffer]]
name = 'b'
binding = 2
type = 'f32'
count = 8
[[expect]]
image = 'canvas'
reference = 'values'
arguments = { values = [0, 1, 2, 3] }
[[expect]]
buffer = 'b'
reference = 'values'
arguments = { values = [0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7] }
)",
                                    R"(
layout(binding = 0) uniform sampler1D picture;
layout(binding = 1, rgba16f) uniform image2D canvas;
layout(binding = 2) buffer B { float b[]; };
void main() {
  int i = int(gl_LocalInvocationID.x);
  imageStore(canvas, ivec2(i % 4, i / 4), imageLoad(canvas, ivec2(i % 4, i / 4)) + vec4(1, 2, 3, 4));
  b[i] = textureLod(picture, float(i + 1) / 8, 0).x;
})");
  INFO(firstReason(result));
  CHECK(result.verdict == Verdict::Pass);
}

TEST_CASE("runs are timed when asked for") {
  CaseOptions options;
  options.time = true;
  const CaseResult result =
      runText(kTwoBuffers + kSame + "[time]\nruns = 5\nwarmups = 1\nbytes = 64\nflops = 8\n",
              kTwoBlocks + "void main() { uint i = gl_LocalInvocationID.x; b[i] = a[i]; }", options);
  INFO(firstReason(result));
  CHECK(result.verdict == Verdict::Pass);
  CHECK(result.nanoseconds.size() == 5);
  CHECK(result.medianNanoseconds > 0);
  CHECK(result.gigabytesPerSecond > 0);
  CHECK(result.teraflops > 0);
}

TEST_CASE("contents are kept when asked for") {
  CaseOptions options;
  options.keepContents = true;
  const CaseResult result =
      runText(kTwoBuffers + kSame,
              kTwoBlocks + "void main() { uint i = gl_LocalInvocationID.x; b[i] = a[i]; }", options);
  REQUIRE(result.contents.size() == 2);
  CHECK(result.contents[0].bytes == result.contents[1].bytes);
}

TEST_CASE("what the device lacks is a skip with the reason") {
  const CaseResult result = runText(kTwoBuffers + kSame + "[dispatch]\nsubgroup-size = 64\n",
                                    kTwoBlocks + "void main() { b[0] = a[0]; }");
  CHECK(result.verdict == Verdict::Skip);
  CHECK(says(result, "subgroup size 64: the device has"));
}

TEST_CASE("a buffer that the device cannot bind takes no memory, though each of its records has an address") {
  auto subject = parseCase(kTwoBuffers + kSame + R"([[buffer]]
name = 'pointers'
binding = 2
count = 33554432
record = [{ address = 'a' }]
)",
                           "x.toml", {});
  REQUIRE(subject);
  const TemporaryFolder folder;
  folder.write("s.comp", kShaderHead + kTwoBlocks + "void main() { b[0] = a[0]; }");
  subject->file = folder.place("case.toml");
  const auto words = obtainModules(*subject, {COOPC_TEST_COMPILER, 60});
  REQUIRE(words);
  PhysicalDevice device = lavapipe();
  device.limits.maxStorageBufferRange = 1 << 20;
  rusage before{};
  rusage after{};
  getrusage(RUSAGE_SELF, &before);
  const CaseResult result = runCase(vulkan(), device, *subject, *words, {});
  getrusage(RUSAGE_SELF, &after);
  CHECK(result.verdict == Verdict::Skip);
  CHECK(says(result, "buffer 'pointers' has 268435456 bytes: the device binds 1048576"));
  CHECK(after.ru_maxrss - before.ru_maxrss < 200 * 1024);  // KiB
}

TEST_CASE("a reference that cannot be made fails the case") {
  const CaseResult result = runText(kTwoBuffers + "[[expect]]\nbuffer = 'b'\nreference = 'nonsense'\n",
                                    kTwoBlocks + "void main() { b[gl_LocalInvocationID.x] = a[0]; }");
  CHECK(result.verdict == Verdict::Fail);
  CHECK(says(result, "no reference called 'nonsense'"));
}

TEST_CASE("a binding that the case does not give fails the case, before the driver sees it") {
  const CaseResult result =
      runText(kTwoBuffers + kSame, kTwoBlocks + R"(layout(set = 1, binding = 5) buffer C { uint c[]; };
void main() { b[gl_LocalInvocationID.x] = a[0] + c[0]; })");
  CHECK(result.verdict == Verdict::Fail);
  CHECK(says(result, "the shader uses set 1, binding 5, for which nothing is given"));
}

TEST_CASE("push constants that the case does not give fail the case, before the driver sees it") {
  const std::string block = kTwoBlocks + "layout(push_constant) uniform P { uint x; uint y; };\n";
  const std::string body = "void main() { b[gl_LocalInvocationID.x] = a[gl_LocalInvocationID.x] + x + y; }";
  const std::string member = "[[push-constant]]\ntype = 'u32'\nvalue = 0\n";
  CHECK(says(runText(kTwoBuffers + kSame, block + body), "a push constant at byte 4, and 0 bytes are given"));
  CHECK(says(runText(kTwoBuffers + kSame + member, block + body),
             "a push constant at byte 4, and 4 bytes are given"));
  CHECK(runText(kTwoBuffers + kSame + member + member, block + body).verdict == Verdict::Pass);
}

TEST_CASE("a module that is none fails the case") {
  auto subject = parseCase(kTwoBuffers + kSame, "x.toml", {});
  REQUIRE(subject);
  const std::vector<std::vector<uint32_t>> nonsense{{1, 2, 3, 4, 5, 6}};
  const CaseResult result = runCase(vulkan(), lavapipe(), *subject, nonsense, {});
  CHECK(result.verdict == Verdict::Fail);
  CHECK(says(result, "not a SPIR-V module"));
}

TEST_CASE("devices are kept for one queue family") {
  struct Kept {
    static Result<std::unique_ptr<Kept>> create(const Instance&, const PhysicalDevice&,
                                                const ComputeFamily& family, const Requirements&,
                                                const DeviceOptions&) {
      return std::make_unique<Kept>(Kept{family.index});
    }
    void abandon() {}
    uint32_t family;
  };
  KeptDevices<Kept> devices(Match::AtLeast);
  const auto familyOf = [&](uint32_t family) {
    const auto kept = devices.get(vulkan(), lavapipe(), {family, 0}, {}, {});
    return kept ? (*kept)->family : 99;
  };
  CHECK(familyOf(0) == 0);
  CHECK(familyOf(2) == 2);
  CHECK(familyOf(0) == 0);
  CHECK(devices.made() == 2);
}

TEST_CASE("devices are kept for equal needs, or for those that they include") {
  const auto family = computeFamily(vulkan(), lavapipe());
  REQUIRE(family);
  const auto needing = [](std::initializer_list<const char*> features) {
    Requirements needs;
    for (const char* name : features) needs.features.add(*findFeature(name));
    return needs;
  };
  const auto made = [&](LogicalDevices& devices, Requirements needs, bool robust = false) {
    const auto device = devices.get(vulkan(), lavapipe(), *family, needs, {robust, false});
    if (!device) FAIL(device.error().message);
    return (*device)->handle();
  };
  LogicalDevices exact, atLeast(Match::AtLeast);
  const VkDevice first = made(exact, needing({"shaderInt64"}));
  CHECK(made(exact, needing({"shaderInt64"})) == first);
  CHECK(made(exact, needing({})) != first);
  CHECK(made(exact, needing({"shaderInt64"}), true) != first);
  CHECK(made(exact, needing({"shaderInt64"})) == first);

  const VkDevice small = made(atLeast, needing({"shaderInt64"}));
  CHECK(made(atLeast, needing({})) == small);
  const VkDevice large = made(atLeast, needing({"shaderInt16"}));
  CHECK(large != small);
  CHECK(made(atLeast, needing({"shaderInt64", "shaderInt16"})) == large);
  CHECK(made(atLeast, needing({"shaderInt16"}), true) != large);
  CHECK_FALSE(atLeast.isAbandoned());
  atLeast.destroy();
  static_cast<void>(made(atLeast, needing({"shaderInt64"})));
}
