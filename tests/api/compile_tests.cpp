// The public C++ interface: results as data, includes, outputs, targets, threads.
#include <algorithm>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "coopc/coopc.hpp"

using namespace coopc;

namespace {

constexpr std::string_view kShader =
    "#version 450\n"
    "layout(local_size_x = 64) in;\n"
    "layout(set = 0, binding = 0) buffer B { uint values[]; };\n"
    "void main() { values[gl_GlobalInvocationID.x] += 1u; }\n";

}  // namespace

TEST_CASE("a correct shader gives a module and nothing else") {
  const Result r = compile(kShader, "a.comp");
  CHECK(r.ok);
  REQUIRE(r.words.size() > 5);
  CHECK(r.words[0] == 0x07230203u);
  CHECK(r.words[1] == 0x00010000u);
  CHECK(r.text.empty());
  CHECK(r.diagnostics.empty());
  CHECK(r.messages.empty());
  CHECK(r.json == "[]\n");
  CHECK(r.dependencies == std::vector<std::string>{"a.comp"});
}

TEST_CASE("environments have their SPIR-V version, which may be asked for as well") {
  Options options;
  const std::pair<TargetEnv, uint32_t> rows[] = {{TargetEnv::Vulkan1_0, 0x00010000u},
                                                 {TargetEnv::Vulkan1_1, 0x00010300u},
                                                 {TargetEnv::Vulkan1_2, 0x00010500u},
                                                 {TargetEnv::Vulkan1_3, 0x00010600u},
                                                 {TargetEnv::Vulkan1_4, 0x00010600u}};
  for (const auto& [env, version] : rows) {
    options.targetEnv = env;
    const Result r = compile(kShader, "a.comp", options);
    REQUIRE(r.ok);
    CHECK(r.words[1] == version);
  }
  options.spirvVersion = 0x00010400u;
  CHECK(compile(kShader, "a.comp", options).words[1] == 0x00010400u);
}

TEST_CASE("a language version that there is not is a wrong argument") {
  struct Row {
    uint32_t version;
    bool es, good;
  };
  for (const Row& row : {Row{12345, false, false}, Row{450, true, false}, Row{310, false, false},
                         Row{310, true, true}, Row{460, false, true}}) {
    CHECK(isLanguageVersion(row.version, row.es) == row.good);
    Options options;
    options.forcedVersion = row.version;
    options.forcedEs = row.es;
    const Result result = compile("#version 450\nvoid main() {}\n", "a.comp", options);
    CHECK((result.status == Status::BadArgument) != row.good);
  }
}

TEST_CASE("errors are data and text") {
  const Result r = compile("#version 450\nvoid main() {\n  int a = 09;\n}\n", "dir/bad.comp");
  CHECK(!r.ok);
  CHECK(r.words.empty());
  REQUIRE(r.diagnostics.size() == 1);
  CHECK(r.errorCount == 1);
  const Diagnostic& d = r.diagnostics[0];
  CHECK(d.id == "octal-digit-too-large");
  CHECK(d.severity == Severity::Error);
  CHECK(d.file == "dir/bad.comp");
  CHECK(d.line == 3);
  CHECK(d.column == 11);
  CHECK(d.length == 2);
  CHECK(d.clause == "GLSL 4.60, 4.1.3");
  CHECK(r.messages.find("dir/bad.comp:3:11: error: ") == 0);
  CHECK(r.json.find("\"octal-digit-too-large\"") != std::string::npos);
}

TEST_CASE("warnings can be silenced or raised") {
  const std::string text = "#define a__b\n";
  Options options;
  const std::string shader = "#version 450\n" + text + std::string(kShader.substr(13));
  Result r = compile(shader, "w.comp", options);
  CHECK(r.ok);
  CHECK(r.warningCount == 1);
  options.suppressWarnings = true;
  r = compile(shader, "w.comp", options);
  CHECK(r.ok);
  CHECK(r.warningCount == 0);
  options.suppressWarnings = false;
  options.warningsAsErrors = true;
  r = compile(shader, "w.comp", options);
  CHECK(!r.ok);
  CHECK(r.words.empty());
}

TEST_CASE("includes go through the resolver and become dependencies") {
  Options options;
  options.include = [](std::string_view name, bool angled, std::string_view from,
                       uint32_t depth) -> std::optional<Include> {
    CHECK(from == "main.comp");
    CHECK(depth == 1);
    if (name == "size.glsl" && !angled) return Include{"lib/size.glsl", "layout(local_size_x = SIZE) in;\n"};
    return std::nullopt;
  };
  options.macros = {{"SIZE", "8", false}};
  const std::string shader = "#version 450\n#include \"size.glsl\"\nvoid main() {}\n";
  const Result r = compile(shader, "main.comp", options);
  CHECK(r.messages.empty());
  CHECK(r.ok);
  CHECK(r.dependencies == std::vector<std::string>{"main.comp", "lib/size.glsl"});
  options.output = Output::Dependencies;
  const Result d = compile(shader, "main.comp", options);
  CHECK(d.dependencies == r.dependencies);
  CHECK(d.words.empty());
  options.output = Output::Preprocessed;
  const Result p = compile(shader, "main.comp", options);
  CHECK(p.text.find("layout(local_size_x = 8) in;") != std::string::npos);
  options.output = Output::Assembly;
  const Result a = compile(shader, "main.comp", options);
  CHECK(a.words == r.words);
  CHECK(a.text.find("OpExecutionMode %main LocalSize 8 1 1") != std::string::npos);
}

