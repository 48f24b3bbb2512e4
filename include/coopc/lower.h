/* Lowering as a library, for C. lower.hpp says more about each option and result.

   Ownership: handles belong to the caller, who destroys them; destroying NULL does nothing. Texts and words live as long as the handle
   that returned them; arguments are copied.
   Threads: no function keeps global state. Calls on different handles may run in different threads, and so may calls that only
   read the same one: options are only read by coopc_lower().
   Errors: no function throws, exits or prints. Setters return 1, or 0 if they reject the call: a handle or text is NULL, or memory is
   exhausted. Functions on a NULL result return 0, NULL or ""; its kind is COOPC_LOWERING_DECLINED.
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
typedef struct coopc_advice coopc_advice;

typedef enum coopc_lowering {
  COOPC_LOWERING_NATIVE = 0,  /* use the module as it is */
  COOPC_LOWERING_LOWERED = 1, /* use coopc_lowered_words() */
  COOPC_LOWERING_DECLINED = 2 /* for the reasons of coopc_lowered_reason() */
} coopc_lowering;

/* NULL if memory is exhausted. */
COOPC_API coopc_lower_options* coopc_lower_options_create(void);
COOPC_API void coopc_lower_options_destroy(coopc_lower_options* options);
/* The text of a device profile (JSON), or the name of a shipped one or of a target ("none", "khr", "maintenance1", "radv"). */
COOPC_API int coopc_lower_options_set_profile(coopc_lower_options* options, const char* text, size_t length);
/* Features that lowered code must not use although the device has them: names of Vulkan's features, `nv`, `khr`, `vulkan-memory-model`,
   separated by commas. */
COOPC_API int coopc_lower_options_set_without(coopc_lower_options* options, const char* features);
/* Freezes the specialization constant with this SpecId at a value: its bits. */
COOPC_API int coopc_lower_options_specialize(coopc_lower_options* options, uint32_t spec_id, uint64_t value);
/* Whether all other constants are frozen at their defaults (default: no). */
COOPC_API int coopc_lower_options_set_spec_defaults(coopc_lower_options* options, int on);
/* The subgroup size of the pipeline, in invocations; 0: the device's own. */
COOPC_API int coopc_lower_options_set_subgroup_size(coopc_lower_options* options, uint32_t size);
/* If a tensor at binding B becomes a buffer, its description has the binding first + B of the same set. By default, the bindings of
   descriptions follow the module's last binding in the set. */
COOPC_API int coopc_lower_options_set_tensor_descriptions(coopc_lower_options* options, uint32_t first);
/* Whether the passes of -O run over lowered code (default: yes). */
COOPC_API int coopc_lower_options_set_optimize(coopc_lower_options* options, int on);
/* Whether names and lines are kept (default: no). */
COOPC_API int coopc_lower_options_set_keep_debug(coopc_lower_options* options, int on);

/* For coopc_advise(): adds a setting, the values of `count` specialization constants by SpecId. */
COOPC_API int coopc_lower_options_add_setting(coopc_lower_options* options, const uint32_t* spec_ids,
                                              const uint64_t* values, size_t count);

/* `options` are not changed, and may be NULL, which names no device: COOPC_STATUS_BAD_ARGUMENT. Returns NULL only if memory is exhausted. */
COOPC_API coopc_lowered* coopc_lower(const uint32_t* words, size_t word_count,
                                     const coopc_lower_options* options);
COOPC_API void coopc_lowered_destroy(coopc_lowered* result);

/* COOPC_STATUS_OK: native or lowered; COOPC_STATUS_INPUT_ERROR: declined; COOPC_STATUS_BAD_ARGUMENT: unusable options, or
   words that are NULL; for NULL COOPC_STATUS_OUT_OF_MEMORY. */
