/* shaderc's interface, declared as in its header, which this package does not contain: compile and assemble. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct shaderc_compiler* shaderc_compiler_t;
typedef struct shaderc_compile_options* shaderc_compile_options_t;
typedef struct shaderc_compilation_result* shaderc_compilation_result_t;
shaderc_compiler_t shaderc_compiler_initialize(void);
void shaderc_compiler_release(shaderc_compiler_t);
shaderc_compilation_result_t shaderc_compile_into_spv(shaderc_compiler_t, const char*, size_t, int kind, const char* file,
                                                      const char* entry_point, shaderc_compile_options_t);
shaderc_compilation_result_t shaderc_assemble_into_spv(shaderc_compiler_t, const char*, size_t, shaderc_compile_options_t);
int shaderc_result_get_compilation_status(shaderc_compilation_result_t);
const char* shaderc_result_get_error_message(shaderc_compilation_result_t);
void shaderc_result_release(shaderc_compilation_result_t);

static int compiled(shaderc_compilation_result_t result) {
  const int good = result != NULL && shaderc_result_get_compilation_status(result) == 0;
  if (!good && result != NULL) fputs(shaderc_result_get_error_message(result), stderr);
  shaderc_result_release(result);
  return good;
}

int main(void) {
  const char* shader = "#version 450\nvoid main() {}\n";
  const char* assembly =
      "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\n"
      "OpExecutionMode %main LocalSize 1 1 1\n%void = OpTypeVoid\n%type = OpTypeFunction %void\n"
      "%main = OpFunction %void None %type\n%label = OpLabel\nOpReturn\nOpFunctionEnd\n";
  shaderc_compiler_t compiler = shaderc_compiler_initialize();
  const int compute = 2; /* shaderc_compute_shader */
  const int good = compiled(shaderc_compile_into_spv(compiler, shader, strlen(shader), compute, "a.comp", "main", NULL)) &
                   compiled(shaderc_assemble_into_spv(compiler, assembly, strlen(assembly), NULL));
  shaderc_compiler_release(compiler);
  return good ? 0 : 1;
}
