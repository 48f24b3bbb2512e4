// The library: results for unreadable input, profiles, renderings.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <spirv/unified1/NonSemanticShaderDebugInfo100.h>
#include <thread>

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "spirv/instruction_walk.hpp"
#include "tests/support/expected_file.hpp"
#include "tests/validator/cases.hpp"

namespace coopc::tests {
namespace {

using Json = nlohmann::json;

std::vector<CheckedFile> brokenFiles() {
  std::vector<CheckedFile> files;
  for (const RuleCase& c : readCases()) {
    if (c.line % 3 != 0) continue;
    files.push_back({"folder/<" + c.rule + "> \"&\xFF.spv", validate(wordsOf(c), optionsOf(c))});
  }
  files.push_back({"good.spv", validate(assembleModule(baseText("khr")))});
  return files;
}

TEST_CASE("words that are not a module have one finding that says why") {
  for (const std::vector<uint32_t>& words :
       {std::vector<uint32_t>{}, std::vector<uint32_t>{1, 2, 3, 4, 5},
        std::vector<uint32_t>{0x07230203, 0x00010600, 0, 10, 0, 0x0002FFFF, 0}}) {
    const ValidateResult result = validate(words);
    CHECK(!result.readable);
    CHECK(!result.ok());
    REQUIRE(result.findings.size() == 1);
    CHECK(result.findings[0].rule == findRule("module-unreadable"));
    CHECK(!result.findings[0].message.empty());
  }
  const unsigned char bytes[] = {1, 2, 3};
  const ValidateResult result = validateBytes(bytes);
  REQUIRE(result.findings.size() == 1);
  CHECK(result.findings[0].rule == findRule("module-unreadable"));
}

TEST_CASE("a profile that is none, and a rule that is none, end in an error") {
  const std::vector<uint32_t> words = assembleModule(baseText("khr"));
  for (const char* profile : {"no JSON", "[]", "{}", "{\"devices\": []}", "{\"features\": 1}", "3"}) {
    ValidateOptions options;
    options.profile = profile;
    const ValidateResult result = validate(words, options);
    CHECK(!result.error.empty());
    CHECK(result.findings.empty());
    CHECK(!result.ok());
  }
  ValidateOptions options;
  options.suppress = {"no-such-rule"};
  CHECK(!validate(words, options).error.empty());
  // Members of wrong types are treated as missing.
  ValidateOptions odd;
  odd.profile = R"({"features": [1, "vulkanMemoryModel"], "shapes": [3, {"m": -1}], "sharedMemory": "x"})";
  CHECK(validate(words, odd).error.empty());
}

TEST_CASE("a profile without lists of shapes has no findings about them") {
  const std::vector<uint32_t> words = assembleModule(baseText("khr"));
  const auto findings = [&](const std::string& members) {
    ValidateOptions options;
    const std::string profile =
        R"({"name": "x", "features": ["cooperativeMatrix", "cooperativeMatrixFlexibleDimensions"])" +
        members + "}";
    options.profile = profile;
    const ValidateResult result = validate(words, options);
    return std::count_if(result.findings.begin(), result.findings.end(), [](const Finding& f) {
      return f.rule == findRule("device-matrix-type") || f.rule == findRule("device-mul-add");
    });
  };
  CHECK(findings("") == 0);
  CHECK(findings(R"(, "shapes": "none", "flexibleShapes": [])") == 0);
  CHECK(findings(R"(, "shapes": [])") == 0);  // a flexible shape may fit
  CHECK(findings(R"(, "shapes": [], "flexibleShapes": [])") > 0);
}

TEST_CASE("a capability that either of two features gives needs one of them") {
  const std::vector<uint32_t> words = assembleModule(baseText("nv2"));
  const auto lacks = [&](const std::string& feature) {
    ValidateOptions options;
    const std::string profile = R"({"name": "x", "features": ["cooperativeMatrix", ")" + feature + R"("]})";
    options.profile = profile;
    const ValidateResult result = validate(words, options);
    return std::any_of(result.findings.begin(), result.findings.end(), [](const Finding& f) {
      return f.message.find("cooperativeMatrixReductions of") != std::string::npos;
    });
  };
  CHECK(lacks("vulkanMemoryModel"));
  CHECK(!lacks("cooperativeMatrixReductions"));
  CHECK(!lacks("maintenance1.cooperativeMatrixReductions"));
}

// Messages of the device level about a module, with a given profile.
std::vector<std::string> deviceMessages(const std::string& module, const std::string& profile) {
  ValidateOptions options;
  options.profile = profile;
  const ValidateResult result = validate(assembleModule(module), options);
  CHECK(result.error.empty());
  std::vector<std::string> messages;
  for (const Finding& f : result.findings)
    if (f.rule->level == RuleLevel::Device) messages.push_back(f.message);
  return messages;
}

TEST_CASE("an extension makes up for a missing feature only where the profile lists extensions") {
  const std::string half =
      "OpCapability Shader\nOpCapability Float16\nOpCapability GroupNonUniform\nOpMemoryModel Logical "
      "GLSL450\n";
  using Messages = std::vector<std::string>;
  const Messages lacks = {"x lacks the feature shaderFloat16 of capability Float16"};
  CHECK(deviceMessages(half, R"({"name": "x", "features": []})") == lacks);
  CHECK(deviceMessages(half, R"({"name": "x", "features": [], "extensions": []})") == lacks);
  CHECK(deviceMessages(half, R"({"name": "x", "features": ["shaderFloat16"]})") == Messages{});
  CHECK(deviceMessages(half,
                       R"({"name": "x", "features": [], "extensions": ["VK_AMD_gpu_shader_half_float"]})") ==
        Messages{});
}

TEST_CASE("workgroups with matrices of scope Workgroup have a limit of their own") {
  std::string module = baseText("nv2");
  const std::string size = "LocalSize 32 1 1";
  module.replace(module.find(size), size.size(), "LocalSize 64 4 2");
  const auto limited = [&](const std::string& most) {
    std::vector<std::string> found;
    for (std::string& message : deviceMessages(module, R"({"name": "x", "features": ["cooperativeMatrix",
             "cooperativeMatrixWorkgroupScope"], "workgroupScopeMaxWorkgroupSize": )" +
                                                           most + "}"))
      if (message.find("invocations") != std::string::npos) found.push_back(std::move(message));
    return found;
  };
  using Messages = std::vector<std::string>;
  CHECK(limited("512") == Messages{});
  CHECK(limited("511") ==
        Messages{"the workgroup has 512 invocations, x allows 511 with matrices of scope Workgroup"});
}

