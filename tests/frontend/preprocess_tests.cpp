// The preprocessor against the C++ rules that GLSL 4.60, 3.3 refers to: text in, tokens and diagnostics out.
// The rows without diagnostics give the same tokens with other preprocessors where those follow the rules.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "tests/frontend/preprocess_rows.hpp"
#include "tests/frontend/preprocess_support.hpp"

using namespace coopc::frontend;
using namespace coopc::tests;

TEST_CASE("preprocessing gives the tokens and diagnostics of the table", "[preprocess]") {
  for (const PreprocessRow& row : kPreprocessRows) {
    INFO(row.source);
    const Preprocessed r = preprocessText(row.source);
    CHECK(r.text == row.text);
    CHECK(r.ids == row.diagnostics);
  }
}

TEST_CASE("line ends are CR, LF, CR LF and LF CR", "[preprocess]") {
  for (std::string_view newline : {"\n", "\r", "\r\n", "\n\r"}) {
    std::string source;
    for (char c : std::string_view("#version 450\n#define A 1 \\\n + 2\n#if 0\nno\n#endif\nA // "
                                   "c\n__LINE__\n/* \n */ __LINE__\n")) {
      if (c == '\n')
        source += newline;
      else
        source += c;
    }
    const Preprocessed r = preprocessText(source);
    CHECK(r.text == "1 + 2 8 10");
    CHECK(r.ids.empty());
  }
}

TEST_CASE("inactive groups are skipped whatever they hold", "[preprocess]") {
  const std::string_view skipped[] = {"#if 1\n#else\n#endif\n",
                                      "// #endif\n",
                                      "/* #endif */\n",
                                      "/*\n#endif\n*/\n",
                                      "// \\\n#endif\n",
                                      "x #endif\n",
                                      "/* */ x #endif\n",
                                      "\\\n x #endif\n",
                                      "# endif_\n",
                                      "#define X /*\n#endif\n*/\n",
                                      "a / b * c\n",
                                      "//* x\n",
                                      "/\\\n* \n#endif\n*\\\n/\n",
                                      "/\\\n/ \\\n#endif\n",
                                      "\"/*\" */\n",
                                      "'\n",
                                      "#ifdef\n#endif\n",
                                      "#if (\n#endif\n"};
  for (std::string_view text : skipped) {
    INFO(text);
    const Preprocessed r = preprocessText("#version 450\n#if 0\n" + std::string(text) + "#endif\nend\n");
    CHECK(r.text == "end");
    CHECK(r.ids.empty());
  }
  const std::string_view ends[] = {"#endif\n",
                                   "##endif\n",
                                   "## # endif\n",
                                   "  #endif\n",
                                   "\t#\tendif\n",
                                   "/* c */ #endif\n",
                                   "/* c \n */ /* d */ #endif\n",
                                   "# /* c */ endif\n",
                                   "#end\\\nif\n",
                                   "  \\\n  #endif\n",
                                   "x\n#else\n#endif\n",
                                   "#elif 0\n#endif // c\n",
                                   "/**/#endif\n",
                                   "//\n#endif\n",
                                   "x/**/\n#endif"};
  for (std::string_view text : ends) {
    INFO(text);
    const Preprocessed r = preprocessText("#version 450\n#if 0\n" + std::string(text) + "\nend\n");
    CHECK(r.text == "end");
    CHECK(r.ids == (text.starts_with("##") ? "directive-signs" : ""));
  }
}

TEST_CASE("macros of the command line are defined before the text", "[preprocess]") {
  CompileOptions options;
  options.macros = {
      {"A", "1", false}, {"F(x)", "x+x", false}, {"B", "2", false}, {"B", "", true}, {"C", "", false}};
  Preprocessed r = preprocessText("#version 450\nA F(3) B [C] __LINE__\n#ifdef C\nc\n#endif\n", options);
  CHECK(r.text == "1 3 + 3 B[] 2 c");
  CHECK(r.ids.empty());
  options.macros = {{"GL_X", "1", false}};
  r = preprocessText("#version 450\n", options);
  CHECK(r.ids == "macro-name-reserved");
  options.macros = {{"A", "1\n#define B 2\\", false}};
  r = preprocessText("#version 450\nB\n", options);
  CHECK(r.text == "B");
}

