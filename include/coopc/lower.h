/* Lowering as a library, for C. lower.hpp says more about each option and result.

   Ownership: handles are the caller's, who destroys them; destroying NULL does nothing. Texts and words live as long as the handle
   that they were asked of; what is passed is copied.
   Threads: no function keeps global state. Calls on different handles may run in different threads, and so may calls that only
   read the same one: options are only read by coopc_lower().
   Errors: no function throws, exits or prints. Setters give 1, or 0 where they refuse: a handle or a text that is NULL, memory that cannot
   be had. Functions about a result that is NULL give 0, NULL or ""; its kind is COOPC_LOWERING_DECLINED.
   Units: lengths are bytes without the NUL, `word_count` 32-bit words in this machine's byte order; texts are UTF-8 and NUL-terminated. */
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
/* Features that are not used though the device has them: names of Vulkan's features, `nv`, `khr`, `vulkan-memory-model`, with commas
   between them. */
COOPC_API int coopc_lower_options_set_without(coopc_lower_options* options, const char* features);
/* Freezes the specialization constant with this SpecId at a value: its bits. */
COOPC_API int coopc_lower_options_specialize(coopc_lower_options* options, uint32_t spec_id, uint64_t value);
/* Whether all other constants are frozen at their defaults; they are not by default. */
COOPC_API int coopc_lower_options_set_spec_defaults(coopc_lower_options* options, int on);
/* The subgroup size that the pipeline will have, in invocations; 0: the device's own. */
COOPC_API int coopc_lower_options_set_subgroup_size(coopc_lower_options* options, uint32_t size);
/* Whether the passes of -O run over what was lowered; they do by default. */
COOPC_API int coopc_lower_options_set_optimize(coopc_lower_options* options, int on);
/* Whether names and lines stay; they do not by default. */
COOPC_API int coopc_lower_options_set_keep_debug(coopc_lower_options* options, int on);

/* `options` are not changed, and may be NULL, which names no device: COOPC_STATUS_BAD_ARGUMENT. NULL only where memory cannot be had. */
COOPC_API coopc_lowered* coopc_lower(const uint32_t* words, size_t word_count,
                                     const coopc_lower_options* options);
COOPC_API void coopc_lowered_destroy(coopc_lowered* result);

/* COOPC_STATUS_OK: native or lowered; COOPC_STATUS_INPUT_ERROR: declined; COOPC_STATUS_BAD_ARGUMENT: options that cannot be used, or
   words that are NULL; of NULL COOPC_STATUS_OUT_OF_MEMORY. */
COOPC_API coopc_status coopc_lowered_status(const coopc_lowered* result);
/* What is to be done with the result. */
COOPC_API coopc_lowering coopc_lowered_kind(const coopc_lowered* result);
/* Why the options could not be used (nothing was done then), or "". */
COOPC_API const char* coopc_lowered_error(const coopc_lowered* result);
/* The module; NULL and 0 where it was declined. `word_count` may be NULL. */
COOPC_API const uint32_t* coopc_lowered_words(const coopc_lowered* result, size_t* word_count);
/* NULL: there is no such reason. */
COOPC_API const char* coopc_lowered_reason(const coopc_lowered* result, size_t index);
/* 0: any subgroup size will do. Otherwise the pipeline must require it, and full subgroups. */
COOPC_API uint32_t coopc_lowered_subgroup_size(const coopc_lowered* result);
/* Workgroup memory that was added, in bytes. */
COOPC_API uint32_t coopc_lowered_shared_bytes(const coopc_lowered* result);
/* Where multiply-adds became plain code: the expected speed of the slowest, as a share of that of a shader without matrices which is
   written for shared memory and registers. 0: none became plain code. */
COOPC_API double coopc_lowered_scalar_share(const coopc_lowered* result);
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
