/* coopc as a library, for C: GLSL compute shaders to SPIR-V. Stable: what is here keeps its meaning and its binary
   interface. coopc.hpp describes each option and result in more words.

   All handles are opaque. No function throws, exits, or keeps global state; calls on different handles may run in
   different threads. Text is UTF-8 with a length; results' texts are NUL-terminated as well and live as long as the
   result. */
#ifndef COOPC_COOPC_H
#define COOPC_COOPC_H

#include <stddef.h>
#include <stdint.h>

#include "coopc/export.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct coopc_options coopc_options;
typedef struct coopc_result coopc_result;

typedef enum coopc_stage {
  COOPC_STAGE_FROM_SOURCE = 0, /* #pragma shader_stage(...) */
  COOPC_STAGE_COMPUTE = 1,
  COOPC_STAGE_VERTEX = 2,
  COOPC_STAGE_FRAGMENT = 3,
  COOPC_STAGE_GEOMETRY = 4,
  COOPC_STAGE_TESS_CONTROL = 5,
  COOPC_STAGE_TESS_EVALUATION = 6,
  COOPC_STAGE_TASK = 7,
  COOPC_STAGE_MESH = 8,
  COOPC_STAGE_RAY_GENERATION = 9,
  COOPC_STAGE_INTERSECTION = 10,
  COOPC_STAGE_ANY_HIT = 11,
  COOPC_STAGE_CLOSEST_HIT = 12,
  COOPC_STAGE_MISS = 13,
  COOPC_STAGE_CALLABLE = 14
} coopc_stage;

typedef enum coopc_target_env {
  COOPC_TARGET_VULKAN_1_0 = 0,
  COOPC_TARGET_VULKAN_1_1 = 1,
  COOPC_TARGET_VULKAN_1_2 = 2,
  COOPC_TARGET_VULKAN_1_3 = 3,
  COOPC_TARGET_VULKAN_1_4 = 4,
  COOPC_TARGET_OPENGL_4_5 = 5
} coopc_target_env;

typedef enum coopc_optimization {
  COOPC_OPTIMIZATION_NONE = 0,
  COOPC_OPTIMIZATION_SPEED = 1,
  COOPC_OPTIMIZATION_SIZE = 2
} coopc_optimization;

typedef enum coopc_output {
  COOPC_OUTPUT_MODULE = 0,
  COOPC_OUTPUT_ASSEMBLY = 1,
  COOPC_OUTPUT_PREPROCESSED = 2,
  COOPC_OUTPUT_DEPENDENCIES = 3
} coopc_output;

typedef enum coopc_severity {
  COOPC_SEVERITY_NOTE = 0,
  COOPC_SEVERITY_WARNING = 1,
  COOPC_SEVERITY_ERROR = 2,
  COOPC_SEVERITY_FATAL = 3
} coopc_severity;

typedef enum coopc_flag {
  COOPC_FLAG_DEBUG_INFO = 1,
  COOPC_FLAG_SUPPRESS_WARNINGS = 2,
  COOPC_FLAG_WARNINGS_AS_ERRORS = 4,
  COOPC_FLAG_STRICT = 8,
  COOPC_FLAG_AUTO_BIND_UNIFORMS = 16,
  COOPC_FLAG_AUTO_MAP_LOCATIONS = 32,
  COOPC_FLAG_NO_GLSLANG = 64, /* what needs glslang is an error */
  COOPC_FLAG_NAN_CLAMP = 128,
  COOPC_FLAG_INVERT_Y = 256,
  COOPC_FLAG_PRESERVE_BINDINGS = 512,
  COOPC_FLAG_HLSL_OFFSETS = 1024,
  COOPC_FLAG_AUTO_COMBINED_IMAGE_SAMPLER = 2048,
  COOPC_FLAG_NO_UNUSED_INTERFACE =
      4096 /* resources and constants that nothing uses are left out at -O0 too */
} coopc_flag;

/* Options start as coopc.hpp's Options do. NULL where memory cannot be had. */
COOPC_API coopc_options* coopc_options_create(void);
COOPC_API void coopc_options_destroy(coopc_options* options);
COOPC_API void coopc_options_set_stage(coopc_options* options, coopc_stage stage);
/* Also sets the SPIR-V version that the environment has. */
COOPC_API void coopc_options_set_target_env(coopc_options* options, coopc_target_env env);
/* major << 16 | minor << 8; 0: what the environment has. */
COOPC_API void coopc_options_set_spirv_version(coopc_options* options, uint32_t version);
/* The generator's word of the module's header: a registered number << 16 | a version. 0: as the compiler has it. */
COOPC_API void coopc_options_set_generator(coopc_options* options, uint32_t generator);
COOPC_API void coopc_options_set_optimization(coopc_options* options, coopc_optimization level);
COOPC_API void coopc_options_set_output(coopc_options* options, coopc_output output);
COOPC_API void coopc_options_set_flags(coopc_options* options,
                                       uint32_t flags); /* coopc_flag, or'ed; replaces all */
