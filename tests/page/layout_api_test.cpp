// The page's interface to layout/: command lines with NULs between the words, answers that stay until the
// next call.
#include <cstring>
#include <string>

#include <catch2/catch_test_macros.hpp>

extern "C" {
int layout_run(const char* words, int size);
const char* layout_out();
const char* layout_err();
}

namespace {

int run(const std::string& words) { return layout_run(words.data(), static_cast<int>(words.size())); }

}  // namespace

TEST_CASE("page: a command line gives JSON") {
  using namespace std::string_literals;
  CHECK(
      run("workitem\0--rows\0004\0--columns\00015\0--work-items\00016\0--element\0002,9\0--format\0json"s) ==
      0);
  CHECK(std::string(layout_out()) ==
        "{\n \"facts\": {\"element\": \"(2, 9)\", \"work-item\": \"6\", \"component\": \"2\"}\n}\n");
  CHECK(std::strlen(layout_err()) == 0);
}

TEST_CASE("page: a refusal gives its rule, and leaves no answer") {
  using namespace std::string_literals;
  CHECK(run("smem\0(8,8):(1\0--format\0json"s) == 1);
  CHECK(std::strlen(layout_out()) == 0);
  CHECK(std::string(layout_err()).find("[cute.syntax;") != std::string::npos);
  CHECK(run("") == 2);
  // GLSL needs the compiler (compiler_api_test.cpp).
  CHECK(run("tensor\0createTensorLayoutNV(2)"s) == 1);
  CHECK(std::string(layout_err()).find("[program.no-compiler;") != std::string::npos);
}
