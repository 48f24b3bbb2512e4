// The C interface.
#include <cstring>
#include <string>

#include <catch2/catch_test_macros.hpp>

#include "coopc/coopc.h"

extern "C" int coopc_test_from_c(void);  // c_header.c

TEST_CASE("C: the header and the library from C") { CHECK(coopc_test_from_c() == 1); }

namespace {

constexpr char kShader[] =
    "#version 450\n#include \"size\"\nlayout(local_size_x = SIZE) in;\nvoid main() {}\n";

struct User {
  int resolved = 0;
  int released = 0;
};

int resolve(void* user, const char* name, size_t nameLength, int angled, const char* from, size_t fromLength,
            uint32_t depth, coopc_include* include) {
  ++static_cast<User*>(user)->resolved;
  if (std::string(name, nameLength) != "size" || angled != 0 || depth != 1) return 0;
  if (std::string(from, fromLength) != "main.comp") return 0;
  include->name = "dir/size";
  include->name_length = 8;
  include->text = "#define SIZE 4\n";
  include->text_length = std::strlen(include->text);
  return 1;
}
void release(void* user, coopc_include*) { ++static_cast<User*>(user)->released; }

}  // namespace

TEST_CASE("C: a module, its text and its dependencies") {
  coopc_options* options = coopc_options_create();
  REQUIRE(options != nullptr);
  User user;
  coopc_options_set_include(options, resolve, release, &user);
  coopc_options_set_target_env(options, COOPC_TARGET_VULKAN_1_3);
  coopc_options_set_output(options, COOPC_OUTPUT_ASSEMBLY);
  coopc_options_set_optimization(options, COOPC_OPTIMIZATION_SPEED);
  coopc_options_set_generator(options, 0x00120003);
  CHECK(coopc_options_define(options, "A", nullptr) == 1);
  CHECK(coopc_options_undefine(options, "A") == 1);
  CHECK(coopc_options_set_entry_point(options, "main") == 1);
  coopc_result* result = coopc_compile(kShader, std::strlen(kShader), "main.comp", options);
  REQUIRE(result != nullptr);
  CHECK(coopc_result_ok(result) == 1);
  size_t count = 0;
  const uint32_t* words = coopc_result_words(result, &count);
  REQUIRE(count > 5);
  CHECK(words[0] == 0x07230203u);
  CHECK(words[1] == 0x00010600u);
  CHECK(words[2] == 0x00120003u);
  size_t length = 0;
  const char* text = coopc_result_text(result, &length);
  CHECK(std::strlen(text) == length);
  CHECK(std::strstr(text, "LocalSize 4 1 1") != nullptr);
  CHECK(coopc_result_dependency_count(result) == 2);
  CHECK(std::string(coopc_result_dependency(result, 1)) == "dir/size");
  CHECK(coopc_result_dependency(result, 2) == nullptr);
  CHECK(user.resolved == 1);
  CHECK(user.released == 1);
  coopc_result_destroy(result);
  coopc_options_destroy(options);
}

TEST_CASE("C: diagnostics") {
  const char* shader = "#version 450\n#define A 1\n#define A 2\n";
  coopc_result* result = coopc_compile(shader, std::strlen(shader), nullptr, nullptr);
  REQUIRE(result != nullptr);
  CHECK(coopc_result_ok(result) == 0);
  CHECK(coopc_result_error_count(result) >= 1);
  coopc_diagnostic diagnostic;
  REQUIRE(coopc_result_diagnostic(result, 0, &diagnostic) == 1);
  CHECK(std::string(diagnostic.id) == "macro-redefined");
  CHECK(diagnostic.severity == COOPC_SEVERITY_ERROR);
  CHECK(diagnostic.line == 3);
  CHECK(diagnostic.note_count == 1);
  coopc_note note;
  REQUIRE(coopc_result_note(result, 0, 0, &note) == 1);
  CHECK(note.line == 2);
  CHECK(coopc_result_note(result, 0, 1, &note) == 0);
  CHECK(coopc_result_note(result, 99, 0, &note) == 0);
  CHECK(coopc_result_diagnostic(result, 99, &diagnostic) == 0);
  size_t count = 1;
  coopc_result_words(result, &count);
  CHECK(count == 0);
  CHECK(std::strstr(coopc_result_messages(result, nullptr), "macro-redefined") != nullptr);
  CHECK(std::strstr(coopc_result_json(result, nullptr), "macro-redefined") != nullptr);
  coopc_result_destroy(result);
  coopc_result_destroy(nullptr);
  coopc_options_destroy(nullptr);
  CHECK(std::strlen(coopc_version()) > 0);
}

TEST_CASE("C: values out of range leave options as they were") {
  coopc_options* options = coopc_options_create();
  coopc_options_set_stage(options, static_cast<coopc_stage>(99));
  coopc_options_set_target_env(options, static_cast<coopc_target_env>(-1));
  coopc_options_set_output(options, static_cast<coopc_output>(77));
  coopc_options_set_optimization(options, static_cast<coopc_optimization>(8));
  const char* shader = "#version 450\nvoid main() {}\n";
  coopc_result* result = coopc_compile(shader, std::strlen(shader), "x", options);
  CHECK(coopc_result_ok(result) == 1);
  coopc_result_destroy(result);
  coopc_options_destroy(options);
}
