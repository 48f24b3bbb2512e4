// The meaning of a call of a built-in function, independent of its overload: the emitter switches over it,
// with the operand types at hand. One row per operation in op.def, or in extensions.def if a single
// extension has it; the columns say which operations belong together.
#pragma once

#include <cstdint>

namespace coopc::frontend {

enum class BuiltinOp : uint16_t {
  None,
#define BUILTIN_OP(name, group) name,
#define BUILTIN_REDUCTION(name, form, operation) name,
#define OPERATION(name, operation, group) operation,
#include "frontend/language/builtins/op.def"
#include "frontend/language/extensions.def"
#undef BUILTIN_OP
#undef BUILTIN_REDUCTION
  Count
};

/// Operations that checks and emission treat alike.
enum class BuiltinGroup : uint8_t {
  None,
  Math,     ///< GLSL 4.60, 8.1 to 8.8
  Texture,  ///< 8.9, and GL_ARB_sparse_texture2
  /// Footprints, fragment masks, filters and block matching (GL_NV_shader_texture_footprint,
  /// GL_AMD_shader_fragment_mask, GL_QCOM_image_processing, 2 and 3)
  TextureExtension,
  Image,            ///< 8.12, without atomics
  ImageAtomic,      ///< 8.12
  Atomic,           ///< on memory: 8.11
  Barrier,          ///< 8.16, 8.17, and those with scopes
  Vertex,           ///< 8.13
  SubgroupBarrier,  ///< barriers of GL_KHR_shader_subgroup_basic
  Subgroup,         ///< other group operations: votes, ballots, shuffles, quads, older extensions
  Reduction,        ///< group operations that combine a value: reductions and scans
  Hint,             ///< clocks, debugging, hints to the optimizer
  IntegerDot,
  FloatEncoding,   ///< conversions from and to encodings of small floats
  Derivative,      ///< 8.14.1, and by GL_KHR_compute_shader_derivatives
  Interpolation,   ///< 8.14.2
  Amd,             ///< AMD's sets of extended instructions, and its reductions over subgroups
  CoopMat,         ///< on whole cooperative matrices
  CoopMatElement,  ///< on elements of one
  Tensor,          ///< tensor layouts and views
  CoopMatNV,       ///< GL_NV_cooperative_matrix
  CoopVec,
  TensorAccess,  ///< GL_ARM_tensors
  RayTracing,    ///< GL_EXT_ray_tracing and its extensions
  RayQuery,      ///< on a ray query, the first argument
};

/// How a reduction combines the invocations' values.
enum class ReductionForm : uint8_t {
  None,  ///< not a reduction
  Reduce,
  InclusiveScan,
  ExclusiveScan,
  ClusteredReduce,
  PartitionedReduce,
  PartitionedInclusiveScan,
  PartitionedExclusiveScan,
};
enum class ReductionOperation : uint8_t { Add, Mul, Min, Max, And, Or, Xor };

struct BuiltinOpInfo {
  BuiltinGroup group = BuiltinGroup::None;
  ReductionForm form = ReductionForm::None;
  ReductionOperation operation = ReductionOperation::Add;
};

inline constexpr BuiltinOpInfo kBuiltinOps[] = {
    {},
#define BUILTIN_OP(name, group) {BuiltinGroup::group},
#define BUILTIN_REDUCTION(name, form, operation) \
  {BuiltinGroup::Reduction, ReductionForm::form, ReductionOperation::operation},
#define OPERATION(name, operation, group) {BuiltinGroup::group},
#include "frontend/language/builtins/op.def"
#include "frontend/language/extensions.def"
#undef BUILTIN_OP
#undef BUILTIN_REDUCTION
};

static_assert(sizeof kBuiltinOps / sizeof kBuiltinOps[0] == static_cast<uint16_t>(BuiltinOp::Count));

constexpr const BuiltinOpInfo& builtinOpInfo(BuiltinOp op) { return kBuiltinOps[static_cast<uint16_t>(op)]; }
constexpr BuiltinGroup builtinGroup(BuiltinOp op) { return builtinOpInfo(op).group; }

}  // namespace coopc::frontend
