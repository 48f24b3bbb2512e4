// GLSL as cooplayout reads it. The compiler reads the text; statements alone are first completed to a shader.
// Loops, functions, macros with parameters, included files, and values from outside.
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "tests/cooplayout/facts.hpp"
#include "tools/cooplayout/programs/run.hpp"

using namespace coopc::cooplayout;
using coopc::tests::factOf;
using coopc::tests::factsOf;

namespace {

using Values = std::map<std::string, int64_t>;

// The dimensions of a layout: what a text computes.
std::string dimensions(const std::string& text, std::vector<std::string> settings = {}) {
  std::vector<std::string> words = {"tensor", text, "--rows", "1", "--columns", "1", "--details"};
  for (const std::string& setting : settings) words.insert(words.end(), {"--set", setting});
  return factOf(factsOf(words), "dimensions");
}
// The value of an expression after statements: the dimension of a layout that has one.
std::string value(const std::string& statements, const std::string& expression,
                  std::vector<std::string> settings = {}) {
  return dimensions(statements + "\nsetTensorLayoutDimensionNV(createTensorLayoutNV(1), " + expression + ")",
                    std::move(settings));
}

}  // namespace

TEST_CASE("cooplayout GLSL: macros, with parameters too, and conditionals") {
  CHECK(value("#define M 16\n#define TWICE(x) ((x) * 2)", "TWICE(M) + 1") == "(33)");
  CHECK(
      value(
          "#define SET(t, n) t = setTensorLayoutDimensionNV(t, n)\nt = createTensorLayoutNV(1);\nSET(t, 5);",
          "7") == "(7)");
  CHECK(dimensions("#define SET(t, n) t = setTensorLayoutDimensionNV(t, n)\nt = "
                   "createTensorLayoutNV(1);\nSET(t, 5);") == "(5)");
  const std::string chain =
      "#ifndef A\n#define A 4\n#endif\n#if A == 4\n#define B 1\n#elif A == 8 && defined(VULKAN)\n#define B "
      "2\n#else\n"
      "#define B 3\n#endif";
  CHECK(value(chain, "B") == "(1)");
  // Values that are given replace the text's definitions.
  CHECK(value(chain, "B", {"A=8"}) == "(2)");
  CHECK(value(chain, "B", {"A=9"}) == "(3)");
  CHECK(value("#define M 16\n", "M", {"M=32"}) == "(32)");
  CHECK(value("#define M 1 + \\\n 2\n", "M", {"M=32"}) == "(32)");
  // Loads that macros make are seen, and counted in the order of the text.
  const char* const loads =
      "#define LOAD(m, row) coopMatLoadTensorNV(m, data, 0, sliceTensorLayoutNV(t, row, 8, 0, 8))\n"
      "t = setTensorLayoutDimensionNV(createTensorLayoutNV(2), 64, 64);\n"
      "coopmat<float16_t, gl_ScopeSubgroup, 8, 8, gl_MatrixUseA> a;\nLOAD(a, 8);\nLOAD(a, 24)";
  CHECK(factOf(factsOf({"tensor", loads, "--load", "0", "--details"}), "offsets") == "(8, 0)");
  CHECK(factOf(factsOf({"tensor", loads, "--details"}), "offsets") == "(24, 0)");
  CHECK(factsOf({"tensor", loads, "--list"}) ==
        "\nname,value\n0,\"coopMatLoadTensorNV, line 4\"\n1,\"coopMatLoadTensorNV, line 5\"\n");
}

