/* Reflection as a library, for C: what a program must know about a SPIR-V module to create pipelines from it. reflect.hpp says more
   about each member.

   Ownership: a coopc_reflection belongs to the caller, who destroys it; every text and array that it returns lives as long as it
   does. Arguments are copied.
   Threads: no function keeps global state; calls on different handles, and calls that only read one handle, may run in different
   threads.
   Errors: no function throws, exits or prints. Functions on a NULL reflection return 0 or "", as for an empty one; its status is
   COOPC_STATUS_OUT_OF_MEMORY.
   Units: sizes, offsets and strides are in bytes, widths in bits, lengths of texts in bytes without the NUL. Texts are
   NUL-terminated; names are the module's, in any bytes, or "". A missing index, offset or identifier is
   COOPC_NOT_REFLECTED. */
#ifndef COOPC_REFLECT_H
#define COOPC_REFLECT_H

#include <stddef.h>
#include <stdint.h>

#include "coopc/export.h"
#include "coopc/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define COOPC_NOT_REFLECTED 0xFFFFFFFFu

typedef struct coopc_reflection coopc_reflection;

/* A value for the specialization constant with that SpecId: its bits; booleans: 0 is false. */
typedef struct coopc_spec_value {
  uint32_t spec_id;
  uint64_t value;
} coopc_spec_value;

/* Reflects `word_count` words in this machine's byte order. `values` may be NULL if `value_count` is 0. `profile`: the text of a
   device profile (JSON, `profile_length` bytes), or NULL, without which coopc_reflection_device() returns -1. Returns NULL only if memory is
   exhausted. */
COOPC_API coopc_reflection* coopc_reflect(const uint32_t* words, size_t word_count,
                                          const coopc_spec_value* values, size_t value_count,
                                          const char* profile, size_t profile_length);
/* NULL does nothing. */
COOPC_API void coopc_reflection_destroy(coopc_reflection* reflection);

/* COOPC_STATUS_OK; COOPC_STATUS_INPUT_ERROR: the words are not a module; COOPC_STATUS_BAD_ARGUMENT: words or values are NULL with a count
   that is not 0, and nothing was done, or the profile is unusable, and only the device's answer is missing;
   COOPC_STATUS_OUT_OF_MEMORY for a NULL reflection. */
COOPC_API coopc_status coopc_reflection_status(const coopc_reflection* reflection);
/* Why the status is not COOPC_STATUS_OK, or "". */
COOPC_API const char* coopc_reflection_error(const coopc_reflection* reflection);
/* The reflection as JSON (docs/reflection.schema.json); `length`, without the NUL, may be NULL. Returns NULL if memory is exhausted, and for
   NULL. The first call makes the text, and must not run concurrently with another one on the same handle. */
COOPC_API const char* coopc_reflection_json(coopc_reflection* reflection, size_t* length);
/* The module's version, and the lowest version of Vulkan that accepts it. */
COOPC_API uint32_t coopc_reflection_spirv_version(const coopc_reflection* reflection); /* 0x00010600 is 1.6 */
COOPC_API const char* coopc_reflection_vulkan_version(const coopc_reflection* reflection); /* "1.3" */

/* A number of the module, if constants determine it. */
typedef struct coopc_number {
  int known;       /* 0: not a constant */
  int specialized; /* 1: depends on the defaults of specialization constants */
  uint64_t value;
  uint32_t spec_id; /* the number is this specialization constant */
} coopc_number;

typedef enum coopc_type_kind {
  COOPC_TYPE_VOID = 0,
  COOPC_TYPE_BOOL = 1,
  COOPC_TYPE_INT = 2,
  COOPC_TYPE_UINT = 3,
  COOPC_TYPE_FLOAT = 4,
  COOPC_TYPE_VECTOR = 5,
  COOPC_TYPE_MATRIX = 6,
  COOPC_TYPE_ARRAY = 7,
  COOPC_TYPE_RUNTIME_ARRAY = 8,
  COOPC_TYPE_STRUCT = 9,
  COOPC_TYPE_POINTER = 10,
  COOPC_TYPE_IMAGE = 11,
  COOPC_TYPE_SAMPLER = 12,
  COOPC_TYPE_SAMPLED_IMAGE = 13,
  COOPC_TYPE_ACCELERATION_STRUCTURE = 14,
  COOPC_TYPE_COOPERATIVE_MATRIX = 15,
  COOPC_TYPE_COOPERATIVE_VECTOR = 16,
  COOPC_TYPE_TENSOR_LAYOUT = 17,
  COOPC_TYPE_TENSOR_VIEW = 18,
  COOPC_TYPE_OTHER = 19,
  COOPC_TYPE_TENSOR = 20, /* of SPV_ARM_tensors */
  COOPC_TYPE_BUFFER = 21  /* a descriptor of a buffer in a heap (SPV_EXT_descriptor_heap) */
} coopc_type_kind;

