// Reasons name constants and variables as the program does: by name and SpecId, if the module has them.
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <spirv/unified1/spirv.hpp11>

#include "coopc/coopc.hpp"
#include "coopc/lower.hpp"

using namespace coopc;

namespace {

std::vector<uint32_t> compileText(const std::string& body) {
  Options options;
  options.targetEnv = TargetEnv::Vulkan1_3;
  const Result result = compile("#version 460\n" + body, "reasons.comp", options);
  INFO(body);
  REQUIRE(result.ok);
  return result.words;
}

// The module without the instructions of this opcode. If `at` is not 0, only those whose word `at` is `value`
// are removed.
std::vector<uint32_t> without(std::vector<uint32_t> words, spv::Op op, size_t at = 0, uint32_t value = 0) {
  size_t removed = 0;
  for (size_t i = 5; i < words.size();) {
    const size_t length = words[i] >> 16;
    if ((words[i] & 0xFFFF) == uint32_t(op) && (at == 0 || words[i + at] == value)) {
      words.erase(words.begin() + ptrdiff_t(i), words.begin() + ptrdiff_t(i + length));
      ++removed;
    } else {
      i += length;
    }
  }
  REQUIRE(removed != 0);
  return words;
}

std::vector<std::string> reasonsOf(const std::vector<uint32_t>& words, bool specDefaults = false,
                                   std::vector<Specialization> values = {}) {
  LowerOptions options;
  options.profile = "none";
  options.specDefaults = specDefaults;
  options.specializations = std::move(values);
  const LowerResult result = lower(words, options);
  if (result.kind != Lowering::Declined) return {};
  return result.reasons;
}

// A sum of matrices of workgroup scope with `rows` rows. `size` declares the workgroup's size.
std::string sum(const std::string& size, const std::string& rows, const std::string& first = "") {
  return "#extension GL_KHR_cooperative_matrix : require\n#extension GL_NV_cooperative_matrix2 : enable\n"
         "#extension GL_KHR_memory_scope_semantics : require\n" +
         size + "layout(binding = 0) buffer B { float x[]; } b;\nvoid main() {\n" + first +
         "  coopmat<float, gl_ScopeWorkgroup, " + rows +
         ", 128, gl_MatrixUseAccumulator> m;\n  coopMatLoad(m, b.x, 0, 128, 0);\n  m = m + m;\n"
         "  coopMatStore(m, b.x, 0, 128, 0);\n}\n";
}

}  // namespace

TEST_CASE("reasons name specialization constants by their names and SpecIds") {
  const std::string size = "layout(local_size_x = 128) in;\nlayout(constant_id = 7) const uint ROWS = 128;\n";
  const std::string text =
      "a matrix type's size or scope depends on a specialization constant that has no value: ";
  const std::vector<uint32_t> words = compileText(sum(size, "ROWS"));
  CHECK(reasonsOf(words) == std::vector<std::string>{text + "`ROWS` (SpecId 7)"});
  CHECK(reasonsOf(compileText(sum(size, "(ROWS / 2)"))) ==
        std::vector<std::string>{text + "`ROWS` (SpecId 7)"});
  CHECK(reasonsOf(without(words, spv::Op::OpName)) == std::vector<std::string>{text + "SpecId 7"});
  CHECK(reasonsOf(words, false, {{7, 64}}).empty());

  const std::string vector =
      "#extension GL_NV_cooperative_vector : require\nlayout(constant_id = 3) const uint LENGTH = 8;\n"
      "layout(binding = 0) buffer B { float x[]; } b;\nvoid main() {\n  coopvecNV<float, LENGTH> v;\n"
      "  coopVecLoadNV(v, b.x, 0);\n  v = v + v;\n  coopVecStoreNV(v, b.x, 0);\n}\n";
  CHECK(
      reasonsOf(compileText(vector)) ==
      std::vector<std::string>{"the number of components of a cooperative vector depends on a specialization "
                               "constant that has no value: `LENGTH` (SpecId 3)"});

  const std::string tensorLayout =
      "#extension GL_KHR_cooperative_matrix : require\n#extension GL_NV_cooperative_matrix2 : require\n"
      "#extension GL_KHR_memory_scope_semantics : require\n"
      "layout(local_size_x = 128) in;\nlayout(constant_id = 5) const uint DIMENSIONS = 2;\n"
      "layout(binding = 0) buffer B { float x[]; } b;\nvoid main() {\n"
      "  coopmat<float, gl_ScopeWorkgroup, 64, 64, gl_MatrixUseAccumulator> m;\n"
      "  tensorLayoutNV<DIMENSIONS> t = createTensorLayoutNV(DIMENSIONS);\n"
      "  coopMatLoadTensorNV(m, b.x, 0, t);\n  coopMatStoreTensorNV(m, b.x, 0, t);\n}\n";
  CHECK(reasonsOf(compileText(tensorLayout)) ==
        std::vector<std::string>{
            "a tensor layout's or view's type depends on a specialization constant that has "
            "no value: `DIMENSIONS` (SpecId 5)"});
}