TEST_CASE("includes", "[preprocess]") {
  CompileOptions options;
  options.include = [](std::string_view name, bool angled, std::string_view from,
                       uint32_t depth) -> std::optional<IncludeResult> {
    if (name == "a") return IncludeResult{"dir/a", "in_a __LINE__ __FILE__\n#define FROM_A 1\n", {}};
    if (name == "who")
      return IncludeResult{
          "who", std::string(from) + (angled ? " angled " : " quoted ") + std::to_string(depth), {}};
    if (name == "nested") return IncludeResult{"nested", "#include \"a\"\n#include <who>\n", {}};
    if (name == "open") return IncludeResult{"open", "#if 1\n", {}};
    if (name == "close") return IncludeResult{"close", "#endif\n", {}};
    if (name == "once") return IncludeResult{"once", "#pragma once\nonly\n", {}};
    if (name == "self") return IncludeResult{"self", "#include \"self\"\n", {}};
    if (name == "twice")
      return IncludeResult{"twice" + std::to_string(depth), "#include \"twice\"\n#include \"twice\"\n", {}};
    if (name == "f") return IncludeResult{"f", "f", {}};
    return std::nullopt;
  };
  Preprocessed r = preprocessText("#version 450\n#include \"a\"\nFROM_A __LINE__\n", options);
  CHECK(r.text == "in_a 1 \"dir/a\" 1 3");
  CHECK(r.ids.empty());
  r = preprocessText("#version 450\n#include \"nested\" // c\nend", options);
  CHECK(r.text == "in_a 1 \"dir/a\" nested angled 2 end");
  CHECK(preprocessText("#version 450\n#include \"nothing\"\n", options).ids == "include-not-found");
  CHECK(preprocessText("#version 450\n#include\n", options).ids == "include-malformed");
  CHECK(preprocessText("#version 450\n#include \"a\n", options).ids == "include-malformed");
  CHECK(preprocessText("#version 450\n#include \"a\" x\n", options).ids == "extra-tokens");
  CHECK(preprocessText("#version 450\n#include \"open\"\n", options).ids == "unterminated-conditional");
  CHECK(preprocessText("#version 450\n#if 1\n#include \"close\"\n#endif\n", options).ids ==
        "condition-without-if");
  CHECK(preprocessText("#version 450\n#include \"once\"\n#include \"once\"\n", options).text == "only");
  CHECK(preprocessText("#version 450\n#include \"self\"\n", options).ids == "include-too-deep");
  CHECK(preprocessText("#version 450\n#include \"twice\"\n", options).ids == "include-too-deep");
  r = preprocessText("#version 450\n#define f(x) x\n#include \"f\"\n(1)\n", options);
  CHECK(r.text == "f (1)");
  CHECK(preprocessText("#version 450\n#define f(x) x\nf(\n#include \"a\"\n)\n", options).ids ==
        "directive-in-arguments");
  CHECK(preprocessText("#version 450\n#include \"a\"\n").ids == "include-needs-extension");
  // The limit on the size of all text ends a file that includes itself twice at every level.
  options.limits.includeDepth = 4000;
  options.limits.sourceBytes = 1 << 20;
  CHECK(preprocessText("#version 450\n#include \"twice\"\n", options).ids == "source-too-large");
}