COOPC_API coopc_status coopc_lowered_status(const coopc_lowered* result);
/* How to treat the result. */
COOPC_API coopc_lowering coopc_lowered_kind(const coopc_lowered* result);
/* Why the options could not be used (nothing was done then), or "". */
COOPC_API const char* coopc_lowered_error(const coopc_lowered* result);
/* The module; NULL and 0 if it was declined. `word_count` may be NULL. */
COOPC_API const uint32_t* coopc_lowered_words(const coopc_lowered* result, size_t* word_count);
/* A reason, or NULL if the index is out of range. */
COOPC_API const char* coopc_lowered_reason(const coopc_lowered* result, size_t index);
/* The subgroup size that the pipeline must require, with full subgroups; 0: any size is valid. */
COOPC_API uint32_t coopc_lowered_subgroup_size(const coopc_lowered* result);
/* Workgroup memory that was added, in bytes. */
COOPC_API uint32_t coopc_lowered_shared_bytes(const coopc_lowered* result);
/* If multiply-adds became plain code: the expected speed of the slowest one, as a share of the speed of a shader without matrices that is
   written for shared memory and registers. 0: none became plain code. */
COOPC_API double coopc_lowered_scalar_share(const coopc_lowered* result);
/* The number of frozen specialization constants; the first `capacity` SpecIds are written to `ids`, which may be NULL if `capacity` is
   0. */
COOPC_API size_t coopc_lowered_frozen_spec_ids(const coopc_lowered* result, uint32_t* ids, size_t capacity);
/* A tensor of SPV_ARM_tensors that became a storage buffer of its elements, at its own set and binding. A uniform buffer at the binding
   `description` of the same set describes it: for each of its `rank` dimensions, the outermost first, four 32-bit numbers: the size, the
   stride in elements, and two that are not read. */
typedef struct coopc_lowered_tensor {
  uint32_t set;
  uint32_t binding;
  uint32_t description;
  uint32_t rank;
} coopc_lowered_tensor;
/* The number of these tensors; the first `capacity`, by set and binding, are written to `tensors`, which may be NULL if `capacity` is
   0. */
COOPC_API size_t coopc_lowered_tensors(const coopc_lowered* result, coopc_lowered_tensor* tensors,
                                       size_t capacity);
/* Orders settings of the module's specialization constants by their estimated cost on the device (lower.hpp, advise()). Without settings in
   the options, some are made from the constants that are sizes. Returns NULL only if memory is exhausted. */
COOPC_API coopc_advice* coopc_advise(const uint32_t* words, size_t word_count,
                                     const coopc_lower_options* options);
COOPC_API void coopc_advice_destroy(coopc_advice* advice);
/* COOPC_STATUS_OK; COOPC_STATUS_INPUT_ERROR: all settings are declined; COOPC_STATUS_BAD_ARGUMENT: unusable options, or words that are
   NULL; for NULL COOPC_STATUS_OUT_OF_MEMORY. */
COOPC_API coopc_status coopc_advice_status(const coopc_advice* advice);
/* Why the options could not be used, or "". */
COOPC_API const char* coopc_advice_error(const coopc_advice* advice);
/* The model's estimates for a setting; lower.hpp explains the numbers (AdvisedSetting). */
typedef struct coopc_advised {
  coopc_lowering kind;
  uint32_t invocations;
  uint32_t subgroup_size;
  uint32_t shared_bytes;
  uint32_t registers;
  uint32_t spills;
  double subgroups;
  double products;
  double cycles;
} coopc_advised;
/* The number of settings, the best first, declined ones last. */
COOPC_API size_t coopc_advice_size(const coopc_advice* advice);
/* 1, or 0 if the index is out of range. */
COOPC_API int coopc_advice_setting(const coopc_advice* advice, size_t index, coopc_advised* setting);
/* The number of values of a setting; the first `capacity` are written to `spec_ids` and `values`, which may be NULL if `capacity` is 0. */
COOPC_API size_t coopc_advice_values(const coopc_advice* advice, size_t index, uint32_t* spec_ids,
                                     uint64_t* values, size_t capacity);
/* The whole advice as text or JSON. */
COOPC_API const char* coopc_advice_text(const coopc_advice* advice);
COOPC_API const char* coopc_advice_json(const coopc_advice* advice);
/* The whole result as text or JSON. */
COOPC_API const char* coopc_lowered_text(const coopc_lowered* result);
COOPC_API const char* coopc_lowered_json(const coopc_lowered* result);

#ifdef __cplusplus
}
#endif

#endif
