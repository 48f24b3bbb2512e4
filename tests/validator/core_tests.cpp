// Core rules by SPIRV-Tools: only where our rules hold, and only of what the linked version knows.
#include <catch2/catch_test_macros.hpp>

#include "tests/validator/cases.hpp"

namespace coopc::tests {
namespace {

ValidateResult check(const std::string& text, const ValidateOptions& options = {}) {
  const std::vector<uint32_t> words = assembleModule(text);
  ValidateResult result = validate(words, options);
  validateCore(words, CoreEnvironment::FromModule, options, result);
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
  ValidateOptions options;
  options.suppress = {"core"};
  CHECK(check(replaced(text, "OpReturn\n", "%sum = OpIAdd %u32 %u0 %f16\nOpReturn\n"), options)
            .findings.empty());
}

TEST_CASE("what SPIRV-Tools does not know is left unchecked, with its name") {
  const ValidateResult result = check(baseText("small_floats"));
  for (const Finding& f : result.findings) {
    CHECK(f.rule == findRule("core-unchecked"));
    CHECK(f.severity == FindingSeverity::Note);
    CHECK(f.message.find("Invalid") != std::string::npos);
  }
}

TEST_CASE("modules that break our rules never reach SPIRV-Tools, suppressed or not") {
  // Malformed decode functions abort its released versions.
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

}  // namespace
}  // namespace coopc::tests