TEST_CASE("the stage comes from the option or from the text") {
  Options options;
  options.allowGlslang = false;
  options.stage = Stage::FromSource;
  Result r = compile(kShader, "x", options);
  REQUIRE(r.diagnostics.size() == 1);
  CHECK(r.diagnostics[0].id == "stage-unknown");
  r = compile("#version 450\n#pragma shader_stage( compute )\nvoid main() {}\n", "x", options);
  CHECK(r.ok);
  r = compile("#version 450\n#pragma shader_stage(mesh)\nvoid main() {}\n", "x", options);
  CHECK(r.diagnostics.at(0).id == "stage-version");
  options.stage = Stage::Mesh;
  r = compile(kShader, "x", options);
  CHECK(r.diagnostics.at(0).id == "stage-version");
}

// Before the stage is known, nothing is an error that would be one in compute shaders alone or for coopc
// alone.
TEST_CASE("a text of unknown stage is not read as a compute shader") {
  Options options;
  options.allowGlslang = false;
  options.stage = Stage::FromSource;
  struct Row {
    const char* text;
    const char* id;
  };
  const Row rows[] = {
      {"#version 150\n#pragma shader_stage(mesh)\nvoid main() {}\n", "stage-version"},
      {"#version 300 es\n#pragma shader_stage(task)\nvoid main() {}\n", "version-too-old-for-vulkan"},
      {"#version 460\n#extension GL_EXT_mesh_shader : require\n#pragma shader_stage(mesh)\nvoid main() {}\n",
       "extension-needs-spirv"},
      {"#version 450\n#pragma shader_stage(mesh)\nvoid main() { gl_Position; }\n", "name-of-other-stage"},
      {"#version 450\n#ifdef GL_COMPUTE_SHADER\n#pragma shader_stage(compute)\n#else\n"
       "#pragma shader_stage(mesh)\n#endif\nvoid main() {}\n",
       "stage-version"},
  };
  size_t ran = 0;
  for (const Row& row : rows) {
    INFO(row.text);
    const Result r = compile(row.text, "x", options);
    REQUIRE(r.diagnostics.size() == 1);
    CHECK(r.diagnostics[0].id == row.id);
    ++ran;
  }
  CHECK(ran == std::size(rows));
  // A text without a pragma has the default stage, and is judged by its rules.
  options.defaultStage = Stage::Compute;
  CHECK(compile(kShader, "x", options).ok);
  CHECK(compile("#version 150\nvoid main() {}\n", "x", options).diagnostics.at(0).id ==
        "version-too-old-for-compute");
  CHECK(compile("#version 450\nvoid main() { @ }\n", "x", options).messages ==
        "x:2:15: error: `@` cannot be part of a token [invalid-character]\n"
        "    2 | void main() { @ }\n      |               ^\n      = GLSL 4.60, 3.1\n");
  options.defaultStage = Stage::Mesh;
  CHECK(compile("#version 150\nvoid main() {}\n", "x", options).diagnostics.at(0).id == "stage-version");
  CHECK(compile("#version 450\n#pragma shader_stage(compute)\nvoid main() {}\n", "x", options).ok);
}

TEST_CASE("each wrong #pragma shader_stage is reported, also in includes") {
  Options options;
  options.stage = Stage::FromSource;
  options.include = [](std::string_view, bool, std::string_view, uint32_t) {
    return std::optional<Include>(Include{"b.glsl", "#pragma shader_stage(compute)\n"});
  };
  CHECK(compile("#version 450\n#include \"b.glsl\"\nvoid main() {}\n", "a", options).ok);
  const auto messages = [&](const char* text) { return compile(text, "a", options).messages; };
  CHECK(messages("#version 450\n#pragma shader_stage(fragment)\nvoid main() {}\n#include \"b.glsl\"\n"
                 "#pragma shader_stage(vertex)\n") ==
        "b.glsl:1:9: error: the stage is `compute` here, but was `fragment` before [stage-pragma-conflict]\n"
        "    1 | #pragma shader_stage(compute)\n      |         ^~~~~~~~~~~~\n"
        "a:4:10: note: included from here\n"
        "a:2:9: note: the first one is here\n"
        "    2 | #pragma shader_stage(fragment)\n      |         ^~~~~~~~~~~~\n"
        "a:5:9: error: the stage is `vertex` here, but was `fragment` before [stage-pragma-conflict]\n"
        "    5 | #pragma shader_stage(vertex)\n      |         ^~~~~~~~~~~~\n"
        "a:2:9: note: the first one is here\n"
        "    2 | #pragma shader_stage(fragment)\n      |         ^~~~~~~~~~~~\n");
  const Result all = compile(
      "#version 150\nint x;\n#pragma shader_stage(pixel)\n#pragma shader_stage(vertex)\n", "a", options);
  std::vector<std::string> ids;
  for (const Diagnostic& d : all.diagnostics) ids.push_back(d.id);
  CHECK(ids == std::vector<std::string>{"stage-pragma-late", "stage-name-unknown", "stage-pragma-conflict"});
  // Errors before the stage is known have the unknown stage.
  const Result failed = compile("#version 450\n#error choose\n", "a", options);
  REQUIRE(failed.diagnostics.size() == 2);
  CHECK(failed.diagnostics[0].id == "user-error");
  CHECK(failed.diagnostics[1].id == "stage-unknown");
}

