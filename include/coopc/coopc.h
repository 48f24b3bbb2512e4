/* coopc as a library, for C: GLSL shaders to SPIR-V. The interface is stable: functions keep their meaning and their binary interface.
   coopc.hpp describes each option and result in more detail.

   Ownership: the result of a function named create, clone, compile, take or disassemble belongs to the caller, who destroys it with
   the function named after its type; destroying NULL does nothing. Texts, words and names that a result returns live as long as
   the result. Arguments are copied, unless a function says that they must stay valid.
   Threads: no function keeps global state. Calls on different handles may run in different threads, and so may calls that only
   read the same handle, as a compile does with options. A file cache may be used by any number of threads at once.
   Errors: no function throws or exits. Setters return 1, or 0 if they reject the call, which leaves the options unchanged: a handle or
   name is NULL, a value is out of range, or memory is exhausted. Functions on a NULL handle return 0, NULL or "", as for an empty one.
   Units: lengths and sizes are in bytes, a `count` of words in 32-bit words. Text is UTF-8 with a length; texts of results are
   NUL-terminated as well. A pointer that receives a length may be NULL. */
#ifndef COOPC_COOPC_H
#define COOPC_COOPC_H

#include <stddef.h>
#include <stdint.h>

#include "coopc/export.h"
#include "coopc/status.h"

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
  COOPC_OUTPUT_DEPENDENCIES = 3,
  COOPC_OUTPUT_CHECK = 4
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
  COOPC_FLAG_NO_GLSLANG = 64, /* a text that needs glslang is an error */
  COOPC_FLAG_NAN_CLAMP = 128,
  COOPC_FLAG_INVERT_Y = 256,
  COOPC_FLAG_PRESERVE_BINDINGS = 512,
  COOPC_FLAG_HLSL_OFFSETS = 1024,
  COOPC_FLAG_AUTO_COMBINED_IMAGE_SAMPLER = 2048,
  COOPC_FLAG_NO_UNUSED_INTERFACE = 4096, /* unused parts of the interface are left out at -O0 too */
  COOPC_FLAG_NO_DEBUG_SCOPES = 8192      /* COOPC_FLAG_DEBUG_INFO adds only lines and the source at -O0 too */
} coopc_flag;

/* Options with the defaults of coopc.hpp's Options. NULL if memory is exhausted. */
COOPC_API coopc_options* coopc_options_create(void);
/* An independent copy, which uses the same includer and file cache; for NULL, new options. */
COOPC_API coopc_options* coopc_options_clone(const coopc_options* options);
COOPC_API void coopc_options_destroy(coopc_options* options);
COOPC_API int coopc_options_set_stage(coopc_options* options, coopc_stage stage);
/* With COOPC_STAGE_FROM_SOURCE: the stage of a text that names none (default: COOPC_STAGE_FROM_SOURCE, none: an error). */
COOPC_API int coopc_options_set_default_stage(coopc_options* options, coopc_stage stage);
/* Whether messages and preprocessed text have glslc's form: `FILE:LINE: error: TEXT`, without columns, source lines and notes
   (default: no). */
COOPC_API int coopc_options_set_glslc_form(coopc_options* options, int on);
/* Also sets the SPIR-V version to the environment's. */
COOPC_API int coopc_options_set_target_env(coopc_options* options, coopc_target_env env);
/* major << 16 | minor << 8, 1.0 to 1.6; 0: the environment's. */
COOPC_API int coopc_options_set_spirv_version(coopc_options* options, uint32_t version);
/* The generator word of the module's header: a registered number << 16 | a version. 0: the compiler's default. */
COOPC_API int coopc_options_set_generator(coopc_options* options, uint32_t generator);
COOPC_API int coopc_options_set_optimization(coopc_options* options, coopc_optimization level);
COOPC_API int coopc_options_set_output(coopc_options* options, coopc_output output);
/* A combination of coopc_flag, which replaces all earlier flags. Unknown bits are rejected. */
COOPC_API int coopc_options_set_flags(coopc_options* options, uint32_t flags);
/* Switches a warning on or off by its identifier ("missing-return"), or with "all" the warnings that are off by default. Returns 0 if no
   warning has the identifier, or if memory is exhausted. */
