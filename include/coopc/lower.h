/* Lowering as a library, for C. lower.hpp says more about each option and result.

   Handles are opaque, and the caller's, who destroys them. No function throws, exits, prints or keeps global state; calls on
   different handles may run in different threads. Texts are UTF-8, NUL-terminated, and live as long as the handle that they were
   asked of; what is passed is copied. Setters give 1, or 0 where they refuse: a handle or a text that is NULL, memory that cannot be
   had. Functions about a result that is NULL give 0, NULL or ""; its kind is COOPC_LOWERING_DECLINED. */
#ifndef COOPC_LOWER_H
#define COOPC_LOWER_H

#include <stddef.h>
#include <stdint.h>

#include "coopc/export.h"
#include "coopc/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct coopc_lower_options coopc_lower_options;
typedef struct coopc_lowered coopc_lowered;

typedef enum coopc_lowering {
  COOPC_LOWERING_NATIVE = 0,  /* the module is to be used as it is */
  COOPC_LOWERING_LOWERED = 1, /* coopc_lowered_words() is */
  COOPC_LOWERING_DECLINED = 2 /* coopc_lowered_reason() says why */
} coopc_lowering;

/* NULL where memory cannot be had. */
COOPC_API coopc_lower_options* coopc_lower_options_create(void);
COOPC_API void coopc_lower_options_destroy(coopc_lower_options* options);
/* The text of a device profile (JSON), or the name of one that ships or of a target ("none", "khr", "radv"). */
COOPC_API int coopc_lower_options_set_profile(coopc_lower_options* options, const char* text, size_t length);
COOPC_API int coopc_lower_options_set_without(coopc_lower_options* options, const char* features);
COOPC_API int coopc_lower_options_specialize(coopc_lower_options* options, uint32_t spec_id, uint64_t value);
COOPC_API int coopc_lower_options_set_spec_defaults(coopc_lower_options* options, int on);
COOPC_API int coopc_lower_options_set_subgroup_size(coopc_lower_options* options, uint32_t size);
COOPC_API int coopc_lower_options_set_optimize(coopc_lower_options* options, int on);
COOPC_API int coopc_lower_options_set_keep_debug(coopc_lower_options* options, int on);

/* `options` are not changed, and may be NULL, which names no device: COOPC_STATUS_BAD_ARGUMENT. NULL only where memory cannot be had. */
COOPC_API coopc_lowered* coopc_lower(const uint32_t* words, size_t word_count,
                                     const coopc_lower_options* options);
COOPC_API void coopc_lowered_destroy(coopc_lowered* result);

/* COOPC_STATUS_OK: native or lowered; COOPC_STATUS_INPUT_ERROR: declined; COOPC_STATUS_BAD_ARGUMENT: options that cannot be used, or
   words that are NULL; of NULL COOPC_STATUS_OUT_OF_MEMORY. */
COOPC_API coopc_status coopc_lowered_status(const coopc_lowered* result);
COOPC_API coopc_lowering coopc_lowered_kind(const coopc_lowered* result);
/* Why the options could not be used (nothing was done then), or "". */
COOPC_API const char* coopc_lowered_error(const coopc_lowered* result);
/* The module; NULL and 0 where it was declined. `word_count` may be NULL. */
COOPC_API const uint32_t* coopc_lowered_words(const coopc_lowered* result, size_t* word_count);
/* NULL: there is no such reason. */
COOPC_API const char* coopc_lowered_reason(const coopc_lowered* result, size_t index);
/* 0: any subgroup size will do. Otherwise the pipeline must require it, and full subgroups. */
COOPC_API uint32_t coopc_lowered_subgroup_size(const coopc_lowered* result);
COOPC_API uint32_t coopc_lowered_shared_bytes(const coopc_lowered* result);
/* How many specialization constants were frozen; the first `capacity` SpecIds go to `ids`, which may be NULL when `capacity` is
   0. */
COOPC_API size_t coopc_lowered_frozen_spec_ids(const coopc_lowered* result, uint32_t* ids, size_t capacity);
/* All of it as text or JSON. */
COOPC_API const char* coopc_lowered_text(const coopc_lowered* result);
COOPC_API const char* coopc_lowered_json(const coopc_lowered* result);

#ifdef __cplusplus
}
#endif

#endif
