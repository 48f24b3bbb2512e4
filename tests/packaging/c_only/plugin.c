/* The only function that the plugin exports. */
#include <coopc/coopc.h>
#include <string.h>

int plugin_compiles(void) {
  const char* source = "#version 450\nvoid main() {}\n";
  coopc_result* result = coopc_compile(source, strlen(source), "a.comp", NULL);
  const int good = coopc_result_ok(result);
  coopc_result_destroy(result);
  return good;
}
