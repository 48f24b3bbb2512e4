/* write_module FILE OUT: the module of a compute shader, by the interface of C alone. */
#include <coopc/coopc.h>
#include <stdio.h>
#include <stdlib.h>

static char* read_file(const char* path, size_t* size) {
  enum { MOST = 1 << 20 };
  FILE* file = fopen(path, "rb");
  char* text = file == NULL ? NULL : malloc(MOST);
  if (text != NULL) *size = fread(text, 1, MOST, file);
  if (file != NULL) fclose(file);
  return text;
}

int main(int argc, char** argv) {
  size_t size = 0, count = 0, written = 0;
  char* source = argc == 3 ? read_file(argv[1], &size) : NULL;
  FILE* out = argc == 3 ? fopen(argv[2], "wb") : NULL;
  coopc_options* options = coopc_options_create();
  coopc_result* result = NULL;
  const uint32_t* words;
  int good = 0;
  if (source != NULL && out != NULL) {
    coopc_options_set_target_env(options, COOPC_TARGET_VULKAN_1_3);
    coopc_options_set_optimization(options, COOPC_OPTIMIZATION_SPEED);
    result = coopc_compile(source, size, argv[1], options);
    fputs(coopc_result_messages(result, NULL), stderr);
    words = coopc_result_words(result, &count);
    if (count > 0) written = fwrite(words, 4, count, out);
    good = written > 0 && written == count;
  }
  if (out != NULL && fclose(out) != 0) good = 0;
  coopc_result_destroy(result);
  coopc_options_destroy(options);
  free(source);
  return good ? 0 : 1;
}