// The finding depends on the default if each matrix has the scope of the constant.
TEST_CASE("the limit of workgroups names the defaults that it depends on") {
  std::string module = baseText("khr");
  const auto replace = [&](const std::string& from, const std::string& to) {
    const size_t at = module.find(from);
    REQUIRE(at != std::string::npos);
    module.replace(at, from.size(), to);
  };
  replace("LocalSize 32 1 1", "LocalSize 64 4 2");
  replace("OpDecorate %specStride SpecId 0", "OpDecorate %specStride SpecId 0\nOpDecorate %scope SpecId 7");
  replace("%matI = OpTypeCooperativeMatrixKHR %s32 %u3",
          "%scope = OpSpecConstant %u32 2\n"
          "%ofScope = OpTypeCooperativeMatrixKHR %f32 %scope %u16 %u16 %u2\n"
          "%matI = OpTypeCooperativeMatrixKHR %s32 %u3");
  ValidateOptions options;
  options.profile = R"({"name": "x", "features": ["cooperativeMatrix", "cooperativeMatrixWorkgroupScope"],
                        "workgroupScopeMaxWorkgroupSize": 511})";
  const auto severities = [&] {
    std::vector<FindingSeverity> found;
    for (const Finding& f : validate(assembleModule(module), options).findings)
      if (f.message.find("512 invocations") != std::string::npos) found.push_back(f.severity);
    return found;
  };
  CHECK(severities() == std::vector{FindingSeverity::Warning});
  replace("%matU = OpTypeCooperativeMatrixKHR %u32 %u3",
          "%certain = OpTypeCooperativeMatrixKHR %s32 %u2 %u16 %u16 %u2\n"
          "%matU = OpTypeCooperativeMatrixKHR %u32 %u3");
  CHECK(severities() == std::vector{FindingSeverity::Error});
}

