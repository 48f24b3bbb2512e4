/* Each interface of the library, from C: compile, validate, reflect, lower. With an argument: a vertex shader, which the helper
   program compiles. */
#include <coopc/coopc.h>
#include <coopc/lower.h>
#include <coopc/reflect.h>
#include <coopc/validate.h>
#include <stdio.h>
#include <string.h>

static int helper(void) {
  const char* source = "#version 450\nvoid main() { gl_Position = vec4(0); }\n";
  coopc_options* options = coopc_options_create();
  coopc_options_set_stage(options, COOPC_STAGE_VERTEX);
  coopc_result* result = coopc_compile(source, strlen(source), "a.vert", options);
  const int good = coopc_result_ok(result);
  fputs(coopc_result_messages(result, NULL), stderr);
  coopc_result_destroy(result);
  coopc_options_destroy(options);
  return good ? 0 : 1;
}

int main(int argc, char** argv) {
  (void)argv;
  if (argc > 1) return helper();
  const char* source =
      "#version 450\nlayout(binding = 3) buffer B { float a[]; };\nvoid main() { a[0] = 1.0; }\n";
  coopc_options* options = coopc_options_create();
  coopc_options_set_target_env(options, COOPC_TARGET_VULKAN_1_3);
  coopc_result* result = coopc_compile(source, strlen(source), "a.comp", options);
  size_t count = 0;
  const uint32_t* words = coopc_result_words(result, &count);

  coopc_findings* findings = coopc_validate(words, count, NULL);
  const int valid = coopc_findings_ok(findings);

  coopc_reflection* reflection = coopc_reflect(words, count, NULL, 0, NULL, 0);
  coopc_binding binding;
  const int reflected = coopc_reflection_status(reflection) == COOPC_STATUS_OK &&
                        coopc_reflection_binding(reflection, 0, &binding) == 1 && binding.binding == 3;

  coopc_lower_options* lower_options = coopc_lower_options_create();
  coopc_lower_options_set_profile(lower_options, "lavapipe", strlen("lavapipe"));
  coopc_lowered* lowered = coopc_lower(words, count, lower_options);
  const int native = coopc_lowered_kind(lowered) == COOPC_LOWERING_NATIVE;
  if (!valid || !reflected || !native)
    fprintf(stderr, "valid %d, reflected %d, native %d\n", valid, reflected, native);

  coopc_lowered_destroy(lowered);
  coopc_lower_options_destroy(lower_options);
  coopc_reflection_destroy(reflection);
  coopc_findings_destroy(findings);
  coopc_result_destroy(result);
  coopc_options_destroy(options);
  return valid && reflected && native ? 0 : 1;
}