COOPC_API int coopc_options_set_warning(coopc_options* options, const char* id, int on);
/* `value` NULL: "1". The name may have parameters (`F(x)`) and must not be empty. */
COOPC_API int coopc_options_define(coopc_options* options, const char* name, const char* value);
COOPC_API int coopc_options_undefine(coopc_options* options, const char* name);
COOPC_API int coopc_options_set_entry_point(coopc_options* options, const char* name);
/* A limit of --show-limits; unknown names are rejected. */
COOPC_API int coopc_options_set_limit(coopc_options* options, const char* name, int value);
/* A number that is added to the bindings of a kind of resource (ResourceKind in coopc.hpp), and its first automatic binding. `stage`
   COOPC_STAGE_FROM_SOURCE: in all stages. */
COOPC_API int coopc_options_set_binding_base(coopc_options* options, coopc_stage stage, int kind,
                                             uint32_t base);
/* The path of the program coopc-glslang; NULL: the library looks for it. */
COOPC_API int coopc_options_set_glslang_program(coopc_options* options, const char* path);
/* The language version, which overrides #version; with `es` a version of ESSL; 0: no override. Versions that do not exist are
   rejected. */
COOPC_API int coopc_options_force_version(coopc_options* options, uint32_t version, int es);

/* A file that #include finds. `name` and `text` must stay valid until `release` is called; release may be NULL. */
typedef struct coopc_include {
  const char* name;
  size_t name_length;
  const char* text;
  size_t text_length;
  void* owner; /* for release */
} coopc_include;
/* Returns 1 if it found the file and filled *include, 0 if there is no such file. Called in the thread that compiles, with texts that
   live for the call; `user` is that of coopc_options_set_include, and must stay valid while compiles use the options. An exception of a
   callback written in C++ ends the compile (COOPC_STATUS_CALLBACK_FAILED). */
typedef int (*coopc_include_resolve)(void* user, const char* name, size_t name_length, int angled,
                                     const char* from, size_t from_length, uint32_t depth,
                                     coopc_include* include);
typedef void (*coopc_include_release)(void* user, coopc_include* include);
/* `resolve` NULL: #include is an error, which is the default. */
COOPC_API int coopc_options_set_include(coopc_options* options, coopc_include_resolve resolve,
                                        coopc_include_release release, void* user);

/* A callback that can cancel compiles. It is called between their steps and at each #include, in their thread; a result other than 0
   ends the compile (COOPC_STATUS_CANCELLED). NULL: no cancellation. `user` must stay valid while compiles use the options. */
typedef int (*coopc_cancelled)(void* user);
COOPC_API int coopc_options_set_cancelled(coopc_options* options, coopc_cancelled cancelled, void* user);
/* The bytes left on the stack, for fibers, whose stacks the library cannot find; 0: the thread's stack. The nesting limit depends on
   it: 512 KiB are enough for any text, 64 KiB are the minimum. */
COOPC_API int coopc_options_set_stack_bytes(coopc_options* options, size_t bytes);

/* Limit of a compile's memory in bytes; 0: no limit. A compile that exceeds it ends with COOPC_STATUS_OUT_OF_MEMORY, and a result whose
   messages say so. Memory that grows with the text is counted as it grows: copies and lines of the text, names of files, tokens, names,
   the typed program, diagnostics and their texts, the module, tables of the passes, and text output. Memory of callbacks, file caches and
   coopc-glslang is not counted. While an array grows, its old and new memory both exist, and tables have overhead, so a compile may take
   up to about three times the limit. */
COOPC_API int coopc_options_set_memory_limit(coopc_options* options, size_t bytes);

/* A cache of files that compiles in any threads share, and of the coopc-glslang programs that they start. Each file is read and lexed at
   most once. The cache must outlive the options that use it. coopc_file_cache_create returns NULL if memory is exhausted. */
typedef struct coopc_file_cache coopc_file_cache;
COOPC_API coopc_file_cache* coopc_file_cache_create(void);
COOPC_API void coopc_file_cache_destroy(coopc_file_cache* cache);
/* Puts a text at `path`, which replaces the file on disk until it is invalidated. */
COOPC_API int coopc_file_cache_put(coopc_file_cache* cache, const char* path, const char* text,
                                   size_t length);
