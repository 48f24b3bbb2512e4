/* The public header is C: this file is compiled as such, and c_api_tests.cpp calls what it defines. */
#include <string.h>

#include "coopc/coopc.h"

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