TEST_CASE("optimization keeps a module a module") {
  Options options;
  const Result plain = compile(kShader, "a.comp", options);
  for (Optimization level : {Optimization::Speed, Optimization::Size}) {
    options.optimization = level;
    const Result r = compile(kShader, "a.comp", options);
    REQUIRE(r.ok);
    CHECK(r.words[0] == 0x07230203u);
    CHECK(r.words.size() <= plain.words.size());
  }
}

TEST_CASE("a module with an instruction that the grammar does not know is not optimized") {
  const char* const text =
      "#version 450\n#extension GL_EXT_spirv_intrinsics : require\n"
      "layout(local_size_x = 1) in;\nlayout(std430, binding = 0) buffer B { uint x; };\n"
      "spirv_instruction(id = 60000) uint vendor(uint a);\nvoid main() { x = vendor(x); }\n";
  Options options;
  const Result plain = compile(text, "x.comp", options);
  INFO(plain.messages);
  REQUIRE(plain.ok);
  options.optimization = Optimization::Speed;
  const Result optimized = compile(text, "x.comp", options);
  INFO(optimized.messages);
  CHECK(optimized.ok);
  CHECK(optimized.words == plain.words);
}

TEST_CASE("what the grammar does not know is words in the text") {
  Options options;
  options.output = Output::Assembly;
  const Result r = compile(
      "#version 450\n#extension GL_EXT_spirv_intrinsics : require\nlayout(local_size_x = 1) in;\n"
      "layout(set = 0, binding = 0) buffer B { uint x; } b;\n"
      "spirv_instruction(capabilities = [60000], id = 60001) uint odd(uint a);\n"
      "spirv_instruction(id = 128) uint halfAnAddition(uint a);\n"
      "void main() { b.x = halfAnAddition(odd(b.x)); }\n",
      "a.comp", options);
  INFO(r.messages);
  REQUIRE(r.ok);
  CHECK(r.text.find("OpCapability !60000\n") != std::string::npos);
  CHECK(r.text.find("!" + std::to_string(4u << 16 | 60001) + " !") != std::string::npos);
  CHECK(r.text.find("!" + std::to_string(4u << 16 | 128) + " !") != std::string::npos);
  CHECK(r.text.find("OpFunctionEnd\n") != std::string::npos);
}

TEST_CASE("compiles in many threads give the words of one") {
  const Result one = compile(kShader, "a.comp");
  const Result bad = compile("#version 450\nint x = @;\nfoo", "b.comp");
  std::vector<std::thread> threads;
  std::vector<int> good(8, 0);
  for (size_t t = 0; t < good.size(); ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 20; ++i) {
        good[t] += compile(kShader, "a.comp").words == one.words ? 1 : 0;
        good[t] += compile("#version 450\nint x = @;\nfoo", "b.comp").messages == bad.messages ? 1 : 0;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int count : good) CHECK(count == 40);
}

TEST_CASE("texts of any bytes end in diagnostics") {
  for (const std::string& text :
       {std::string(), std::string(1, '\0'), std::string("\xff\xfe"), std::string("#"),
        std::string(100000, '('), std::string(100000, '{'), std::string("#version 450\n/*"),
        "#version 450\nvoid main() {" + std::string(100000, '(') + "}",
        "#version 450\nvoid main() {" + std::string(100000, '{'),
        "#version 450\nvoid main() { int a = " + std::string(100000, '-') + "1; }",
        "#version 450\nint a" + [] {
          std::string s;
          for (int i = 0; i < 50000; ++i) s += "[1]";
          return s;
        }()}) {
    const Result r = compile(text, "x.comp");
    CHECK(!r.ok);
    CHECK(!r.messages.empty());
  }
}

TEST_CASE("identifiers of diagnostics are unique") {
  std::vector<std::string> ids = diagnosticIds();
  CHECK(ids.size() > 100);
  std::sort(ids.begin(), ids.end());
  CHECK(std::adjacent_find(ids.begin(), ids.end()) == ids.end());
}
