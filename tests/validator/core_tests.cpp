// Core rules by SPIRV-Tools: they are applied only if our rules hold, and only to what the linked version
// supports.
#include <catch2/catch_test_macros.hpp>
#include <spirv-tools/libspirv.h>

#include "coopc/core.hpp"
#include "spirv/instruction_walk.hpp"
#include "tests/support/random.hpp"
#include "tests/validator/cases.hpp"

namespace coopc::tests {
namespace {

constexpr int kChangedModules = 600;

ValidateResult check(const std::string& text, const ValidateOptions& options = {}) {
  const std::vector<uint32_t> words = assembleModule(text);
  ValidateResult result = validate(words, options);
  validateCore(words, {}, options, result);
  return result;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

TEST_CASE("core rules are checked where the module is known to SPIRV-Tools") {
  const std::string text = baseText("device");
  for (const char* name : {"khr", "nv2", "vector", "device"}) {
    const ValidateResult good = check(baseText(name));
    INFO(renderText({name, good}));
    CHECK(good.findings.empty());
  }
  const ValidateResult bad = check(replaced(text, "OpReturn\n", "%sum = OpIAdd %u32 %u0 %f16\nOpReturn\n"));
  REQUIRE(bad.findings.size() == 1);
  CHECK(bad.findings[0].rule == findRule("core"));
  // SPIRV-Tools' message has the instruction on a separate line.
  CHECK(bad.findings[0].message.find('\n') == std::string::npos);
  CHECK(bad.findings[0].message.find(" = OpIAdd %uint %uint_0 %half)") != std::string::npos);
  CHECK(renderText({"device", bad}).find('?') == std::string::npos);
  ValidateOptions options;
  options.suppress = {"core"};
  CHECK(check(replaced(text, "OpReturn\n", "%sum = OpIAdd %u32 %u0 %f16\nOpReturn\n"), options)
            .findings.empty());
}

// Since 2025.2, SPIRV-Tools supports bfloat16 and 8-bit floats; its versions can be compared as texts
// ("v2025.1").
TEST_CASE("what SPIRV-Tools does not know is left unchecked, with its name") {
  const ValidateResult result = check(baseText("small_floats"));
  if (std::string_view(spvSoftwareVersionString()) > "v2025.1~") {
    INFO(renderText({"small_floats", result}));
    CHECK(result.findings.empty());
    return;
  }
  REQUIRE(result.findings.size() == 1);
  for (const Finding& f : result.findings) {
    CHECK(f.rule == findRule("core-unchecked"));
    CHECK(f.severity == FindingSeverity::Note);
    CHECK(f.message.find("Invalid") != std::string::npos);
  }
}

// SPIRV-Tools recurses over types: 20,000 levels end a thread with a small stack, and take minutes in others.
TEST_CASE("types that nest too deeply do not reach SPIRV-Tools") {
  const auto nested = [](int levels) {
    std::string text =
        "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\n"
        "OpExecutionMode %main LocalSize 1 1 1\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n"
        "%u32 = OpTypeInt 32 0\n%one = OpConstant %u32 1\n%type1 = OpTypeArray %u32 %one\n";
    for (int n = 2; n < levels; ++n)
      text += "%type" + std::to_string(n) + " = OpTypeArray %type" + std::to_string(n - 1) + " %one\n";
    return text + "%main = OpFunction %void None %fn\n%entry = OpLabel\nOpReturn\nOpFunctionEnd\n";
  };
  CHECK(check(nested(1000)).findings.empty());
  const ValidateResult deep = check(nested(20000));
  REQUIRE(deep.findings.size() == 1);
  CHECK(deep.findings[0].rule == findRule("core-unchecked"));
  CHECK(deep.findings[0].message == "core rules are unchecked, types nest more than 1000 deep");
  CHECK(deep.findings[0].disassembly.find("_1005 = OpTypeArray") != std::string::npos);
}

TEST_CASE("modules that break our rules never reach SPIRV-Tools, suppressed or not") {
  // Released versions abort on malformed decode functions.
  for (const RuleCase& c : readCases()) {
    if (c.rule.rfind("decode-", 0) != 0) continue;
    INFO(c.rule);
    const ValidateResult result = check(c.text);
    CHECK(result.count(FindingSeverity::Error) >= 1);
    ValidateOptions options;
    options.suppress = {c.rule};
    for (const Finding& f : check(c.text, options).findings) CHECK(f.rule != findRule("core"));
  }
}

// Released versions of SPIRV-Tools abort on some malformed modules (a decode function that is not a function,
// for example). Our rules must reject all such modules. An abort would end this program.
TEST_CASE("changed modules that our rules accept do not abort SPIRV-Tools") {
  Xorshift random{0x9E3779B97F4A7C11u};
  size_t asked = 0, refused = 0;
  for (const char* name : {"khr", "nv2", "vector", "device"}) {
    const std::vector<uint32_t> good = assembleModule(baseText(name));
    std::vector<size_t> starts;
    spirv::InstructionWalk i(good);
    while (i.next()) starts.push_back(i.at());
    for (int n = 0; n < kChangedModules; ++n) {
      std::vector<uint32_t> words = good;
      for (uint32_t k = random.below(3); k < 3; ++k) {
        // An operand of one instruction becomes another id, or a small number.
        const size_t at = starts[random.below(starts.size())];
        const uint32_t length = words[at] >> spv::WordCountShift;
        if (length < 2) continue;
        words[at + 1 + random.below(length - 1)] =
            random.below(3) == 0 ? random.below(40) : 1 + random.below(good[3] - 1);
      }
      ValidateResult result = validate(words);
      if (!result.ok()) {
        ++refused;
        continue;
      }
      validateCore(words, {}, {}, result);
      for (const Finding& f : result.findings) {
        INFO(name << ": " << f.message);
        CHECK(f.message.find("SPIRV-Tools failed") == std::string::npos);
      }
      ++asked;
    }
  }
  CHECK(asked > 100);
  CHECK(refused > 100);
}

}  // namespace
}  // namespace coopc::tests
