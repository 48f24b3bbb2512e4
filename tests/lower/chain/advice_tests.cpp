// Advice on settings (include/coopc/lower.hpp, advise()): the list, its order, and the origin of each number.
// tests/drivers/advice compares the order with drivers' figures.
#include <algorithm>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "coopc/coopc.hpp"
#include "coopc/lower.h"
#include "coopc/lower.hpp"
#include "tests/support/random.hpp"

namespace coopc {
namespace {

// A product of workgroup scope whose loop over K has an unknown length.
const char* const kProduct = R"(#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_KHR_memory_scope_semantics : require
layout(constant_id = 0) const uint TILE_M = 128;
layout(constant_id = 1) const uint TILE_N = 128;
layout(constant_id = 2) const uint TILE_K = 32;
layout(constant_id = 7) const uint UNRELATED = 5;
layout(local_size_x_id = 3) in;
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Halves { float16_t x[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Floats { float x[]; };
layout(push_constant) uniform P { Halves a, b; Floats c; uint k; };
void main() {
  tensorLayoutNV<2> all = setTensorLayoutDimensionNV(createTensorLayoutNV(2), 4096, 4096);
  const uint row = gl_WorkGroupID.y * TILE_M, column = gl_WorkGroupID.x * TILE_N;
  coopmat<float, gl_ScopeWorkgroup, TILE_M, TILE_N, gl_MatrixUseAccumulator> sum =
      coopmat<float, gl_ScopeWorkgroup, TILE_M, TILE_N, gl_MatrixUseAccumulator>(float(UNRELATED));
  for (uint i = 0; i < k; i += TILE_K) {
    coopmat<float16_t, gl_ScopeWorkgroup, TILE_M, TILE_K, gl_MatrixUseA> partA;
    coopmat<float16_t, gl_ScopeWorkgroup, TILE_K, TILE_N, gl_MatrixUseB> partB;
    coopMatLoadTensorNV(partA, a.x, 0, sliceTensorLayoutNV(all, row, TILE_M, i, TILE_K));
    coopMatLoadTensorNV(partB, b.x, 0, sliceTensorLayoutNV(all, i, TILE_K, column, TILE_N));
    sum = coopMatMulAdd(partA, partB, sum);
  }
  coopMatStoreTensorNV(sum, c.x, 0, sliceTensorLayoutNV(all, row, TILE_M, column, TILE_N));
}
)";

std::vector<uint32_t> compileText(const std::string& text) {
  Options options;
  options.targetEnv = TargetEnv::Vulkan1_3;
  const Result result = compile(text, "a.comp", options);
  INFO(result.messages);
  REQUIRE(result.ok);
  return result.words;
}

std::vector<uint32_t> product() { return compileText(kProduct); }

std::vector<Specialization> setting(uint64_t m, uint64_t n, uint64_t k, uint64_t invocations) {
  return {{0, m}, {1, n}, {2, k}, {3, invocations}};
}

AdviceOptions on(std::string_view profile) {
  AdviceOptions options;
  options.lower.profile = profile;
  options.lower.specializations = {{3, 256}};
  return options;
}

TEST_CASE("without settings, the sizes of matrices are varied") {
  const AdviceResult advice = advise(product(), on("rdna3"));
  REQUIRE(advice.error.empty());
  CHECK(advice.processor == "AMD RDNA3");
  REQUIRE(advice.settings.size() == 27);
  for (const AdvisedSetting& s : advice.settings) {
    REQUIRE(s.values.size() == 3);
    std::vector<uint32_t> ids;
    for (const Specialization& v : s.values) ids.push_back(v.id);
    std::sort(ids.begin(), ids.end());
    CHECK(ids == std::vector<uint32_t>{0, 1, 2});  // 3 is given, and 7 is not the size of a matrix
  }
  const auto named =
      std::find(advice.names.begin(), advice.names.end(), std::pair(0u, std::string("TILE_M")));
  CHECK(named != advice.names.end());
}

TEST_CASE("constants that the caller gives are the same in all generated settings") {
  AdviceOptions options = on("rdna3");
  options.lower.specializations = {{0, 64}, {3, 256}};
  const AdviceResult advice = advise(product(), options);
  REQUIRE(advice.settings.size() == 9);
  for (const AdvisedSetting& s : advice.settings) {
    REQUIRE(s.values.size() == 2);
    for (const Specialization& v : s.values) CHECK((v.id == 1 || v.id == 2));
  }
}

TEST_CASE("the best setting is first, and declined ones are last") {
  AdviceOptions options = on("rdna3");
  options.settings = {setting(64, 64, 16, 256), setting(128, 128, 32, 256), setting(2048, 2048, 32, 64),
                      setting(128, 128, 64, 256)};
  const AdviceResult advice = advise(product(), options);
  REQUIRE(advice.settings.size() == 4);
  for (size_t n = 0; n + 2 < advice.settings.size(); ++n) {
    CHECK(advice.settings[n].cycles > 0);
    CHECK(advice.settings[n].cycles <= advice.settings[n + 1].cycles);
  }
  const AdvisedSetting& last = advice.settings.back();
  CHECK(last.kind == Lowering::Declined);
  CHECK(last.values[0].value == 2048);
  CHECK_FALSE(last.reason.empty());
  CHECK(last.cycles == 0);
  // 64x64 by 256 invocations is the worst of the three: it has few products for each load.
  CHECK(advice.settings[2].values[0].value == 64);
}

TEST_CASE("the numbers follow from the setting") {
  size_t compared = 0;
  for (const char* profile : {"rdna3", "rdna4", "ampere", "rdna2", "adreno750", "m1"}) {
    INFO(profile);
    AdviceOptions options = on(profile);
    const auto only = [&](const std::vector<Specialization>& values) {
      options.settings = {values};
      const AdviceResult advice = advise(product(), options);
      REQUIRE(advice.settings.size() == 1);
      REQUIRE(advice.settings[0].kind == Lowering::Lowered);
      return advice.settings[0];
    };
    const AdvisedSetting small = only(setting(64, 64, 32, 256)), large = only(setting(256, 128, 32, 128));
    // An invocation of the small setting holds 16 sums, and one of the large setting holds 256.
    CHECK(small.spills == 0);
    CHECK(large.registers > 256);
    CHECK(large.spills > 0);
    CHECK(small.registers < large.registers);
    CHECK(small.waves >= large.waves);
    CHECK(small.waves <= small.wavesBySubgroups);
    CHECK(small.invocations == 256);
    CHECK(large.invocations == 128);
    // An iteration has the tile's products once.
    CHECK(small.products == 64.0 * 64 * 32);
    CHECK(large.products == 256.0 * 128 * 32);
    CHECK(small.sharedBytes > 0);
    CHECK(small.why.size() >= 2);
    ++compared;
  }
  CHECK(compared == 6);
}

TEST_CASE("AMD: a workgroup has the registers of one compute unit") {
  // RADV compiles for one of the two compute units that share a workgroup processor: its pipelines for 1024
  // invocations get at most 64 registers on RDNA2 and 96 on RDNA3 and RDNA4 (docs/records/advice.md).
  size_t compared = 0;
  for (const auto& [profile, most] : {std::pair{"rdna2", 64u}, {"rdna3", 96u}, {"rdna4", 96u}}) {
    INFO(profile);
    AdviceOptions options = on(profile);
    options.settings = {setting(256, 128, 32, 1024), setting(256, 256, 32, 1024)};
    for (const AdvisedSetting& s : advise(product(), options).settings) {
      REQUIRE(s.kind == Lowering::Lowered);
      CHECK((s.registers <= most || s.spills > 0));
      ++compared;
    }
  }
  CHECK(compared == 6);
}

TEST_CASE("advice says what cannot be used") {
  AdviceOptions options = on("{}");
  CHECK_FALSE(advise(product(), options).error.empty());
  CHECK(advise(product(), options).settings.empty());
  const unsigned char bytes[] = {1, 2, 3, 4, 5};
  const AdviceResult none = adviseBytes(bytes, on("rdna3"));
  REQUIRE(none.settings.size() == 1);
  CHECK(none.settings[0].kind == Lowering::Declined);
  CHECK(none.settings[0].reason.find("not a module") == 0);
  CHECK(renderText(none) == none.settings[0].reason + "\n");
}

TEST_CASE("advice as text and JSON") {
  AdviceOptions options = on("rdna3");
  options.settings = {setting(128, 128, 32, 256), setting(2048, 2048, 32, 64)};
  const AdviceResult advice = advise(product(), options);
  const std::string text = renderText(advice), json = renderJson(advice);
  CHECK(text.find("estimated for AMD RDNA3, the best first; cycles of a SIMD unit") == 0);
  CHECK(text.find("TILE_M=128 TILE_N=128 TILE_K=32 3=256\n") != std::string::npos);
  CHECK(text.find("declined: TILE_M=2048 ") != std::string::npos);
  CHECK(json.find("\"name\": \"TILE_K\"") != std::string::npos);
  CHECK(json.find("\"result\": \"lowered\"") < json.find("\"result\": \"declined\""));
}

TEST_CASE("the C interface gives the same advice") {
  const std::vector<uint32_t> words = product();
  AdviceOptions options = on("ampere");
  options.settings = {setting(64, 64, 32, 256), setting(128, 128, 32, 256)};
  const AdviceResult advice = advise(words, options);

  coopc_lower_options* c = coopc_lower_options_create();
  CHECK(coopc_lower_options_set_profile(c, "ampere", 6) == 1);
  CHECK(coopc_lower_options_specialize(c, 3, 256) == 1);
  for (const auto& values : options.settings) {
    std::vector<uint32_t> ids;
    std::vector<uint64_t> numbers;
    for (const Specialization& v : values) {
      ids.push_back(v.id);
      numbers.push_back(v.value);
    }
    CHECK(coopc_lower_options_add_setting(c, ids.data(), numbers.data(), ids.size()) == 1);
  }
  CHECK(coopc_lower_options_add_setting(c, nullptr, nullptr, 1) == 0);
  CHECK(coopc_lower_options_add_setting(nullptr, nullptr, nullptr, 0) == 0);
  coopc_advice* made = coopc_advise(words.data(), words.size(), c);
  CHECK(coopc_advice_status(made) == COOPC_STATUS_OK);
  REQUIRE(coopc_advice_size(made) == 2);
  for (size_t n = 0; n < 2; ++n) {
    coopc_advised setting;
    REQUIRE(coopc_advice_setting(made, n, &setting) == 1);
    CHECK(setting.kind == COOPC_LOWERING_LOWERED);
    CHECK(setting.registers == advice.settings[n].registers);
    CHECK(setting.cycles == advice.settings[n].cycles);
    uint32_t ids[4];
    uint64_t values[4];
    REQUIRE(coopc_advice_values(made, n, ids, values, 4) == 4);
    CHECK(values[0] == advice.settings[n].values[0].value);
  }
  coopc_advised setting;
  CHECK(coopc_advice_setting(made, 2, &setting) == 0);
  CHECK(coopc_advice_values(made, 2, nullptr, nullptr, 0) == 0);
  CHECK(coopc_advice_text(made) == renderText(advice));
  CHECK(coopc_advice_json(made) == renderJson(advice));
  coopc_advice_destroy(made);
  made = coopc_advise(words.data(), words.size(), nullptr);
  CHECK(coopc_advice_status(made) == COOPC_STATUS_BAD_ARGUMENT);
  CHECK(std::string(coopc_advice_error(made)) == "there are no options");
  coopc_advice_destroy(made);
  CHECK(coopc_advice_status(nullptr) == COOPC_STATUS_OUT_OF_MEMORY);
  coopc_lower_options_destroy(c);
}

TEST_CASE("invocations that a workgroup does not have multiply nothing") {
  const std::vector<uint32_t> words = compileText(
      "#version 460\nlayout(local_size_x = 8) in;\nlayout(std430, binding = 0) buffer B { float x[]; };\n"
      "void main() { uint i = gl_GlobalInvocationID.x; x[i] = x[i + 1u] * x[i + 2u]; }\n");
  const AdviceResult advice = advise(words, on("rdna3"));
  REQUIRE(advice.settings.size() == 1);
  CHECK(advice.settings[0].products == 8);
}

// 32 members of the same structure at each of ten levels: its size must not be counted leaf by leaf.
TEST_CASE("structures of structures are measured once for each type") {
  std::string text =
      "#version 460\nlayout(local_size_x = 64) in;\nlayout(std430, binding = 0) buffer B { float x[]; };\n"
      "struct S0 { float a; };\n";
  for (int level = 1; level <= 10; ++level) {
    text += "struct S" + std::to_string(level) + " {";
    for (int member = 0; member < 32; ++member)
      text += " S" + std::to_string(level - 1) + " m" + std::to_string(member) + ";";
    text += " };\n";
  }
  text += "void main() { S10 s; s";
  for (int level = 10; level > 0; --level) text += ".m3";
  text += ".a = x[0]; S10 t = s; x[gl_GlobalInvocationID.x] = t";
  for (int level = 10; level > 0; --level) text += ".m3";
  text += ".a; }\n";
  const AdviceResult advice = advise(compileText(text), on("rdna3"));
  REQUIRE(advice.settings.size() == 1);
  CHECK(advice.settings[0].kind != Lowering::Declined);
}

TEST_CASE("a product is part of a sum on either side") {
  const auto cycles = [](const char* sum) {
    const AdviceResult advice =
        advise(compileText("#version 460\nlayout(local_size_x = 64) in;\nlayout(std430, binding = 0) buffer "
                           "B { float x[]; };\n"
                           "void main() { float s = 0.0, y = x[gl_LocalInvocationIndex]; for (uint i = 0u; i "
                           "< 16u; ++i) s = " +
                           std::string(sum) + "; x[gl_GlobalInvocationID.x] = s; }\n"),
               on("rdna3"));
    REQUIRE(advice.settings.size() == 1);
    return advice.settings[0].cycles;
  };
  CHECK(cycles("y * y + s") == cycles("s + y * y"));
}

TEST_CASE("modules with changed words get some answer") {
  const std::vector<uint32_t> words = product();
  AdviceOptions options = on("rdna2");
  options.settings = {setting(32, 32, 16, 64)};
  tests::Twister random(36);
  size_t estimated = 0;
  for (int round = 0; round < 200; ++round) {
    std::vector<uint32_t> changed = words;
    changed[5 + random.below(uint32_t(changed.size() - 5))] =
        random.below(2) == 0 ? random.below(200) : random.word();
    estimated += advise(changed, options).settings[0].kind != Lowering::Declined;
  }
  CHECK(estimated > 0);
  CHECK(estimated < 200);
}

TEST_CASE("modules that need no lowering, with changed words, get some answer") {
  const std::vector<uint32_t> words = compileText(
      "#version 460\nlayout(local_size_x = 64) in;\nlayout(std430, binding = 0) buffer B { float x[]; };\n"
      "void main() { float sum = 0.0; for (uint i = 0u; i < 16u; ++i) sum += x[i] * x[i + 16u];\n"
      "if (sum > 1.0) sum *= 2.0; x[gl_GlobalInvocationID.x] = sum; }\n");
  const AdviceResult whole = advise(words, on("none"));
  REQUIRE(whole.settings.size() == 1);
  CHECK(whole.settings[0].kind == Lowering::Native);
  CHECK(whole.settings[0].products == 64);  // in an iteration
  tests::Twister random(37);
  size_t estimated = 0;
  for (int round = 0; round < 2000; ++round) {
    std::vector<uint32_t> changed = words;
    for (uint32_t times = 1 + random.below(2); times > 0; --times)
      changed[3 + random.below(uint32_t(changed.size() - 3))] =
          random.below(2) == 0 ? random.below(100) : random.word();
    const AdviceResult advice = advise(changed, on("none"));
    REQUIRE(advice.settings.size() >= 1);
    estimated += advice.settings[0].kind != Lowering::Declined;
  }
  CHECK(estimated > 0);
  CHECK(estimated < 2000);
}

}  // namespace
}  // namespace coopc