typedef enum coopc_binding_kind {
  COOPC_BINDING_SAMPLER = 0,
  COOPC_BINDING_COMBINED_IMAGE_SAMPLER = 1,
  COOPC_BINDING_SAMPLED_IMAGE = 2,
  COOPC_BINDING_STORAGE_IMAGE = 3,
  COOPC_BINDING_UNIFORM_TEXEL_BUFFER = 4,
  COOPC_BINDING_STORAGE_TEXEL_BUFFER = 5,
  COOPC_BINDING_UNIFORM_BUFFER = 6,
  COOPC_BINDING_STORAGE_BUFFER = 7,
  COOPC_BINDING_INPUT_ATTACHMENT = 8,
  COOPC_BINDING_ACCELERATION_STRUCTURE = 9,
  COOPC_BINDING_UNKNOWN = 10,
  COOPC_BINDING_TENSOR = 11
} coopc_binding_kind;

/* How many bytes a device's descriptors of one kind take in a heap (vkGetPhysicalDeviceDescriptorSizeEXT). */
typedef struct coopc_descriptor_size {
  coopc_binding_kind kind;
  uint32_t bytes;
} coopc_descriptor_size;

/* coopc_reflect() with the sizes of the device's descriptors (`sizes` may be NULL if `size_count` is 0), on which offsets and strides of what is
   in descriptor heaps depend: without them, these are COOPC_NOT_REFLECTED and 0. */
COOPC_API coopc_reflection* coopc_reflect_with_sizes(const uint32_t* words, size_t word_count,
                                                     const coopc_spec_value* values, size_t value_count,
                                                     const coopc_descriptor_size* sizes, size_t size_count,
                                                     const char* profile, size_t profile_length);

typedef struct coopc_type {
  coopc_type_kind kind;
  uint32_t id;
  const char* name;
  uint32_t width;
  uint32_t element; /* index */
  coopc_number count;
  uint32_t array_stride;
  uint64_t size;
  size_t member_count; /* coopc_reflection_member() */
  const char* dim;     /* images */
  const char* format;
  int arrayed, multisampled;
  uint32_t sampled;
  uint32_t storage_class;
  coopc_number scope, rows, columns, use; /* cooperative matrices */
  coopc_number dimensions, clamp_mode;    /* tensor layouts and views; dimensions: also the rank of tensors */
} coopc_type;

typedef struct coopc_member {
  const char* name;
  uint32_t type; /* index */
  uint32_t offset;
  uint64_t size;
  uint32_t matrix_stride;
  int row_major;
} coopc_member;

typedef struct coopc_binding {
  uint32_t set, binding;
  coopc_binding_kind kind;
  coopc_number count;
  const char* name;
  uint32_t id;
  uint32_t type; /* index */
  int non_readable, non_writable, coherent, is_volatile, is_restrict;
  int reads, writes;
  const uint32_t* entry_points; /* indices */
  size_t entry_point_count;
} coopc_binding;

/* What the module reads from a heap of the API: one item for each heap, type and offset. */
typedef struct coopc_heap {
  uint32_t id;         /* of the variable that is the heap */
  int sampler;         /* 1: the heap of samplers, 0: of resources */
  uint32_t type;       /* index: a block, whose name is the type's, or an array of descriptors */
  coopc_number offset; /* where it begins in the heap; not known: the shader computes it */
  const uint32_t* entry_points;
  size_t entry_point_count;
} coopc_heap;

typedef struct coopc_push_constants {
  const char* name;
  uint32_t id;
  uint32_t type; /* index */
  uint32_t offset;
  uint64_t size;
  const uint32_t* entry_points;
  size_t entry_point_count;
  uint32_t bank, member_offset; /* as declared, or COOPC_NOT_REFLECTED */
} coopc_push_constants;

typedef struct coopc_interface {
  const char* name;
  uint32_t id;
  int output;
  uint32_t type; /* index */
  uint32_t location, component;
  const char* built_in;
} coopc_interface;

typedef struct coopc_spec_constant {
  const char* name;
  uint32_t id;
  uint32_t spec_id;
  uint32_t type; /* index */
  uint64_t default_bits;
} coopc_spec_constant;

typedef struct coopc_entry_point {
  const char* name;
  const char* stage;
  uint32_t execution_model;
  uint32_t id;
  int has_workgroup_size;
  coopc_number workgroup_size[3];
  coopc_number shared_memory; /* bytes */
} coopc_entry_point;

typedef struct coopc_multiply_add {
  coopc_number m, n, k, scope;
  const char *a, *b, *c, *result; /* component types: "f16" */
  uint32_t operands;
  uint32_t instructions;
} coopc_multiply_add;

typedef struct coopc_decode_function {
  const char* name;
  uint32_t function;
  int vector;
  uint32_t matrix; /* index of a type */
  size_t block_size_count;
  uint32_t instructions;
} coopc_decode_function;