TEST_CASE("a tensor's element may be larger than the device's largest access") {
  const auto accesses = [](uint32_t most) {
    const std::vector<std::string> messages = deviceMessages(
        baseText("tensors"),
        R"({"name": "x", "features": [], "tensors": {"maxShaderAccessSize": )" + std::to_string(most) + "}}");
    return std::count(messages.begin(), messages.end(),
                      "the access has 1 elements of 2 bytes, x allows " + std::to_string(most) + " bytes");
  };
  CHECK(accesses(1) > 0);
  CHECK(accesses(2) == 0);
}

TEST_CASE("values of specialization constants that a module lacks are named") {
  ValidateOptions options;
  options.specializations = {{7, 3}, {40, 1}, {0, 2}, {40, 2}};
  const ValidateResult result = validate(assembleModule(baseText("nv2")), options);
  CHECK(result.unknownSpecIds == std::vector<uint32_t>{40, 0});
  const CheckedFile file[] = {{"a.spv", result}};
  CHECK(Json::parse(renderJson(file))["files"][0]["unknownSpecIds"] == Json({40, 0}));
  CHECK(validate(assembleModule(baseText("nv2"))).unknownSpecIds.empty());
}

// Files whose names, messages and source lines contain everything that each format has to escape, and every
// member that a result may have.
std::vector<CheckedFile> madeUpFiles() {
  Finding plain;
  plain.rule = findRule("mul-add-shape");
  plain.message =
      "\"quoted\" \\ <tag> & \t tab, \x01 control, \x7F delete, \xC3\xA4 \xE2\x82\xAC \xF0\x9F\x98\x80";
  plain.clause = "clause\nof two lines\r, \xED\x9F\xBF \xE0\xA0\x80 \xF4\x8F\xBF\xBF";
  plain.instruction = 3;
  plain.word = 21;
  plain.disassembly = "%1 = OpString \"x\"";
  Finding placed = plain;
  placed.rule = findRule("stride-unknown");
  placed.severity = FindingSeverity::Note;
  // Invalid UTF-8: overlong forms, surrogates, beyond U+10FFFF, a character cut off, a continuation byte
  // alone.
  placed.message =
      "\xC0\x80 \xE0\x9F\xBF \xED\xA0\x80 \xF0\x8F\xBF\xBF \xF4\x90\x80\x80 \x80 \xE2\x82 \xF5 \xC3";
  placed.source = {"a b/\xC3\xA4~.comp", 12, 5, "\tab\x1B \xF0\x9F\x98\x80 c"};
  placed.notes = {"called from \"f\"", "and <g>"};
  Finding aside = placed;  // the column is past the end of the line
  aside.severity = FindingSeverity::Warning;
  aside.message = "past the end";
  aside.source = {"/root.comp", 3, 9, "ab"};
  aside.notes = {"one"};
  Finding whole;
  whole.rule = findRule("module-unreadable");
  whole.message = "of no instruction";
  whole.clause = "none";
  whole.instruction = kNoInstruction;
  Finding noText = whole;
  noText.word = 7;
  noText.source = {"n.comp", 1, 0, ""};
  ValidateResult results[5];
  for (int n = 0; n < 4; ++n) results[n].readable = n != 3;
  results[0].findings = {plain, placed, aside};
  results[0].dropped = 2;
  results[0].unknownSpecIds = {4, 7};
  results[1].findings = {placed};
  results[3].findings = {whole, noText};
  results[4].error = "no such <file> \x1B & \"more\"";
  return {{"one & \"two\" <three>.spv", results[0]},
          {"notes.spv", results[1]},
          {"good.spv", results[2]},
          {"/absolute/none\x01.spv", results[3]},
          {"missing\n.spv", results[4]}};
}

TEST_CASE("findings in every form are as expected") {
  const std::vector<CheckedFile> files = madeUpFiles();
  std::string text;
  for (const CheckedFile& file : files) text += renderText(file);
  std::string sarif = renderSarif(files);
  const size_t results = sarif.find("\"columnKind\"");
  REQUIRE(results != std::string::npos);
  // Rule indices change with each new rule, and are checked below.
  for (const char* id : {"mul-add-shape", "stride-unknown", "module-unreadable"}) {
    const std::string index = "\"ruleIndex\": " + std::to_string(findRule(id) - rules().data()) + ",";
    for (size_t at; (at = sarif.find(index)) != std::string::npos;)
      sarif.replace(at, index.size(), std::string("\"ruleIndex\": that of ") + id + ",");
  }
  checkExpected(std::string(COOPC_VALIDATOR_TESTS) + "/renderings",
                text + renderJson(files) + renderJson({}) + sarif.substr(results) +
                    renderSarif({}).substr(results) + renderJunit(files));
}

