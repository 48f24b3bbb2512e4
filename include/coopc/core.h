/* Rules and assembler of core SPIR-V, by SPIRV-Tools, for C. The rules complement the ones of validate.h. This is a separate library
   (coopc::core, libcoopc-core), so that the compiler does not contain SPIRV-Tools. core.hpp says more about each option.

   Ownership: a coopc_core belongs to the caller, who destroys it; its words and texts live as long as it does. Arguments are
   copied.
   Threads: no function keeps global state; calls on different handles, and calls that only read one handle, may run in different
   threads.
   Errors: no function throws, exits or prints. Functions on a NULL handle return 0, NULL or ""; its status is
   COOPC_STATUS_OUT_OF_MEMORY.
   Units: lengths are bytes without the NUL, counts of words 32-bit words in this machine's byte order. */
#ifndef COOPC_CORE_H
#define COOPC_CORE_H

#include <stddef.h>
#include <stdint.h>

#include "coopc/export.h"
#include "coopc/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct coopc_core coopc_core;

typedef enum coopc_core_environment {
  COOPC_CORE_FROM_MODULE = 0,
  COOPC_CORE_VULKAN_1_0 = 1,
  COOPC_CORE_VULKAN_1_1 = 2,
  COOPC_CORE_VULKAN_1_2 = 3,
  COOPC_CORE_VULKAN_1_3 = 4,
  COOPC_CORE_VULKAN_1_4 = 5,
  COOPC_CORE_UNIVERSAL = 6
} coopc_core_environment;

/* spirv-val's options of these names. */
typedef enum coopc_core_flag {
  COOPC_CORE_RELAX_BLOCK_LAYOUT = 1,
  COOPC_CORE_UNIFORM_BUFFER_STANDARD_LAYOUT = 2,
  COOPC_CORE_SCALAR_BLOCK_LAYOUT = 4,
  COOPC_CORE_WORKGROUP_SCALAR_BLOCK_LAYOUT = 8,
  COOPC_CORE_SKIP_BLOCK_LAYOUT = 16,
  COOPC_CORE_RELAX_LOGICAL_POINTER = 32,
  COOPC_CORE_RELAX_STRUCT_STORE = 64,
  COOPC_CORE_BEFORE_HLSL_LEGALIZATION = 128,
  COOPC_CORE_ALLOW_LOCALSIZEID = 256,
  COOPC_CORE_ALLOW_OFFSET_TEXTURE_OPERAND = 512,
  COOPC_CORE_ALLOW_VULKAN_32_BIT_BITWISE = 1024
} coopc_core_flag;
/* Any block layout that some device allows. */
#define COOPC_CORE_DEFAULT_FLAGS (COOPC_CORE_SCALAR_BLOCK_LAYOUT | COOPC_CORE_WORKGROUP_SCALAR_BLOCK_LAYOUT)

/* Checks a module against the rules of core SPIR-V; `flags` is a combination of coopc_core_flag. Status: COOPC_STATUS_OK if nothing was
   found; COOPC_STATUS_INPUT_ERROR if a rule is broken, which coopc_core_message() names (if the module breaks a rule of the module level of
   validate.h, it is that one, and core rules are not checked); COOPC_STATUS_BAD_ARGUMENT for words that are NULL with a count that is not
   0, and for an unknown environment or flag. Returns NULL only if memory is exhausted. */
COOPC_API coopc_core* coopc_core_validate(const uint32_t* words, size_t word_count,
                                          coopc_core_environment environment, uint32_t flags);
/* Assembles a text of `length` bytes in SPIRV-Tools' form, for a module of `spirv_version` (major << 16 | minor << 8, 1.0 to 1.6; 0: 1.6).
   `preserve_numeric_ids`: `%7` is the id 7. Status: COOPC_STATUS_OK if there are words; COOPC_STATUS_INPUT_ERROR if the text has errors
   (coopc_core_message() has the place and the reason, "3:14: ..."); COOPC_STATUS_BAD_ARGUMENT for a text that is NULL with a length that is
   not 0, and for an unknown version. Returns NULL only if memory is exhausted. */
COOPC_API coopc_core* coopc_core_assemble(const char* text, size_t length, uint32_t spirv_version,
                                          int preserve_numeric_ids);
/* NULL does nothing. */
COOPC_API void coopc_core_destroy(coopc_core* core);

/* How the call ended; for NULL COOPC_STATUS_OUT_OF_MEMORY. */
COOPC_API coopc_status coopc_core_status(const coopc_core* core);
/* The error, or "". With COOPC_STATUS_OK: features that were not checked because the linked SPIRV-Tools does not know them, or "". */
COOPC_API const char* coopc_core_message(const coopc_core* core);
/* The assembled module; NULL and 0 if there is none. `word_count` may be NULL. */
COOPC_API const uint32_t* coopc_core_words(const coopc_core* core, size_t* word_count);

#ifdef __cplusplus
}
#endif

#endif
