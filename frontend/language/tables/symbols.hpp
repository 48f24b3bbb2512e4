// Built-in variables and constants of compute shaders: GLSL 4.60, 7.1.7 and 7.3, and what the extensions add. The limits
// (gl_Max*) are the reference compiler's defaults, so that programs that use them compute the same.
#pragma once

#include "frontend/language/builtin_names.hpp"
#include "frontend/language/signature.hpp"

namespace coopc::frontend::builtins {

constexpr ExtensionSet kAnyScopeExtension = {
    ExtensionId::GL_KHR_memory_scope_semantics, ExtensionId::GL_KHR_cooperative_matrix,
    ExtensionId::GL_NV_cooperative_matrix, ExtensionId::GL_NV_integer_cooperative_matrix,
    ExtensionId::GL_NV_cooperative_matrix2};

constexpr BuiltinSymbol kSymbols[] = {
#define IN(name, type, number, any, desktop, es)                                 \
  {                                                                              \
#name, type, number, false, 0, ExtensionSet any, desktop, es, true, { 0, 0 } \
  }
#define CONST(name, value, any)                             \
  {                                                         \
#name, kInt, 0, true, value, any, 0, 0, false, { 0, 0 } \
  }
#define MAX(name, value, es)                                  \
  {                                                           \
#name, kInt, 0, true, value, {}, 110, es, false, { 0, 0 } \
  }
    // 7.1.7 compute shader special variables; the numbers are SPIR-V's BuiltIns
    IN(gl_NumWorkGroups, basicType(Scalar::Uint, 3), 24, {}, 420, 310),
    {"gl_WorkGroupSize", kErrorType, 25, true, 0, {}, 420, 310, false, {0, 0}},
    IN(gl_WorkGroupID, basicType(Scalar::Uint, 3), 26, {}, 420, 310),
    IN(gl_LocalInvocationID, basicType(Scalar::Uint, 3), 27, {}, 420, 310),
    IN(gl_GlobalInvocationID, basicType(Scalar::Uint, 3), 28, {}, 420, 310),
    IN(gl_LocalInvocationIndex, kUint, 29, {}, 420, 310),
    // GL_KHR_shader_subgroup
    IN(gl_NumSubgroups, kUint, 38, {ExtensionId::GL_KHR_shader_subgroup_basic}, 0, 0),
    IN(gl_SubgroupID, kUint, 40, {ExtensionId::GL_KHR_shader_subgroup_basic}, 0, 0),
    IN(gl_SubgroupSize, kUint, 36, {ExtensionId::GL_KHR_shader_subgroup_basic}, 0, 0),
    IN(gl_SubgroupInvocationID, kUint, 41, {ExtensionId::GL_KHR_shader_subgroup_basic}, 0, 0),
    IN(gl_SubgroupEqMask, basicType(Scalar::Uint, 4), 4416, {ExtensionId::GL_KHR_shader_subgroup_ballot}, 0,
       0),
    IN(gl_SubgroupGeMask, basicType(Scalar::Uint, 4), 4417, {ExtensionId::GL_KHR_shader_subgroup_ballot}, 0,
       0),
    IN(gl_SubgroupGtMask, basicType(Scalar::Uint, 4), 4418, {ExtensionId::GL_KHR_shader_subgroup_ballot}, 0,
       0),
    IN(gl_SubgroupLeMask, basicType(Scalar::Uint, 4), 4419, {ExtensionId::GL_KHR_shader_subgroup_ballot}, 0,
       0),
    IN(gl_SubgroupLtMask, basicType(Scalar::Uint, 4), 4420, {ExtensionId::GL_KHR_shader_subgroup_ballot}, 0,
       0),
    // GL_ARB_shader_ballot
    IN(gl_SubGroupSizeARB, kUint, 36, {ExtensionId::GL_ARB_shader_ballot}, 0, 0),
    IN(gl_SubGroupInvocationARB, kUint, 41, {ExtensionId::GL_ARB_shader_ballot}, 0, 0),
    IN(gl_SubGroupEqMaskARB, basicType(Scalar::Uint64), 4416, {ExtensionId::GL_ARB_shader_ballot}, 0, 0),
    IN(gl_SubGroupGeMaskARB, basicType(Scalar::Uint64), 4417, {ExtensionId::GL_ARB_shader_ballot}, 0, 0),
    IN(gl_SubGroupGtMaskARB, basicType(Scalar::Uint64), 4418, {ExtensionId::GL_ARB_shader_ballot}, 0, 0),
    IN(gl_SubGroupLeMaskARB, basicType(Scalar::Uint64), 4419, {ExtensionId::GL_ARB_shader_ballot}, 0, 0),
    IN(gl_SubGroupLtMaskARB, basicType(Scalar::Uint64), 4420, {ExtensionId::GL_ARB_shader_ballot}, 0, 0),
    // GL_EXT_device_group
    IN(gl_DeviceIndex, kInt, 4438, {ExtensionId::GL_EXT_device_group}, 0, 0),

    // GL_KHR_memory_scope_semantics; the matrix extensions use the scopes
    CONST(gl_ScopeDevice, 1, kAnyScopeExtension),
    CONST(gl_ScopeWorkgroup, 2, kAnyScopeExtension),
    CONST(gl_ScopeSubgroup, 3, kAnyScopeExtension),
    CONST(gl_ScopeInvocation, 4, kAnyScopeExtension),
    CONST(gl_ScopeQueueFamily, 5, kAnyScopeExtension),
    CONST(gl_SemanticsRelaxed, 0x0, ExtensionSet({ExtensionId::GL_KHR_memory_scope_semantics})),
    CONST(gl_SemanticsAcquire, 0x2, ExtensionSet({ExtensionId::GL_KHR_memory_scope_semantics})),
    CONST(gl_SemanticsRelease, 0x4, ExtensionSet({ExtensionId::GL_KHR_memory_scope_semantics})),
    CONST(gl_SemanticsAcquireRelease, 0x8, ExtensionSet({ExtensionId::GL_KHR_memory_scope_semantics})),
    CONST(gl_SemanticsMakeAvailable, 0x2000, ExtensionSet({ExtensionId::GL_KHR_memory_scope_semantics})),
    CONST(gl_SemanticsMakeVisible, 0x4000, ExtensionSet({ExtensionId::GL_KHR_memory_scope_semantics})),
    CONST(gl_SemanticsVolatile, 0x8000, ExtensionSet({ExtensionId::GL_KHR_memory_scope_semantics})),
    CONST(gl_StorageSemanticsNone, 0x0, ExtensionSet({ExtensionId::GL_KHR_memory_scope_semantics})),
    CONST(gl_StorageSemanticsBuffer, 0x40, ExtensionSet({ExtensionId::GL_KHR_memory_scope_semantics})),
    CONST(gl_StorageSemanticsShared, 0x100, ExtensionSet({ExtensionId::GL_KHR_memory_scope_semantics})),
    CONST(gl_StorageSemanticsImage, 0x800, ExtensionSet({ExtensionId::GL_KHR_memory_scope_semantics})),
    CONST(gl_StorageSemanticsOutput, 0x1000, ExtensionSet({ExtensionId::GL_KHR_memory_scope_semantics})),
    // GL_KHR_cooperative_matrix
    CONST(gl_MatrixUseA, 0, ExtensionSet({ExtensionId::GL_KHR_cooperative_matrix})),
    CONST(gl_MatrixUseB, 1, ExtensionSet({ExtensionId::GL_KHR_cooperative_matrix})),
    CONST(gl_MatrixUseAccumulator, 2, ExtensionSet({ExtensionId::GL_KHR_cooperative_matrix})),
    CONST(gl_MatrixOperandsSaturatingAccumulation, 0x10,
          ExtensionSet({ExtensionId::GL_KHR_cooperative_matrix})),
    CONST(gl_CooperativeMatrixLayoutRowMajor, 0, ExtensionSet({ExtensionId::GL_KHR_cooperative_matrix})),
    CONST(gl_CooperativeMatrixLayoutColumnMajor, 1, ExtensionSet({ExtensionId::GL_KHR_cooperative_matrix})),
    // GL_NV_cooperative_matrix2
    CONST(gl_CooperativeMatrixClampModeUndefinedNV, 0,
          ExtensionSet({ExtensionId::GL_NV_cooperative_matrix2})),
    CONST(gl_CooperativeMatrixClampModeConstantNV, 1, ExtensionSet({ExtensionId::GL_NV_cooperative_matrix2})),
    CONST(gl_CooperativeMatrixClampModeClampToEdgeNV, 2,
          ExtensionSet({ExtensionId::GL_NV_cooperative_matrix2})),
    CONST(gl_CooperativeMatrixClampModeRepeatNV, 3, ExtensionSet({ExtensionId::GL_NV_cooperative_matrix2})),
    CONST(gl_CooperativeMatrixClampModeMirrorRepeatNV, 4,
          ExtensionSet({ExtensionId::GL_NV_cooperative_matrix2})),
    CONST(gl_CooperativeMatrixReduceRowNV, 1, ExtensionSet({ExtensionId::GL_NV_cooperative_matrix2})),
    CONST(gl_CooperativeMatrixReduceColumnNV, 2, ExtensionSet({ExtensionId::GL_NV_cooperative_matrix2})),
    CONST(gl_CooperativeMatrixReduceRowAndColumnNV, 3,
          ExtensionSet({ExtensionId::GL_NV_cooperative_matrix2})),
    CONST(gl_CooperativeMatrixReduce2x2NV, 4, ExtensionSet({ExtensionId::GL_NV_cooperative_matrix2})),
    // GL_EXT_cooperative_matrix_maintenance1
    CONST(gl_CooperativeMatrixReduceRowEXT, 1,
          ExtensionSet({ExtensionId::GL_EXT_cooperative_matrix_maintenance1})),
    CONST(gl_CooperativeMatrixReduceColumnEXT, 2,
          ExtensionSet({ExtensionId::GL_EXT_cooperative_matrix_maintenance1})),
    CONST(gl_CooperativeMatrixReduceRowAndColumnEXT, 3,
          ExtensionSet({ExtensionId::GL_EXT_cooperative_matrix_maintenance1})),
    CONST(gl_CooperativeMatrixReduce2x2EXT, 4,
          ExtensionSet({ExtensionId::GL_EXT_cooperative_matrix_maintenance1})),
// GL_NV_cooperative_vector
#define VEC(name, value) CONST(name, value, ExtensionSet({ExtensionId::GL_NV_cooperative_vector}))
    VEC(gl_ComponentTypeFloat16NV, 0),
    VEC(gl_ComponentTypeFloat32NV, 1),
    VEC(gl_ComponentTypeFloat64NV, 2),
    VEC(gl_ComponentTypeSignedInt8NV, 3),
    VEC(gl_ComponentTypeSignedInt16NV, 4),
    VEC(gl_ComponentTypeSignedInt32NV, 5),
    VEC(gl_ComponentTypeSignedInt64NV, 6),
    VEC(gl_ComponentTypeUnsignedInt8NV, 7),
    VEC(gl_ComponentTypeUnsignedInt16NV, 8),
    VEC(gl_ComponentTypeUnsignedInt32NV, 9),
    VEC(gl_ComponentTypeUnsignedInt64NV, 10),
    VEC(gl_ComponentTypeSignedInt8PackedNV, 1000491000),
    VEC(gl_ComponentTypeUnsignedInt8PackedNV, 1000491001),
    VEC(gl_ComponentTypeFloatE4M3NV, 1000491002),
    VEC(gl_ComponentTypeFloatE5M2NV, 1000491003),
    VEC(gl_CooperativeVectorMatrixLayoutRowMajorNV, 0),
    VEC(gl_CooperativeVectorMatrixLayoutColumnMajorNV, 1),
    VEC(gl_CooperativeVectorMatrixLayoutInferencingOptimalNV, 2),
    VEC(gl_CooperativeVectorMatrixLayoutTrainingOptimalNV, 3),
#undef VEC

    // 7.3 built-in constants
    {"gl_MaxComputeWorkGroupCount",
     basicType(Scalar::Int, 3),
     0,
     true,
     65535,
     {},
     420,
     310,
     false,
     {65535, 65535}},
    {"gl_MaxComputeWorkGroupSize", basicType(Scalar::Int, 3), 0, true, 1024, {}, 420, 310, false, {1024, 64}},
    MAX(gl_MaxComputeUniformComponents, 512, 310),
    MAX(gl_MaxComputeTextureImageUnits, 16, 310),
    MAX(gl_MaxComputeImageUniforms, 8, 310),
    MAX(gl_MaxComputeAtomicCounters, 8, 310),
    MAX(gl_MaxComputeAtomicCounterBuffers, 1, 310),
    MAX(gl_MaxVertexAttribs, 16, 310),
    MAX(gl_MaxVertexUniformVectors, 256, 310),
    MAX(gl_MaxVertexUniformComponents, 4096, 0),
    MAX(gl_MaxVertexOutputVectors, 16, 310),
    MAX(gl_MaxVertexOutputComponents, 64, 0),
    MAX(gl_MaxVaryingComponents, 60, 0),
    MAX(gl_MaxVaryingVectors, 15, 310),
    MAX(gl_MaxVertexTextureImageUnits, 16, 310),
    MAX(gl_MaxVertexImageUniforms, 0, 310),
    MAX(gl_MaxVertexAtomicCounters, 0, 310),
    MAX(gl_MaxVertexAtomicCounterBuffers, 0, 310),
    MAX(gl_MaxTessPatchComponents, 120, 320),
    MAX(gl_MaxPatchVertices, 32, 320),
    MAX(gl_MaxTessGenLevel, 64, 320),
    MAX(gl_MaxTessControlInputComponents, 128, 320),
    MAX(gl_MaxTessControlOutputComponents, 128, 320),
    MAX(gl_MaxTessControlTextureImageUnits, 16, 320),
    MAX(gl_MaxTessControlUniformComponents, 1024, 320),
    MAX(gl_MaxTessControlTotalOutputComponents, 4096, 320),
    MAX(gl_MaxTessControlImageUniforms, 0, 320),
    MAX(gl_MaxTessControlAtomicCounters, 0, 320),
    MAX(gl_MaxTessControlAtomicCounterBuffers, 0, 320),
    MAX(gl_MaxTessEvaluationInputComponents, 128, 320),
    MAX(gl_MaxTessEvaluationOutputComponents, 128, 320),
    MAX(gl_MaxTessEvaluationTextureImageUnits, 16, 320),
    MAX(gl_MaxTessEvaluationUniformComponents, 1024, 320),
    MAX(gl_MaxTessEvaluationImageUniforms, 0, 320),
    MAX(gl_MaxTessEvaluationAtomicCounters, 0, 320),
    MAX(gl_MaxTessEvaluationAtomicCounterBuffers, 0, 320),
    MAX(gl_MaxGeometryInputComponents, 64, 320),
    MAX(gl_MaxGeometryOutputComponents, 128, 320),
    MAX(gl_MaxGeometryImageUniforms, 0, 320),
    MAX(gl_MaxGeometryTextureImageUnits, 16, 320),
    MAX(gl_MaxGeometryOutputVertices, 256, 320),
    MAX(gl_MaxGeometryTotalOutputComponents, 1024, 320),
    MAX(gl_MaxGeometryUniformComponents, 512, 320),
    MAX(gl_MaxGeometryVaryingComponents, 60, 0),
    MAX(gl_MaxGeometryAtomicCounters, 0, 320),
    MAX(gl_MaxGeometryAtomicCounterBuffers, 0, 320),
    MAX(gl_MaxFragmentImageUniforms, 8, 310),
    MAX(gl_MaxFragmentInputComponents, 128, 0),
    MAX(gl_MaxFragmentInputVectors, 15, 310),
    MAX(gl_MaxFragmentUniformVectors, 256, 310),
    MAX(gl_MaxFragmentUniformComponents, 1024, 0),
    MAX(gl_MaxFragmentAtomicCounters, 8, 310),
    MAX(gl_MaxFragmentAtomicCounterBuffers, 0, 310),
    MAX(gl_MaxDrawBuffers, 8, 310),
    MAX(gl_MaxTextureImageUnits, 16, 310),
    MAX(gl_MinProgramTexelOffset, -8, 310),
    MAX(gl_MaxProgramTexelOffset, 7, 310),
    MAX(gl_MaxImageUnits, 8, 310),
    MAX(gl_MaxSamples, 4, 320),
    MAX(gl_MaxImageSamples, 0, 0),
    MAX(gl_MaxClipDistances, 8, 0),
    MAX(gl_MaxCullDistances, 8, 0),
    MAX(gl_MaxViewports, 16, 0),
    MAX(gl_MaxCombinedTextureImageUnits, 80, 310),
    MAX(gl_MaxCombinedImageUniforms, 8, 310),
    MAX(gl_MaxCombinedImageUnitsAndFragmentOutputs, 8, 0),
    MAX(gl_MaxCombinedShaderOutputResources, 8, 310),
    MAX(gl_MaxCombinedAtomicCounters, 8, 310),
    MAX(gl_MaxCombinedAtomicCounterBuffers, 1, 310),
    MAX(gl_MaxCombinedClipAndCullDistances, 8, 0),
    MAX(gl_MaxAtomicCounterBindings, 1, 310),
    MAX(gl_MaxAtomicCounterBufferSize, 32, 310),
    MAX(gl_MaxTransformFeedbackBuffers, 4, 0),
    MAX(gl_MaxTransformFeedbackInterleavedComponents, 64, 0),
    MAX(gl_MaxInputAttachments, 1, 310),
#undef IN
#undef CONST
#undef MAX
};

}  // namespace coopc::frontend::builtins
