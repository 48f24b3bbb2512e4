// Macros and conditionals as cooplayout reads them in shaders.
#include "tools/cooplayout/macros.hpp"

#include <map>
#include <string>

#include <catch2/catch_test_macros.hpp>

#include "tools/cooplayout/commands.hpp"

using namespace coopc::cooplayout;

namespace {

std::string read(const std::string& text, const std::map<std::string, int64_t>& names = {}) {
  return withoutMacros(text, names);
}
// Is the condition met?
bool holds(const std::string& condition) {
  return read("#define SIX 6\n#define ALSO SIX\n#extension GL_KHR_cooperative_matrix : require\n#if " +
              condition + "\ny\n#endif")
             .find('y') != std::string::npos;
}

}  // namespace

TEST_CASE("cooplayout macros: names are replaced, also in what they stand for") {
  CHECK(read("#define M 16\nx = M * N;") == "\nx = 16 * N;");
  CHECK(read("#define A B\n#define B (C + 1)\n#define C 2\nA, BA, 2A, A") ==
        "\n\n\n(2 + 1), BA, 2A, (2 + 1)");
  CHECK(read("#define A A + B\n#define B A\nA") == "\n\nA + A");
  CHECK(read("#define T float16_t\n#undef T\nT") == "\n\nT");
  CHECK(read("#define LONG 1 + \\\n  2\nLONG") == "\n\n1 +    2");
  // With parameters: left as they are. What comes from outside is not replaced.
  CHECK(read("#define F(x) x\nF(1)") == "\nF(1)");
  CHECK(read("#define M 16\nM", {{"M", 32}}) == "\nM");
  // Comments are not part of a macro's body, and keep their width.
  CHECK(read("#define M 16 // of the tile\nM /* M */ + M // M") == "\n16         + 16     ");
  CHECK(read("/*\n#define M 1\n*/ M") == "  \n           \n   M");
}

TEST_CASE("cooplayout macros: the branch that counts") {
  CHECK(read("#ifdef A\n1\n#else\n2\n#endif\n3") == "\n\n\n2\n\n3");
  CHECK(read("#define A\n#ifdef A\n1\n#else\n2\n#endif") == "\n\n1\n\n\n");
  CHECK(read("#ifndef A\n#define A 4\n#endif\nA") == "\n\n\n4");
  CHECK(read("#ifndef A\n#define A 4\n#endif\n#if A == 8\n1\n#endif", {{"A", 8}}) == "\n\n\n\n1\n");
  const std::string chain =
      "#if X == 1\n1\n#elif X == 2\n2\n#if 1\n3\n#else\n4\n#endif\n#elif 1\n5\n#else\n6\n#endif";
  const auto lines = [&](int64_t x) {
    std::string text = read(chain, {{"X", x}});
    std::erase(text, '\n');
    return text;
  };
  CHECK(lines(1) == "1");
  CHECK(lines(2) == "23");
  CHECK(lines(3) == "5");
  // Inactive code has no effect, and superfluous #endif lines do no harm.
  CHECK(read("#if 0\n#if 1\n1\n#else\n2\n#endif\n#define A 3\n#endif\nA\n#endif\n#else\nA")
            .ends_with("\nA\n\n\nA"));
}

TEST_CASE("cooplayout macros: conditions") {
  for (const char* yes :
       {"1", "SIX", "ALSO == 6", "SIX > 5 && SIX < 7", "!NOBODY", "defined(SIX) && defined ALSO",
        "defined GL_KHR_cooperative_matrix", "1 + 2 * 3 == 7", "(1 + 2) * 3 == 9", "8 - 4 - 2 == 2",
        "1 << 4 == 16", "~0 == -1", "7 / 2 == 3 && 7 % 4 == 3", "0 || 0x10u == 16", "6 & 3 | 1 ^ 8",
        "VULKAN >= 100", "5 != 6", "1 <= 1 && 1 >= 1", "2 >> 1"})
    CHECK(holds(yes));
  for (const char* no : {"0", "NOBODY", "SIX != 6", "defined NOBODY", "!defined(SIX)", "1 / 0", "1 % 0", "(1",
                         "1 1", "+", "defined(SIX", "", "F(1)"})
    CHECK_FALSE(holds(no));
}

TEST_CASE("cooplayout macros: hostile texts end") {
  // Each name is twice the next: 2^60 words, or values of a condition.
  std::string text;
  for (int i = 0; i < 60; ++i)
    text += "#define A" + std::to_string(i) + " A" + std::to_string(i + 1) + " + A" + std::to_string(i + 1) +
            "\n";
  CHECK(read(text + "#if A0\n#endif\nA0").size() < (size_t{8} << 20));
  CHECK(read("#define A0 " + std::string(100000, '(') + "\n#if A0\n#endif\nA0").size() < 200000);
  CHECK_FALSE(holds(std::string(100000, '!') + "1"));
  CHECK_FALSE(holds(std::string(100000, '(')));
  CHECK(read("#") == "");
  CHECK(read("#define") == "");
  CHECK(read("#if") == "");
  CHECK(read("/* x") == "    ");
}

TEST_CASE("cooplayout tensor: shaders whose types and sizes are macros, without a compiler") {
  const std::string folder = COOPLAYOUT_SHADERS;
  const auto csv = [&](const char* file, std::vector<std::string> words) {
    words.insert(words.begin(), {"tensor", "--file", folder + "/" + file, "--format", "csv"});
    std::string out;
    std::string err;
    const int code = run(words, out, err);
    INFO(err);
    REQUIRE(code == 0);
    return out;
  };
  CHECK(csv("gemm_subgroup.comp", {"--load", "1", "--set", "k=64", "--set", "n=48", "--set",
                                   "gl_WorkGroupID.x=1", "--set", "gl_WorkGroupID.y=2", "--element", "3,5"})
            .ends_with("array element,165\nindex,165\nbyte,330\n"));
  CHECK(csv("flash_attention_subgroup.comp", {"--load", "1", "--element", "9,3"})
            .ends_with("array element,\"52, byte 2 in it\"\nindex,417\nbyte,834\n"));
  // Bounds by min() and ~, strides by ?:. The loads are macros with parameters and not seen; the store of D is the first access.
  const std::vector<std::string> sizes = {
      "--set", "TILE_M=8", "--set", "TILE_N=8", "--set", "TILE_K=8", "--set",
      "m=32",  "--set",    "n=32",  "--set",    "k=32",  "--set",    "gl_WorkGroupID.x=5"};
  std::vector<std::string> words = {"--load", "0", "--element", "1,2"};
  words.insert(words.end(), sizes.begin(), sizes.end());
  CHECK(csv("gemm_fast_workgroup.comp", words).find("tensor coordinate,\"(9, 10)\"\n") != std::string::npos);
}
