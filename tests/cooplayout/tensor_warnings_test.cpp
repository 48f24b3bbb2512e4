// cooplayout tensor: every answer warns about strides and offsets that the specification forbids. Also the
// list of loads and stores.
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "tools/cooplayout/programs/run.hpp"

using namespace coopc::cooplayout;

namespace {

using Words = std::vector<std::string>;

struct Ran {
  std::string out;
  std::string err;
};
Ran ran(Words words) {
  words.insert(words.begin(), "tensor");
  Ran r;
  const int code = run(words, r.out, r.err);
  INFO(r.err);
  REQUIRE(code == 0);
  return r;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("cooplayout tensor: strides that are less than the text asks for are a warning in every answer") {
  // "s<i> must be at least s<i+1> * ceiling(dim<i+1> / blockSize[i+1])"
  constexpr const char* kTooSmall =
      "t = setTensorLayoutStrideNV(setTensorLayoutDimensionNV(createTensorLayoutNV(2), 4, 6), 5, 1)";
  const std::string warning =
      "stride 0 is 5, smaller than the 6 that dimension 1 needs [tensor.stride; tensor addressing, "
      "setTensorLayoutStrideNV]";
  uint32_t answers = 0;
  for (const Words& question : std::vector<Words>{{},
                                                  {"--details"},
                                                  {"--element", "1,2"},
                                                  {"--element", "1,2", "--explain"},
                                                  {"--index", "7"},
                                                  {"--byte", "28", "--explain"},
                                                  {"--access"},
                                                  {"--table", "memory"}}) {
    Words words = {kTooSmall};
    words.insert(words.end(), question.begin(), question.end());
    const Ran text = ran(words);
    CHECK(contains(text.out, warning + "\n"));
    CHECK(text.err.empty());
    ++answers;
    const bool table = question.empty() || question[0] == "--table";
    words.insert(words.end(), {"--format", "csv"});
    const Ran csv = ran(words);
    // A table alone has no place for the warning, so it goes to the standard error.
    CHECK(contains(csv.out, warning) != table);
    CHECK(csv.err == (table ? "cooplayout: warning: " + warning + "\n" : ""));
    ++answers;
  }
  CHECK(answers == 16);
  const Ran picture = ran({kTooSmall, "--format", "svg"});
  CHECK(picture.err == "cooplayout: warning: " + warning + "\n");
  // No warning for a stride exactly at the bound, also with blocks, by whose size the dimension is divided.
  for (const char* fine :
       {"setTensorLayoutStrideNV(setTensorLayoutDimensionNV(createTensorLayoutNV(2), 4, 6), 6, 1)",
        "setTensorLayoutStrideNV(setTensorLayoutDimensionNV(setTensorLayoutBlockSizeNV(createTensorLayoutNV("
        "2), 1, 4), 4, "
        "6), 2, 1)"}) {
    CHECK_FALSE(contains(ran({fine, "--element", "0,0"}).out, "warning"));
  }
  CHECK(contains(ran({"setTensorLayoutStrideNV(setTensorLayoutDimensionNV(setTensorLayoutBlockSizeNV("
                      "createTensorLayoutNV("
                      "2), 1, 4), 4, 6), 1, 1)",
                      "--element", "0,0"})
                     .out,
                 "stride 0 is 1, smaller than the 2 that dimension 1 needs"));
}

TEST_CASE("cooplayout tensor: the use of the matrix is a fact where it is declared") {
  for (const auto& [use, says] : {std::pair{"A", "A"}, {"B", "B"}, {"Accumulator", "accumulator"}}) {
    const Ran r =
        ran({"coopmat<float16_t, gl_ScopeSubgroup, 8, 16, gl_MatrixUse" + std::string(use) + "> m",
             "coopMatLoad(m, a, 0, 16, gl_CooperativeMatrixLayoutRowMajor)", "--details", "--format", "csv"});
    CHECK(contains(r.out, "\nuse," + std::string(says) + "\n"));
  }
  CHECK_FALSE(
      contains(ran({"createTensorLayoutNV(1)", "--rows", "1", "--columns", "1", "--details"}).out, "use"));
}

TEST_CASE("cooplayout tensor: the loads and stores of a text are listed with their lines") {
  const char* const shader =
      "#define LOAD 1\n"
      "tensorLayoutNV<2> t; void main() {\n"
      "  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> m;\n"
      "#if LOAD\n"
      "  coopMatLoad(m, a, 0, stride, gl_CooperativeMatrixLayoutRowMajor);\n"
      "#else\n"
      "  coopMatStore(m, a, 0, stride, gl_CooperativeMatrixLayoutRowMajor);\n"
      "#endif\n"
      "  // coopMatLoad(m, a, 0, stride, gl_CooperativeMatrixLayoutRowMajor);\n"
      "  for (uint i = 0; i < n; ++i) { coopMatLoadTensorNV(m, a, 0, sliceTensorLayoutNV(t, 0, 16, 0, 16)); "
      "}\n"
      "  if (last)\n"
      "    coopMatStoreTensorNV(m, a, 0, t);\n"
      "}\n";
  // The list needs no values.
  CHECK(ran({shader, "--list", "--format", "csv"}).out ==
        "name,value\n0,\"coopMatLoad, line 5\"\n1,\"coopMatLoadTensorNV, line "
        "10\"\n2,\"coopMatStoreTensorNV, line 12\"\n");
  CHECK(ran({shader, "--list", "--set", "LOAD=0", "--format", "csv"})
            .out.starts_with("name,value\n0,\"coopMatStore, line 7\"\n1,"));
  CHECK(ran({"createTensorLayoutNV(1)", "--list"}).out.empty());
}