TEST_CASE("cooplayout GLSL: loops, conditions and functions are executed") {
  CHECK(value("uint n = 0; for (uint i = 0; i < 5; ++i) { if (i == 3) continue; n += i; }", "n") == "(7)");
  CHECK(value("uint n = 1; while (true) { n *= 3; if (n > 20) break; }", "n") == "(27)");
  CHECK(value("uint n = 9; do { n -= 2; } while (n > 4);", "n") == "(3)");
  CHECK(value("uint n = 3; if (n == 3) n = 5; else n = 6;", "n") == "(5)");
  CHECK(value("uint n = 3; if (n != 3) n = 5; else n = 6;", "n") == "(6)");
  CHECK(value("uint n = 7; switch (n) { case 1: n = 10; break; case 7: n = 20; default: n += 1; }", "n") ==
        "(21)");
  CHECK(value("uint halve(uint n) { if (n < 2) return 1; return n / 2; }\nuint quarter(uint n) { return "
              "halve(halve(n)); }",
              "quarter(40) + halve(1)") == "(11)");
  CHECK(value("void twice(inout uint n) { n *= 2; }\nuint x = 4; twice(x); twice(x);", "x") == "(16)");
  CHECK(value("uvec3 v = uvec3(1, 2, 3) * 4 + uvec3(gl_WorkGroupID.xy, 1); v.y = v.z;", "v.x + v.y + v.zyx.x",
              {"gl_WorkGroupID.x=5", "gl_WorkGroupID.y=6"}) == "(35)");
  CHECK(value("struct S { uint a[3]; uint b; }; S s; s.a[1] = 3; s.b = 4; S q = s; q.a[s.b - 3] += 2;",
              "q.a[1] * q.b") == "(20)");
  CHECK(value("int n = -7; int m = clamp(n, -4, 9); uint k = uint(abs(m)) << 1;", "k + uint(max(n, 3))") ==
        "(11)");
  CHECK(value("int16_t s = int16_t(-2); uint64_t big = 5000000000ul;", "uint(s + 5) + uint(big >> 30)") ==
        "(7)");
}

TEST_CASE("cooplayout GLSL: what is not known is missing only where it is needed") {
  // If a condition is unknown, both branches are executed, one after the other, and a loop's body once.
  CHECK(value("uint n = 1; if (unknown > 3) { n += 4; } else { n += 8; }", "n") == "(13)");
  CHECK(value("uint n = 1; for (uint i = 2; i < unknown; ++i) { n += i; if (i > unknown) break; }", "n") ==
        "(3)");
  CHECK(value("uint n = 1; if (unknown > 3) { n = 2; }", "n", {"unknown=4"}) == "(2)");
  CHECK(value("uint n = 1; if (unknown > 3) { n = 2; }", "n", {"unknown=3"}) == "(1)");
  const std::vector<std::pair<std::string, std::string>> lacking = {
      {"uint n = unknown + 1;", "n"},
      {"uint f(uint x) { return x; }\nuint n = f(unknown);", "n"},
      {"uvec2 v = uvec2(1, unknown);", "v.y"},
      {"uint a[4]; a[unknown] = 1;", "a[1]"},
  };
  for (const auto& [statements, expression] : lacking) {
    INFO(statements);
    std::string out;
    std::string err;
    const std::string text =
        statements + "\nsetTensorLayoutDimensionNV(createTensorLayoutNV(1), " + expression + ")";
    CHECK(run(std::vector<std::string>{"tensor", text}, out, err) == 1);
    CHECK(err.find("'unknown' has no value; --set unknown=N gives it one [program.no-value; ") !=
          std::string::npos);
  }
  CHECK(value("uvec2 v = uvec2(7, unknown);", "v.x") == "(7)");
  // A load in a branch that is not taken, or in a function that nothing calls, has offsets too.
  const auto offsets = [](const std::string& text) {
    return factOf(
        factsOf({"tensor",
                 "tensorLayoutNV<1> t = setTensorLayoutDimensionNV(createTensorLayoutNV(1), 64);\n" + text,
                 "--load", "0", "--rows", "1", "--columns", "8", "--details"}),
        "offsets");
  };
  CHECK(offsets("uint n = 4; if (n > 5) { coopMatLoadTensorNV(m, b, 0, sliceTensorLayoutNV(t, n, 8)); }") ==
        "(4)");
  CHECK(offsets("void f() { coopMatLoadTensorNV(m, b, 0, sliceTensorLayoutNV(t, 9, 8)); }") == "(9)");
  CHECK(offsets("for (uint i = 3; i < 9; ++i) coopMatLoadTensorNV(m, b, 0, sliceTensorLayoutNV(t, i, 8));") ==
        "(3)");
}