typedef enum coopc_enabler_kind {
  COOPC_ENABLER_VERSION = 0,
  COOPC_ENABLER_EXTENSION = 1,
  COOPC_ENABLER_FEATURE = 2,
  COOPC_ENABLER_PROPERTY = 3
} coopc_enabler_kind;

typedef struct coopc_enabler {
  coopc_enabler_kind kind;
  const char* name;
  const char* structure; /* of features, as are the next two */
  const char* member;
  const char* version;
  const char* when;
} coopc_enabler;

typedef struct coopc_requirement {
  const char* name;
  uint32_t number; /* of capabilities */
  int known;
  size_t enabler_count; /* any one of them suffices */
} coopc_requirement;

/* The number of items of each kind; the functions below take an index less than it. */
COOPC_API size_t coopc_reflection_type_count(const coopc_reflection* reflection);
COOPC_API size_t coopc_reflection_entry_point_count(const coopc_reflection* reflection);
COOPC_API size_t coopc_reflection_binding_count(const coopc_reflection* reflection);
COOPC_API size_t coopc_reflection_heap_count(const coopc_reflection* reflection);
COOPC_API size_t coopc_reflection_push_constants_count(const coopc_reflection* reflection);
COOPC_API size_t coopc_reflection_interface_count(const coopc_reflection* reflection);
COOPC_API size_t coopc_reflection_spec_constant_count(const coopc_reflection* reflection);
COOPC_API size_t coopc_reflection_multiply_add_count(const coopc_reflection* reflection);
COOPC_API size_t coopc_reflection_decode_function_count(const coopc_reflection* reflection);
COOPC_API size_t coopc_reflection_capability_count(const coopc_reflection* reflection);
COOPC_API size_t coopc_reflection_extension_count(const coopc_reflection* reflection);

/* Each returns 1 and fills *out, or returns 0 and leaves *out unchanged if `out` is NULL or the index is out of range. */
COOPC_API int coopc_reflection_type(const coopc_reflection* reflection, size_t index, coopc_type* out);
COOPC_API int coopc_reflection_member(const coopc_reflection* reflection, size_t type, size_t member,
                                      coopc_member* out);
/* The size of a dimension, outermost first, of a tensor type with a shape. */
COOPC_API int coopc_reflection_tensor_size(const coopc_reflection* reflection, size_t type, size_t dimension,
                                           coopc_number* out);
COOPC_API int coopc_reflection_entry_point(const coopc_reflection* reflection, size_t index,
                                           coopc_entry_point* out);
COOPC_API int coopc_reflection_binding(const coopc_reflection* reflection, size_t index, coopc_binding* out);
COOPC_API int coopc_reflection_heap(const coopc_reflection* reflection, size_t index, coopc_heap* out);
COOPC_API int coopc_reflection_push_constants(const coopc_reflection* reflection, size_t index,
                                              coopc_push_constants* out);
COOPC_API int coopc_reflection_interface(const coopc_reflection* reflection, size_t index,
                                         coopc_interface* out);
COOPC_API int coopc_reflection_spec_constant(const coopc_reflection* reflection, size_t index,
                                             coopc_spec_constant* out);
COOPC_API int coopc_reflection_multiply_add(const coopc_reflection* reflection, size_t index,
                                            coopc_multiply_add* out);
COOPC_API int coopc_reflection_decode_function(const coopc_reflection* reflection, size_t index,
                                               coopc_decode_function* out);
/* Block size `block` of a decode function: `sizes` (room for 5) gets one number for each dimension. Returns the number of dimensions,
   or 0 if an index is out of range. */
COOPC_API size_t coopc_reflection_block_size(const coopc_reflection* reflection, size_t decode_function,
                                             size_t block, coopc_number* sizes);
COOPC_API int coopc_reflection_capability(const coopc_reflection* reflection, size_t index,
                                          coopc_requirement* out);
COOPC_API int coopc_reflection_extension(const coopc_reflection* reflection, size_t index,
                                         coopc_requirement* out);
COOPC_API int coopc_reflection_capability_enabler(const coopc_reflection* reflection, size_t capability,
                                                  size_t index, coopc_enabler* out);
COOPC_API int coopc_reflection_extension_enabler(const coopc_reflection* reflection, size_t extension,
                                                 size_t index, coopc_enabler* out);

/* Whether the device of the profile runs the module: 1 or 0; -1: there was no usable profile. */
COOPC_API int coopc_reflection_device(const coopc_reflection* reflection);
/* The number of obstacles and warnings. */
COOPC_API size_t coopc_reflection_obstacle_count(const coopc_reflection* reflection);
/* An obstacle or warning in words, or NULL if the index is out of range. `rule`, if not NULL, gets the identifier of docs/rules.md. */
COOPC_API const char* coopc_reflection_obstacle(const coopc_reflection* reflection, size_t index,
                                                const char** rule);

#ifdef __cplusplus
}
#endif

#endif
