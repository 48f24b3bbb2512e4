/* The public headers are C: this file is compiled as such, and c_api_tests.cpp calls what it defines. */
#include <string.h>

#include "coopc/coopc.h"
#include "coopc/query.h"

int coopc_test_from_c(void) {
  const char* shader = "#version 450\nvoid main() {}\n";
  coopc_options* options = coopc_options_create();
  coopc_result* result;
  size_t words = 0;
  int good;
  coopc_options_set_stage(options, COOPC_STAGE_COMPUTE);
  coopc_options_set_flags(options, COOPC_FLAG_DEBUG_INFO | COOPC_FLAG_WARNINGS_AS_ERRORS);
  result = coopc_compile(shader, strlen(shader), "c.comp", options);
  coopc_options_destroy(options);
  good = coopc_result_ok(result) && coopc_result_words(result, &words) != NULL && words > 5;
  coopc_result_destroy(result);
  return good;
}

static int is(const coopc_names* names, size_t index, coopc_name_kind kind, const char* text) {
  coopc_name name;
  return coopc_names_get(names, index, &name, sizeof name) && name.kind == kind &&
         strcmp(name.name, text) == 0;
}

/* The number of the first question about a text whose answer is wrong, or 0. */
int coopc_test_query_from_c(void) {
  const char* shader =
      "#version 450\n#extension GL_KHR_memory_scope_semantics : enable\n#extension "
      "GL_EXT_scalar_block_layout "
      ": enable\n"
      "layout(binding = 0) buffer B { float a; vec3 b; } c;\n"
      "float f(float x) { return x; }\nvoid main() {\n  c.a = f(1.0)\n}\n#include <some/file";
  coopc_query* query = coopc_query_create(shader, strlen(shader), "a.comp", NULL);
  const uint32_t file = coopc_query_main_file(query);
  const uint32_t call = (uint32_t)(strstr(shader, "f(1.0)") - shader);
  const uint32_t member = (uint32_t)(strstr(shader, "vec3 b") + 5 - shader);
  coopc_names* list;
  coopc_name name;
  coopc_range range;
  struct {
    coopc_name known;
    char later[8];
  } longer;
  coopc_name_kind kind = COOPC_NAME_DIRECTIVE;
  int angled = 0;
  coopc_occurrence occurrences[4];
  uint32_t active = 9, parameter = 9;
  char why[8];
  int wrong = 0;
#define EXPECT(number, condition) \
  if (!wrong && !(condition)) wrong = number
  EXPECT(1, coopc_query_file_count(query) == 1 && strcmp(coopc_query_file_name(query, file), "a.comp") == 0);
  EXPECT(2, !coopc_result_ok(coopc_query_result(query)) &&
                coopc_query_diagnostic_place(query, 0, 0).file == file);
  list = coopc_query_symbol(query, file, call);
  EXPECT(3, coopc_names_count(list) == 1 && is(list, 0, COOPC_NAME_FUNCTION, "f"));
  coopc_names_destroy(list);
  list = coopc_query_symbol(query, file, member);
  EXPECT(4, coopc_names_get(list, 0, &name, sizeof name) && name.has_layout && name.offset == 16 &&
                name.padding == 12 && name.size == 12 && strcmp(name.type, "vec3") == 0 &&
                strcmp(name.container, "B") == 0);
  /* A caller of a later version, and of an earlier one. */
  memset(&longer, 1, sizeof longer);
  EXPECT(22, coopc_names_get(list, 0, &longer.known, sizeof longer) && longer.known.size == 12 &&
                 longer.later[0] == 0 && longer.later[7] == 0);
  EXPECT(23, coopc_names_get(list, 0, (coopc_name*)&kind, sizeof kind) && kind == COOPC_NAME_MEMBER);
  EXPECT(5, !coopc_names_get(list, 1, &name, sizeof name));
  coopc_names_destroy(list);
  list = coopc_query_outline(query, file);
  EXPECT(6, coopc_names_count(list) == 6 && is(list, 2, COOPC_NAME_MEMBER, "b"));
  EXPECT(7, coopc_names_get(list, 2, &name, sizeof name) && name.parent == 0);
  coopc_names_destroy(list);
  list = coopc_query_completions(query, file, call, &range);
  EXPECT(8, coopc_names_count(list) > 100 && range.begin == call);
  coopc_names_destroy(list);
  EXPECT(24, !coopc_query_include_path(query, file, call, &range, &angled) && range.file == COOPC_NO_FILE);
  EXPECT(25, coopc_query_include_path(query, file, (uint32_t)strlen(shader), &range, &angled) && angled &&
                 range.end == strlen(shader) && range.end - range.begin == strlen("some/file"));
  EXPECT(26, !coopc_query_include_path(NULL, 0, 0, NULL, NULL));
  EXPECT(27, coopc_query_extension_count(query) == 2 &&
                 strcmp(coopc_query_extension(query, 1), "GL_EXT_scalar_block_layout") == 0);
  EXPECT(28, *coopc_query_extension(query, 2) == 0 && coopc_query_extension_count(NULL) == 0);
  list = coopc_query_callers(query, file, call);
  EXPECT(9, is(list, 0, COOPC_NAME_FUNCTION, "main") && coopc_names_sites(list, 0, &range, 1) == 1 &&
                range.begin == call);
  coopc_names_destroy(list);
  list = coopc_query_callees(query, file, (uint32_t)(strstr(shader, "main") - shader));
  EXPECT(10, coopc_names_count(list) == 1 && is(list, 0, COOPC_NAME_FUNCTION, "f"));
  coopc_names_destroy(list);
  list = coopc_query_call(query, file, call + 2, &active, &parameter);
  EXPECT(11, coopc_names_get(list, 0, &name, sizeof name) &&
                 strcmp(name.signature, "float f(float x)") == 0 && active == 0 && parameter == 0 &&
                 coopc_names_sites(list, 0, NULL, 0) == 1);
  coopc_names_destroy(list);
  list = coopc_query_hints(query, file, 0, 1000);
  EXPECT(12, coopc_names_count(list) == 3 && is(list, 0, COOPC_NAME_PARAMETER, "x:"));
  coopc_names_destroy(list);
  list = coopc_query_fixes(query, 0); /* the second is about #include */
  EXPECT(13, coopc_names_get(list, 0, &name, sizeof name) && strcmp(name.name, ";") == 0 &&
                 strcmp(name.container, "Insert `;`") == 0);
  coopc_names_destroy(list);
  EXPECT(14, coopc_query_occurrences(query, file, call, occurrences, 4) == 2 && occurrences[0].declaration);
  EXPECT(15, coopc_query_rename_fault(query, file, call, "g", why, sizeof why) == 0 && why[0] == 0);
  EXPECT(16, coopc_query_rename_fault(query, file, call, "1", why, sizeof why) > 7 && strlen(why) == 7);
  EXPECT(17, coopc_query_highlight(query, file, NULL, 0) > 20);
  EXPECT(18, coopc_query_ranges(query, COOPC_RANGE_FOLD, file, 0, &range, 1) == 1 && range.end > range.begin);
  EXPECT(19, coopc_query_ranges(query, COOPC_RANGE_ENCLOSING, file, call, NULL, 0) > 3);
  EXPECT(20, coopc_query_included_file(query, file, call) == COOPC_NO_FILE);
  list = coopc_query_outline(NULL, 0);
  EXPECT(21, list != NULL && coopc_names_count(list) == 0 && coopc_query_result(NULL) == NULL);
  coopc_names_destroy(list);
  coopc_query_destroy(query);
  coopc_query_destroy(NULL);
  return wrong;
}