TEST_CASE("cooplayout GLSL: values from outside") {
  CHECK(value("", "M + 1", {"M=4"}) == "(5)");
  CHECK(value("", "M", {"M=4294967295"}) == "(4294967295)");
  CHECK(value("", "min(parameters.rows, parameters.columns)",
              {"parameters.rows=9", "parameters.columns=7"}) == "(7)");
  // A given value is a constant.
  CHECK(factOf(factsOf({"tensor", "createTensorLayoutNV(DIM)", "--set", "DIM=3", "--rows", "1", "--columns",
                        "1", "--details"}),
               "dimensions") == "(0, 0, 0)");
  CHECK(value("coopmat<float16_t, gl_ScopeSubgroup, M, (M * 2), gl_MatrixUseA> m;", "3", {"M=8"}) == "(3)");
  // Constants, specialization constants and variables of the text have the given value.
  CHECK(value("const uint n = 3;", "n") == "(3)");
  CHECK(value("const uint n = 3, m = n + 1;", "m", {"n=8"}) == "(9)");
  CHECK(value("const bool wide = false;", "wide ? 5 : 6", {"wide=1"}) == "(5)");
  CHECK(value("layout(constant_id = 3) const uint n = 5;", "n * 2") == "(10)");
  CHECK(value("layout(constant_id = 3) const uint n = 5;", "n * 2", {"n=6"}) == "(12)");
  CHECK(value("uint n = 3; n += 2;", "n", {"n=8"}) == "(8)");
  const char* const block = "layout(push_constant) uniform P { uint rows; uint columns; } p;";
  CHECK(value(block, "p.rows * p.columns", {"p.rows=3", "p.columns=5"}) == "(15)");
  CHECK(value("layout(push_constant) uniform P { uint rows; };", "rows", {"rows=3"}) == "(3)");
}

TEST_CASE("cooplayout GLSL: statements and declarations in any order") {
  // Declarations that must stand outside of functions move there, and the statements before them keep their
  // order.
  CHECK(value("t = createTensorLayoutNV(1); uint x = 1; x += 4; shared uint s[4]; x *= 2;", "x") == "(10)");
  CHECK(value("const uint R = 8; shared uvec4 tile[R]; uint x = R;", "x") == "(8)");
  CHECK(value("uint x = 2; uint f(uint n) { return n + x; }", "f(3)") == "(5)");
  CHECK(value("if (true) { } else { } ; uint x = 6;", "x") == "(6)");
  CHECK(value("layout(set = 0, binding = 1) buffer B { uint n; } b; uint x = 6; // the last", "x\n") ==
        "(6)");
  CHECK(value("#version 450\n#extension GL_NV_cooperative_matrix2 : require\nuint x = 6;", "x") == "(6)");
  CHECK(value("f16vec2 v; bfloat16_t w; floate4m3_t e; uint y = 2;", "y") == "(2)");
}

TEST_CASE("cooplayout GLSL: matrices, arrays and decode functions that nothing declares") {
  // Their names may be expressions, and two loads may use the same ones.
  for (const char* names : {"m, data", "a, b", "zz, input.x[3].y", "a[1], b[2].c"}) {
    INFO(names);
    const std::string load =
        "coopMatLoad(" + std::string(names) + ", 6, 3, gl_CooperativeMatrixLayoutRowMajor);\n";
    const std::string facts = factsOf({"tensor", load + load, "--load", "1", "--rows", "4", "--columns", "8",
                                       "--type", "f16", "--array-bytes", "16", "--element", "2,5"});
    CHECK(factOf(facts, "byte") == std::to_string((6 + 2 * 3) * 16 + 5 * 2));
  }
  CHECK(factOf(factsOf({"tensor",
                        "t = setTensorLayoutBlockSizeNV(createTensorLayoutNV(2), 1, 32);\n"
                        "coopMatLoadTensorNV(a, b, 0, setTensorLayoutDimensionNV(t, 8, 64), decode)",
                        "--rows", "8", "--columns", "64", "--details"}),
               "block size") == "(1, 32)");
  // A matrix that is not declared has no use (A, B or accumulator).
  CHECK(
      factOf(factsOf({"tensor", "coopMatLoad(a, b, 0, 8, 0)", "--rows", "8", "--columns", "8", "--details"}),
             "use")
          .empty());
}

