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

lower::LowerAnswer lowered(const std::string& body, Stage stage, bool debug) {
  Options options;
  options.targetEnv = TargetEnv::Vulkan1_3;
  options.stage = stage;
  options.debugInfo = debug;
  const Result compiled = compile(kHead + body, "vectors", options);
  INFO(compiled.messages);
  REQUIRE(compiled.ok);
  lower::LowerRequest request;
  request.target = harness::loweringTarget(testDevice());
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
      // A matrix of small numbers behind an address, in a module without arithmetic on them.
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
      // Sums of floats where helper invocations take part.
      {"layout(location = 0) in float u;\nlayout(location = 0) out float o;\nvoid main() {\n"
       "  coopvecNV<float16_t, 4> x = coopvecNV<float16_t, 4>(float16_t(u));\n"
       "  coopVecReduceSumAccumulateNV(x, d, 0u);\n  o = dFdx(u);\n}\n",
       Stage::Fragment},
      // A long vector of one component.
      {"void main() {\n  coopvecNV<float, 1000> x = coopvecNV<float, 1000>(float(d[1]));\n"
       "  d[0] = uint(x[d[2]]);\n}\n"},
  };
  int checked = 0;
  for (const Program& program : programs)
    for (const bool debug : {false, true}) {
      const std::string before = program.stage == Stage::Compute ? "layout(local_size_x = 32) in;\n" : "";
      INFO(before << program.body << (debug ? "with" : "without") << " debug information");
      const lower::LowerAnswer answer = lowered(before + program.body, program.stage, debug);
      INFO((answer.reasons.empty() ? std::string() : answer.reasons[0]));
      REQUIRE(answer.kind == lower::LowerAnswer::Kind::Lowered);
      CHECK(validate(answer.words) == "");
      CHECK(answer.words.size() < 20000);
      ++checked;
    }
  CHECK(checked == 10);
}

}  // namespace coopc::tests
