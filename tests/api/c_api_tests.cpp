// The C interface.
#include <cstring>
#include <string>

#include <catch2/catch_test_macros.hpp>

#include "coopc/coopc.h"

extern "C" int coopc_test_from_c(void);  // c_header.c
extern "C" int coopc_test_query_from_c(void);

TEST_CASE("C: the header and the library from C") { CHECK(coopc_test_from_c() == 1); }

TEST_CASE("C: a query from C") { CHECK(coopc_test_query_from_c() == 0); }

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

TEST_CASE("C: setters refuse what means nothing, and the options are as before") {
  coopc_options* options = coopc_options_create();
  CHECK(coopc_options_set_stage(options, static_cast<coopc_stage>(99)) == 0);
  CHECK(coopc_options_set_default_stage(options, static_cast<coopc_stage>(99)) == 0);
  CHECK(coopc_options_set_target_env(options, static_cast<coopc_target_env>(-1)) == 0);
  CHECK(coopc_options_set_output(options, static_cast<coopc_output>(77)) == 0);
  CHECK(coopc_options_set_optimization(options, static_cast<coopc_optimization>(8)) == 0);
  for (const uint32_t version : {0xdeadbeefu, 0x00010700u, 0x00010001u, 0x00020000u, 1u})
    CHECK(coopc_options_set_spirv_version(options, version) == 0);
  CHECK(coopc_options_set_flags(options, 16384) == 0);
  CHECK(coopc_options_define(options, "", "1") == 0);
  CHECK(coopc_options_set_entry_point(options, "") == 0);
  CHECK(coopc_options_set_limit(options, "MaxNothing", 1) == 0);
  CHECK(coopc_options_set_binding_base(options, COOPC_STAGE_COMPUTE, 6, 1) == 0);
  CHECK(coopc_options_force_version(options, 12345, 0) == 0);
  CHECK(coopc_options_force_version(options, 450, 1) == 0);
  CHECK(coopc_options_force_version(options, 310, 0) == 0);
  const char* shader = "#version 450\nvoid main() {}\n";
  coopc_result* result = coopc_compile(shader, std::strlen(shader), "x", options);
  CHECK(coopc_result_status(result) == COOPC_STATUS_OK);
  size_t count = 0;
  CHECK(coopc_result_words(result, &count)[1] == 0x00010000u);
  coopc_result_destroy(result);
  CHECK(coopc_options_set_spirv_version(options, 0x00010600u) == 1);
  CHECK(coopc_options_set_flags(options, 8191) == 1);
  CHECK(coopc_options_force_version(options, 310, 1) == 1);
  CHECK(coopc_options_force_version(options, 460, 0) == 1);
  CHECK(coopc_options_force_version(options, 0, 0) == 1);
  coopc_options_destroy(options);
}

TEST_CASE("C: a text that names no stage has the default one, and messages have glslc's form where asked") {
  coopc_options* options = coopc_options_create();
  CHECK(coopc_options_set_stage(options, COOPC_STAGE_FROM_SOURCE) == 1);
  const char* shader = "#version 450\nlayout(local_size_x = 1) in;\nvoid main() { int x = y; }\n";
  const auto messages = [&] {
    coopc_result* result = coopc_compile(shader, std::strlen(shader), "a.glsl", options);
    std::string text = coopc_result_messages(result, nullptr);
    coopc_result_destroy(result);
    return text;
  };
  CHECK(messages().find("stage") != std::string::npos);
  CHECK(coopc_options_set_default_stage(options, COOPC_STAGE_COMPUTE) == 1);
  CHECK(messages().find("a.glsl:3:23: error: `y` is not declared [undeclared-name]\n") == 0);
  CHECK(coopc_options_set_glslc_form(options, 1) == 1);
  CHECK(messages().find("a.glsl:3: error: `y` is not declared") == 0);
  CHECK(messages().find("void main") == std::string::npos);
  CHECK(coopc_options_set_glslc_form(options, 0) == 1);
  CHECK(messages().find("void main") != std::string::npos);
  coopc_options_destroy(options);
}