TEST_CASE("JSON and SARIF are JSON with all findings") {
  const std::vector<CheckedFile> files = brokenFiles();
  size_t count = 0;
  for (const CheckedFile& f : files) count += f.result.findings.size();
  REQUIRE(count > 30);

  const Json json = Json::parse(renderJson(files));
  REQUIRE(json["files"].size() == files.size());
  size_t seen = 0;
  for (const Json& file : json["files"]) seen += file["findings"].size();
  CHECK(seen == count);

  // Checks the conditions of the SARIF 2.1.0 schema for the items that are used: required members,
  // enumerations, indices.
  const Json sarif = Json::parse(renderSarif(files));
  CHECK(sarif["version"] == "2.1.0");
  REQUIRE(sarif["runs"].size() == 1);
  const Json& run = sarif["runs"][0];
  const Json& table = run["tool"]["driver"]["rules"];
  CHECK(run["tool"]["driver"]["name"] == "coopval");
  CHECK(table.size() == rules().size());
  REQUIRE(run["results"].size() == count);
  for (const Json& result : run["results"]) {
    CHECK(table.at(result["ruleIndex"].get<size_t>())["id"] == result["ruleId"]);
    const std::string level = result["level"];
    CHECK((level == "error" || level == "warning" || level == "note"));
    CHECK(!result["message"]["text"].get<std::string>().empty());
    const Json& place = result["locations"].at(0)["physicalLocation"];
    const std::string uri = place["artifactLocation"]["uri"];
    CHECK(uri.find_first_of(" <>\"") == std::string::npos);
    const Json& region = place["region"];
    CHECK(
        (region.contains("startLine") ? region["startLine"].get<int>() >= 1 : region.contains("byteOffset")));
  }
  CHECK(run["invocations"].at(0)["executionSuccessful"] == true);
}

TEST_CASE("JUnit has a test case for each file, escaped") {
  const std::string xml = renderJunit(brokenFiles());
  CHECK(xml.find("<failure") != std::string::npos);
  CHECK(xml.find("name=\"folder/&lt;") != std::string::npos);
  CHECK(xml.find('\xFF') == std::string::npos);
  size_t cases = 0;
  for (size_t at = 0; (at = xml.find("<testcase", at)) != std::string::npos; ++at) ++cases;
  CHECK(cases == brokenFiles().size());
  // Files with errors are failures. One that cannot be read is an error.
  const CheckedFile good{"good.spv", validate(assembleModule(baseText("khr")))};
  CheckedFile unreadable{"unreadable.spv", {}};
  unreadable.result.error = "cannot be read";
  const std::vector<CheckedFile> all = brokenFiles();
  const auto broken = std::find_if(all.begin(), all.end(), [](const CheckedFile& file) {
    return file.result.count(FindingSeverity::Error) != 0;
  });
  REQUIRE(broken != all.end());
  const CheckedFile files[] = {good, good, good, *broken, unreadable};
  CHECK(renderJunit(files).find("tests=\"5\" failures=\"1\" errors=\"1\"") != std::string::npos);
}

// For junit_test, which validates the file against the schema.
TEST_CASE("write the JUnit report of all cases", "[.junit]") {
  const char* name = std::getenv("COOPC_JUNIT");
  REQUIRE(name != nullptr);
  std::vector<CheckedFile> files;
  for (const RuleCase& c : readCases()) {
    files.push_back({"folder/<" + c.rule + "> \"&\xFF\x01.spv", validate(wordsOf(c), optionsOf(c))});
  }
  files.push_back({"good.spv", validate(assembleModule(baseText("khr")))});
  files.push_back({"none.spv", validate(std::vector<uint32_t>{1, 2, 3})});
  files.push_back({"unreadable.spv", {}});
  files.back().result.error = "cannot be read: \x1B[1m<no> & \"such\" file";
  std::ofstream out(name, std::ios::binary);
  out << renderJunit(files);
  REQUIRE(out.good());
}

