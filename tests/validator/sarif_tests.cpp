// Checks coopval's SARIF against the schema of SARIF 2.1.0.
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "tests/validator/cases.hpp"

namespace coopc::tests {
namespace {

using Json = nlohmann::json;

// The schema's errors about the document, one per line.
std::string against(const std::string& document) {
  static const Json text = Json::parse(readText(COOPC_SARIF_SCHEMA));
  valijson::Schema schema;
  valijson::SchemaParser parser(valijson::SchemaParser::kDraft4);
  parser.populateSchema(valijson::adapters::NlohmannJsonAdapter(text), schema);
  const Json json = Json::parse(document);
  valijson::Validator validator(valijson::Validator::kStrongTypes);
  valijson::ValidationResults results;
  validator.validate(schema, valijson::adapters::NlohmannJsonAdapter(json), &results);
  std::string lines;
  for (const auto& error : results) {
    for (const std::string& step : error.context) lines += step;
    lines += ": " + error.description + "\n";
  }
  return lines;
}

TEST_CASE("SARIF obeys its schema") {
  std::vector<CheckedFile> files;
  for (const RuleCase& c : readCases()) {
    files.push_back({"a folder/<" + c.rule + ">\xFF.spv", validate(wordsOf(c), optionsOf(c))});
  }
  files.push_back({"good.spv", validate(assembleModule(baseText("khr")))});
  files.push_back({"none.spv", validate(std::vector<uint32_t>{1, 2, 3})});
  // A file that could not be read, and one with line information.
  files.push_back({"/unreadable.spv", {}});
  files.back().result.error = "cannot be read";
  std::string lines = baseText("khr");
  const auto replace = [&](const std::string& from, const std::string& to) {
    const size_t at = lines.find(from);
    REQUIRE(at != std::string::npos);
    lines.replace(at, from.size(), to);
  };
  replace("OpDecorate %data DescriptorSet 0",
          "%file = OpString \"a b.comp\"\nOpDecorate %data DescriptorSet 0");
  replace("OpCooperativeMatrixStoreKHR %tileAt %made %u1 %u16",
          "OpLine %file 2 0\nOpCooperativeMatrixStoreKHR %tileAt %made %u1 %u0");
  files.push_back({"lines.spv", validate(assembleModule(lines))});
  const std::string sarif = renderSarif(files);
  CHECK(against(sarif) == "");
  CHECK(against(renderSarif({})) == "");

  // Checks that the schema rejects broken documents.
  Json broken = Json::parse(sarif);
  REQUIRE(broken["runs"][0]["results"].size() > 100);
  broken["runs"][0]["results"][0]["level"] = "fatal";
  CHECK(against(broken.dump()) != "");
  broken = Json::parse(sarif);
  broken["runs"][0]["results"][0].erase("message");
  CHECK(against(broken.dump()) != "");
}

TEST_CASE("SARIF's columns are UTF-16 code units, whatever number a module says") {
  struct Row {
    uint32_t column;
    uint64_t expected;
  };
  for (const Row& row : {Row{1, 1}, Row{3, 2}, Row{7, 4}, Row{8, 5}, Row{4294967295u, 4294967292u}}) {
    CheckedFile file{"a.spv", validate(std::vector<uint32_t>{1, 2, 3})};
    REQUIRE(!file.result.findings.empty());
    file.result.findings[0].source = {"a.comp", 1, row.column, "\u00E9\U0001D11Ex"};
    const Json sarif = Json::parse(renderSarif({&file, 1}));
    const std::string text = sarif.dump();
    INFO(text);
    CHECK(text.find("\"startColumn\":" + std::to_string(row.expected)) != std::string::npos);
  }
}

}  // namespace
}  // namespace coopc::tests
