/* Translation to other shading languages as a library, for C. translate.hpp says more about it.

   Ownership: a coopc_translation belongs to the caller, who destroys it; its texts live as long as it does. Arguments are
   copied.
   Threads: no function keeps global state; calls on different handles, and calls that only read one handle, may run in different
   threads.
   Errors: no function throws, exits or prints. Functions on a NULL translation return 0 or ""; its status is
   COOPC_STATUS_OUT_OF_MEMORY.
   Units: lengths are bytes without the NUL; `word_count` is 32-bit words in this machine's byte order. Texts are UTF-8 and
   NUL-terminated. */
#ifndef COOPC_TRANSLATE_H
#define COOPC_TRANSLATE_H

#include <stddef.h>
#include <stdint.h>

#include "coopc/export.h"
#include "coopc/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct coopc_translation coopc_translation;

typedef enum coopc_shading_language {
  COOPC_SHADING_LANGUAGE_GLSL = 0,
  COOPC_SHADING_LANGUAGE_HLSL = 1,
  COOPC_SHADING_LANGUAGE_MSL = 2
} coopc_shading_language;

/* Translates a module. `entry_point` may be NULL: the module's first one. Returns NULL only if memory is exhausted. */
COOPC_API coopc_translation* coopc_translate(const uint32_t* words, size_t word_count,
                                             coopc_shading_language language, const char* entry_point);
/* The same, and compiles a text in GLSL again: if that fails, the first message is the error. Programs that call this must also link
   coopc::coopc (libcoopc), after coopc::translate. */
COOPC_API coopc_translation* coopc_translate_checked(const uint32_t* words, size_t word_count,
                                                     coopc_shading_language language,
                                                     const char* entry_point);
/* NULL does nothing. */
COOPC_API void coopc_translation_destroy(coopc_translation* translation);
/* COOPC_STATUS_OK: there is a text; COOPC_STATUS_INPUT_ERROR: coopc_translation_error() says why there is none;
   COOPC_STATUS_BAD_ARGUMENT: words that are NULL with a count that is not 0, or an unknown language; for NULL
   COOPC_STATUS_OUT_OF_MEMORY. */
COOPC_API coopc_status coopc_translation_status(const coopc_translation* translation);
/* The shader, or "" if there is an error. `length` may be NULL. */
COOPC_API const char* coopc_translation_text(const coopc_translation* translation, size_t* length);
/* Why there is no text, or "". */
COOPC_API const char* coopc_translation_error(const coopc_translation* translation);

#ifdef __cplusplus
}
#endif

#endif