TEST_CASE("C: NULL means something for every parameter") {
  CHECK(coopc_options_set_stage(nullptr, COOPC_STAGE_COMPUTE) == 0);
  CHECK(coopc_options_set_default_stage(nullptr, COOPC_STAGE_COMPUTE) == 0);
  CHECK(coopc_options_set_glslc_form(nullptr, 1) == 0);
  CHECK(coopc_options_set_target_env(nullptr, COOPC_TARGET_VULKAN_1_3) == 0);
  CHECK(coopc_options_set_spirv_version(nullptr, 0) == 0);
  CHECK(coopc_options_set_optimization(nullptr, COOPC_OPTIMIZATION_NONE) == 0);
  CHECK(coopc_options_set_output(nullptr, COOPC_OUTPUT_MODULE) == 0);
  CHECK(coopc_options_set_flags(nullptr, 0) == 0);
  CHECK(coopc_options_set_generator(nullptr, 0) == 0);
  CHECK(coopc_options_define(nullptr, "A", "1") == 0);
  CHECK(coopc_options_undefine(nullptr, "A") == 0);
  CHECK(coopc_options_set_entry_point(nullptr, "main") == 0);
  CHECK(coopc_options_set_limit(nullptr, "MaxLights", 1) == 0);
  CHECK(coopc_options_set_binding_base(nullptr, COOPC_STAGE_COMPUTE, 0, 0) == 0);
  CHECK(coopc_options_set_glslang_program(nullptr, "x") == 0);
  CHECK(coopc_options_force_version(nullptr, 450, 0) == 0);
  CHECK(coopc_options_set_include(nullptr, resolve, release, nullptr) == 0);
  CHECK(coopc_options_set_cancelled(nullptr, nullptr, nullptr) == 0);
  CHECK(coopc_options_set_stack_bytes(nullptr, 0) == 0);
  CHECK(coopc_options_set_file_cache(nullptr, nullptr, nullptr, 0, nullptr) == 0);
  coopc_options* options = coopc_options_clone(nullptr);
  REQUIRE(options != nullptr);
  CHECK(coopc_options_define(options, nullptr, "1") == 0);
  CHECK(coopc_options_undefine(options, nullptr) == 0);
  CHECK(coopc_options_set_entry_point(options, nullptr) == 0);
  CHECK(coopc_options_set_limit(options, nullptr, 1) == 0);
  CHECK(coopc_options_set_file_cache(options, nullptr, nullptr, 0, nullptr) == 0);
  coopc_options_destroy(options);

  CHECK(coopc_file_cache_put(nullptr, "a", "b", 1) == 0);
  CHECK(coopc_file_cache_invalidate(nullptr, "a") == 0);
  CHECK(coopc_file_cache_refresh(nullptr) == 0);
  coopc_file_cache_destroy(nullptr);

  size_t count = 1;
  CHECK(coopc_result_status(nullptr) == COOPC_STATUS_OUT_OF_MEMORY);
  CHECK(coopc_result_ok(nullptr) == 0);
  CHECK(coopc_result_words(nullptr, &count) == nullptr);
  CHECK(count == 0);
  CHECK(coopc_result_take_words(nullptr) == nullptr);
  CHECK(coopc_words_data(nullptr, &count) == nullptr);
  coopc_words_destroy(nullptr);
  CHECK(*coopc_result_text(nullptr, nullptr) == '\0');
  CHECK(*coopc_result_messages(nullptr, nullptr) == '\0');
  CHECK(*coopc_result_json(nullptr, nullptr) == '\0');
  CHECK(coopc_result_error_count(nullptr) + coopc_result_warning_count(nullptr) == 0);
  CHECK(coopc_result_dependency_count(nullptr) + coopc_result_missing_count(nullptr) == 0);
  CHECK(coopc_result_dependency(nullptr, 0) == nullptr);
  CHECK(coopc_result_missing(nullptr, 0) == nullptr);
  CHECK(coopc_result_diagnostic_count(nullptr) == 0);
  CHECK(coopc_result_diagnostic(nullptr, 0, nullptr) == 0);
  CHECK(coopc_result_note(nullptr, 0, 0, nullptr) == 0);

  coopc_result* result = coopc_compile(nullptr, 0, nullptr, nullptr);
  REQUIRE(result != nullptr);
  coopc_result_destroy(result);
  result = coopc_compile(nullptr, 7, nullptr, nullptr);
  CHECK(coopc_result_status(result) == COOPC_STATUS_BAD_ARGUMENT);
  coopc_result_destroy(result);
  result = coopc_disassemble(nullptr, 7);
  CHECK(coopc_result_status(result) == COOPC_STATUS_BAD_ARGUMENT);
  coopc_result_destroy(result);
  CHECK(coopc_compile_all(nullptr, 1, 0, &result) == 0);
  CHECK(result == nullptr);
  CHECK(coopc_compile_all(nullptr, 1, 0, nullptr) == 0);
  CHECK(coopc_compile_all(nullptr, 0, 0, nullptr) == 1);
}

namespace {
int throwing(void*, const char*, size_t, int, const char*, size_t, uint32_t, coopc_include*) { throw 7; }
int always(void*) { return 1; }
// Cancels when it is asked for the third time.
int third(void* user) { return ++*static_cast<int*>(user) >= 3; }
}  // namespace

