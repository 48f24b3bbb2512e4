// core.hpp and core.h: the effect of each option, assembling, and the C interface.
#include <cstring>
#include <string>
#include <string_view>

#include <catch2/catch_test_macros.hpp>

#include "coopc/coopc.hpp"
#include "coopc/core.h"
#include "coopc/core.hpp"

namespace coopc::tests {
namespace {

// A block {float; `second`} in `storage`, with the second member at `offset`.
std::string blockModule(const std::string& storage, const std::string& second, int offset,
                        const std::string& more = "") {
  return "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\n"
         "OpExecutionMode %main LocalSize 1 1 1\n"
         "OpDecorate %block Block\nOpDecorate %v DescriptorSet 0\nOpDecorate %v Binding 0\n"
         "OpMemberDecorate %block 0 Offset 0\nOpMemberDecorate %block 1 Offset " +
         std::to_string(offset) + "\n" + more +
         "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%f32 = OpTypeFloat 32\n%u32 = OpTypeInt 32 0\n"
         "%vec3 = OpTypeVector %f32 3\n%vec2 = OpTypeVector %f32 2\n%c2 = OpConstant %u32 2\n%array = "
         "OpTypeArray %f32 %c2\n"
         "%vectors = OpTypeArray %vec3 %c2\n"
         "%block = OpTypeStruct %f32 %" +
         second + "\n%pointer = OpTypePointer " + storage + " %block\n%v = OpVariable %pointer " + storage +
         "\n%main = OpFunction %void None %fn\n%label = OpLabel\nOpReturn\nOpFunctionEnd\n";
}

std::vector<uint32_t> assembled(const std::string& text, uint32_t version = 0x00010000) {
  std::string error;
  std::vector<uint32_t> words =
      assemble(text, {.spirvVersion = version, .preserveNumericIds = false}, &error);
  INFO(text << error);
  REQUIRE(!words.empty());
  return words;
}

size_t findings(const std::vector<uint32_t>& words, const CoreOptions& core) {
  ValidateResult result = validate(words);
  REQUIRE(result.findings.empty());
  validateCore(words, core, {}, result);
  for (const Finding& f : result.findings) CHECK(f.rule == findRule("core"));
  return result.findings.size();
}

constexpr CoreOptions kStrict{.environment = CoreEnvironment::Vulkan10,
                              .scalarBlockLayout = false,
                              .workgroupScalarBlockLayout = false};

// The extension has opcodes and capabilities of SPV_NV_cooperative_matrix2, and the linked SPIRV-Tools lacks
// it.
TEST_CASE("core: operations of SPV_EXT_cooperative_matrix_maintenance1 need no other extension") {
  Options options;
  options.targetEnv = TargetEnv::Vulkan1_3;
  const Result module = compile(R"(#version 450
#extension GL_KHR_cooperative_matrix : require
#extension GL_EXT_cooperative_matrix_maintenance1 : require
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Data { float x[]; };
float twice(const in uint row, const in uint column, const in float element) { return 2.0 * element; }
void main() {
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m;
  coopMatLoad(m, x, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
  coopMatPerElementEXT(m, m, twice);
  coopMatStore(m, x, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
}
)",
                                "a.comp", options);
  INFO(module.messages);
  REQUIRE(module.ok);
  CHECK(findings(module.words, {}) == 0);
  // Without either extension the module is invalid.
  std::vector<uint32_t> wrong = module.words;
  const std::string_view name = "SPV_EXT_cooperative_matrix_maintenance1";
  char* const bytes = reinterpret_cast<char*>(wrong.data());
  const size_t at = std::string_view(bytes, wrong.size() * 4).find(name);
  REQUIRE(at != std::string_view::npos);
  bytes[at + 4] = 'X';
  ValidateResult result = validate(wrong);
  validateCore(wrong, {}, {}, result);
  REQUIRE(result.findings.size() == 1);
  CHECK(result.findings[0].rule == findRule("extension-missing"));
}

TEST_CASE("core options: each layout that one allows is an error without it") {
  struct Row {
    bool CoreOptions::*option;
    std::string text;
  };
  const Row rows[] = {{&CoreOptions::relaxBlockLayout, blockModule("Uniform", "vec3", 4)},
                      {&CoreOptions::uniformBufferStandardLayout,
                       blockModule("Uniform", "array", 4, "OpDecorate %array ArrayStride 4\n")},
                      {&CoreOptions::scalarBlockLayout,
                       blockModule("Uniform", "vectors", 4, "OpDecorate %vectors ArrayStride 12\n")},
                      {&CoreOptions::skipBlockLayout, blockModule("Uniform", "vec2", 2)}};
  for (const Row& row : rows) {
    INFO(row.text);
    const std::vector<uint32_t> words = assembled(row.text);
    CHECK(findings(words, kStrict) == 1);
    CoreOptions options = kStrict;
    options.*row.option = true;
    CHECK(findings(words, options) == 0);
  }
  // By default, everything that at least one device may allow is valid.
  CHECK(findings(assembled(rows[2].text), {.environment = CoreEnvironment::Vulkan10}) == 0);
  CHECK(findings(assembled(rows[3].text), {.environment = CoreEnvironment::Vulkan10}) == 1);
}

TEST_CASE("core options: LocalSizeId before Vulkan 1.3") {
  std::string text = blockModule("Uniform", "vec3", 16);
  const std::string mode = "OpExecutionMode %main LocalSize 1 1 1\n";
  text.replace(text.find(mode), mode.size(), "OpExecutionModeId %main LocalSizeId %c2 %c2 %c2\n");
  const std::vector<uint32_t> words = assembled(text, 0x00010500);
  CoreOptions options{.environment = CoreEnvironment::Vulkan12};
  CHECK(findings(words, options) == 1);
  options.allowLocalSizeId = true;
  CHECK(findings(words, options) == 0);
}

TEST_CASE("assemble: what the disassembler writes comes back") {
  Options options;
  options.targetEnv = TargetEnv::Vulkan1_2;
  const Result compiled =
      compile("#version 450\nlayout(binding = 0) buffer B { float a[]; };\nvoid main() { a[0] += 1.0; }\n",
              "a.comp", options);
  REQUIRE(compiled.ok);
  std::string error = "untouched";
  const std::string text = disassemble(compiled.words);
  const std::vector<uint32_t> words = assemble(text, {.spirvVersion = 0x00010500}, &error);
  CHECK(error == "untouched");
  REQUIRE(words.size() == compiled.words.size());
  CHECK(words[1] == 0x00010500);
  // Ids are first renumbered in the order of their first use.
  CHECK(assemble(disassemble(words), {.spirvVersion = 0x00010500}) == words);
  CHECK(assemble("%7 = OpTypeVoid\n", {.preserveNumericIds = true})[3] == 8);
  CHECK(assemble("%7 = OpTypeVoid\n")[3] == 2);
}

TEST_CASE("assemble: errors have a place") {
  std::string error;
  CHECK(assemble("OpCapability Shader\n%1 = OpTypeNonsense\n", {}, &error).empty());
  CHECK(error.rfind("2:6: ", 0) == 0);  // lines and columns count from 1
  CHECK(error.find("OpTypeNonsense") != std::string::npos);
  CHECK(assemble("OpCapability Shader\n", {.spirvVersion = 0x00020000}, &error).empty());
  CHECK(error == "the SPIR-V version is not 1.0 to 1.6");
  CHECK(assemble("nonsense").empty());
}

TEST_CASE("the C interface of core SPIR-V") {
  const std::string text = blockModule("Uniform", "vec3", 4);
  coopc_core* module = coopc_core_assemble(text.data(), text.size(), 0x00010000, 0);
  REQUIRE(coopc_core_status(module) == COOPC_STATUS_OK);
  CHECK(coopc_core_message(module) == std::string());
  size_t count = 0;
  const uint32_t* words = coopc_core_words(module, &count);
  CHECK(std::vector<uint32_t>(words, words + count) == assembled(text));
  struct Row {
    coopc_core_environment environment;
    uint32_t flags;
    coopc_status status;
  };
  for (const Row& row : {Row{COOPC_CORE_VULKAN_1_0, 0, COOPC_STATUS_INPUT_ERROR},
                         Row{COOPC_CORE_VULKAN_1_0, COOPC_CORE_RELAX_BLOCK_LAYOUT, COOPC_STATUS_OK},
                         Row{COOPC_CORE_VULKAN_1_0, COOPC_CORE_DEFAULT_FLAGS, COOPC_STATUS_OK},
                         Row{COOPC_CORE_VULKAN_1_1, 0, COOPC_STATUS_OK},
                         Row{COOPC_CORE_VULKAN_1_1, 2048, COOPC_STATUS_BAD_ARGUMENT},
                         Row{static_cast<coopc_core_environment>(7), 0, COOPC_STATUS_BAD_ARGUMENT}}) {
    coopc_core* checked = coopc_core_validate(words, count, row.environment, row.flags);
    INFO(row.environment << " " << row.flags << " " << coopc_core_message(checked));
    CHECK(coopc_core_status(checked) == row.status);
    CHECK((coopc_core_message(checked)[0] == 0) == (row.status == COOPC_STATUS_OK));
    CHECK(coopc_core_words(checked, &count) == nullptr);
    CHECK(count == 0);
    words = coopc_core_words(module, &count);
    coopc_core_destroy(checked);
  }
  coopc_core_destroy(module);

  const auto ends = [&](coopc_core* core, coopc_status status) {
    CHECK(coopc_core_status(core) == status);
    CHECK(coopc_core_message(core) != std::string());
    coopc_core_destroy(core);
  };
  coopc_core* newest = coopc_core_assemble(text.data(), text.size(), 0, 0);  // the default version
  CHECK(coopc_core_status(newest) == COOPC_STATUS_OK);
  coopc_core_destroy(newest);
  ends(coopc_core_validate(nullptr, 3, COOPC_CORE_UNIVERSAL, 0), COOPC_STATUS_BAD_ARGUMENT);
  ends(coopc_core_validate(nullptr, 0, COOPC_CORE_UNIVERSAL, 0), COOPC_STATUS_INPUT_ERROR);
  ends(coopc_core_assemble(nullptr, 3, 0, 0), COOPC_STATUS_BAD_ARGUMENT);
  ends(coopc_core_assemble("", 0, 7, 0), COOPC_STATUS_BAD_ARGUMENT);
  ends(coopc_core_assemble("nonsense", 8, 0, 0), COOPC_STATUS_INPUT_ERROR);
  CHECK(coopc_core_status(nullptr) == COOPC_STATUS_OUT_OF_MEMORY);
  CHECK(coopc_core_message(nullptr) == std::string());
  CHECK(coopc_core_words(nullptr, nullptr) == nullptr);
  coopc_core_destroy(nullptr);
}

}  // namespace
}  // namespace coopc::tests
