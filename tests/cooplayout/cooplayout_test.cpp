// cooplayout's commands, as words to text: both directions, one element and whole tables, each rendering,
// derivations, and refusals.
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "tools/cooplayout/programs/run.hpp"

using namespace coopc::cooplayout;

namespace {

struct Ran {
  int code = 0;
  std::string out;
  std::string err;
};
Ran cooplayout(const std::vector<std::string>& words) {
  Ran ran;
  ran.code = run(words, ran.out, ran.err);
  return ran;
}

std::string good(const std::vector<std::string>& words) {
  const Ran ran = cooplayout(words);
  INFO(ran.err);
  REQUIRE(ran.code == 0);
  // If the output is a table without facts, warnings and findings go to the standard error.
  CHECK((ran.err.empty() || ran.err.starts_with("cooplayout: warning: ") ||
         ran.err.starts_with("cooplayout: finding: ")));
  return ran.out;
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TensorProgram programOf(const std::string& text, const std::map<std::string, int64_t>& names = {}) {
  std::string error;
  const std::optional<TensorProgram> program = kProgramReader.read({text, "", names}, {}, error);
  INFO(error);
  REQUIRE(program);
  return *program;
}

coopc::layout::Mapping mapInProgram(const TensorProgram& p, uint32_t row, uint32_t column) {
  return coopc::layout::mapElement(*p.layout, p.view ? &*p.view : nullptr, row, column, p.columns, p.access);
}

}  // namespace

TEST_CASE("cooplayout workitem: element to work-item and back") {
  CHECK(good({"workitem", "--rows", "4", "--columns", "15", "--work-items", "16", "--element", "2,9",
              "--format", "csv"}) == "name,value\nelement,\"(2, 9)\"\nwork-item,6\ncomponent,2\n");
  CHECK(good({"workitem", "--rows", "4", "--columns", "15", "--work-items", "16", "--owner", "6,2",
              "--format", "csv"}) ==
        "name,value\nwork-item,6\ncomponent,2\nelement,\"(2, 9)\"\ninside,yes\n");
  CHECK(contains(good({"workitem", "--rows=4", "--columns=15", "--work-items=16", "--owner=15,3"}),
                 "no: padding"));
  CHECK(good({"workitem", "--rows", "4", "--columns", "15", "--work-items", "16", "--work-item", "12",
              "--format", "csv"}) ==
        "name,value\ncomponent 0,\"0,3\"\ncomponent 1,\"0,7\"\ncomponent 2,\"0,11\"\ncomponent 3,-\n");
}

TEST_CASE("cooplayout workitem: the whole table in both directions") {
  const std::string items = good({"workitem", "--rows", "1", "--columns", "17", "--work-items", "16",
                                  "--table", "items", "--format", "csv"});
  CHECK(items.starts_with("component\\work-item,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n0,\"0,0\",\"0,1\","));
  CHECK(contains(items, "\n1,\"0,16\",-,-,-,"));
  CHECK(good({"workitem", "--rows", "2", "--columns", "3", "--work-items", "2", "--format", "csv"}) ==
        "row\\column,0,1,2\n0,0.0,0.1,0.2\n1,1.0,1.1,1.2\n");
}

TEST_CASE("cooplayout workitem: packed entries, memory, transactions") {
  const std::string packed =
      good({"workitem", "--rows", "16", "--columns", "8", "--work-items", "16", "--scheme", "tinytc-newer",
            "--use", "a", "--type", "float16_t", "--element", "3,5"});
  CHECK(contains(packed, "32-bit entry  2"));
  CHECK(contains(packed, "lowest bit    16"));
  const std::string loaded = good({"workitem", "--rows", "32", "--columns", "8", "--load", "0,0,32,8,1,32"});
  CHECK(contains(loaded, "contiguous over work-items     yes"));
  CHECK(contains(loaded, "transactions of 32 bytes       32, at least 32"));
  CHECK(
      contains(good({"workitem", "--rows", "32", "--columns", "8", "--load", "0,0,32,8,1,32", "--transpose"}),
               "components moved at once       4"));
}

TEST_CASE("cooplayout workitem: a derivation step by step, in all schemes") {
  uint32_t elements = 0;
  for (const char* scheme : {"tinytc-newer", "tinytc-older", "any"}) {
    for (const char* use : {"acc", "a", "b"}) {
      for (const char* element : {"0,0", "5,3", "31,7", "17,6"}) {
        const std::string owner =
            good({"workitem", "--rows", "32", "--columns", "8", "--work-items", "16", "--scheme", scheme,
                  "--use", use, "--type", "u8", "--element", element, "--explain", "--format", "csv"});
        // The last numbers of the steps are the answer.
        const std::string text =
            good({"workitem", "--rows", "32", "--columns", "8", "--work-items", "16", "--scheme", scheme,
                  "--use", use, "--type", "u8", "--element", element, "--explain"});
        const auto field = [&](const std::string& name) {
          const size_t at = owner.find("\n" + name + ",") + name.size() + 2;
          return owner.substr(at, owner.find('\n', at) - at);
        };
        CHECK(contains(text, " = " + field("work-item") + "\n"));
        CHECK(text.ends_with(" = " + field("component") + "\n"));
        const std::string back = good({"workitem", "--rows", "32", "--columns", "8", "--work-items", "16",
                                       "--scheme", scheme, "--use", use, "--type", "u8", "--owner",
                                       field("work-item") + "," + field("component"), "--explain"});
        const std::string row(element, std::string_view(element).find(','));
        const std::string column(element + row.size() + 1);
        CHECK((contains(back, "= " + row + ", column = j = " + column) ||
               contains(back, "= " + row + ", column = c + j omega = " + column)));
        ++elements;
      }
    }
  }
  CHECK(elements == 36);
}

TEST_CASE("cooplayout tensor: the examples of GL_NV_cooperative_matrix2") {
  // From a row-major matrix.
  TensorProgram p = programOf(
      "coopmat<float16_t, gl_ScopeWorkgroup, M, N, gl_MatrixUseA> mat;\n"
      "tensorLayoutNV<2> t = createTensorLayoutNV(2);\n"
      "t = setTensorLayoutDimensionNV(t, NumRows, NumCols);\n"
      "t = sliceTensorLayoutNV(t, row, M, col, N);\n"
      "coopMatLoadTensorNV(mat, input.buf, elementoffset, t);",
      {{"M", 16},
       {"N", 32},
       {"NumRows", 100},
       {"NumCols", 200},
       {"row", 3},
       {"col", 5},
       {"elementoffset", 8}});
  CHECK(p.rows == 16);
  CHECK(p.columns == 32);
  CHECK(p.componentBytes == 2);
  CHECK(p.elementOffset == 8);
  CHECK(mapInProgram(p, 2, 7).index == (3 + 2) * 200 + 5 + 7);
  // From a column-major one.
  p = programOf(
      "coopmat<float16_t, gl_ScopeWorkgroup, 16, 32, gl_MatrixUseB> mat;\n"
      "tensorLayoutNV<2> t = createTensorLayoutNV(2);  // columns are the outermost dimension\n"
      "t = setTensorLayoutDimensionNV(t, 200, 100);\n"
      "t = sliceTensorLayoutNV(t, 5, 32, 3, 16);\n"
      "coopMatLoadTensorNV(mat, input.buf, 0, t, createTensorViewNV(2, false, 1, 0));");
  CHECK(mapInProgram(p, 2, 7).index == (5 + 7) * 100 + 3 + 2);
  // An 8 x 8 patch with 32 channels.
  p = programOf(
      "coopmat<float16_t, gl_ScopeWorkgroup, (8*8), 32, gl_MatrixUseA> mat;\n"
      "tensorLayoutNV<3> t = createTensorLayoutNV(3);\n"
      "t = setTensorLayoutDimensionNV(t, 50, 60, 32);\n"
      "/* Slice an 8x8 32 channel region */ t = sliceTensorLayoutNV(t, 10, 8, 20, 8, 0, 32);\n"
      "coopMatLoadTensorNV(mat, input.buf, 0, t);");
  CHECK(p.rows == 64);
  CHECK(mapInProgram(p, 11, 30).index == ((10 + 1) * 60 + 20 + 3) * 32 + 30);
}

TEST_CASE("cooplayout tensor: space to depth, stores, decode functions, the last load counts") {
  TensorProgram p = programOf(
      "#version 460\n"
      "const uint H = 8u; const uint W = 0x4; const uint NumCh = 3;\n"
      "coopmat<float16_t, gl_ScopeWorkgroup, (H/2*W/2), (4*NumCh), gl_MatrixUseAccumulator> mat;\n"
      "tensorLayoutNV<3> t = createTensorLayoutNV(3);\n"
      "t = setTensorLayoutDimensionNV(t, H, W, NumCh);\n"
      "tensorViewNV<5, true, 0, 2, 1, 3, 4> v = createTensorViewNV(5, true, 0, 2, 1, 3, 4);\n"
      "v = setTensorViewDimensionsNV(v, H/2, 2, W/2, 2, NumCh);\n"
      "coopMatLoadTensorNV(mat, a[b.x, 1].c, 0, t, v);\n");
  CHECK(p.rows == 8);
  CHECK(p.columns == 12);
  // Pixel (1, 0) of the halved image, second row, first column, channel 2: (3, 0, 2).
  CHECK(mapInProgram(p, 2, 8).index == (3 * 4 + 0) * 3 + 2);
  p = programOf(
      "coopmat<uint8_t, gl_ScopeSubgroup, 16, 32, gl_MatrixUseA> m;\n"
      "tensorLayoutNV<2, gl_CooperativeMatrixClampModeConstantNV> t =\n"
      "    createTensorLayoutNV(2, gl_CooperativeMatrixClampModeConstantNV);\n"
      "t = setTensorLayoutBlockSizeNV(t, 1, 32); t = setTensorLayoutDimensionNV(t, 64, 64);\n"
      "coopMatLoadTensorNV(m, data, 0, setTensorLayoutClampValueNV(t, 7), decodeBlock);\n"
      "coopMatStoreTensorNV(m, data, 0, setTensorLayoutStrideNV(t, 70, 1),\n"
      "                     setTensorViewClipNV(createTensorViewNV(2), 1, 2, 0, 32));");
  CHECK(p.access == coopc::layout::Access::Store);
  CHECK(p.layout->clampValue == 0);
  CHECK(p.layout->stride[0] == 70);
  CHECK(p.layout->blockSize[1] == 32);
  REQUIRE(p.view);
  CHECK(p.view->clipRowSpan == 2);
}

TEST_CASE("cooplayout tensor: options describe what statements do") {
  const std::pair<std::vector<std::string>, const char*> same[] = {
      {{"--dimensions", "10,12", "--clamp", "constant", "--clamp-value", "7", "--offsets", "-2,6", "--spans",
        "8,8"},
       "t = setTensorLayoutDimensionNV(createTensorLayoutNV(2, 1), 10, 12); "
       "setTensorLayoutClampValueNV(sliceTensorLayoutNV(t, -2, 8, 6, 8), 7)"},
      {{"--dimensions", "8,64", "--block-size", "1,32", "--strides", "4,1", "--block-bytes", "18"},
       "t = setTensorLayoutDimensionNV(setTensorLayoutBlockSizeNV(createTensorLayoutNV(2), 1, 32), 8, 64); "
       "setTensorLayoutStrideNV(t, 4, 1)"},
      {{"--dimensions", "8,6", "--view", "1,0", "--offsets", "1,2", "--clamp", "mirror-repeat"},
       "t = setTensorLayoutDimensionNV(createTensorLayoutNV(2, 4), 8, 6); sliceTensorLayoutNV(t, 1, 8, 2, "
       "6); "
       "createTensorViewNV(2, false, 1, 0)"},
      {{"--dimensions", "8,16", "--view", "0,2,1,3", "--view-dimensions", "4,2,8,2", "--view-strides",
        "32,16,2,1", "--clip", "1,4,0,8"},
       "setTensorLayoutDimensionNV(createTensorLayoutNV(2), 8, 16); v = createTensorViewNV(4, true, 0, 2, 1, "
       "3); "
       "v = setTensorViewDimensionsNV(v, 4, 2, 8, 2); v = setTensorViewStrideNV(v, 32, 16, 2, 1); "
       "setTensorViewClipNV(v, 1, 4, 0, 8)"},
      {{"--dimensions", "8,8", "--rows", "4", "--columns", "16", "--type", "f16", "--use", "a",
        "--element-offset", "8"},
       "coopmat<float16_t, gl_ScopeSubgroup, 4, 16, gl_MatrixUseA> m; "
       "coopMatLoadTensorNV(m, b, 8, setTensorLayoutDimensionNV(createTensorLayoutNV(2), 8, 8))"},
  };
  uint32_t compared = 0;
  for (const auto& [options, statements] : same) {
    for (const char* question : {"index", "byte", "coord", "memory"}) {
      std::vector<std::string> a = {"tensor", "--table", question};
      std::vector<std::string> b = {"tensor", statements, "--table", question};
      a.insert(a.end(), options.begin(), options.end());
      if (options.back() == "18") b.insert(b.end(), {"--block-bytes", "18"});
      const std::string answered = good(a);
      CHECK(answered == good(b));
      ++compared;
    }
  }
  CHECK(compared == 20);
}

TEST_CASE("cooplayout tensor: mistakes are named with line and column") {
  const std::pair<const char*, const char*> wrong[] = {
      {"tensorLayoutNV<2> t = createTensorLayoutNV(6);",
       "1:44: `tensorLayoutNV` must have 1 to 5 dimensions, not 6"},
      {"t = createTensorLayoutNV(2);\nt = setTensorLayoutDimensionNV(t, 1);",
       "2:5: `setTensorLayoutDimensionNV` takes 3 arguments, 2 given"},
      {"t = createTensorLayoutNV(2); t = sliceTensorLayoutNV(t, 0, N, 0, 4);",
       "1:60: 'N' has no value; --set N=N gives it one"},
      {"v = createTensorViewNV(2, false, 1, 1);",
       "1:34: the view's permutation (1, 1) is not a permutation of 0 to 1"},
      {"t = createTensorLayoutNV(2, 9);",
       "1:29: clamp mode 9 is not one of the `gl_CooperativeMatrixClampMode` constants"},
      {"x = 1 / 0;", "1:7: integer division by zero: the result is undefined"},
      {"x = 99999999999;", "1:5: literal does not fit in 32 bits"},
      {"x = 1 y = 2;", "1:6: expected `;` before the next declaration, found `y`"},
      {"x = (1;", "1:7: expected `)`, found `;`"},
      {"x = ;", "1:5: expected an expression, found `;`"},
      {"x = createTensorLayoutNV(2) + 1;",
       "1:29: operator `+` cannot take a value of the opaque type "
       "`tensorLayoutNV<2, gl_CooperativeMatrixClampModeUndefinedNV>`"},
      {"coopMatLoadTensorNV(m, b, 0, 5);",
       "1:30: argument 4 of `coopMatLoadTensorNV` must be a tensor layout, not `int`"},
      {"coopmat<mat4, gl_ScopeSubgroup, 8, 8, gl_MatrixUseA> m;",
       "1:9: the component type of `coopmat` must be a scalar numerical type, not `mat4`"},
      // The grammar requires the parentheses.
      {"coopmat<float, gl_ScopeSubgroup, 8*8, 8, gl_MatrixUseA> m;",
       "1:35: a type parameter with operator `*` needs parentheses around it"},
      // A misspelled function is not a name that --set could give a value.
      {"t = createTensorLayoutNV(2); t = setTensorLayoutDimensonNV(t, 4, 4);",
       "1:34: undeclared function `setTensorLayoutDimensonNV`; did you mean `setTensorLayoutDimensionNV`?"},
      // Columns count the user's text and not what is added around it. A complete shader has its own lines.
      {"t = createTensorLayoutNV(2); u = setTensorLayoutDimensionNV(t, 4, 4); u = nosuch(u);",
       "1:75: undeclared function `nosuch`"},
      {"#version 460\nshared uint a[4];\nx = a + 1;",
       "3:7: operator `+` is not defined for `uint[4]` as a whole"},
  };
  uint32_t refused = 0;
  for (const auto& [text, says] : wrong) {
    INFO(text);
    std::string error;
    CHECK_FALSE(kProgramReader.read({text, "", {}}, {}, error));
    CHECK(error.starts_with(says));
    INFO(error);
    CHECK(error.ends_with("]"));
    ++refused;
  }
  CHECK(refused == 17);
  // All errors of a text, each on its line.
  std::string error;
  CHECK_FALSE(kProgramReader.read({"x = nosuch(1);\ny = norsuch(2);", "", {}}, {}, error));
  CHECK(error ==
        "1:5: undeclared function `nosuch` [undeclared-function; GLSL 4.60, 6.1]\n"
        "2:5: undeclared function `norsuch` [undeclared-function; GLSL 4.60, 6.1]");
  for (const char c : {'(', '-'}) {
    CHECK_FALSE(kProgramReader.read({"x = " + std::string(100000, c) + "1", "", {}}, {}, error));
    CHECK(contains(error, "nest"));
  }
}

TEST_CASE("cooplayout tensor: the loads and stores of the sample shaders") {
  const std::string folder = COOPLAYOUT_SHADERS;
  const std::vector<std::string> patch = {"--set", "rows=40", "--set", "columns=96",
                                          "--set", "row=10",  "--set", "column=20"};
  const auto tensor = [&](const std::string& file, const std::string& load, std::vector<std::string> more) {
    more.insert(more.begin(), {"tensor", "--file", folder + "/" + file, "--load", load});
    return more;
  };
  const auto with = [](std::vector<std::string> words, const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  std::string text = good(with(tensor("load_patch.comp", "0", patch), {"--element", "9,3"}));
  CHECK(contains(text, "tensor coordinate  (11, 21, 3)\n"));
  text = good(with(tensor("load_patch.comp", "1", patch), {"--format", "csv"}));
  CHECK(contains(text, "\n1,32,33,34,"));
  // Specialization constants have the shader's values, or others.
  text = good(with(tensor("load_dequantize.comp", "0", patch), {"--element", "1,40", "--explain"}));
  CHECK(contains(text, "row 1 * 64 columns + 40"));
  CHECK(contains(text, "divided by the block size (1, 32): block (11, 1), in it (0, 28)\n"));
  text = good(
      with(tensor("load_dequantize.comp", "0", patch), {"--set", "N=48", "--element", "1,40", "--explain"}));
  CHECK(contains(text, "row 1 * 48 columns + 40"));
  CHECK(contains(
      good(tensor("load_space_to_depth.comp", "0", {"--set", "H=8", "--set", "W=8", "--set", "C=4"})),
      "view's permutation  (0, 2, 1, 3, 4)\n"));
  // Attributes, and directives with continuation lines, are skipped.
  CHECK(contains(good({"tensor", "--file", folder + "/flash_attention.comp", "--load", "1", "--set",
                       "HEAD=16", "--set", "rows=64", "--set", "columns=128", "--set", "gl_WorkGroupID.x=0",
                       "--set", "gl_WorkGroupID.y=0", "--element", "3,5"}),
                 "tensor coordinate  (5, 3)\n"));
  CHECK(programOf(
            "#define LOAD(m) \\\n coopMatLoadTensorNV(m, \\\n no, no, no)\nx = 4; createTensorLayoutNV(x)")
            .layout->dim == 4);
  // A missing value is reported where it is used.
  const Ran missing = cooplayout(tensor("load_patch.comp", "0", {}));
  CHECK(missing.code == 1);
  CHECK(contains(missing.err, ": 'rows' has no value; --set rows=N gives it one"));
  CHECK(contains(cooplayout(tensor("load_patch.comp", "2", patch)).err,
                 "there are 2 loads and stores of matrices; --load counts them from 0"));
}

TEST_CASE("cooplayout tensor: an element's chain, and the elements of an index") {
  const std::string statements =
      "sliceTensorLayoutNV(setTensorLayoutDimensionNV(createTensorLayoutNV(2, 3), 100, 50), 90, 16, 20, 16)";
  const std::string chain = good({"tensor", statements, "--element", "12,3", "--explain"});
  CHECK(contains(chain, "row 12 * 16 columns + 3 = index in the span 195\n"));
  CHECK(contains(chain, "with clamp mode repeat in a tensor of (100, 50): tensor coordinate (2, 23)\n"));
  CHECK(chain.ends_with("(element offset 0 + 123) * 4 bytes = byte 492\n"));
  CHECK(good({"tensor", statements, "--index", "123", "--format", "csv"}) ==
        "name,value\nelement 1,\"(12, 3)\"\nelements,1\n");
  CHECK(
      good({"tensor",
            "t = setTensorLayoutDimensionNV(createTensorLayoutNV(2, 1), 2, 2); sliceTensorLayoutNV(t, 1, 2, "
            "0, 3)",
            "--format", "csv"}) == "row\\column,0,1,2\n0,2,3,c\n1,c,c,c\n");
  CHECK(contains(
      good({"tensor",
            "setTensorLayoutStrideNV(setTensorLayoutDimensionNV(createTensorLayoutNV(2), 4, 4), 3, 1)"}),
      "stride 0 is 3, smaller than the 4 that dimension 1 needs [tensor.stride;"));
}

TEST_CASE("cooplayout tensor: the whole table from memory to elements, by bytes and by indices") {
  const std::string part =
      "coopmat<float16_t, gl_ScopeSubgroup, 2, 3, gl_MatrixUseA> m; t = setTensorLayoutDimensionNV("
      "createTensorLayoutNV(2, 3), 4, 64); coopMatLoadTensorNV(m, b, 8, sliceTensorLayoutNV(t, 1, 2, 62, 3))";
  // Element offset 8: index 126 is byte (8 + 126) * 2 = 268. Repeat: column 64 is column 0 of the same row.
  const std::string bytes = good({"tensor", part, "--table", "memory", "--format", "csv"});
  CHECK(bytes.starts_with("line\\byte,0,2,4,6,"));
  std::istringstream lines(bytes);
  std::vector<std::string> line;
  for (std::string text; std::getline(lines, text);) line.push_back(text);
  REQUIRE(line.size() == 4);
  CHECK(line[1].starts_with("128,.,.,.,.,.,.,.,.,\"0,2\",.,"));
  CHECK(line[2].starts_with("256,.,.,.,.,.,.,\"0,0\",\"0,1\",\"1,2\",.,"));
  CHECK(line[3].starts_with("384,.,.,.,.,.,.,\"1,0\",\"1,1\",.,"));
  CHECK(good({"tensor", part, "--byte", "268", "--format", "csv"}) ==
        "name,value\nelement 1,\"(0, 0)\"\nelements,1\n");
  const std::string indices = good({"tensor", part, "--table", "memory-index", "--format", "csv"});
  CHECK(indices.starts_with("line\\index,0,1,2,3,"));
  CHECK(contains(indices, "\n64,\"0,2\",.,"));
  // An element in memory can stand for several elements of the matrix, and a block holds several elements.
  CHECK(contains(good({"tensor", "t = setTensorLayoutDimensionNV(createTensorLayoutNV(2, 2), 1, 2)",
                       "sliceTensorLayoutNV(t, -1, 2, 0, 3)", "--table", "memory", "--format", "csv"}),
                 "\n0,\"0,0 1,0\",\"0,1..2 1,1..2\",."));
  CHECK(contains(
      good({"tensor", "t = setTensorLayoutBlockSizeNV(createTensorLayoutNV(2), 1, 32)",
            "setTensorLayoutDimensionNV(t, 2, 64)", "--block-bytes", "18", "--table", "memory", "--format",
            "csv"}),
      "line\\byte,0,18,36,54,72,90,108\n0,\"0,0..31\",\"0,32..63\",\"1,0..31\",\"1,32..63\",.,.,.\n"));
  // Nothing is accessed if everything is outside.
  CHECK(good({"tensor", "t = setTensorLayoutDimensionNV(createTensorLayoutNV(2, 1), 2, 2)",
              "sliceTensorLayoutNV(t, 9, 1, 9, 1)", "--table", "memory", "--format", "csv"})
            .ends_with(",124\n"));
}

TEST_CASE("cooplayout tensor: plain loads, both directions, in elements of their array") {
  // Rows of 16 halves in uvec4[], with one uvec4 of padding, from element 6 on.
  const std::string matrix = "coopmat<float16_t, gl_ScopeSubgroup, 4, 16, gl_MatrixUseA> m";
  const std::vector<std::string> byRows = {"tensor", matrix, "shared uvec4 tile[96]",
                                           "coopMatLoad(m, tile, 6, 3, gl_CooperativeMatrixLayoutRowMajor)"};
  const auto with = [](std::vector<std::string> words, const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  std::string text = good(with(byRows, {"--details"}));
  for (const char* part :
       {"4 x 16, loaded\n", "row-major\n", "6 and 3 of 16 bytes\n", "(24, 1)\n", "48 of 2 bytes\n"})
    CHECK(contains(text, part));
  CHECK_FALSE(contains(text, "warning"));
  text = good(with(byRows, {"--element", "2,5", "--explain"}));
  CHECK(contains(text, "row-major: row 2 starts at array element offset 6 + 2 * stride 3 = 12\n"));
  CHECK(contains(text, "times 16 bytes = byte 192\n"));
  CHECK(contains(text, "plus column 5 * 2 bytes of a component = byte 202\n"));
  CHECK(text.ends_with("byte 202 / 2 = index 101\n"));
  CHECK(contains(text, "12, byte 10 in it\n"));
  CHECK(good(with(byRows, {"--byte", "202", "--format", "csv"})) ==
        "name,value\nelement 1,\"(2, 5)\"\nelements,1\n");
  CHECK(good(with(byRows, {"--index", "101", "--format", "csv"})) ==
        "name,value\nelement 1,\"(2, 5)\"\nelements,1\n");
  CHECK(contains(good(with(byRows, {"--format", "csv"})), "\n1,72,73,74,"));
  CHECK(contains(good(with(byRows, {"--table", "byte", "--format", "csv"})), "\n1,144,146,148,"));
  CHECK(contains(good(with(byRows, {"--table", "memory-index", "--format", "csv"})),
                 "\n64,.,.,.,.,.,.,.,.,\"1,0\","));
  CHECK(contains(good(with(byRows, {"--access"})), "transactions of 32 bytes"));

  const std::vector<std::string> byColumns = {
      "tensor", matrix, "coopMatStore(m, data.x, 8, 40, gl_CooperativeMatrixLayoutColumnMajor)"};
  text = good(with(byColumns, {"--element", "2,5", "--explain"}));
  CHECK(contains(text, "column-major: column 5 starts at array element offset 8 + 5 * stride 40 = 208\n"));
  CHECK(contains(text, "plus row 2 * 2 bytes of a component = byte 420\n"));
  CHECK(contains(good(byColumns), "4 x 16, stored\n"));
  // If the array is not declared, --array-bytes is the unit of offset and stride.
  CHECK(contains(good(with(byColumns, {"--array-bytes", "4", "--element", "2,5"})), "836\n"));
  // The last load or store counts, whichever kind it is.
  CHECK(contains(
      good({"tensor", matrix, "coopMatLoad(m, b, 0, 16, 0)",
            "coopMatLoadTensorNV(m, b, 0, setTensorLayoutDimensionNV(createTensorLayoutNV(2), 4, 20))",
            "--element", "1,0"}),
      "tensor coordinate  (0, 16)\n"));
}

TEST_CASE("cooplayout tensor: the arrays of plain loads in a shader") {
  const auto byte = [](const std::string& declarations, const std::string& memory) {
    const TensorProgram p =
        programOf(declarations + "void main() { coopmat<float16_t, 3, 4, 8, 0> m[2]; coopMatLoad(m[1], " +
                  memory + ", 2, 8, gl_CooperativeMatrixLayoutRowMajor); }");
    REQUIRE(p.plain);
    return p.elementBytes;
  };
  CHECK(byte("shared uvec4 tile[64];", "tile") == 16);
  CHECK(byte("layout(set = 0, binding = 0, std430) readonly buffer B { u8vec4 x[]; } b;", "b.x") == 4);
  CHECK(byte("layout(std430) buffer B { uint n; float16_t x[]; } b[4];", "b[n + 1].x") == 2);
  CHECK(byte("layout(buffer_reference) buffer B { f16vec2 x[]; }; uint64_t address;", "B(address).x") == 4);
  CHECK(byte("shared float16_t tile[2][64];", "tile[1]") == 2);
  // Members with the same name are told apart by their block.
  CHECK(byte("buffer A { uint x[]; } a; buffer B { uint8_t x[]; } b;", "b.x") == 1);
  // Undeclared names.
  CHECK(byte("", "tile") == 0);
  CHECK(byte("", "tile[i].x") == 0);
}

TEST_CASE("cooplayout tensor: operators, changed variables, loops") {
  const auto first = [](const std::string& statements, const std::string& value) {
    std::string error;
    const std::string text = "void main() { " + statements + " t = createTensorLayoutNV(1);\n" +
                             "t = setTensorLayoutDimensionNV(t, " + value +
                             "); coopMatLoadTensorNV(m, b, 0, t); }";
    const auto p = kProgramReader.read({text, "", {{"given", 5}}}, {}, error);
    INFO(error);
    REQUIRE(p);
    return p->layout->dimension[0];
  };
  CHECK(first("", "1 + 2 * 3 << 1") == 14);
  CHECK(first("", "7 & ~3 | 1") == 5);
  CHECK(first("", "given > 4 ? min(given, 3) : 9") == 3);
  CHECK(first("", "max(2, clamp(9, 1, 6))") == 6);
  CHECK(first("", "int(!false) + 10 - 4 - 3") == 4);
  CHECK(first("uint x = 3; x += 4; x *= 2;", "x") == 14);
  CHECK(first("uint x = 3; x <<= 2; x -= 1; x |= 16; x++; ++x; --x;", "x") == 28);
  CHECK(first("uint x = 3; if (x <= 4) { x = x == 3 ? 8 : 9; }", "x") == 8);
  CHECK(first("uint y; for (uint x = 3; x < (8); x += 2) { y = x; }", "y") == 7);
  CHECK(first("uint given = 1; given += 1;", "given") == 5);
  // If an assignment cannot be computed, the variable does not keep its old value.
  std::string error;
  CHECK_FALSE(kProgramReader.read({"void main() { uint x = 3; x += unknown; coopMatLoadTensorNV(m, b, x, "
                                   "createTensorLayoutNV(2)); }",
                                   "",
                                   {}},
                                  {}, error));
  CHECK(contains(error, "'unknown' has no value"));
}

TEST_CASE("cooplayout: the tables of both directions say the same") {
  struct Table {
    std::vector<std::string> words;
    const char* forward;  // --table
  };
  const Table tables[] = {
      {{"tensor", "t = setTensorLayoutDimensionNV(createTensorLayoutNV(2, 4), 5, 7)",
        "sliceTensorLayoutNV(t, -3, 12, -2, 12)"},
       "byte"},
      {{"tensor", "setTensorLayoutStrideNV(setTensorLayoutDimensionNV(createTensorLayoutNV(2), 6, 9), 40, 3)",
        "--type", "u8"},
       "byte"},
      {{"tensor", "coopmat<float16_t, 3, 8, 12, 0> m", "coopMatLoad(m, b, 8, 20, 1)"}, "byte"},
      {{"smem", "--canonical", "k,128", "--m", "2", "--k", "3"}, "byte"},
      {{"smem", "--canonical", "mn,64", "--type", "f32", "--k", "2"}, "byte"},
      {{"smem", "Swizzle<1,4,3> o ((8,2),(4,4)):((8,64),(1,4))", "--type", "tf32"}, "byte"},
      {{"smem", "(7,5):(5,1)", "--bits", "12"}, "byte"},
      {{"smem", "(8,8):(8,1)", "--bits", "4"}, "byte"},
  };
  size_t elements = 0;
  for (const Table& table : tables) {
    // The cells of a CSV without its first line: the name of the row, then the cells of the columns.
    const auto cells = [](const std::string& csv) {
      std::vector<std::vector<std::string>> rows;
      std::istringstream in(csv);
      for (std::string line; std::getline(in, line);) {
        std::vector<std::string>& row = rows.emplace_back();
        for (size_t at = 0; at < line.size();) {
          const bool quoted = line[at] == '"';
          const size_t end = std::min(line.find(quoted ? '"' : ',', at + 1), line.size());
          row.push_back(line.substr(at + (quoted ? 1 : 0), end - at - (quoted ? 1 : 0)));
          at = end + (quoted ? 2 : 1);
        }
      }
      return rows;
    };
    const auto tableOf = [&](const char* name) {
      std::vector<std::string> words = table.words;
      words.insert(words.end(), {"--table", name, "--format", "csv"});
      return cells(good(words));
    };
    std::map<std::string, std::string> wanted;  // byte of each element
    const auto forward = tableOf(table.forward);
    for (size_t r = 1; r < forward.size(); ++r) {
      for (size_t c = 1; c < forward[r].size(); ++c) {
        if (forward[r][c][0] >= '0' && forward[r][c][0] <= '9')
          wanted[forward[r][0] + "," + forward[0][c]] = forward[r][c];
      }
    }
    std::map<std::string, std::string> found;
    const auto backward = tableOf("memory");
    for (size_t r = 1; r < backward.size(); ++r) {
      for (size_t c = 1; c < backward[r].size(); ++c) {
        std::istringstream list(backward[r][c]);
        for (std::string run; list >> run;) {
          if (run == ".") continue;
          const size_t comma = run.find(',');
          const size_t dots = run.find("..");
          const int first = std::stoi(run.substr(comma + 1));
          const int last = dots == std::string::npos ? first : std::stoi(run.substr(dots + 2));
          for (int column = first; column <= last; ++column)
            found[run.substr(0, comma + 1) + std::to_string(column)] =
                std::to_string(std::stoull(backward[r][0]) + std::stoull(backward[0][c]));
        }
      }
    }
    INFO(table.words[1]);
    CHECK(found == wanted);
    elements += found.size();
  }
  CHECK(elements == 144 + 54 + 96 + 16 * 48 + 16 * 16 + 256 + 35 + 64);
}

TEST_CASE("cooplayout tensor: what a load takes over work-items") {
  const std::string report = good(
      {"tensor", "setTensorLayoutDimensionNV(createTensorLayoutNV(2), 32, 64)", "--type", "f16", "--access"});
  CHECK(contains(report, "components moved at once    8"));
  CHECK(contains(report, "transactions of 32 bytes    256, at least 128"));
}

TEST_CASE("cooplayout smem: canonical layouts, both directions, swizzle before and after") {
  const std::string table = good({"smem", "--canonical", "k,128", "--type", "bf16", "--k", "4"});
  CHECK(contains(table, "Swizzle<3,4,3> o ((8,1),(8,8)):((64,512),(1,8))\n"));
  CHECK(contains(table, "1024 bytes, encoded 64: from the first 8 rows to the next 8 rows"));
  CHECK(contains(table, "accesses of 16 bytes down a column  conflict-free: yes, 32 accesses in 4 passes\n"));
  CHECK(contains(
      table,
      "without the swizzle, down a column  conflict-free: no, 32 accesses in 32 passes instead of 4\n"));
  const std::string element =
      good({"smem", "--canonical", "k,128", "--k", "4", "--element", "3,9", "--explain"});
  CHECK(contains(element, "digit * stride: 3 * 64 + 0 * 512 + 1 * 1 + 1 * 8 = index 201\n"));
  CHECK(contains(element, "swizzle: bits 7 to 9 are 3, onto bits 4 to 6: byte 418\n"));
  CHECK(contains(good({"smem", "--canonical", "k,128", "--k", "4", "--address", "418", "--explain"}),
                 "swizzle: bits 7 to 9 are 3, onto bits 4 to 6: byte 418\n"));
  CHECK(good({"smem", "--canonical", "k,128", "--k", "4", "--address", "418", "--format", "csv"}) ==
        "name,value\nelement 1,\"(3, 9)\"\nelements,1\n");
  CHECK(contains(good({"smem", "--canonical", "k,128", "--k", "4", "--element", "3,9", "--no-swizzle"}),
                 "byte     402\n"));
}

TEST_CASE("cooplayout smem: which work-item reads an element, down columns and along rows") {
  // 8 x 64 elements of 16 bits. A work-item reads eight elements of a row, down a column of chunks, then the
  // next column.
  const std::vector<std::string> words = {"smem",    "--canonical", "k,128",    "--k", "4",
                                          "--table", "reader",      "--format", "csv"};
  const std::string down = good(words);
  CHECK(contains(down, "\n0,0,0,0,0,0,0,0,0,8,8,8,8,8,8,8,8,16,"));
  CHECK(contains(down, "\n7,7,7,7,7,7,7,7,7,15,"));
  std::vector<std::string> along = words;
  along.insert(along.end(), {"--along", "row"});
  CHECK(contains(good(along), "\n0,0,0,0,0,0,0,0,0,1,1,1,1,1,1,1,1,2,"));
  // 32 work-items of 8 elements read the first four rows.
  CHECK(contains(good(along), "\n4,.,.,.,."));
}

TEST_CASE("cooplayout smem: the algebra and descriptors") {
  const auto layout = [](std::vector<std::string> words) {
    words.insert(words.begin(), "smem");
    const std::string text = good(words);
    return text.substr(0, text.find('\n'));
  };
  CHECK(layout({"(6,2):(8,2)", "--compose", "(4,3):(3,1)"}).ends_with(" ((2,2),3):((24,2),8)"));
  CHECK(layout({"(4,2,3):(2,1,8)", "--divide", "4:2"}).ends_with(" ((2,2),(2,3)):((4,1),(2,8))"));
  CHECK(layout({"(2,2):(4,1)", "--product", "6:1"}).ends_with(" ((2,2),(2,3)):((4,1),(2,8))"));
  CHECK(layout({"4:2", "--complement", "24"}).ends_with(" (2,3):(1,8)"));
  CHECK(layout({"(4,8):(8,1)", "--inverse"}).ends_with(" (8,4):(4,1)"));
  CHECK(layout({"(2,(1,6)):(1,(6,2))", "--coalesce"}).ends_with(" 12:1"));
  const std::string d =
      good({"smem", "--descriptor", "0x5010004000010000", "--instruction", "0x8000", "--format", "csv"});
  CHECK(contains(d, "leading dimension address,16\n"));
  CHECK(contains(d, "restriction,an absolute leading dimension address needs K-major operands"));
}

TEST_CASE("cooplayout: every table renders in every format") {
  const std::vector<std::vector<std::string>> commands = {
      {"workitem", "--rows", "4", "--columns", "6", "--work-items", "8"},
      {"tensor", "setTensorLayoutDimensionNV(createTensorLayoutNV(2), 4, 6)"},
      {"smem", "--canonical", "mn,32"},
      {"device", COOPLAYOUT_DEVICE_FILE},
      // From registers and from memory to elements.
      {"workitem", "--rows", "4", "--columns", "6", "--work-items", "8", "--table", "items"},
      {"tensor", "setTensorLayoutDimensionNV(createTensorLayoutNV(2), 4, 6)", "--table", "memory"},
      {"tensor", "setTensorLayoutDimensionNV(createTensorLayoutNV(2), 4, 6)", "--table", "memory-index"},
      {"smem", "--canonical", "mn,32", "--table", "memory"},
      {"device", COOPLAYOUT_DEVICE_FILE, "--table", "items"},
  };
  uint32_t renderings = 0;
  for (const std::vector<std::string>& command : commands) {
    for (const char* format : {"text", "csv", "json", "markdown", "svg"}) {
      std::vector<std::string> words = command;
      words.insert(words.end(), {"--format", format});
      const std::string text = good(words);
      INFO(text);
      CHECK(text.back() == '\n');
      if (std::string_view(format) == "svg") {
        CHECK(text.starts_with("<svg xmlns="));
        CHECK(text.ends_with("</svg>\n"));
      }
      if (std::string_view(format) == "json") {
        CHECK(text.starts_with("{\n"));
        CHECK(contains(text, "\"cells\": [\n  [\""));
      }
      ++renderings;
    }
  }
  CHECK(renderings == 45);
}

TEST_CASE("cooplayout: a title explains the marks that are there, and is not cut off in a narrow picture") {
  const std::string tensor = "t = setTensorLayoutDimensionNV(createTensorLayoutNV(2, 1), 2, 2)";
  CHECK(contains(good({"tensor", tensor}), "\nindex in memory of each element\n"));
  CHECK(contains(good({"tensor", tensor, "sliceTensorLayoutNV(t, 1, 2, 0, 2)"}),
                 "\nindex in memory of each element (c clamp value)\n"));
  CHECK(
      contains(good({"tensor", tensor, "sliceTensorLayoutNV(t, 1, 2, 0, 1)", "--columns", "2",
                     "setTensorViewClipNV(createTensorViewNV(2), 0, 2, 0, 1)", "--store", "--table", "byte"}),
               "\nbyte of each element (. clipped, x dropped)\n"));
  const std::string svg = good({"tensor", tensor, "--table", "byte", "--format", "svg"});
  const size_t width = svg.find("width=\"") + 7;
  CHECK(std::stoul(svg.substr(width)) >= 7 * std::string("byte of each element").size());
}

TEST_CASE("cooplayout: a picture of 128 x 256 elements has a square of a few bytes for each") {
  const std::string svg = good({"workitem", "--rows", "128", "--columns", "256", "--format", "svg"});
  size_t squares = 0;
  for (const char c : svg) squares += c == 'z' ? 1 : 0;
  CHECK(squares >= 128 * 256);
  CHECK(svg.size() < 32 * 128 * 256);
  CHECK(svg.size() < 2'000'000);
}

TEST_CASE("cooplayout device: a measured map") {
  CHECK(contains(good({"device", COOPLAYOUT_DEVICE_FILE, "--list"}),
                 "matrix 1     f32 acc subgroup 2 x 2 over 2\n"));
  CHECK(
      contains(good({"device", COOPLAYOUT_DEVICE_FILE, "--element", "1,2"}), "invocation.component  2.2\n"));
  CHECK(contains(good({"device", COOPLAYOUT_DEVICE_FILE, "--matrix", "1", "--work-item", "1"}),
                 "component 0  (0, 1)\ncomponent 1  (1, 1)\n"));
}

TEST_CASE("cooplayout device: details, register to element, and the whole table of it") {
  const std::string details = good({"device", COOPLAYOUT_DEVICE_FILE, "--details", "--format", "csv"});
  CHECK(details.ends_with(
      "rows x columns,2 x 4\ninvocations,4\ncomponents of each,3\ncomponents without an element,3\n"
      "elements held more than once,1\n"));
  CHECK(good({"device", COOPLAYOUT_DEVICE_FILE, "--owner", "1,1"}).ends_with("\nelement      (0, 1)\n"));
  CHECK(good({"device", COOPLAYOUT_DEVICE_FILE, "--table", "items", "--format", "csv"}) ==
        "component\\invocation,0,1,2,3\n0,\"0,0\",\"0,1\",\"0,2\",\"0,3\"\n1,-,\"0,1\",-,-\n2,\"1,0\",\"1,"
        "1\",\"1,2\",\"1,3\"\n");
  // Both directions undo each other in every matrix that ships: element to registers, register to element,
  // and the tables.
  const ShippedMaps maps{COOPLAYOUT_MAPS, {"lavapipe", "nvidia-h200", "nvidia-mma"}};
  size_t registers = 0;
  size_t matrices = 0;
  for (const std::string& name : maps.names) {
    const auto answer = [&](std::vector<std::string> words) {
      words.insert(words.begin(), {"device", name});
      Ran ran;
      ran.code = run(words, ran.out, ran.err, maps);
      INFO(ran.err);
      REQUIRE(ran.code == 0);
      return ran.out;
    };
    std::istringstream list(answer({"--list", "--format", "csv"}));
    for (std::string line; std::getline(list, line);) {
      if (!line.starts_with("matrix ")) continue;
      const std::string number = line.substr(7, line.find(',') - 7);
      const std::string items = answer({"--matrix", number, "--table", "items", "--format", "json"});
      // Checks one register of each table, a different one each time.
      std::istringstream elements(answer({"--matrix", number, "--format", "csv"}));
      std::string row;
      std::getline(elements, row);
      std::getline(elements, row);
      const size_t column = matrices % 8;
      std::vector<std::string> cells;
      for (size_t at = row.find(',') + 1; cells.size() <= column;) {
        const bool quoted = row[at] == '"';
        const size_t end = row.find(quoted ? '"' : ',', at + 1);
        cells.push_back(row.substr(at + (quoted ? 1 : 0), end - at - (quoted ? 1 : 0)));
        at = end + (quoted ? 2 : 1);
      }
      const std::string element = "(0, " + std::to_string(column) + ")";
      CHECK(answer({"--matrix", number, "--element", "0," + std::to_string(column), "--format", "csv"})
                .ends_with((contains(cells[column], ",") ? "\"" + cells[column] + "\"" : cells[column]) +
                           "\n"));
      std::istringstream owners(cells[column]);
      for (std::string owner; std::getline(owners, owner, ',');) {
        std::string words = owner;
        words[words.find('.')] = ',';
        CHECK(answer({"--matrix", number, "--owner", words, "--format", "csv"})
                  .ends_with("element,\"" + element + "\"\n"));
        ++registers;
      }
      CHECK(contains(items, "\"0," + std::to_string(column) + "\""));
      ++matrices;
    }
  }
  CHECK(matrices == 10 + 69 + 15);
  CHECK(registers > matrices);
}

TEST_CASE("cooplayout device: maps that ship go by their names") {
  const ShippedMaps maps{COOPLAYOUT_MAPS, {"lavapipe", "nvidia-h200", "nvidia-mma"}};
  uint32_t read = 0;
  for (const std::string& name : maps.names) {
    Ran ran;
    ran.code = run(std::vector<std::string>{"device", name, "--list"}, ran.out, ran.err, maps);
    INFO(ran.err);
    CHECK(ran.code == 0);
    CHECK(contains(ran.out, "matrix 0 "));
    ++read;
  }
  CHECK(read == 3);
  // Arguments with a slash are paths, even if such maps exist; without an argument the maps are listed.
  Ran ran;
  CHECK(run(std::vector<std::string>{"device", COOPLAYOUT_DEVICE_FILE}, ran.out, ran.err, maps) == 0);
  CHECK(run(std::vector<std::string>{"device"}, ran.out, ran.err, maps) == 2);
  CHECK(contains(ran.err, "or the name of a shipped map: lavapipe, nvidia-h200, nvidia-mma;"));
}

TEST_CASE("cooplayout: wrong usage names the option, and ends with 2") {
  struct Wrong {
    std::vector<std::string> words;
    const char* says;
  };
  const Wrong wrong[] = {
      {{"smem", "--rows", "3"}, "unknown option '--rows'"},
      {{"smem", "--m"}, "--m needs a value"},
      {{"smem", "8:1", "--inverse=1"}, "--inverse takes no value"},
      {{"smem", "8:1", "--format", "pdf"},
       "'pdf' is not a value for --format: text, csv, json, markdown, svg"},
      {{"smem", "8:1", "--element", "0,0", "--format", "svg"},
       "SVG is of whole tables; this answer has none"},
      {{"smem"}, "one layout in CuTe's notation is needed, or --canonical or --descriptor"},
      {{"smem", "8:1", "4:1"}, "'4:1' is one layout too many"},
      {{"smem", "8:1", "--canonical", "k,32"}, "'8:1' is one layout too many"},
      {{"smem", "8:1", "--descriptor", "0"}, "'8:1' has no effect with --descriptor"},
      {{"smem", "--descriptor", "0", "--instruction", "x"}, "'x' is not a number for --instruction"},
      {{"smem", "--descriptor", "0", "--access", "4"}, "--access has no effect with --descriptor"},
      {{"smem", "--canonical", "m,32"}, "'m,32' is not k or mn with 0, 32, 64 or 128 for --canonical"},
      {{"smem", "8:1", "--m", "2"}, "--m has an effect only with --canonical"},
      {{"smem", "8:1", "--details", "--generation", "3"}, "'3' is not a value for --generation: 4, 5"},
      {{"smem", "8:1", "--generation", "4", "--format", "svg"},
       "--generation changes nothing in the table, which is all that svg has of it; --details has the rest"},
      {{"smem", "8:1", "--element", "0,0", "--generation", "4"}, "--generation has no effect with --element"},
      {{"smem", "8:1", "--explain"}, "--explain has an effect only with --element or --address"},
      {{"smem", "8:1", "--along", "row", "--table", "bank"},
       "--along has an effect only with --table reader"},
      {{"smem", "8:1", "--access", "4", "--format", "csv"},
       "--access changes nothing in the table, which is all that csv has of it; --details has the rest"},
      {{"tensor"},
       "statements are missing: give them as an argument or by --file, or a tensor by --dimensions"},
      {{"tensor", "1", "--file", "/dev/null"}, "statements and --file exclude each other"},
      {{"tensor", "createTensorLayoutNV(2)", "--set", "x"}, "'x' is not NAME=N for --set"},
      {{"tensor", "createTensorLayoutNV(2)", "--type", "mat4"}, "'mat4' is not a component type for --type"},
      {{"tensor", "createTensorLayoutNV(2)", "--element", "0,0", "--index", "1"},
       "--element and --index exclude each other"},
      {{"tensor", "createTensorLayoutNV(2)", "--access", "--explain"},
       "--explain has an effect only with --element, --index or --byte"},
      {{"tensor", "createTensorLayoutNV(2)", "--use", "a"},
       "--use has an effect only with --access or --dimensions"},
      {{"tensor", "setTensorLayoutDimensionNV(createTensorLayoutNV(1), 4)", "--block-bytes", "0"},
       "--block-bytes is at least 1"},
      {{"tensor", "--dimensions", "8,8", "--offsets", "1"}, "--offsets needs 2 numbers, not 1"},
      {{"tensor", "--dimensions", "8,x"}, "'8,x' is not a list of numbers for --dimensions"},
      {{"tensor", "--dimensions", "8,8", "--clamp-value", "3"},
       "--clamp-value has an effect only with --clamp constant"},
      {{"tensor", "--dimensions", "8,8", "--clamp", "wrap"},
       "'wrap' is not a value for --clamp: undefined, constant, clamp-to-edge, repeat, mirror-repeat"},
      {{"tensor", "--dimensions", "8,8", "--spans", "8,4294967296"},
       "'4294967296' is not a number of 32 bits for --spans"},
      {{"tensor", "1", "--dimensions", "8,8"}, "statements and --dimensions exclude each other"},
      {{"tensor", "--dimensions", "8,8", "--set", "x=1"}, "--set has no effect with --dimensions"},
      {{"workitem", "--rows", "4"}, "--columns is missing"},
      {{"workitem", "4", "--rows", "4", "--columns", "4"},
       "'4' is not an option, and a matrix is described by options"},
      {{"workitem", "--rows", "4", "--columns", "4", "--scheme", "x"},
       "'x' is not a value for --scheme: tinytc-newer, tinytc-older, any"},
      {{"workitem", "--rows", "4", "--columns", "4", "--element", "4"}, "'4' is not 2 numbers for --element"},
      {{"workitem", "--rows", "4", "--columns", "4", "--transpose"},
       "--transpose has an effect only with --load"},
      {{"device", COOPLAYOUT_DEVICE_FILE, "--list", "--matrix", "1"}, "--matrix has no effect with --list"},
      {{"device"}, "one file is needed, or the name of a shipped map: none"},
  };
  uint32_t refused = 0;
  for (const Wrong& w : wrong) {
    const Ran ran = cooplayout(w.words);
    CHECK(ran.code == 2);
    CHECK(ran.out.empty());
    CHECK(ran.err == "cooplayout: " + std::string(w.says) + "; see cooplayout " + w.words[0] + " --help\n");
    ++refused;
  }
  CHECK(refused == 41);
  CHECK(cooplayout({"matrix"}).err == "cooplayout: there is no command 'matrix'; see cooplayout --help\n");
  CHECK(cooplayout({"matrix"}).code == 2);
  CHECK(cooplayout({}).code == 2);
  CHECK(contains(cooplayout({}).err, "Usage: cooplayout COMMAND"));
}

TEST_CASE("cooplayout: the help of each command lists its options") {
  for (const char* command : {"tensor", "workitem", "smem", "device"}) {
    const std::string text = good({command, "--help"});
    CHECK(contains(text, std::string("Usage: cooplayout ") + command));
    CHECK(contains(text, "--element R,C"));
    CHECK(contains(text, "--format NAME"));
  }
  CHECK(contains(good({"--help"}), "  smem "));
}

TEST_CASE("cooplayout: every example of the help is answered") {
  const ShippedMaps maps = {COOPLAYOUT_MAPS, {"lavapipe", "nvidia-h200", "nvidia-mma"}};
  size_t examples = 0;
  for (const Command* command : {&kTensorCommand, &kWorkItemCommand, &kSmemCommand, &kDeviceCommand}) {
    const std::string help = good({command->name, "--help"});
    for (const Example& example : command->examples) {
      INFO(example.line);
      CHECK(contains(help, example.line));
      // Words as a shell divides them, up to where the answer goes.
      std::vector<std::string> words(1);
      bool quoted = false;
      for (const char c :
           std::string_view(example.line).substr(0, std::string_view(example.line).find(" > "))) {
        if (c == '\'')
          quoted = !quoted;
        else if (c == ' ' && !quoted)
          words.emplace_back();
        else
          words.back() += c;
      }
      REQUIRE(words[0] == "cooplayout");
      REQUIRE(words[1] == command->name);
      for (std::string& word : words) {
        if (word.starts_with("shaders/")) word = COOPLAYOUT_SHADERS + word.substr(7);
      }
      std::string out;
      std::string err;
      CHECK(run(std::span(words).subspan(1), out, err, maps) == 0);
      CHECK(err.empty());
      CHECK(out.size() > 25);
      CHECK_FALSE(contains(out, "elements  0"));
      ++examples;
    }
  }
  CHECK(examples == 17);
}