TEST_CASE("findings have the source line when the module has line information") {
  std::string text = baseText("khr");
  const auto replace = [&](const std::string& from, const std::string& to) {
    const size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    text.replace(at, from.size(), to);
  };
  replace("OpDecorate %data DescriptorSet 0",
          "%file = OpString \"a.comp\"\nOpSource GLSL 460 %file \"first line\nstore(m, 0);\n\"\nOpDecorate "
          "%data DescriptorSet 0");
  replace("OpCooperativeMatrixStoreKHR %tileAt %made %u1 %u16",
          "OpLine %file 2 7\nOpCooperativeMatrixStoreKHR %tileAt %made %u1 %u0");
  const ValidateResult result = validate(assembleModule(text));
  REQUIRE(result.findings.size() == 1);
  CHECK(result.findings[0].source.file == "a.comp");
  CHECK(result.findings[0].source.line == 2);
  CHECK(result.findings[0].source.column == 7);
  CHECK(result.findings[0].source.text == "store(m, 0);");
  const std::string rendered = renderText({"m.spv", result});
  CHECK(rendered.find("a.comp:2:7: error: the stride of a store is 0") == 0);
  CHECK(rendered.find("  2 | store(m, 0);\n    |       ^\n") != std::string::npos);
}

TEST_CASE("findings have the source line by NonSemantic.Shader.DebugInfo") {
  std::string text = baseText("khr");
  const auto replace = [&](const std::string& from, const std::string& to) {
    const size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    text.replace(at, from.size(), to);
  };
  replace("%glsl = OpExtInstImport",
          "OpExtension \"SPV_KHR_non_semantic_info\"\n%debug = OpExtInstImport "
          "\"NonSemantic.Shader.DebugInfo.100\"\n%glsl = OpExtInstImport");
  replace("OpDecorate %data DescriptorSet 0",
          "%file = OpString \"b.comp\"\n%source = OpString \"first line\nsto\"\n%more = OpString \"re(m, "
          "0);\n\"\n"
          "OpDecorate %data DescriptorSet 0");
  replace("%ptrA = OpTypePointer",
          "%aSource = OpExtInst %void %debug DebugSource %file %source\n"
          "%aMore = OpExtInst %void %debug DebugSourceContinued %more\n%ptrA = OpTypePointer");
  replace("OpCooperativeMatrixStoreKHR %tileAt %made %u1 %u16",
          "%aLine = OpExtInst %void %debug DebugLine %aSource %u2 %u2 %u3 %u4\n"
          "OpCooperativeMatrixStoreKHR %tileAt %made %u1 %u0");
  const ValidateResult result = validate(assembleModule(text));
  INFO(renderText({"m.spv", result}));
  REQUIRE(result.findings.size() == 1);
  CHECK(result.findings[0].source.file == "b.comp");
  CHECK(result.findings[0].source.line == 2);
  CHECK(result.findings[0].source.column == 3);
  CHECK(result.findings[0].source.text == "store(m, 0);");
  // Without a column, the caret is at the first character of the line's text.
  ValidateResult noColumn = result;
  noColumn.findings[0].source.column = 0;
  noColumn.findings[0].source.text = "  store(m, 0);";
  CHECK(renderText({"m.spv", noColumn}).find("  2 |   store(m, 0);\n    |   ^\n") != std::string::npos);
  // SARIF counts UTF-16 code units: the line's first two characters have 6 bytes and 3 units.
  ValidateResult wide = result;
  wide.findings[0].source.column = 7;
  wide.findings[0].source.text = "\xC3\xA4\xF0\x9F\x98\x80store(m, 0);";
  const CheckedFile wideFile[] = {{"m.spv", wide}};
  CHECK(renderSarif(wideFile).find("\"startColumn\": 4}") != std::string::npos);
  // After DebugNoLine there is no source position.
  replace("OpCooperativeMatrixStoreKHR %tileAt %made %u1 %u0",
          "%noLine = OpExtInst %void %debug DebugNoLine\nOpCooperativeMatrixStoreKHR %tileAt %made %u1 %u0");
  const ValidateResult none = validate(assembleModule(text));
  REQUIRE(none.findings.size() == 1);
  CHECK(none.findings[0].source.line == 0);
}

