// The page's interface to the compiler and the validator: one JSON object for a text.
#include <string>

#include <catch2/catch_test_macros.hpp>

extern "C" {
const char* compiler_run(const char* text, int size, int level);
const char* compiler_layout(const char* words, int size);
}

namespace {

std::string run(const std::string& text, int level = 0) {
  return compiler_run(text.data(), static_cast<int>(text.size()), level);
}
bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("page: a shader's module as text") {
  for (const int level : {0, 1, 2}) {
    const std::string answer = run("#version 450\nvoid main() {}\n", level);
    INFO(answer);
    CHECK(answer.starts_with("{\"ok\":true,\"diagnostics\":["));
    CHECK(contains(answer, "OpEntryPoint GLCompute "));
    CHECK(contains(answer, ",\"findings\":[],\"accesses\":[],\"reflection\":{"));
    CHECK(contains(answer, "\"entryPoints\""));
  }
}

TEST_CASE("page: diagnostics have a place, and there is no module") {
  const std::string answer = run("#version 450\nvoid main() { int x = y; }\n");
  CHECK(answer.starts_with("{\"ok\":false,"));
  CHECK(contains(answer, "undeclared-name"));
  CHECK(
      contains(answer, "\"bytes\":0,\"assembly\":\"\",\"findings\":[],\"accesses\":[],\"reflection\":null}"));
  // A text that only glslang compiles is an error here, because the page has no glslang.
  CHECK(run("#version 450\n#pragma shader_stage(vertex)\nvoid main() { gl_Position = vec4(0); }\n")
            .starts_with("{\"ok\":false,"));
}

TEST_CASE("page: findings of rules have the line of the text") {
  const std::string answer = run(R"(#version 460
#extension GL_KHR_cooperative_matrix : enable
#extension GL_NV_cooperative_matrix2 : enable
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : enable
layout(set = 0, binding = 0) buffer A { float16_t a[]; };
void main() {
  tensorLayoutNV<1> t = setTensorLayoutDimensionNV(createTensorLayoutNV(1), 128);
  coopmat<float16_t, gl_ScopeSubgroup, 8, 8, gl_MatrixUseA> m;
  coopMatLoadTensorNV(m, a, 0, sliceTensorLayoutNV(t, 120, 64));
}
)");
  INFO(answer);
  CHECK(contains(answer, "{\"rule\":\"slice-outside\",\"severity\":\"warning\",\"message\":"));
  CHECK(contains(answer, "\"line\":9,"));
  CHECK(contains(answer, "\"accesses\":[\"coopMatLoadTensorNV, line 9\"]"));
}

TEST_CASE("page: cooplayout answers about GLSL, as JSON") {
  using namespace std::string_literals;
  const auto ask = [](const std::string& words) {
    return std::string(compiler_layout(words.data(), static_cast<int>(words.size())));
  };
  CHECK(
      ask("tensor\0setTensorLayoutDimensionNV(createTensorLayoutNV(2), 8, 8)\0--index\00019\0--format\0json"s) ==
      "{\n \"facts\": {\"element 1\": \"(2, 3)\", \"elements\": \"1\"}\n}\n");
  CHECK(ask("tensor\0x = nosuch(1)\0--format\0json"s) ==
        "{\"error\":\"cooplayout: 1:5: undeclared function `nosuch` [undeclared-function; GLSL 4.60, "
        "6.1]\\u000a\"}");
}
