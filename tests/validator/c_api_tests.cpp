// Tests of include/coopc/validate.h.
#include <string>

#include <catch2/catch_test_macros.hpp>

#include "coopc/validate.h"
#include "tests/validator/cases.hpp"

namespace coopc::tests {
namespace {

TEST_CASE("the C interface gives the same findings") {
  std::string text = baseText("khr");
  const std::string from = "OpCooperativeMatrixStoreKHR %tileAt %made %u1 %u16";
  text.replace(text.find(from), from.size(), "OpCooperativeMatrixStoreKHR %tileAt %made %u1 %u0");
  const std::vector<uint32_t> words = assembleModule(text);

  coopc_findings* findings = coopc_validate(words.data(), words.size(), nullptr);
  REQUIRE(findings != nullptr);
  CHECK(coopc_findings_ok(findings) == 0);
  REQUIRE(coopc_findings_count(findings) == 1);
  coopc_finding finding;
  REQUIRE(coopc_findings_get(findings, 0, &finding) == 1);
  CHECK(std::string(finding.rule) == "matrix-store-stride-zero");
  CHECK(finding.level == COOPC_RULE_MODULE);
  CHECK(finding.severity == COOPC_FINDING_ERROR);
  CHECK(std::string(finding.message).find("stride") != std::string::npos);
  CHECK(std::string(finding.disassembly).rfind("OpCooperativeMatrixStoreKHR", 0) == 0);
  CHECK(coopc_findings_get(findings, 1, &finding) == 0);
  coopc_findings_destroy(findings);

  coopc_validate_options* options = coopc_validate_options_create();
  REQUIRE(options != nullptr);
  CHECK(coopc_validate_options_suppress(options, "matrix-store-stride-zero") == 1);
  CHECK(coopc_validate_options_specialize(options, 0, 16) == 1);
  findings = coopc_validate(words.data(), words.size(), options);
  CHECK(coopc_findings_ok(findings) == 1);
  coopc_findings_destroy(findings);
  coopc_validate_options_set_max_findings(options, 0);
  CHECK(coopc_validate_options_suppress(options, "core") == 1);
  size_t length = 0;
  const char* lavapipe = coopc_shipped_profile("lavapipe", &length);
  REQUIRE(lavapipe != nullptr);
  CHECK(coopc_shipped_profile("no such device", nullptr) == nullptr);
  CHECK(coopc_validate_options_set_profile(options, lavapipe, length) == 1);
  findings = coopc_validate(words.data(), words.size(), options);
  CHECK(coopc_findings_count(findings) == 0);
  CHECK(coopc_findings_dropped(findings) > 0);
  coopc_findings_destroy(findings);
  CHECK(coopc_validate_options_set_profile(options, nullptr, 1) == 0);
  CHECK(coopc_validate_options_suppress(options, nullptr) == 0);
  CHECK(coopc_validate_options_set_profile(options, "{}", 2) == 1);
  findings = coopc_validate(words.data(), words.size(), options);
  CHECK(std::string(coopc_findings_error(findings)) != "");
  coopc_findings_destroy(findings);
  coopc_validate_options_destroy(options);
}

TEST_CASE("through the C interface values of specialization constants are given, and unknown ones named") {
  for (const RuleCase& c : readCases()) {
    if (c.rule != "tensor-dim-range" || c.specializations.empty()) continue;
    const std::vector<uint32_t> words = wordsOf(c);
    coopc_validate_options* options = coopc_validate_options_create();
    coopc_finding finding;
    CHECK(coopc_validate_options_specialize(options, 77, 0) == 1);
    CHECK(coopc_validate_options_specialize(options, 78, 0) == 1);
    CHECK(coopc_validate_options_specialize(options, c.specializations[0].id, c.specializations[0].value) ==
          1);
    coopc_findings* findings = coopc_validate(words.data(), words.size(), options);
    REQUIRE(coopc_findings_get(findings, 0, &finding) == 1);
    CHECK(finding.severity == COOPC_FINDING_ERROR);
    uint32_t ids[2] = {0, 0};
    CHECK(coopc_findings_unknown_spec_ids(findings, ids, 1) == 2);
    CHECK(ids[0] == 77);
    CHECK(ids[1] == 0);
    coopc_findings_destroy(findings);
    coopc_validate_options_destroy(options);
    findings = coopc_validate(words.data(), words.size(), nullptr);
    REQUIRE(coopc_findings_get(findings, 0, &finding) == 1);
    CHECK(finding.severity == COOPC_FINDING_WARNING);
    CHECK(coopc_findings_unknown_spec_ids(findings, ids, 2) == 0);
    coopc_findings_destroy(findings);
  }
}

extern "C" int coopc_c_header_use(const uint32_t* words, size_t count);  // c_header.c

TEST_CASE("the C interface is C") {
  const std::vector<uint32_t> words = assembleModule(baseText("khr"));
  CHECK(coopc_c_header_use(words.data(), words.size()) == 1);
  CHECK(coopc_c_header_use(words.data(), 3) == 0);
}

TEST_CASE("the C interface gives notes") {
  for (const RuleCase& c : readCases()) {
    if (c.rule != "callback-tangled") continue;
    const std::vector<uint32_t> words = wordsOf(c);
    coopc_findings* findings = coopc_validate(words.data(), words.size(), nullptr);
    coopc_finding finding;
    REQUIRE(coopc_findings_get(findings, 0, &finding) == 1);
    REQUIRE(finding.note_count > 0);
    CHECK(std::string(coopc_findings_note(findings, 0, 0)).find('`') == 0);
    CHECK(coopc_findings_note(findings, 0, finding.note_count) == nullptr);
    CHECK(coopc_findings_note(findings, 99, 0) == nullptr);
    coopc_findings_destroy(findings);
  }
}

}  // namespace
}  // namespace coopc::tests
