/* The component `core` from C: assemble, check, and reflect, together with the library. */
#include <coopc/coopc.h>
#include <coopc/core.h>
#include <coopc/reflect.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  const char* text =
      "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\n"
      "OpExecutionMode %main LocalSize 1 1 1\n%void = OpTypeVoid\n%type = OpTypeFunction %void\n"
      "%main = OpFunction %void None %type\n%label = OpLabel\nOpReturn\nOpFunctionEnd\n";
  size_t count = 0;
  coopc_core* module = coopc_core_assemble(text, strlen(text), 0x00010300, 0);
  const uint32_t* words = coopc_core_words(module, &count);
  coopc_core* valid = coopc_core_validate(words, count, COOPC_CORE_VULKAN_1_1, COOPC_CORE_DEFAULT_FLAGS);
  coopc_reflection* reflection = coopc_reflect(words, count, NULL, 0, NULL, 0);
  const int good = coopc_core_status(module) == COOPC_STATUS_OK &&
                   coopc_core_status(valid) == COOPC_STATUS_OK &&
                   coopc_reflection_entry_point_count(reflection) == 1;
  if (!good) fprintf(stderr, "%s%s\n", coopc_core_message(module), coopc_core_message(valid));
  coopc_reflection_destroy(reflection);
  coopc_core_destroy(valid);
  coopc_core_destroy(module);
  return good ? 0 : 1;
}