/* 0 where memory cannot be had, 1 otherwise. `value` NULL: "1". */
COOPC_API int coopc_options_define(coopc_options* options, const char* name, const char* value);
COOPC_API int coopc_options_undefine(coopc_options* options, const char* name);
COOPC_API int coopc_options_set_entry_point(coopc_options* options, const char* name);
/* A limit of --show-limits. 0 where there is none of that name, or memory cannot be had. */
COOPC_API int coopc_options_set_limit(coopc_options* options, const char* name, int value);
/* The first binding that automatic bindings have: kinds as ResourceKind in coopc.hpp. `stage`
   COOPC_STAGE_FROM_SOURCE: for all stages. 0 where a number is out of range or memory cannot be had. */
COOPC_API int coopc_options_set_binding_base(coopc_options* options, coopc_stage stage, int kind,
                                             uint32_t base);
/* The program coopc-glslang; NULL: where it is searched by itself. */
COOPC_API int coopc_options_set_glslang_program(coopc_options* options, const char* path);
/* The language version whatever #version says; 0: none. */
COOPC_API void coopc_options_force_version(coopc_options* options, uint32_t version, int es);

/* What #include finds. `name` and `text` must stay until `release` is called; release may be NULL. */
typedef struct coopc_include {
  const char* name;
  size_t name_length;
  const char* text;
  size_t text_length;
  void* owner; /* for release */
} coopc_include;
/* 1: found, *include is filled; 0: there is no such file. Must not throw. */
typedef int (*coopc_include_resolve)(void* user, const char* name, size_t name_length, int angled,
                                     const char* from, size_t from_length, uint32_t depth,
                                     coopc_include* include);
typedef void (*coopc_include_release)(void* user, coopc_include* include);
COOPC_API void coopc_options_set_include(coopc_options* options, coopc_include_resolve resolve,
                                         coopc_include_release release, void* user);

/* Files that compiles share, in any threads: each is read and lexed at most once; and the programs coopc-glslang that they
   start. It must outlive the options that use it. */
typedef struct coopc_file_cache coopc_file_cache;
COOPC_API coopc_file_cache* coopc_file_cache_create(void);
COOPC_API void coopc_file_cache_destroy(coopc_file_cache* cache);
/* #include searches as glslc does, in `folder_count` folders; relative paths start in `directory` (NULL: the current one).
   0 where memory cannot be had. Replaces coopc_options_set_include. */
COOPC_API int coopc_options_set_file_cache(coopc_options* options, coopc_file_cache* cache,
                                           const char* const* folders, size_t folder_count,
                                           const char* directory);

/* Compiles. `options` may be NULL and is not changed. NULL only where memory cannot be had. */
COOPC_API coopc_result* coopc_compile(const char* source, size_t source_length, const char* name,
                                      const coopc_options* options);
COOPC_API void coopc_result_destroy(coopc_result* result);

/* One of many compiles; as the arguments of coopc_compile. */
typedef struct coopc_job {
  const char* source;
  size_t source_length;
  const char* name;
  const coopc_options* options;
} coopc_job;
/* Compiles all with `threads` threads (0: one for each processor). `results` gets `count` results in the order of the jobs,
   each to be destroyed. 0 where memory cannot be had: `results` are all NULL then. */
COOPC_API int coopc_compile_all(const coopc_job* jobs, size_t count, unsigned threads,
                                coopc_result** results);

COOPC_API int coopc_result_ok(const coopc_result* result);
COOPC_API const uint32_t* coopc_result_words(const coopc_result* result, size_t* word_count);
COOPC_API const char* coopc_result_text(const coopc_result* result,
                                        size_t* length); /* assembly or preprocessed text */
COOPC_API const char* coopc_result_messages(const coopc_result* result,
                                            size_t* length); /* diagnostics with carets */
COOPC_API const char* coopc_result_json(const coopc_result* result, size_t* length); /* diagnostics as JSON */
COOPC_API uint32_t coopc_result_error_count(const coopc_result* result);
COOPC_API uint32_t coopc_result_warning_count(const coopc_result* result);
COOPC_API size_t coopc_result_dependency_count(const coopc_result* result);
COOPC_API const char* coopc_result_dependency(const coopc_result* result, size_t index);

/* Diagnostics as data. Strings are "" where there is nothing, lines and columns are 1-based or 0. */
typedef struct coopc_diagnostic {
  const char* id;
  const char* message;
  const char* clause;
  const char* suggestion;
  const char* file;
  uint32_t line;
  uint32_t column;
  uint32_t length;
  coopc_severity severity;
  size_t note_count;
} coopc_diagnostic;
typedef struct coopc_note {
  const char* message;
  const char* file;
  uint32_t line;
  uint32_t column;
  uint32_t length;
} coopc_note;
COOPC_API size_t coopc_result_diagnostic_count(const coopc_result* result);
/* 0 where the index is out of range. */
COOPC_API int coopc_result_diagnostic(const coopc_result* result, size_t index, coopc_diagnostic* diagnostic);
COOPC_API int coopc_result_note(const coopc_result* result, size_t diagnostic, size_t note, coopc_note* out);

COOPC_API const char* coopc_version(void);

#ifdef __cplusplus
}
#endif

#endif