TEST_CASE("limits end in one fatal diagnostic", "[preprocess]") {
  CompileOptions options;
  // Exponential expansion ("billion laughs").
  std::string laughs = "#version 450\n#define L0 ha\n";
  for (int i = 1; i < 40; ++i)
    laughs +=
        "#define L" + std::to_string(i) + " L" + std::to_string(i - 1) + " L" + std::to_string(i - 1) + "\n";
  options.limits.macroTokens = 100000;
  CHECK(preprocessText(laughs + "L39\n", options).ids == "macro-expansion-too-large");
  laughs = "#version 450\n#define E(x) x x\n";
  std::string call = "1";
  for (int i = 0; i < 60; ++i) call = "E(" + call + ")";
  CHECK(preprocessText(laughs + call, options).ids == "macro-expansion-too-large");
  // Arguments inside arguments.
  call = "1";
  for (int i = 0; i < 5000; ++i) call = "I(" + call + ")";
  options.limits.macroTokens = 100 << 20;
  CHECK(preprocessText("#version 450\n#define I(x) x\n" + call, options).ids == "macro-nesting-too-deep");
  // A chain of macros, each of which expands to the next one's name.
  std::string chain = "#version 450\n";
  for (int i = 0; i < 6000; ++i)
    chain += "#define C" + std::to_string(i) + " C" + std::to_string(i + 1) + " x\n";
  CHECK(preprocessText(chain + "C0\n", options).ids == "macro-nesting-too-deep");
  std::string ifs = "#version 450\n";
  for (int i = 0; i < 2000; ++i) ifs += "#if 1\n";
  CHECK(preprocessText(ifs, options).ids == "conditionals-too-deep");
  ifs = "#version 450\n#if 0\n";
  for (int i = 0; i < 2000; ++i) ifs += "#if 1\n";
  CHECK(preprocessText(ifs, options).ids == "conditionals-too-deep");
  CHECK(preprocessText("#version 450\n#if " + std::string(100000, '(') + "1\n#endif\n").ids ==
        "condition-too-deep");
  CHECK(preprocessText("#version 450\n#if " + std::string(100000, '!') + "1\n#endif\n").ids ==
        "condition-too-deep");
  options.limits.expandedTokens = 100;
  CHECK(preprocessTokens("#version 450\n" + std::string(200, ';'), options).ids == "too-many-tokens");
}

TEST_CASE("extensions switch by events, and know versions and targets", "[preprocess]") {
  CompileOptions options;
  options.spirvVersion = 0x00010600;
  Tokens t = preprocessTokens(
      "#version 450\n#extension GL_EXT_buffer_reference2 : require\nx\n#extension GL_EXT_buffer_reference2 : "
      "disable\n",
      options);
  CHECK(t.ids.empty());
  REQUIRE(t.source.extensions.size() == 4);
  CHECK(t.source.extensions[0].extension == ExtensionId::GL_EXT_buffer_reference);
  CHECK(t.source.extensions[1].extension == ExtensionId::GL_EXT_buffer_reference2);
  CHECK(t.source.extensions[1].behavior == ExtensionBehavior::Require);
  CHECK(t.kinds() == std::vector<Tok>{Tok::ExtensionEvent, Tok::ExtensionEvent, Tok::Identifier,
                                      Tok::ExtensionEvent, Tok::ExtensionEvent, Tok::End});
  CHECK(preprocessTokens("#version 450\n#extension GL_FOO : require\n").ids == "extension-not-supported");
  CHECK(preprocessTokens("#version 450\n#extension GL_FOO : enable\n").ids == "extension-ignored");
  CHECK(preprocessTokens("#version 450\n#extension GL_FOO : require\n")
            .messages.find("extension not supported: GL_FOO") != std::string::npos);
  CHECK(preprocessTokens("#version 430\n#extension GL_KHR_cooperative_matrix : enable\n").ids ==
        "extension-needs-version");
  CHECK(preprocessTokens("#version 310 es\n#extension GL_KHR_cooperative_matrix : enable\n").ids ==
        "extension-needs-version");
  CHECK(preprocessTokens("#version 320 es\n#extension GL_ARB_gpu_shader_int64 : require\n").ids ==
        "extension-not-supported");
  const std::string matrix2 =
      "#version 450\n#extension GL_NV_cooperative_matrix2 : enable\n#ifdef "
      "GL_NV_cooperative_matrix2\nyes\n#endif\n";
  CHECK(preprocessTokens(matrix2, options).ids.empty());
  CHECK(preprocessTokens(matrix2, options).source.extensions.back().extension ==
        ExtensionId::GL_NV_cooperative_matrix2);
  CHECK(preprocessText(matrix2, options).text == "yes");
  options.spirvVersion = 0x00010500;
  CHECK(preprocessTokens(matrix2, options).ids == "extension-needs-spirv");
  // The extension is enabled in spite of the error, so that its names cause no further errors.
  CHECK(preprocessTokens(matrix2, options).source.extensions.back().extension ==
        ExtensionId::GL_NV_cooperative_matrix2);
  CHECK(preprocessText(matrix2, options).text.empty());
}

