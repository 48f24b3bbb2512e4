/* Translation to other shading languages as a library, for C. translate.hpp says more about it.

   Handles are opaque. No function throws, exits, prints or keeps global state; calls on different handles may run in
   different threads. Texts are UTF-8, NUL-terminated, and live as long as the handle that they were asked of. */
#ifndef COOPC_TRANSLATE_H
#define COOPC_TRANSLATE_H

#include <stddef.h>
#include <stdint.h>

#include "coopc/export.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct coopc_translation coopc_translation;

typedef enum coopc_shading_language {
  COOPC_SHADING_LANGUAGE_GLSL = 0,
  COOPC_SHADING_LANGUAGE_HLSL = 1,
  COOPC_SHADING_LANGUAGE_MSL = 2
} coopc_shading_language;

/* `entry_point` may be NULL: the module's first one. NULL only where memory cannot be had. */
COOPC_API coopc_translation* coopc_translate(const uint32_t* words, size_t word_count,
                                             coopc_shading_language language, const char* entry_point);
COOPC_API void coopc_translation_destroy(coopc_translation* translation);
/* The shader, or "" where there is an error. `length` may be NULL. */
COOPC_API const char* coopc_translation_text(const coopc_translation* translation, size_t* length);
/* Why there is no text, or "". */
COOPC_API const char* coopc_translation_error(const coopc_translation* translation);

#ifdef __cplusplus
}
#endif

#endif
