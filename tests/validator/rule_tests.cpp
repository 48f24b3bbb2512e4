// Each rule: a module that obeys it (its base) and modules that break it and nothing else.
#include <algorithm>
#include <set>

#include <catch2/catch_test_macros.hpp>

#include "frontend/base/diagnostics.hpp"
#include "tests/support/expected_file.hpp"
#include "tests/validator/cases.hpp"

namespace coopc::tests {
namespace {

std::string textOf(const ValidateResult& result) { return renderText({"module", result}); }

TEST_CASE("the base modules obey all rules") {
  for (const char* name : {"khr", "small_floats", "nv2", "maintenance1", "decode_vector", "vector",
                           "split_barrier", "heaps", "attachments", "tensors", "device"}) {
    const ValidateResult result = validate(assembleModule(baseText(name)));
    INFO(name << ":\n" << textOf(result));
    CHECK(result.readable);
    CHECK(result.findings.empty());
  }
  RuleCase vectors;
  vectors.profile = "vectors";
  const ValidateResult onVectors = validate(assembleModule(baseText("vector")), optionsOf(vectors));
  INFO(textOf(onVectors));
  CHECK(onVectors.error.empty());
  CHECK(onVectors.findings.empty());
  size_t withMatrices = 0;
  for (const ShippedProfile& p : shippedProfiles()) {
    ValidateOptions options;
    options.profile = p.text;
    const ValidateResult result = validate(assembleModule(baseText("device")), options);
    INFO(p.name << ":\n" << textOf(result));
    CHECK(result.error.empty());
    // The module has matrices.
    const bool has = p.text.find("\"VK_KHR_cooperative_matrix\"") != std::string_view::npos;
    CHECK(result.findings.empty() == has);
    withMatrices += has ? 1 : 0;
  }
  CHECK(withMatrices == 8);
}

// Modules that a rule could forbid by mistake.
TEST_CASE("modules at the edge of rules have no findings") {
  const auto check = [](std::string text, const std::vector<std::pair<std::string, std::string>>& changes) {
    for (const auto& [from, to] : changes) {
      INFO(from);
      const size_t at = text.find(from);
      REQUIRE(at != std::string::npos);
      text.replace(at, from.size(), to);
    }
    const ValidateResult result = validate(assembleModule(text));
    INFO(textOf(result));
    CHECK(result.readable);
    CHECK(result.findings.empty());
  };
  // A layout that is used before its dimensions are set again, or that is kept in another variable.
  check(baseText("nv2"), {{"%w0 = OpCreateTensorViewNV %viewN",
                           "%w0 = OpCreateTensorViewNV %viewN\n"
                           "%other = OpTensorLayoutSetDimensionNV %layout %t3 %u64 %u64\n"
                           "%strided = OpTensorLayoutSetStrideNV %layout %other %u64 %u1\n"
                           "OpStore %heldLayout %strided\n%first = OpLoad %layout %heldLayout\n"
                           "%resized = OpTensorLayoutSetDimensionNV %layout %first %u64 %u64\n"
                           "%second = OpLoad %layout %heldLayout\nOpStore %heldLayout %resized"}});
  // Strides that are visibly multiples of 16 bytes, or of the value of a specialization constant.
  for (const char* stride :
       {"%visible = OpBitwiseAnd %u32 %dynamic %u16", "%visible = OpIMul %u32 %dynamic %u8c",
        "%visible = OpIMul %u32 %dynamic %specN", "%visible = OpShiftLeftLogical %u32 %dynamic %u3"}) {
    check(baseText("nv2"),
          {{"OpStore %heldLayout %t3",
            std::string(stride) + "\n%wide2 = OpTensorLayoutSetStrideNV %layout %t1 %visible %u1\n"
                                  "%wide3 = OpTensorLayoutSliceNV %layout %wide2 %u0 %u16 %u32c %u32c\n"
                                  "%wide = OpCooperativeMatrixLoadTensorNV %accW %at %nullAccW %wide3 !0 !0\n"
                                  "OpStore %heldLayout %t3"}});
  }
  // A loop of one step with a request to unroll it, and a loop of two steps.
  const std::string step = "%product = OpCooperativeMatrixMulAddKHR %stepC %step %nullB2 %nullC2\n";
  const std::string again = "%twice = OpCooperativeMatrixMulAddKHR %stepC %step %nullB2 %product\n";
  for (const auto& [control, products] : {std::pair("Unroll", step), std::pair("None", step + again)}) {
    check(baseText("nv2"), {{"%acc = OpType",
                             "%stepA = OpTypeCooperativeMatrixKHR %f16 %u2 %u16 %u32c %u0\n"
                             "%stepB = OpTypeCooperativeMatrixKHR %f16 %u2 %u32c %u16 %u1\n"
                             "%stepC = OpTypeCooperativeMatrixKHR %f16 %u2 %u16 %u16 %u2\n"
                             "%nullA2 = OpConstantNull %stepA\n%nullB2 = OpConstantNull %stepB\n"
                             "%nullC2 = OpConstantNull %stepC\n%acc = OpType"},
                            {"%toWide = OpFConvert %acc32 %nullAcc",
                             "%toWide = OpFConvert %acc32 %nullAcc\nOpBranch %header\n%header = OpLabel\n"
                             "OpLoopMerge %end %next " +
                                 std::string(control) +
                                 "\nOpBranch %body\n%body = OpLabel\n"
                                 "%step = OpCooperativeMatrixLoadTensorNV %stepA %at %nullA2 %t3 !0 !0\n" +
                                 products +
                                 "OpBranch %next\n%next = OpLabel\nOpBranchConditional %true %header %end\n"
                                 "%end = OpLabel"}});
  }
  // The interpretation of an outer product need not be constant.
  check(baseText("vector"), {{"OpCooperativeVectorOuterProductAccumulateNV %at %u64c %input %limited %u3 %u0",
                              "%as = OpCompositeExtract %u32 %nullU "
                              "0\nOpCooperativeVectorOuterProductAccumulateNV %at %u64c %input "
                              "%limited %u3 %as"}});
  // Graphs have tensors with shapes, and their modules may have shaders.
  check(baseText("tensors"),
        {{"OpCapability TensorsARM\n", "OpCapability TensorsARM\nOpCapability GraphARM\n"},
         {"%byteArray = ", "%shaped = OpTypeTensorARM %u8 %u2 %at2\n%byteArray = "}});
  // Pointers to booleans and to long vectors count as pointers to scalars and to vectors.
  check(baseText("khr"),
        {{"%ptrA = OpTypePointer",
          "%flags = OpTypeArray %bool %u16\n%ptrFlags = OpTypePointer Workgroup %flags\n"
          "%ptrFlag = OpTypePointer Workgroup %bool\n%flagsVar = OpVariable %ptrFlags Workgroup\n"
          "%ptrA = OpTypePointer"},
         {"%dynamic = OpLoad", "%flagAt = OpAccessChain %ptrFlag %flagsVar %u0\n%dynamic = OpLoad"},
         {"OpCooperativeMatrixStoreKHR %tileAt %made %u1 %u16",
          "OpCooperativeMatrixStoreKHR %flagAt %made %u1 %u16"}});
  check(baseText("khr"),
        {{"OpCapability CooperativeMatrixKHR\n", "OpCapability CooperativeMatrixKHR\nOpCapability !5425\n"},
         {"OpExtension \"SPV_KHR_cooperative_matrix\"\n",
          "OpExtension \"SPV_KHR_cooperative_matrix\"\nOpExtension \"SPV_EXT_long_vector\"\n"},
         {"%ptrA = OpTypePointer",
          "%long = OpTypeCooperativeVectorNV %f16 %u8c\n%longs = OpTypeArray %long %u16\n"
          "%ptrLongs = OpTypePointer Workgroup %longs\n%ptrLong = OpTypePointer Workgroup %long\n"
          "%longsVar = OpVariable %ptrLongs Workgroup\n%ptrA = OpTypePointer"},
         {"%dynamic = OpLoad", "%longAt = OpAccessChain %ptrLong %longsVar %u0\n%dynamic = OpLoad"},
         {"OpCooperativeMatrixStoreKHR %tileAt %made %u1 %u16",
          "OpCooperativeMatrixStoreKHR %longAt %made %u1 %u16"}});
}

// Cases that other tests missed: found by faults that were put into the rules.
TEST_CASE("more modules at the edge of rules have no findings") {
  const auto check = [](const char* base, const std::vector<std::pair<std::string, std::string>>& changes) {
    std::string text = baseText(base);
    for (const auto& [from, to] : changes) {
      INFO(from);
      const size_t at = text.find(from);
      REQUIRE(at != std::string::npos);
      text.replace(at, from.size(), to);
    }
    const ValidateResult result = validate(assembleModule(text));
    INFO(textOf(result));
    CHECK(result.readable);
    CHECK(result.findings.empty());
  };
  // A capability declares those that it implies: Float8CooperativeMatrixEXT declares Float8EXT.
  check("small_floats", {{"OpCapability !4212\n", ""}});
  // A built-in constant gives the workgroup size, if it comes before the matrix types.
  check("nv2", {{"OpExecutionMode %main LocalSize 32 1 1\n", ""},
                {"OpDecorate %specN SpecId 7\n",
                 "OpDecorate %specN SpecId 7\nOpDecorate %size BuiltIn WorkgroupSize\n"},
                {"%accW = OpType",
                 "%v3u32 = OpTypeVector %u32 3\n%size = OpConstantComposite %v3u32 %u32c %u1 %u1\n"
                 "%accW = OpType"}});
  // The target of a pointer parameter is unknown.
  check("khr", {{"%main = OpFunction %void None %fn\n",
                 "%fnHalf = OpTypeFunction %void %ptrHalf\n%given = OpFunction %void None %fnHalf\n"
                 "%where = OpFunctionParameter %ptrHalf\n%givenL = OpLabel\n"
                 "%givenM = OpCooperativeMatrixLoadKHR %matA %where %u0 %u16\nOpReturn\nOpFunctionEnd\n"
                 "%main = OpFunction %void None %fn\n"}});
  // Products of vectors may have components of 32 bits.
  check("vector",
        {{"%bits = OpBitcast",
          "%wideProduct = OpCooperativeVectorMatrixMulNV %vecF %input %u0 %at %u64c %u0 %u16 %u16 %u0 "
          "%false %u32c\n%bits = OpBitcast"}});
  // A function that calls itself, but that no callback reaches.
  check("nv2", {{"%combine = OpFunction %f16 None %fnCombine\n",
                 "%alone = OpFunction %void None %fn\n%aloneL = OpLabel\n"
                 "%again = OpFunctionCall %void %alone\nOpReturn\nOpFunctionEnd\n"
                 "%combine = OpFunction %f16 None %fnCombine\n"}});
}

// The assembler does not support these instructions: they are written as others with as many operands.
TEST_CASE("products and arithmetic of small floats by extensions have no findings") {
  struct Product {
    const char* capability;
    const char* extension;
    const char* text;
    uint32_t opcode;
  };
  const std::string e4m3 = "%v4e4m3 = OpTypeVector %e4m3 4\n%nullV4 = OpConstantNull %v4e4m3\n";
  const std::string f16 = "%v2f16 = OpTypeVector %f16 2\n%nullH2 = OpConstantNull %v2f16\n";
  const Product products[] = {
      {"4504", "SPV_QCOM_bfloat16_muladd", "OpSelect %f32 %dot %dot %float1", 4505},
      {"6912", "SPV_VALVE_mixed_float_dot_product", "OpSelect %f32 %nullH2 %nullH2 %float1", 6916},
      {"6913", "SPV_VALVE_mixed_float_dot_product", "OpSelect %f16 %nullH2 %nullH2 %half1", 6917},
      {"6914", "SPV_VALVE_mixed_float_dot_product", "OpSelect %f32 %nullV2 %nullV2 %float1", 6916},
      {"6914", "SPV_VALVE_mixed_float_dot_product", "OpSelect %bf16 %nullV2 %nullV2 %dot", 6917},
      {"6915", "SPV_VALVE_mixed_float_dot_product", "OpSelect %f32 %nullV4 %nullV4 %float1", 6918},
      {"6226", "SPV_EXT_bfloat16_arithmetic", "OpFMul %bf16 %dot %dot", 0},
      {"6226", "SPV_EXT_bfloat16_arithmetic", "OpVectorTimesScalar %v2bf16 %nullV2 %dot", 0},
      {"6226", "SPV_EXT_bfloat16_arithmetic", "OpFOrdLessThan %bool %dot %dot", 0},
  };
  int checked = 0;
  for (const Product& p : products) {
    RuleCase c;
    c.text = baseText("small_floats");
    const auto replace = [&](const std::string& from, const std::string& to) {
      const size_t at = c.text.find(from);
      REQUIRE(at != std::string::npos);
      c.text.replace(at, from.size(), to);
    };
    replace("OpCapability !4213\n", "OpCapability !4213\nOpCapability !" + std::string(p.capability) + "\n");
    replace("OpExtension \"SPV_EXT_float8\"\n",
            "OpExtension \"SPV_EXT_float8\"\nOpExtension \"" + std::string(p.extension) + "\"\n");
    replace("%halfs = OpTypeRuntimeArray", e4m3 + f16 + "%halfs = OpTypeRuntimeArray");
    replace("%picked = OpCompositeExtract %bf16 %nullV2 0", "%picked = " + std::string(p.text));
    if (p.opcode != 0) {
      c.patchFrom = 169;  // OpSelect
      c.patchTo = p.opcode;
    }
    const ValidateResult result = validate(wordsOf(c));
    INFO(p.text << ":\n" << textOf(result));
    CHECK(result.readable);
    CHECK(result.findings.empty());
    ++checked;
  }
  CHECK(checked == 9);
}

TEST_CASE("a broken module has the finding of its rule, at its instruction, and no other") {
  for (const RuleCase& c : readCases()) {
    INFO("cases.txt line " << c.line << ": " << c.rule << " in " << c.base);
    const RuleDescription* rule = findRule(c.rule);
    REQUIRE(rule != nullptr);
    const ValidateResult result = validate(wordsOf(c), optionsOf(c));
    INFO(textOf(result));
    CHECK(result.readable);
    CHECK(result.error.empty());
    size_t found = 0;
    for (const Finding& f : result.findings) {
      if (std::find(c.also.begin(), c.also.end(), f.rule->id) != c.also.end()) continue;
      CHECK(f.rule == rule);
      CHECK(f.severity == c.severity);
      CHECK(withoutResult(f.disassembly).rfind(c.at, 0) == 0);
      ++found;
    }
    CHECK((c.every ? found >= 1 : found == 1));
  }
}

// findings.expected has what coopval prints for each case: messages, notes, places and clauses.
TEST_CASE("a broken module's findings are printed as expected") {
  std::string text;
  for (const RuleCase& c : readCases()) {
    text += "# " + c.rule + " in " + c.base;
    if (!c.profile.empty()) text += " on " + c.profile;
    text += "\n" + textOf(validate(wordsOf(c), optionsOf(c))) + "\n";
  }
  checkExpected(std::string(COOPC_VALIDATOR_TESTS) + "/findings", text);
}

TEST_CASE("every rule has a case that breaks it") {
  std::set<std::string> covered = {"module-unreadable", "core",
                                   "core-unchecked"};  // core_tests.cpp, api_tests.cpp
  for (const RuleCase& c : readCases()) covered.insert(c.rule);
  for (const RuleDescription& rule : rules()) {
    if (rule.level == RuleLevel::Pipeline) continue;  // pipeline_tests.cpp
    INFO(rule.id);
    CHECK(covered.count(std::string(rule.id)) == 1);
  }
}

TEST_CASE("suppressed rules have no findings, and warnings can be errors") {
  for (const RuleCase& c : readCases()) {
    INFO("cases.txt line " << c.line << ": " << c.rule);
    ValidateOptions options = optionsOf(c);
    options.suppress = {c.rule};
    for (const std::string& other : c.also) options.suppress.push_back(other);
    const std::vector<uint32_t> words = wordsOf(c);
    CHECK(validate(words, options).findings.size() <= (c.rule == "callback-by-value" ? 4u : 0u));
    options.suppress.clear();
    options.warningsAsErrors = true;
    CHECK(validate(words, options).count(FindingSeverity::Warning) == 0);
  }
}

TEST_CASE("docs/rules-coverage.md names every rule, and no other") {
  const std::string text = readText(COOPC_RULES_COVERAGE_MD);
  std::set<std::string> others = {"coopval", "rule"};
  // The section on interfaces also names errors of the compiler.
  for (uint16_t n = 0; n < uint16_t(frontend::DiagKind::Count); ++n)
    others.insert(frontend::diagId(frontend::DiagKind(n)));
  std::set<std::string> named;
  for (size_t at = 0; (at = text.find('`', at)) != std::string::npos;) {
    const size_t end = text.find('`', at + 1);
    REQUIRE(end != std::string::npos);
    const std::string word = text.substr(at + 1, end - at - 1);
    if (word.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos &&
        word[0] != '-')
      named.insert(word);
    at = end + 1;
  }
  for (const RuleDescription& rule : rules()) {
    INFO(rule.id);
    CHECK(named.erase(std::string(rule.id)) == 1);
  }
  for (const std::string& word : named) {
    INFO(word);
    CHECK(others.count(word) == 1);
  }
}

TEST_CASE("docs/records/coopval-verdicts.md has each case") {
  const std::string text = readText(COOPC_VERDICTS_MD);
  for (const RuleCase& c : readCases()) {
    const std::string row = "| `" + c.rule + "` | " + std::to_string(c.line) + " |";
    INFO(row);
    CHECK(text.find(row) != std::string::npos);
  }
}

TEST_CASE("docs/rules.md is what the table says") {
  CHECK(readText(COOPC_RULES_MD) == renderRulesMarkdown());
}

}  // namespace
}  // namespace coopc::tests