TEST_CASE("versions and profiles", "[preprocess]") {
  struct {
    std::string_view line;
    uint32_t version;
    Profile profile;
    std::string_view ids;
  } const rows[] = {
      {"#version 450\n", 450, Profile::Core, ""},
      {"#version 460 core\n", 460, Profile::Core, ""},
      {"#version 310 es\n", 310, Profile::Es, ""},
      {"#version 320 es // c\n", 320, Profile::Es, ""},
      {"#version 450 compatibility\n", 450, Profile::Core, "compatibility-profile"},
      {"#version 450 foo\n", 450, Profile::Core, "unknown-profile"},
      {"#version 450 core x\n", 450, Profile::Core, "extra-tokens"},
      {"#version 450 es\n", 320, Profile::Es, "unknown-version"},
      {"#version 310\n", 310, Profile::Es, "es-profile-required"},
      {"#version 140 core\n", 450, Profile::Core, "profile-not-allowed version-too-old-for-compute"},
      {"#version 330\n", 450, Profile::Core, "version-too-old-for-compute"},
      {"#version 130\n", 450, Profile::Core, "version-too-old-for-vulkan"},
      {"#version 300 es\n", 310, Profile::Es, "version-too-old-for-vulkan"},
      {"#version 100\n", 310, Profile::Es, "version-too-old-for-vulkan"},
      {"#version 455\n", 450, Profile::Core, "unknown-version"},
      {"#version x\n", 450, Profile::Core, "version-malformed"},
      {"#version\n", 450, Profile::Core, "version-malformed"},
      {"\n#version 310 es\n", 310, Profile::Es, "version-not-on-first-line"},
      {"/**/ #version 310 es\n", 310, Profile::Es, "version-not-on-first-line"},
      {"", 450, Profile::Core, "version-too-old-for-vulkan"},
      {"#if 0\n#version 450\n#endif\n", 450, Profile::Core, "version-too-old-for-vulkan"},
  };
  for (const auto& row : rows) {
    INFO(row.line);
    const Tokens t = preprocessTokens(row.line);
    CHECK(t.source.version == row.version);
    CHECK(t.source.profile == row.profile);
    CHECK(t.ids == row.ids);
  }
  CompileOptions options;
  options.forcedVersion = 450;
  CHECK(preprocessTokens("x", options).ids.empty());
  CHECK(preprocessTokens("#version 460\n", options).ids == "version-forced");
  CHECK(preprocessTokens("#version 460\n", options).source.version == 450);
}

TEST_CASE("pragmas are events with their text", "[preprocess]") {
  const Tokens t = preprocessTokens(
      "#version 450\n#define use 1\n#pragma  use_vulkan_memory_model\n#pragma foo( a /* c */ b ) // "
      "d\n#pragma\n"
      "#pragma optimize ( off )\n");
  CHECK(t.ids.empty());
  REQUIRE(t.source.pragmas.size() == 4);
  CHECK(t.source.pragmas[0].text == "use_vulkan_memory_model");
  CHECK(t.source.pragmas[1].text == "foo( a b )");
  CHECK(preprocessTokens("#version 450\n#pragma optimize(maybe)\n").ids == "pragma-malformed");
  CHECK(preprocessTokens("#version 450\n#pragma STDGL invariant(all)\n").ids == "pragma-reserved");
}

TEST_CASE("places of macro tokens lead to the use, with the definition as a note", "[preprocess]") {
  const Tokens t = preprocessTokens("#version 450\n#define A a @ b\n  A\n#line 70 9\n$\n");
  CHECK(t.ids == "invalid-character invalid-character");
  CHECK(t.messages ==
        "main.comp:3:3: error: `@` cannot be part of a token [invalid-character]\n"
        "    3 |   A\n"
        "      |   ^\n"
        "      = GLSL 4.60, 3.1\n"
        "main.comp:2:13: note: in the expansion of macro `A`\n"
        "    2 | #define A a @ b\n"
        "      |             ^\n"
        "9:70:1: error: `$` cannot be part of a token [invalid-character]\n"
        "   70 | $\n"
        "      | ^\n"
        "      = GLSL 4.60, 3.1\n");
}
