/* The C interface, as a user links it. */
#include <coopc/coopc.h>
#include <string.h>

int main(void) {
  const char* source = "#version 450\nvoid main() {}\n";
  coopc_options* options = coopc_options_create();
  coopc_options_set_target_env(options, COOPC_TARGET_VULKAN_1_3);
  coopc_result* result = coopc_compile(source, strlen(source), "good.comp", options);
  size_t count = 0;
  const uint32_t* words = coopc_result_words(result, &count);
  int good = coopc_result_ok(result) && count > 5 && words[0] == 0x07230203u;
  coopc_result_destroy(result);
  coopc_options_destroy(options);
  return good ? 0 : 1;
}
