// Built-in variables and constants: GLSL 4.60, 7.1 and 7.3, and those of extensions. The limits (gl_Max*) are
// the reference compiler's defaults, so that programs that use them behave the same.
#pragma once

#include <spirv/unified1/spirv.hpp11>

#include "frontend/language/builtins/names.hpp"
#include "frontend/language/signature.hpp"

namespace coopc::frontend::builtins {

constexpr ExtensionSet kAnyScopeExtension = {
    ExtensionId::GL_KHR_memory_scope_semantics, ExtensionId::GL_KHR_cooperative_matrix,
    ExtensionId::GL_NV_cooperative_matrix, ExtensionId::GL_NV_integer_cooperative_matrix,
    ExtensionId::GL_NV_cooperative_matrix2};

/// The reference compiler provides these names without their own extension.
constexpr ExtensionSet kBlockedLayoutExtension = {ExtensionId::GL_ARM_cooperative_matrix_layouts,
                                                  ExtensionId::GL_KHR_cooperative_matrix};

constexpr ExtensionSet kSampleVariables = {ExtensionId::GL_OES_sample_variables};
constexpr ExtensionSet kGeometryExtension = {ExtensionId::GL_EXT_geometry_shader,
                                             ExtensionId::GL_OES_geometry_shader};

constexpr ExtensionSet kTessellationExtensions = {ExtensionId::GL_EXT_tessellation_shader,
                                                  ExtensionId::GL_OES_tessellation_shader};
constexpr ExtensionSet kPrimitiveExtensions = {
    ExtensionId::GL_EXT_geometry_shader, ExtensionId::GL_OES_geometry_shader,
    ExtensionId::GL_EXT_tessellation_shader, ExtensionId::GL_OES_tessellation_shader};
/// ESSL's extensions for gl_PointSize in tessellation and geometry shaders.
constexpr ExtensionSet kPointSizeExtensions = {
    ExtensionId::GL_EXT_geometry_point_size, ExtensionId::GL_OES_geometry_point_size,
    ExtensionId::GL_EXT_tessellation_point_size, ExtensionId::GL_OES_tessellation_point_size};
constexpr ExtensionSet kMeshExtension = {ExtensionId::GL_EXT_mesh_shader};
constexpr ExtensionSet kMeshExtensionNV = {ExtensionId::GL_NV_mesh_shader};
/// The stages that write gl_Position by its own name.
constexpr StageMask kVertexOutputs = kVertex | kTessEvaluation | kGeometry;

/// SPV_QCOM_tile_shading, which is newer than the oldest supported SPIRV-Headers.
constexpr uint32_t kTileOffset = 4492, kTileDimension = 4493, kTileApronSize = 4494;

constexpr uint32_t number(spv::BuiltIn builtin) { return static_cast<uint32_t>(builtin); }
constexpr int number(spv::CooperativeMatrixLayout layout) { return static_cast<int>(layout); }
constexpr int number(spv::Scope scope) { return static_cast<int>(scope); }

constexpr BuiltinSymbol constant(std::string_view name, TypeId type, int32_t value, ExtensionSet any,
                                 uint16_t desktop, uint16_t es) {
  return {name, type, 0, true, value, any, desktop, es, kAnyStage, kNoStage, SymbolForm::Plain, {0, 0}};
}
constexpr BuiltinSymbol variable(std::string_view name, TypeId type, spv::BuiltIn builtin, ExtensionSet any,
                                 uint16_t desktop, uint16_t es, StageMask inputs,
                                 StageMask outputs = kNoStage, SymbolForm form = SymbolForm::Plain) {
  return {name, type, number(builtin), false, 0, any, desktop, es, inputs, outputs, form, {0, 0}};
}
constexpr TypeId vec(uint32_t size) { return basicType(Scalar::Float, size); }
/// An array of outputs of mesh shaders, or a member of their blocks, that has no name in GLSL itself.
constexpr BuiltinSymbol mesh(std::string_view name, TypeId type, spv::BuiltIn builtin, ExtensionSet any,
                             SymbolForm form) {
  return variable(name, type, builtin, any, 0, 0, kNoStage,
                  form == SymbolForm::MeshIndices ? kMesh : kNoStage, form);
}
constexpr BuiltinSymbol groupSize(std::string_view name, ExtensionSet any, int32_t x, int32_t yz) {
  return {name,     basicType(Scalar::Int, 3), 0,       true, x, any, 0, 0, kAnyStage,
          kNoStage, SymbolForm::Plain,         {yz, yz}};
}
constexpr BuiltinSymbol blocks(std::string_view name, ExtensionSet any, uint16_t desktop, uint16_t es,
                               StageMask inputs, StageMask outputs) {
  return {name, kErrorType, 0, false, 0, any, desktop, es, inputs, outputs, SymbolForm::Block, {0, 0}};
}
/// The levels of a patch: outputs of tessellation control shaders, inputs of tessellation evaluation shaders.
constexpr BuiltinSymbol levels(std::string_view name, spv::BuiltIn builtin, int32_t count) {
  return {name,
          kFloat,
          number(builtin),
          false,
          count,
          kTessellationExtensions,
          150,
          320,
          kTessEvaluation,
          kTessControl,
          SymbolForm::Array,
          {0, 0}};
}
constexpr BuiltinSymbol plainOutput(std::string_view name, SymbolForm form) {
  return {name, vec(4), kPlainOutput, false, 0, {}, 110, 0, kNoStage, kFragment, form, {0, 0}};
}

constexpr BuiltinSymbol kSymbols[] = {
#define CONST(name, value, any) constant(#name, kInt, value, any, 0, 0)
#define UINT_CONST(name, value, any) constant(#name, kUint, value, any, 0, 0)
#define BOOL_CONST(name, value, any) constant(#name, kBool, value, any, 0, 0)
#define MAX(name, value, es) constant(#name, kInt, value, {}, 110, es)
#define IN(name, type, builtin, desktop, es, stages) \
  variable(#name, type, spv::BuiltIn::builtin, {}, desktop, es, stages)
#define OUT(name, type, builtin, desktop, es, stages) \
  variable(#name, type, spv::BuiltIn::builtin, {}, desktop, es, kNoStage, stages)
    // 7.1.6 compute shader special variables
    IN(gl_NumWorkGroups, basicType(Scalar::Uint, 3), NumWorkgroups, 420, 310, kWorkgroups),
    {"gl_WorkGroupSize",
     kErrorType,
     0,
     true,
     0,
     {},
     420,
     310,
     kWorkgroups,
     kNoStage,
     SymbolForm::Plain,
     {0, 0}},
    IN(gl_WorkGroupID, basicType(Scalar::Uint, 3), WorkgroupId, 420, 310, kWorkgroups),
    IN(gl_LocalInvocationID, basicType(Scalar::Uint, 3), LocalInvocationId, 420, 310, kWorkgroups),
    IN(gl_GlobalInvocationID, basicType(Scalar::Uint, 3), GlobalInvocationId, 420, 310, kWorkgroups),
    IN(gl_LocalInvocationIndex, kUint, LocalInvocationIndex, 420, 310, kWorkgroups),

    // 7.1.1 vertex shaders, and GL_KHR_vulkan_glsl, 7.1
    IN(gl_VertexIndex, kInt, VertexIndex, 140, 310, kVertex),
    IN(gl_InstanceIndex, kInt, InstanceIndex, 140, 310, kVertex),
    IN(gl_BaseVertex, kInt, BaseVertex, 460, 0, kVertex),
    IN(gl_BaseInstance, kInt, BaseInstance, 460, 0, kVertex),
    variable("gl_DrawID", kInt, spv::BuiltIn::DrawIndex, {}, 460, 0, kVertex | kTask | kMesh),
    // Members of the block gl_PerVertex; if the block is an array, only its elements have them
    variable("gl_Position", vec(4), spv::BuiltIn::Position, {}, 110, 300, kNoStage, kVertexOutputs,
             SymbolForm::PerVertex),
    variable("gl_PointSize", kFloat, spv::BuiltIn::PointSize, kPointSizeExtensions, 110, 300, kNoStage,
             kVertexOutputs, SymbolForm::PerVertex),
    variable("gl_ClipDistance", kFloat, spv::BuiltIn::ClipDistance, {ExtensionId::GL_EXT_clip_cull_distance},
             130, 0, kFragment, kVertexOutputs, SymbolForm::PerVertexArray),
    variable("gl_CullDistance", kFloat, spv::BuiltIn::CullDistance, {ExtensionId::GL_EXT_clip_cull_distance},
             450, 0, kFragment, kVertexOutputs, SymbolForm::PerVertexArray),
    blocks("gl_in", kPrimitiveExtensions, 150, 320, kTessellation | kGeometry, kNoStage),
    blocks("gl_out", kTessellationExtensions, 150, 320, kNoStage, kTessControl),

    // 7.1.2 to 7.1.4 tessellation and geometry shaders
    variable("gl_PrimitiveIDIn", kInt, spv::BuiltIn::PrimitiveId, kGeometryExtension, 150, 320, kGeometry),
    variable("gl_InvocationID", kInt, spv::BuiltIn::InvocationId, kPrimitiveExtensions, 150, 320,
             kTessControl | kGeometry),
    variable("gl_PatchVerticesIn", kInt, spv::BuiltIn::PatchVertices, kTessellationExtensions, 150, 320,
             kTessellation),
    variable("gl_TessCoord", vec(3), spv::BuiltIn::TessCoord, kTessellationExtensions, 150, 320,
             kTessEvaluation),
    levels("gl_TessLevelOuter", spv::BuiltIn::TessLevelOuter, 4),
    levels("gl_TessLevelInner", spv::BuiltIn::TessLevelInner, 2),

    // GL_EXT_mesh_shader, GL_NV_mesh_shader, 7.1
    blocks("gl_MeshVerticesEXT", kMeshExtension, 0, 0, kNoStage, kMesh),
    blocks("gl_MeshPrimitivesEXT", kMeshExtension, 0, 0, kNoStage, kMesh),
    blocks("gl_MeshVerticesNV", kMeshExtensionNV, 0, 0, kNoStage, kMesh),
    blocks("gl_MeshPrimitivesNV", kMeshExtensionNV, 0, 0, kNoStage, kMesh),
    mesh("gl_PrimitivePointIndicesEXT", kUint, spv::BuiltIn::PrimitivePointIndicesEXT, kMeshExtension,
         SymbolForm::MeshIndices),
    mesh("gl_PrimitiveLineIndicesEXT", basicType(Scalar::Uint, 2), spv::BuiltIn::PrimitiveLineIndicesEXT,
         kMeshExtension, SymbolForm::MeshIndices),
    mesh("gl_PrimitiveTriangleIndicesEXT", basicType(Scalar::Uint, 3),
         spv::BuiltIn::PrimitiveTriangleIndicesEXT, kMeshExtension, SymbolForm::MeshIndices),
    mesh("gl_PrimitiveIndicesNV", kUint, spv::BuiltIn::PrimitiveIndicesNV, kMeshExtensionNV,
         SymbolForm::MeshIndices),
    mesh("gl_CullPrimitiveEXT", kBool, spv::BuiltIn::CullPrimitiveEXT, kMeshExtension,
         SymbolForm::MeshMember),
    variable("gl_MeshViewIndicesNV", kUint, spv::BuiltIn::MeshViewIndicesNV, kMeshExtensionNV, 0, 0,
             kTask | kMesh, kNoStage, SymbolForm::PerView),
    // In other stages, these are members of gl_PerVertex, without the dimension for views
    // (GL_NV_viewport_array2, GL_NV_stereo_view_rendering, GL_NVX_multiview_per_view_attributes, 7.1)
    variable("gl_PositionPerViewNV", vec(4), spv::BuiltIn::PositionPerViewNV,
             {ExtensionId::GL_NV_mesh_shader, ExtensionId::GL_NVX_multiview_per_view_attributes}, 0, 0,
             kNoStage, kVertexOutputs, SymbolForm::PerView),
    variable("gl_SecondaryPositionNV", vec(4), spv::BuiltIn::SecondaryPositionNV,
             {ExtensionId::GL_NV_stereo_view_rendering}, 0, 0, kNoStage, kVertexOutputs,
             SymbolForm::PerVertex),
    variable("gl_SecondaryViewportMaskNV", kInt, spv::BuiltIn::SecondaryViewportMaskNV,
             {ExtensionId::GL_NV_stereo_view_rendering}, 0, 0, kNoStage, kVertexOutputs,
             SymbolForm::PerVertexArray),
    mesh("gl_ClipDistancePerViewNV", kFloat, spv::BuiltIn::ClipDistancePerViewNV, kMeshExtensionNV,
         SymbolForm::PerViewArray),
    mesh("gl_CullDistancePerViewNV", kFloat, spv::BuiltIn::CullDistancePerViewNV, kMeshExtensionNV,
         SymbolForm::PerViewArray),
    mesh("gl_LayerPerViewNV", kInt, spv::BuiltIn::LayerPerViewNV, kMeshExtensionNV, SymbolForm::PerView),
    variable("gl_ViewportMask", kInt, spv::BuiltIn::ViewportMaskNV,
             {ExtensionId::GL_NV_mesh_shader, ExtensionId::GL_NV_viewport_array2}, 0, 0, kNoStage,
             kVertexOutputs, SymbolForm::PerVertexArray),
    variable("gl_ViewportMaskPerViewNV", kInt, spv::BuiltIn::ViewportMaskPerViewNV,
             {ExtensionId::GL_NV_mesh_shader, ExtensionId::GL_NVX_multiview_per_view_attributes}, 0, 0,
             kNoStage, kVertexOutputs, SymbolForm::PerViewArray),
    groupSize("gl_MaxMeshWorkGroupSizeEXT", kMeshExtension, 128, 128),
    groupSize("gl_MaxTaskWorkGroupSizeEXT", kMeshExtension, 128, 128),
    groupSize("gl_MaxMeshWorkGroupSizeNV", kMeshExtensionNV, 32, 1),
    groupSize("gl_MaxTaskWorkGroupSizeNV", kMeshExtensionNV, 32, 1),

    // 7.1.5 fragment shaders
    IN(gl_FragCoord, vec(4), FragCoord, 110, 300, kFragment),
    IN(gl_FrontFacing, kBool, FrontFacing, 110, 300, kFragment),
    IN(gl_PointCoord, vec(2), PointCoord, 110, 300, kFragment),
    variable("gl_SampleID", kInt, spv::BuiltIn::SampleId, kSampleVariables, 400, 320, kFragment),
    variable("gl_SamplePosition", vec(2), spv::BuiltIn::SamplePosition, kSampleVariables, 400, 320,
             kFragment),
    variable("gl_SampleMaskIn", kInt, spv::BuiltIn::SampleMask, kSampleVariables, 420, 320, kFragment,
             kNoStage, SymbolForm::Array),
    variable("gl_SampleMask", kInt, spv::BuiltIn::SampleMask, kSampleVariables, 400, 320, kNoStage, kFragment,
             SymbolForm::Array),
    IN(gl_HelperInvocation, kBool, HelperInvocation, 450, 310, kFragment),
    OUT(gl_FragDepth, kFloat, FragDepth, 110, 300, kFragment),
    // In versions before 4.20 only
    plainOutput("gl_FragColor", SymbolForm::Plain),
    plainOutput("gl_FragData", SymbolForm::Array),
    variable("gl_PrimitiveID", kInt, spv::BuiltIn::PrimitiveId, kPrimitiveExtensions, 150, 320,
             kFragment | kTessellation | kRayHits, kGeometry),
    variable("gl_Layer", kInt, spv::BuiltIn::Layer,
             {ExtensionId::GL_ARB_shader_viewport_layer_array, ExtensionId::GL_NV_viewport_array2,
              ExtensionId::GL_EXT_geometry_shader, ExtensionId::GL_OES_geometry_shader},
             150, 320, kFragment, kVertexOutputs),
    variable("gl_ViewportIndex", kInt, spv::BuiltIn::ViewportIndex,
             {ExtensionId::GL_ARB_shader_viewport_layer_array, ExtensionId::GL_NV_viewport_array2,
              ExtensionId::GL_ARB_viewport_array},
             410, 0, kFragment, kVertexOutputs),

    // GL_KHR_memory_scope_semantics; the matrix extensions use the scopes
    CONST(gl_ScopeDevice, number(spv::Scope::Device), kAnyScopeExtension),
    CONST(gl_ScopeWorkgroup, number(spv::Scope::Workgroup), kAnyScopeExtension),
    CONST(gl_ScopeSubgroup, number(spv::Scope::Subgroup), kAnyScopeExtension),
    CONST(gl_ScopeInvocation, number(spv::Scope::Invocation), kAnyScopeExtension),
    CONST(gl_ScopeQueueFamily, number(spv::Scope::QueueFamily), kAnyScopeExtension),

    // GL_ARM_cooperative_matrix_layouts
    CONST(gl_CooperativeMatrixLayoutRowBlockedInterleavedARM,
          number(spv::CooperativeMatrixLayout::RowBlockedInterleavedARM), kBlockedLayoutExtension),
    CONST(gl_CooperativeMatrixLayoutColumnBlockedInterleavedARM,
          number(spv::CooperativeMatrixLayout::ColumnBlockedInterleavedARM), kBlockedLayoutExtension),

    // GL_EXT_ray_tracing and GL_EXT_ray_query, 7.3.x
    UINT_CONST(gl_RayFlagsNoneEXT, 0, kRays),
    UINT_CONST(gl_RayFlagsOpaqueEXT, 1, kRays),
    UINT_CONST(gl_RayFlagsNoOpaqueEXT, 2, kRays),
    UINT_CONST(gl_RayFlagsTerminateOnFirstHitEXT, 4, kRays),
    UINT_CONST(gl_RayFlagsSkipClosestHitShaderEXT, 8, kRays),
    UINT_CONST(gl_RayFlagsCullBackFacingTrianglesEXT, 16, kRays),
    UINT_CONST(gl_RayFlagsCullFrontFacingTrianglesEXT, 32, kRays),
    UINT_CONST(gl_RayFlagsCullOpaqueEXT, 64, kRays),
    UINT_CONST(gl_RayFlagsCullNoOpaqueEXT, 128, kRays),
    variable("gl_InstanceID", kInt, spv::BuiltIn::InstanceId,
             {ExtensionId::GL_EXT_ray_tracing, ExtensionId::GL_NV_ray_tracing}, 0, 0, kRayHits),
    variable("gl_HitTriangleVertexPositionsEXT", vec(3), spv::BuiltIn::HitTriangleVertexPositionsKHR,
             {ExtensionId::GL_EXT_ray_tracing_position_fetch}, 0, 0, stages(Stage::AnyHit, Stage::ClosestHit),
             kNoStage, SymbolForm::Triangle),
    variable("gl_HitMicroTriangleVertexPositionsNV", vec(3), spv::BuiltIn::HitMicroTriangleVertexPositionsNV,
             {ExtensionId::GL_NV_displacement_micromap}, 0, 0, stages(Stage::AnyHit, Stage::ClosestHit),
             kNoStage, SymbolForm::Triangle),
    variable("gl_HitMicroTriangleVertexBarycentricsNV", vec(2),
             spv::BuiltIn::HitMicroTriangleVertexBarycentricsNV, {ExtensionId::GL_NV_displacement_micromap},
             0, 0, stages(Stage::AnyHit, Stage::ClosestHit), kNoStage, SymbolForm::Triangle),
    variable("gl_HitLSSPositionsNV", vec(3), spv::BuiltIn::HitLSSPositionsNV,
             {ExtensionId::GL_NV_linear_swept_spheres}, 0, 0, stages(Stage::AnyHit, Stage::ClosestHit),
             kNoStage, SymbolForm::Ends),
    variable("gl_HitLSSRadiiNV", kFloat, spv::BuiltIn::HitLSSRadiiNV,
             {ExtensionId::GL_NV_linear_swept_spheres}, 0, 0, stages(Stage::AnyHit, Stage::ClosestHit),
             kNoStage, SymbolForm::Ends),

// Symbols that one extension has
#define CONSTANT(name, symbol, value) CONST(symbol, value, ExtensionSet({ExtensionId::name})),
#define UINT_CONSTANT(name, symbol, value) UINT_CONST(symbol, value, ExtensionSet({ExtensionId::name})),
#define BOOL_CONSTANT(name, symbol, value) BOOL_CONST(symbol, value, ExtensionSet({ExtensionId::name})),
#define VARIABLE(name, symbol, type, builtin, stages) \
  variable(#symbol, type, spv::BuiltIn::builtin, {ExtensionId::name}, 0, 0, stages),
#define OUTPUT(name, symbol, type, builtin, stages) \
  variable(#symbol, type, spv::BuiltIn::builtin, {ExtensionId::name}, 0, 0, kNoStage, stages),
#include "frontend/language/extensions.def"

    // GL_QCOM_tile_shading, 7.1.5 and 7.1.6
    variable("gl_TileOffsetQCOM", basicType(Scalar::Uint, 2), spv::BuiltIn(kTileOffset),
             {ExtensionId::GL_QCOM_tile_shading}, 0, 0, kFragment | kCompute),
    variable("gl_TileDimensionQCOM", basicType(Scalar::Uint, 3), spv::BuiltIn(kTileDimension),
             {ExtensionId::GL_QCOM_tile_shading}, 0, 0, kFragment | kCompute),
    variable("gl_TileApronSizeQCOM", basicType(Scalar::Uint, 2), spv::BuiltIn(kTileApronSize),
             {ExtensionId::GL_QCOM_tile_shading}, 0, 0, kFragment | kCompute),

    // 7.3 built-in constants
    {"gl_MaxComputeWorkGroupCount",
     basicType(Scalar::Int, 3),
     0,
     true,
     65535,
     {},
     420,
     310,
     kAnyStage,
     kNoStage,
     SymbolForm::Plain,
     {65535, 65535}},
    {"gl_MaxComputeWorkGroupSize",
     basicType(Scalar::Int, 3),
     0,
     true,
     1024,
     {},
     420,
     310,
     kAnyStage,
     kNoStage,
     SymbolForm::Plain,
     {1024, 64}},
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
    constant("gl_MaxSamples", kInt, 4, kSampleVariables, 110, 320),
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
#undef OUT
#undef CONST
#undef UINT_CONST
#undef BOOL_CONST
#undef MAX
};

}  // namespace coopc::frontend::builtins