TEST_CASE("reasons name variables") {
  std::vector<uint32_t> words = compileText(sum("layout(local_size_x = 128) in;\n", "64"));
  const std::vector<uint32_t> unbound =
      without(words, spv::Op::OpDecorate, 2, uint32_t(spv::Decoration::Binding));
  CHECK(reasonsOf(unbound) ==
        std::vector<std::string>{"not a valid module: a resource has no descriptor set or no binding: `b`"});
  const std::vector<std::string> unnamed = reasonsOf(without(unbound, spv::Op::OpName));
  REQUIRE(unnamed.size() == 1);
  CHECK(unnamed[0].find("no binding: %") != std::string::npos);
}

// coopval's rules for devices read profiles in the same way (docs/devices/profiles.md).
TEST_CASE("what a profile does not state about flexible shapes limits nothing") {
  const std::vector<uint32_t> words = compileText(sum("layout(local_size_x = 128) in;\n", "64"));
  const auto lowered = [&](const std::string& invocations, const std::string& dimension) {
    const std::string profile =
        R"({"name": "p", "vulkan": "1.3.0", "subgroupSize": 32, "maxWorkgroupInvocations": 1024,
            "features": ["vulkanMemoryModel", "vulkanMemoryModelDeviceScope", "cooperativeMatrix",
                         "cooperativeMatrixFlexibleDimensions", "cooperativeMatrixWorkgroupScope"],
            "flexibleShapes": [{"m": 16, "n": 16, "k": 16, "a": "f16", "b": "f16", "c": "f32",
                                "result": "f32", "scope": "workgroup")" +
        invocations + "}]" + dimension + "}";
    LowerOptions options;
    options.profile = profile;
    const LowerResult result = lower(words, options);
    CHECK(result.error == "");
    return result.kind;
  };
  const std::string invocations = ", \"workgroupInvocations\": ",
                    most = ", \"flexibleDimensionsMaxDimension\": ";
  CHECK(lowered(invocations + "128", most + "128") == Lowering::Native);
  CHECK(lowered("", most + "128") == Lowering::Native);
  CHECK(lowered(invocations + "128", "") == Lowering::Native);
  CHECK(lowered(invocations + "64", most + "128") != Lowering::Native);
  CHECK(lowered(invocations + "128", most + "64") != Lowering::Native);
}

TEST_CASE("a workgroup whose size is a default of specialization constants is a reason") {
  const std::vector<uint32_t> unnamed = compileText(sum("layout(local_size_x_id = 5) in;\n", "128"));
  const std::vector<std::string> reasons = reasonsOf(unnamed, true);
  REQUIRE(reasons.size() == 2);
  CHECK(reasons[1] ==
        "the workgroup has 1 invocation by the default of a specialization constant, which needs the "
        "pipeline's "
        "value: SpecId 5");
  CHECK(reasonsOf(unnamed, true, {{5, 128}}).empty());
  // The constants of the size have no names. WIDTH is another constant with the same SpecId.
  const std::vector<std::string> named =
      reasonsOf(compileText(sum("layout(local_size_x = 2, local_size_x_id = 5, local_size_y_id = 6) in;\n"
                                "layout(constant_id = 5) const uint WIDTH = 2;\nshared uint s[WIDTH];\n",
                                "128", "s[0] = 1;")),
                true);
  REQUIRE(named.size() == 2);
  CHECK(named[1] ==
        "the workgroup has 2 invocations by the defaults of specialization constants, which need the "
        "pipeline's "
        "values: `WIDTH` (SpecId 5), SpecId 6");
  // A size that is not by specialization constants gives no such reason.
  const std::vector<std::string> fixed =
      reasonsOf(compileText(sum("layout(local_size_x = 1) in;\n", "128")), true);
  CHECK(fixed.size() == 1);
}
