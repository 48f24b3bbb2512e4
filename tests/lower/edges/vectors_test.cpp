// Cooperative vectors where a module declares less than plain code needs: the result is valid for the device,
// with and without debug information.
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "coopc/coopc.hpp"
#include "spirv/lower/lower.hpp"
#include "tests/spirv/spirv_text.hpp"
#include "tests/support/vulkan.hpp"
#include "vulkan/device/lowering_target.hpp"

namespace coopc::tests {
namespace {

namespace lower = spirv::lower;

constexpr const char* kHead =
    "#version 460\n"
    "#extension GL_NV_cooperative_vector : require\n"
    "#extension GL_KHR_memory_scope_semantics : require\n"
    "#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
    "#extension GL_EXT_buffer_reference : require\n"
    "layout(buffer_reference, std430, buffer_reference_align = 16) buffer R { uint r[]; };\n"
    "layout(push_constant) uniform P { R at; };\n"
    "layout(binding = 0) buffer D { uint d[]; };\n";

lower::LowerAnswer lowerBody(const std::string& body, Stage stage, bool debug) {
  Options options;
  options.targetEnv = TargetEnv::Vulkan1_3;
  options.stage = stage;
  options.debugInfo = debug;
  const Result compiled = compile(kHead + body, "vectors", options);
  INFO(compiled.messages);
  REQUIRE(compiled.ok);
  lower::LowerRequest request;
  request.target = vk::loweringTarget(testDevice());
  request.checkPasses = true;
  request.keepDebug = debug;
  return lower::lower(compiled.words, request);
}

}  // namespace

TEST_CASE("cooperative vectors become plain code that declares what it needs") {
  struct Program {
    const char* body;
    Stage stage = Stage::Compute;
  };
  const Program programs[] = {
      // A matrix of small numbers at an address, in a module without arithmetic on them.
      {"void main() {\n  coopvecNV<float, 4> x = coopvecNV<float, 4>(1.0);\n  coopvecNV<float, 8> r;\n"
       "  coopVecMatMulNV(r, x, gl_ComponentTypeFloat16NV, at.r, 0u, gl_ComponentTypeSignedInt8NV, 8u, 4u,\n"
       "                  gl_CooperativeVectorMatrixLayoutRowMajorNV, false, 16u);\n  d[0] = "
       "uint(r[1]);\n}\n"},
      {"void main() {\n  coopvecNV<float, 4> x = coopvecNV<float, 4>(1.0);\n  coopvecNV<float, 8> r;\n"
       "  coopVecMatMulNV(r, x, gl_ComponentTypeFloat16NV, at.r, 0u, gl_ComponentTypeFloat16NV, 8u, 4u,\n"
       "                  gl_CooperativeVectorMatrixLayoutRowMajorNV, false, 16u);\n  d[0] = "
       "uint(r[1]);\n}\n"},
      // Products of integers that are smaller than their sums.
      {"void main() {\n  coopvecNV<int8_t, 4> x = coopvecNV<int8_t, 4>(int8_t(3));\n"
       "  coopVecOuterProductAccumulateNV(x, x, d, 0u, 64u, "
       "gl_CooperativeVectorMatrixLayoutTrainingOptimalNV,\n"
       "                                  gl_ComponentTypeSignedInt32NV);\n}\n"},
      // Sums of floats in which helper invocations take part.
      {"layout(location = 0) in float u;\nlayout(location = 0) out float o;\nvoid main() {\n"
       "  coopvecNV<float16_t, 4> x = coopvecNV<float16_t, 4>(float16_t(u));\n"
       "  coopVecReduceSumAccumulateNV(x, d, 0u);\n  o = dFdx(u);\n}\n",
       Stage::Fragment},
      // A long vector of equal components.
      {"void main() {\n  coopvecNV<float, 1000> x = coopvecNV<float, 1000>(float(d[1]));\n"
       "  d[0] = uint(x[d[2]]);\n}\n"},
  };
  int checked = 0;
  for (const Program& program : programs)
    for (const bool debug : {false, true}) {
      const std::string before = program.stage == Stage::Compute ? "layout(local_size_x = 32) in;\n" : "";
      INFO(before << program.body << (debug ? "with" : "without") << " debug information");
      const lower::LowerAnswer answer = lowerBody(before + program.body, program.stage, debug);
      INFO((answer.reasons.empty() ? std::string() : answer.reasons[0]));
      REQUIRE(answer.kind == lower::LowerAnswer::Kind::Lowered);
      CHECK(validate(answer.words) == "");
      CHECK(answer.words.size() < 20000);
      ++checked;
    }
  CHECK(checked == 10);
}

// If other invocations store to the rest of a number that a vector fills in part, their values must stay. So
// numbers that the vector fills are not read, and the last one is changed atomically, or the store is
// refused.
TEST_CASE(
    "stores of cooperative vectors to wider numbers of shared memory leave the rest of a number alone") {
  struct Store {
    const char* component;
    uint32_t count;
    const char* number;
    uint32_t stores;   // of whole numbers
    uint32_t atomics;  // components of the last number
    bool refused = false;
  };
  const Store stores[] = {{"float16_t", 3, "uint", 1, 1},
                          {"float16_t", 4, "uint", 2, 0},
                          {"int8_t", 5, "uvec4", 1, 1},
                          {"int8_t", 7, "int", 1, 3},
                          {"float16_t", 4, "vec4", 2, 0},
                          {"int8_t", 16, "uint64_t", 2, 0},
                          {"float16_t", 3, "float", 0, 0, true},
                          {"int8_t", 3, "float16_t", 0, 0, true},
                          {"float16_t", 5, "uint64_t", 0, 0, true}};
  int checked = 0;
  for (const Store& s : stores) {
    const std::string type = s.component, number = s.number;
    const std::string body = "layout(local_size_x = 32) in;\nshared " + number +
                             " s[64];\nvoid main() {\n  coopVecStoreNV(coopvecNV<" + type + ", " +
                             std::to_string(s.count) + ">(" + type +
                             "(d[0])), s, 0u);\n  barrier();\n  d[1] = uint(s[d[2]]" +
                             (number.find("vec4") != std::string::npos ? ".x" : "") + ");\n}\n";
    INFO(body);
    const lower::LowerAnswer answer = lowerBody(body, Stage::Compute, false);
    INFO((answer.reasons.empty() ? std::string() : answer.reasons[0]));
    ++checked;
    if (s.refused) {
      CHECK(answer.kind == lower::LowerAnswer::Kind::Declined);
      REQUIRE(answer.reasons.size() == 1);
      CHECK(answer.reasons[0].find("fill in part") != std::string::npos);
      continue;
    }
    REQUIRE(answer.kind == lower::LowerAnswer::Kind::Lowered);
    CHECK(validate(answer.words) == "");
    const std::string text = textOf(answer.words);
    const auto count = [&](const std::string& what) {
      uint32_t n = 0;
      for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += what.size()) ++n;
      return n;
    };
    CHECK(count("OpStore ") == s.stores + 1);  // d[1]
    CHECK(count("OpAtomicAnd ") == s.atomics);
    CHECK(count("OpAtomicOr ") == s.atomics);
    CHECK(count("OpLoad ") == 3);  // d[0], d[2] and the number that is asked for
  }
  CHECK(checked == 9);
}

}  // namespace coopc::tests