TEST_CASE("cooplayout GLSL: files that a file includes") {
  std::ofstream("glsl_test_sizes.glsl") << "#define ROWS 24\nuint twice(uint n) { return n * 2; }\n";
  std::ofstream("glsl_test.comp")
      << "#version 460\n#extension GL_NV_cooperative_matrix2 : require\n"
         "#extension GL_KHR_cooperative_matrix : require\n"
         "#include \"glsl_test_sizes.glsl\"\n"
         "layout(local_size_x = 32) in;\nlayout(binding = 0) buffer B { float x[]; };\n"
         "void main() {\n  coopmat<float, gl_ScopeSubgroup, 8, 8, gl_MatrixUseA> m;\n"
         "  coopMatLoad(m, x, twice(ROWS), 8, gl_CooperativeMatrixLayoutRowMajor);\n}\n";
  CHECK(factOf(factsOf({"tensor", "--file", "glsl_test.comp", "--element", "1,2"}), "index") == "58");
  // A whole shader is compiled as it is: its names are declared.
  std::ofstream("glsl_test_wrong.comp") << "#version 460\nvoid main() { uint n = m; }\n";
  std::string out;
  std::string err;
  CHECK(run(std::vector<std::string>{"tensor", "--file", "glsl_test_wrong.comp"}, out, err) == 1);
  CHECK(err ==
        "cooplayout: 2:24: `m` is not declared [undeclared-name; GLSL 4.60, 4.2.2 \"Types of Scope\"]\n");
}

TEST_CASE("cooplayout GLSL: the sample shaders, as they are") {
  const std::string folder = COOPLAYOUT_SHADERS;
  const auto csv = [&](const char* file, std::vector<std::string> words) {
    words.insert(words.begin(), {"tensor", "--file", folder + "/" + file});
    return factsOf(words);
  };
  CHECK(csv("gemm_subgroup.comp", {"--load", "1", "--set", "k=64", "--set", "n=48", "--set",
                                   "gl_WorkGroupID.x=1", "--set", "gl_WorkGroupID.y=2", "--element", "3,5"})
            .ends_with("array element,165\nindex,165\nbyte,330\n"));
  CHECK(csv("flash_attention_subgroup.comp", {"--load", "1", "--element", "9,3"})
            .ends_with("array element,\"52, byte 2 in it\"\nindex,417\nbyte,834\n"));
  // Loads that are macros, bounds by min() and ~, strides by ?:.
  const std::vector<std::string> sizes = {
      "--set", "TILE_M=8", "--set", "TILE_N=8", "--set", "TILE_K=8", "--set",
      "m=32",  "--set",    "n=32",  "--set",    "k=32",  "--set",    "gl_WorkGroupID.x=5"};
  std::vector<std::string> words = {"--load", "2", "--element", "1,2"};
  words.insert(words.end(), sizes.begin(), sizes.end());
  CHECK(csv("gemm_fast_workgroup.comp", words).find("tensor coordinate,\"(9, 10)\"\n") != std::string::npos);
}