/* Drops a file, or with `path` NULL all files: the next compile reads them again. Returns 1 if the file was known or `path` is NULL. */
COOPC_API int coopc_file_cache_invalidate(coopc_file_cache* cache, const char* path);
/* Drops files that have changed on disk since they were read, were deleted, or were missing and exist now. Returns their number. */
COOPC_API size_t coopc_file_cache_refresh(coopc_file_cache* cache);
/* #include searches as glslc does, in `folder_count` folders; relative paths start in `directory` (NULL: the current one).
   Replaces coopc_options_set_include. `cache` must stay valid while compiles use the options. */
COOPC_API int coopc_options_set_file_cache(coopc_options* options, coopc_file_cache* cache,
                                           const char* const* folders, size_t folder_count,
                                           const char* directory);

/* Compiles. `source` need not be NUL-terminated, and may be NULL if its length is 0; `name` is used in messages (NULL: "");
   `options` may be NULL and is not changed. Returns NULL only if memory is exhausted, which coopc_result_status(NULL) reports. */
COOPC_API coopc_result* coopc_compile(const char* source, size_t source_length, const char* name,
                                      const coopc_options* options);
COOPC_API void coopc_result_destroy(coopc_result* result);

/* One of many compiles: the arguments of coopc_compile. */
typedef struct coopc_job {
  const char* source;
  size_t source_length;
  const char* name;
  const coopc_options* options;
} coopc_job;
/* Compiles all jobs with `threads` threads (0: one for each processor). `results` gets `count` results in the order of the jobs,
   which the caller destroys. Returns 0, and sets all results to NULL, if memory is exhausted, or if `jobs` or `results` is NULL and
   `count` is not 0. */
COOPC_API int coopc_compile_all(const coopc_job* jobs, size_t count, unsigned threads,
                                coopc_result** results);

/* How the compile ended; for NULL: COOPC_STATUS_OUT_OF_MEMORY. */
COOPC_API coopc_status coopc_result_status(const coopc_result* result);
/* 1 if the status is COOPC_STATUS_OK. */
COOPC_API int coopc_result_ok(const coopc_result* result);
/* The module; NULL and 0 if there is none. */
COOPC_API const uint32_t* coopc_result_words(const coopc_result* result, size_t* word_count);
/* Moves the words out of the result without a copy, so that they outlive it. Returns NULL if there are none, or if there is no memory
   for the handle (the result keeps them then). */
typedef struct coopc_words coopc_words;
COOPC_API coopc_words* coopc_result_take_words(coopc_result* result);
COOPC_API const uint32_t* coopc_words_data(const coopc_words* words, size_t* word_count);
COOPC_API void coopc_words_destroy(coopc_words* words);
COOPC_API const char* coopc_result_text(const coopc_result* result,
                                        size_t* length); /* assembly or preprocessed text */
COOPC_API const char* coopc_result_messages(const coopc_result* result,
                                            size_t* length); /* diagnostics with carets */
COOPC_API const char* coopc_result_json(const coopc_result* result, size_t* length); /* diagnostics as JSON */
COOPC_API uint32_t coopc_result_error_count(const coopc_result* result);
COOPC_API uint32_t coopc_result_warning_count(const coopc_result* result);
COOPC_API size_t coopc_result_dependency_count(const coopc_result* result);
/* The names of all files that were read, the main one first; NULL if the index is out of range. */
COOPC_API const char* coopc_result_dependency(const coopc_result* result, size_t index);
/* Paths that a file cache did not find: once one of them exists, another compile may find another file. */
COOPC_API size_t coopc_result_missing_count(const coopc_result* result);
COOPC_API const char* coopc_result_missing(const coopc_result* result, size_t index);

/* Diagnostics as data. Missing strings are "", lines and columns are 1-based, or 0 if there is no place. */
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
/* Returns 1 and fills *diagnostic, or 0 if the index is out of range. Its texts live as long as the result. */
COOPC_API int coopc_result_diagnostic(const coopc_result* result, size_t index, coopc_diagnostic* diagnostic);
COOPC_API int coopc_result_note(const coopc_result* result, size_t diagnostic, size_t note, coopc_note* out);

/* A module as text (coopc_result_text) that SPIRV-Tools' assembler reads back. If the words are not a module, the status is
   COOPC_STATUS_INPUT_ERROR and the messages say why. Returns NULL only if memory is exhausted. */
COOPC_API coopc_result* coopc_disassemble(const uint32_t* words, size_t word_count);

/* "0.1.0"; lives as long as the program. */
COOPC_API const char* coopc_version(void);

#ifdef __cplusplus
}
#endif

#endif