TEST_CASE("C: each call ends with a status") {
  coopc_options* options = coopc_options_create();
  auto statusOf = [&](const char* shader) {
    coopc_result* result = coopc_compile(shader, std::strlen(shader), "a.comp", options);
    const coopc_status status = coopc_result_status(result);
    CHECK((status == COOPC_STATUS_OK) == (coopc_result_ok(result) == 1));
    size_t count = 0;
    coopc_result_words(result, &count);
    CHECK((status == COOPC_STATUS_OK) == (count != 0));
    coopc_result_destroy(result);
    return status;
  };
  const char* good = "#version 450\nvoid main() {}\n";
  CHECK(statusOf(good) == COOPC_STATUS_OK);
  CHECK(statusOf("#version 450\nvoid main() { x; }\n") == COOPC_STATUS_INPUT_ERROR);
  coopc_options_set_include(options, throwing, nullptr, nullptr);
  CHECK(statusOf(kShader) == COOPC_STATUS_CALLBACK_FAILED);
  coopc_options_set_include(options, nullptr, nullptr, nullptr);
  coopc_options_set_cancelled(options, always, nullptr);
  CHECK(statusOf(good) == COOPC_STATUS_CANCELLED);
  int asked = 0;
  coopc_options_set_cancelled(options, third, &asked);
  CHECK(statusOf(good) == COOPC_STATUS_CANCELLED);
  CHECK(asked == 3);
  coopc_options_set_cancelled(options, nullptr, nullptr);
  coopc_options_set_target_env(options, COOPC_TARGET_OPENGL_4_5);
  coopc_options_set_glslang_program(options, "/no/such/program");
  CHECK(statusOf(good) == COOPC_STATUS_HELPER_MISSING);
  coopc_options_destroy(options);
  for (int status = 0; status <= COOPC_STATUS_CALLBACK_FAILED; ++status)
    CHECK(std::string(coopc_status_text(static_cast<coopc_status>(status))) != "unknown status");
  CHECK(std::string(coopc_status_text(static_cast<coopc_status>(99))) == "unknown status");
}

TEST_CASE("C: options are cloned, and words taken without a copy") {
  coopc_options* options = coopc_options_create();
  coopc_options_set_target_env(options, COOPC_TARGET_VULKAN_1_3);
  coopc_options* copy = coopc_options_clone(options);
  coopc_options_set_target_env(options, COOPC_TARGET_VULKAN_1_0);
  const char* shader = "#version 450\nvoid main() {}\n";
  coopc_result* result = coopc_compile(shader, std::strlen(shader), "a", copy);
  size_t count = 0;
  const uint32_t* words = coopc_result_words(result, &count);
  REQUIRE(count > 5);
  CHECK(words[1] == 0x00010600u);
  coopc_words* taken = coopc_result_take_words(result);
  CHECK(coopc_result_words(result, nullptr) == nullptr);
  CHECK(coopc_result_take_words(result) == nullptr);
  coopc_result_destroy(result);
  size_t takenCount = 0;
  CHECK(coopc_words_data(taken, &takenCount) == words);
  CHECK(takenCount == count);
  coopc_result* text = coopc_disassemble(words, count);
  CHECK(coopc_result_status(text) == COOPC_STATUS_OK);
  CHECK(std::strstr(coopc_result_text(text, nullptr), "OpEntryPoint GLCompute") != nullptr);
  coopc_result_destroy(text);
  text = coopc_disassemble(words, 3);
  CHECK(coopc_result_status(text) == COOPC_STATUS_INPUT_ERROR);
  CHECK(std::strlen(coopc_result_messages(text, nullptr)) > 10);
  coopc_result_destroy(text);
  coopc_words_destroy(taken);
  coopc_options_destroy(copy);
  coopc_options_destroy(options);
}

TEST_CASE("C: debug information with scopes, and lines alone") {
  const char text[] = "#version 450\nvoid main() {\n  int x = 1;\n}\n";
  std::string with[2];
  for (const bool lines : {false, true}) {
    coopc_options* options = coopc_options_create();
    coopc_options_set_output(options, COOPC_OUTPUT_ASSEMBLY);
    const uint32_t flags =
        COOPC_FLAG_DEBUG_INFO | (lines ? uint32_t{COOPC_FLAG_NO_DEBUG_SCOPES} : uint32_t{0});
    REQUIRE(coopc_options_set_flags(options, flags) == 1);
    coopc_result* result = coopc_compile(text, std::strlen(text), "a.comp", options);
    REQUIRE(coopc_result_ok(result) == 1);
    size_t length = 0;
    const char* assembly = coopc_result_text(result, &length);
    with[lines] = std::string(assembly, length);
    CHECK(with[lines].find("OpLine") != std::string::npos);
    CHECK(with[lines].find("int x = 1;") != std::string::npos);
    coopc_result_destroy(result);
    coopc_options_destroy(options);
  }
  CHECK(with[false].find("NonSemantic.Shader.DebugInfo") != std::string::npos);
  CHECK(with[true].find("NonSemantic") == std::string::npos);
}