// The text with U+FFFD in place of each byte that belongs to no character. Characters are recognized by value
// and shortest form (RFC 3629, 3), not by ranges of bytes as in the code under test.
std::string withReplacements(const std::string& text) {
  constexpr uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const uint8_t lead = uint8_t(text[at]);
    const size_t length = lead < 0x80   ? 1
                          : lead < 0xC0 ? 0
                          : lead < 0xE0 ? 2
                          : lead < 0xF0 ? 3
                          : lead < 0xF8 ? 4
                                        : 0;
    uint32_t value = length < 2 ? lead : lead & (0x7Fu >> length);
    bool whole = length > 0 && at + length <= text.size();
    for (size_t n = 1; whole && n < length; ++n) {
      whole = (uint8_t(text[at + n]) & 0xC0) == 0x80;
      value = value << 6 | (uint8_t(text[at + n]) & 0x3F);
    }
    const bool surrogate = value >= 0xD800 && value < 0xE000;
    whole = whole && !surrogate && value <= 0x10FFFF && value >= kLeast[length];
    out += whole ? text.substr(at, length) : "\xEF\xBF\xBD";
    at += whole ? length : 1;
  }
  return out;
}

TEST_CASE("bytes that are not UTF-8 become U+FFFD") {
  size_t texts = 0;
  for (uint32_t lead = 0x80; lead < 0x100; ++lead)
    for (const uint32_t second : {0x41, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0})
      for (const uint32_t third : {0x41, 0x80, 0xBF, 0xC2})
        for (const uint32_t fourth : {0x41, 0x80, 0xBF, 0xC1}) {
          const std::string name = {'<', char(lead), char(second), char(third), char(fourth), '>'};
          const CheckedFile file{name, {}};
          INFO(std::hex << lead << ' ' << second << ' ' << third << ' ' << fourth);
          REQUIRE(renderJson({&file, 1}).find('"' + withReplacements(name) + '"') != std::string::npos);
          ++texts;
        }
  CHECK(texts == 16384);
}

TEST_CASE("operands of non-semantic instructions may be 0, as glslang writes them") {
  std::string text = baseText("khr");
  const std::string from = "%glsl = OpExtInstImport";
  text.replace(text.find(from), from.size(),
               "OpExtension \"SPV_KHR_non_semantic_info\"\n%debug = OpExtInstImport "
               "\"NonSemantic.Shader.DebugInfo.100\"\n%glsl = OpExtInstImport");
  const std::string before = "%ptrA = OpTypePointer";
  text.insert(text.find(before), "%aPointer = OpExtInst %void %debug DebugTypePointer %u8c %u7777 %u0\n");
  text.insert(text.find("%u8c = OpConstant"), "%u7777 = OpConstant %u32 7777\n");
  std::vector<uint32_t> words = assembleModule(text);
  CHECK(validate(words).ok());
  size_t changed = 0;
  spirv::InstructionWalk i(words);
  while (i.next()) {
    if (i.op() == spv::Op::OpExtInst && i[4] == NonSemanticShaderDebugInfo100DebugTypePointer) {
      words[i.at() + 5] = 0;
      ++changed;
    }
  }
  REQUIRE(changed == 1);
  const ValidateResult result = validate(words);
  INFO(renderText({"m.spv", result}));
  CHECK(result.ok());
}

TEST_CASE("there are no more findings than asked for") {
  ValidateOptions options;
  options.maxFindings = 2;
  std::string text = baseText("khr");
  std::string more;
  for (int n = 0; n < 20; ++n) {
    more += "%x" + std::to_string(n) + " = OpCooperativeMatrixMulAddKHR %matC %loadA %nullA %prod\n";
  }
  text.insert(text.find("%prodS = "), more);
  const ValidateResult result = validate(assembleModule(text), options);
  CHECK(result.findings.size() == 2);
  CHECK(result.dropped > 10);
}

TEST_CASE("several threads may check at once") {
  const std::vector<uint32_t> words = assembleModule(baseText("nv2"));
  std::atomic<int> clean{0};
  std::vector<std::thread> threads;
  for (int n = 0; n < 4; ++n) {
    threads.emplace_back([&] {
      for (int k = 0; k < 20; ++k) clean += validate(words).ok() ? 1 : 0;
    });
  }
  for (std::thread& t : threads) t.join();
  CHECK(clean == 80);
}

}  // namespace
}  // namespace coopc::tests
