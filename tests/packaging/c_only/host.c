/* Loads the plugin and calls it. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char** argv) {
  void* plugin = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  if (plugin == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  int (*compiles)(void) = (int (*)(void))dlsym(plugin, "plugin_compiles");
  return compiles != NULL && compiles() ? 0 : 1;
}
