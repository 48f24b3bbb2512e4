// Checks the JSON of reflection against docs/reflection.schema.json, for the modules of all shader tests, and
// checks that the schema rejects broken documents.
#include <filesystem>

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "coopc/coopc.hpp"
#include "coopc/reflect.hpp"
#include "tests/support/shader_test.hpp"

namespace coopc::tests {
namespace {

using Json = nlohmann::json;
using Adapter = valijson::adapters::NlohmannJsonAdapter;

// The schema's errors about the document, one per line.
std::string against(const Json& json) {
  static const Json text = [] {
    std::string source;
    REQUIRE(readFile(COOPC_REFLECTION_SCHEMA, source));
    return Json::parse(source);
  }();
  valijson::Schema schema;
  valijson::SchemaParser parser(valijson::SchemaParser::kDraft7);
  parser.populateSchema(Adapter(text), schema);
  valijson::Validator validator(valijson::Validator::kStrongTypes);
  valijson::ValidationResults results;
  validator.validate(schema, Adapter(json), &results);
  std::string lines;
  for (const auto& error : results) {
    for (const std::string& step : error.context) lines += step;
    lines += ": " + error.description + "\n";
  }
  return lines;
}

TEST_CASE("reflection of the shader tests obeys its schema") {
  ReflectOptions with;
  with.profile = shippedProfiles()[0].text;
  uint32_t documents = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(COOPC_SHADERS)) {
    std::string source;
    if (entry.path().extension() != ".comp" || !readFile(entry.path().string(), source)) continue;
    Options options;
    options.targetEnv = TargetEnv::Vulkan1_3;
    options.stage = Stage::Compute;
    options.allowGlslang = false;
    const Result result = compile(source, entry.path().filename().string(), options);
    if (!result.ok) continue;  // a test of a diagnostic
    INFO(entry.path());
    const Json json = Json::parse(renderJson(reflect(result.words, with)));
    CHECK(against(json) == "");
    CHECK(json.contains("device"));
    ++documents;
  }
  CHECK(documents >= 100);
}

TEST_CASE("the schema is one that can be broken") {
  Options options;
  options.stage = Stage::Compute;
  const Result result =
      compile("#version 450\nlayout(binding = 0) buffer B { vec4 a[]; };\nvoid main() { a[0] = vec4(1); }\n",
              "a.comp", options);
  REQUIRE(result.ok);
  const Json json = Json::parse(renderJson(reflect(result.words)));
  CHECK(against(json) == "");
  Json broken = json;
  broken["bindings"][0]["kind"] = "buffer";
  CHECK(against(broken) != "");
  broken = json;
  broken["bindings"][0].erase("set");
  CHECK(against(broken) != "");
  broken = json;
  broken["types"][0]["unknown"] = 1;
  CHECK(against(broken) != "");
  broken = json;
  broken.erase("types");
  CHECK(against(broken) != "");
  const Json none = Json::parse(renderJson(reflect(std::vector<uint32_t>{1, 2, 3})));
  CHECK(none.contains("error"));
  CHECK(against(none) == "");
}

}  // namespace
}  // namespace coopc::tests
