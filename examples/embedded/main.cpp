// embedded: a program that carries its shaders. coopc_add_shaders (CMakeLists.txt) compiles them in the
// build, and again when they change; each becomes a header with the module's words.
#include <cstdint>
#include <cstdio>

#include "gemm_subgroup.comp.h"
#include "vector_add.comp.h"

namespace {

// The size of a module in bytes is a multiple of a word, and its first word says that it is SPIR-V.
int show(const char* name, const uint32_t* words, size_t bytes) {
  const bool good = bytes % sizeof *words == 0 && bytes >= 5 * sizeof *words && words[0] == 0x07230203;
  std::printf("%s: SPIR-V %u.%u, %zu bytes\n", name, unsigned(words[1] >> 16 & 255),
              unsigned(words[1] >> 8 & 255), bytes);
  return good ? 0 : 1;  // vkCreateShaderModule takes `words` and `bytes` as they are
}

}  // namespace

int main() {
  return show("gemm_subgroup", gemm_subgroup_comp, gemm_subgroup_comp_size) |
         show("vector_add", vector_add_comp, vector_add_comp_size);
}
