/* compile FILE: compiles a compute shader, checks the module and prints its bindings. A C program links coopc::coopc and
   needs no C++ code. */
#include <coopc/coopc.h>
#include <coopc/reflect.h>
#include <coopc/validate.h>
#include <stdio.h>
#include <stdlib.h>

static char* read_file(const char* path, size_t* size) {
  FILE* file = fopen(path, "rb");
  char* text = NULL;
  long length;
  if (file == NULL) return NULL;
  if (fseek(file, 0, SEEK_END) == 0 && (length = ftell(file)) >= 0 && fseek(file, 0, SEEK_SET) == 0 &&
      (text = malloc((size_t)length + 1)) != NULL)
    *size = fread(text, 1, (size_t)length, file);
  fclose(file);
  return text;
}

/* 1: the module is good. */
static int inspect(const uint32_t* words, size_t count) {
  coopc_binding binding;
  coopc_finding finding;
  coopc_findings* findings = coopc_validate(words, count, NULL);
  const int good = coopc_findings_status(findings) == COOPC_STATUS_OK;
  coopc_reflection* reflection = coopc_reflect(words, count, NULL, 0, NULL, 0);
  size_t i;
  for (i = 0; coopc_findings_get(findings, i, &finding); ++i)
    printf("%s [%s]\n", finding.message, finding.rule);
  if (coopc_reflection_status(reflection) == COOPC_STATUS_OK)
    for (i = 0; coopc_reflection_binding(reflection, i, &binding); ++i)
      printf("set %u binding %u\n", binding.set, binding.binding);
  coopc_reflection_destroy(reflection);
  coopc_findings_destroy(findings);
  return good;
}

int main(int argc, char** argv) {
  size_t size = 0, count = 0;
  char* source = argc == 2 ? read_file(argv[1], &size) : NULL;
  coopc_options* options = coopc_options_create();
  coopc_result* result;
  const uint32_t* words;
  int good;
  if (source == NULL) {
    fprintf(stderr, "usage: compile FILE\n");
    coopc_options_destroy(options);
    return 2;
  }
  coopc_options_set_target_env(options, COOPC_TARGET_VULKAN_1_3);
  coopc_options_set_optimization(options, COOPC_OPTIMIZATION_SPEED);
  result = coopc_compile(source, size, argv[1], options);
  free(source);
  fputs(coopc_result_messages(result, NULL), stderr);
  good = coopc_result_status(result) == COOPC_STATUS_OK;
  words = coopc_result_words(result, &count);
  if (good) {
    printf("%zu words\n", count);
    good = inspect(words, count);
  } else {
    fprintf(stderr, "%s\n", coopc_status_text(coopc_result_status(result)));
  }
  coopc_result_destroy(result);
  coopc_options_destroy(options);
  return good ? 0 : 1;
}