TEST_CASE("cooplayout GLSL: elements of the tensors of GL_ARM_tensors") {
  const std::string folder = COOPLAYOUT_SHADERS;
  const std::vector<std::string> gemm = {"tensor",
                                         "--file",
                                         folder + "/gemm_tensors.comp",
                                         "--set",
                                         "A.0=20",
                                         "--set",
                                         "A.1=24",
                                         "--set",
                                         "B.0=24",
                                         "--set",
                                         "B.1=30",
                                         "--set",
                                         "D.0=20",
                                         "--set",
                                         "D.1=30",
                                         "--set",
                                         "gl_GlobalInvocationID.x=3",
                                         "--set",
                                         "gl_GlobalInvocationID.y=5"};
  const auto with = [&](std::vector<std::string> more) {
    std::vector<std::string> words = gemm;
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  CHECK(factsOf({"tensor", "--file", folder + "/gemm_tensors.comp", "--list"}) ==
        "\nname,value\n0,\"tensorReadARM, line 27\"\n1,\"tensorReadARM, line 28\"\n2,\"tensorWriteARM, line "
        "31\"\n");
  // A at (5, 0): one element of 2 bytes in rows of 24.
  std::string facts = factsOf(with({"--load", "0", "--element", "0,0"}));
  CHECK(factOf(facts, "tensor coordinate") == "(5, 0)");
  CHECK(factOf(facts, "byte") == "240");
  // B at (0, 12): four elements in packed rows of 30.
  facts = factsOf(with({"--load", "1", "--details"}));
  CHECK(factOf(facts, "matrix") == "1 x 4, loaded");
  CHECK(factOf(facts, "elements of tensor") == "B");
  CHECK(factOf(facts, "strides") == "(30, 1)");
  CHECK(factsOf(with({"--load", "1"})) == "\nrow\\column,0,1,2,3\n0,12,13,14,15\n");
  facts = factsOf(with(
      {"--load", "2", "--set", "D.stride.0=128", "--set", "gl_GlobalInvocationID.x=7", "--table", "byte"}));
  // D with rows of 128 bytes, columns 28 to 31 of 30: columns outside are not written.
  CHECK(facts == "\nrow\\column,0,1,2,3\n0,752,756,x,x\n");
  // Columns that are read from outside are clamped.
  facts = factsOf(with({"--load", "1", "--set", "gl_GlobalInvocationID.x=7"}));
  CHECK(facts == "\nrow\\column,0,1,2,3\n0,28,29,c,c\n");
  CHECK(factOf(factsOf({"tensor",
                        "layout(set = 0, binding = 0) uniform tensorARM<uint8_t, 3> t[2]; uint8_t x[8];",
                        "tensorReadARM(t[1], uint[](1, 2, 3), x)", "--set", "t.1.0=4", "--set", "t.1.1=5",
                        "--set", "t.1.2=16", "--element", "0,7"}),
               "byte") == std::to_string((1 * 5 + 2) * 16 + 3 + 7));
  const std::pair<std::vector<std::string>, const char*> wrong[] = {
      {{"--load", "0", "--set", "A.stride.0=49"},
       "a stride of 49 bytes is not a multiple of the element's 2 [arm-tensor.stride; "
       "VkTensorDescriptionARM, pStrides: "
       "bytes, multiples of the size of an element]"},
      {{"--load", "3"}, "there are 3 loads and stores of matrices; --load counts them from 0"},
  };
  std::string out;
  std::string err;
  for (const auto& [more, says] : wrong) {
    CHECK(run(with(more), out, err) == 1);
    CHECK(err.starts_with("cooplayout: " + std::string(says)));
  }
  CHECK(run(std::vector<std::string>{"tensor", "--file", folder + "/gemm_tensors.comp", "--set", "A.1=1",
                                     "--set", "gl_GlobalInvocationID.x=0", "--set",
                                     "gl_GlobalInvocationID.y=0"},
            out, err) == 1);
  CHECK(err.starts_with("cooplayout: 'A.0' has no value; --set A.0=N gives it one ["));
  CHECK(run(std::vector<std::string>{"tensor",
                                     "layout(set = 0, binding = 0) uniform tensorARM<float, 6> t; float x;",
                                     "tensorReadARM(t, uint[](1, 2, 3, 4, 5, 6), x)"},
            out, err) == 1);
  CHECK(err ==
        "cooplayout: the tensor has 6 dimensions [arm-tensor.rank; a limit of cooplayout: tensors of 1 to 5 "
        "dimensions]\n");
}

TEST_CASE("cooplayout GLSL: hostile texts end") {
  std::string out;
  std::string err;
  std::string doubling;
  for (int i = 0; i < 60; ++i)
    doubling += "#define A" + std::to_string(i) + " A" + std::to_string(i + 1) + " + A" +
                std::to_string(i + 1) + "\n";
  std::string names;
  for (int i = 0; i < 3000; ++i) names += "x" + std::to_string(i) + " = y" + std::to_string(i) + ";\n";
  const std::vector<std::string> texts = {doubling + "x = A0",
                                          names,
                                          "for (;;) { }",
                                          "uint f(uint n) { return f(n); }\nx = f(1)",
                                          "#",
                                          "#if",
                                          "/* x",
                                          std::string(100000, '{'),
                                          std::string(100000, '}'),
                                          "\"",
                                          "x = \xff",
                                          "coopMatLoad(",
                                          "coopMatLoad(,,,",
                                          "= = =",
                                          "uint n = 0; while (true) { n += 1; }",
                                          "void main() { for (;;) main(); }",
                                          std::string("a\0b", 3)};
  size_t ended = 0;
  for (const std::string& text : texts) {
    CHECK(run(std::vector<std::string>{"tensor", text}, out, err) == 1);
    CHECK(err.starts_with("cooplayout: "));
    ++ended;
  }
  CHECK(ended == 17);
}
