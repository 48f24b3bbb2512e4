// The names of built-in types: GLSL 4.60, 4.1, with the types of the explicit arithmetic, bfloat16 and small
// float extensions. Rectangle textures have rows that no version provides: GL_KHR_vulkan_glsl removes them,
// but the words stay reserved.
#pragma once

#include "frontend/language/builtins/names.hpp"
#include "frontend/language/signature.hpp"

namespace coopc::frontend::builtins {

/// ESSL 3.20 has the types of these extensions of 3.10.
constexpr AnyExtension kCubeArrays = {ExtensionId::GL_OES_texture_cube_map_array,
                                      ExtensionId::GL_EXT_texture_cube_map_array,
                                      ExtensionId::GL_ARB_texture_cube_map_array};
constexpr AnyExtension kTexelBuffers = {ExtensionId::GL_OES_texture_buffer,
                                        ExtensionId::GL_EXT_texture_buffer};
constexpr AnyExtension kMultisampled = {ExtensionId::GL_ARB_texture_multisample};
constexpr AnyExtension kMultisampledArrays = {ExtensionId::GL_ARB_texture_multisample,
                                              ExtensionId::GL_OES_texture_storage_multisample_2d_array};
constexpr AnyExtension k64Images = {ExtensionId::GL_EXT_shader_image_int64};
constexpr AnyExtension kInt8Types = {ExtensionId::GL_EXT_shader_explicit_arithmetic_types_int8,
                                     ExtensionId::GL_EXT_shader_explicit_arithmetic_types,
                                     ExtensionId::GL_EXT_shader_8bit_storage, ExtensionId::GL_NV_gpu_shader5};
constexpr AnyExtension kInt16Types = {ExtensionId::GL_EXT_shader_explicit_arithmetic_types_int16,
                                      ExtensionId::GL_EXT_shader_explicit_arithmetic_types,
                                      ExtensionId::GL_EXT_shader_16bit_storage,
                                      ExtensionId::GL_AMD_gpu_shader_int16, ExtensionId::GL_NV_gpu_shader5};
constexpr AnyExtension kInt32Types = {ExtensionId::GL_EXT_shader_explicit_arithmetic_types_int32,
                                      ExtensionId::GL_EXT_shader_explicit_arithmetic_types,
                                      ExtensionId::GL_NV_gpu_shader5};
constexpr AnyExtension kInt64Types = {ExtensionId::GL_EXT_shader_explicit_arithmetic_types_int64,
                                      ExtensionId::GL_EXT_shader_explicit_arithmetic_types,
                                      ExtensionId::GL_ARB_gpu_shader_int64, ExtensionId::GL_NV_gpu_shader5};
constexpr AnyExtension kFloat16Types = {
    ExtensionId::GL_EXT_shader_explicit_arithmetic_types_float16,
    ExtensionId::GL_EXT_shader_explicit_arithmetic_types, ExtensionId::GL_EXT_shader_16bit_storage,
    ExtensionId::GL_AMD_gpu_shader_half_float, ExtensionId::GL_NV_gpu_shader5};
/// GL_EXT_shader_16bit_storage and GL_NV_gpu_shader5 have no matrices: if no other extension is enabled, the
/// names of the matrices are free for declarations.
constexpr AnyExtension kFloat16Matrices = {ExtensionId::GL_EXT_shader_explicit_arithmetic_types_float16,
                                           ExtensionId::GL_EXT_shader_explicit_arithmetic_types,
                                           ExtensionId::GL_AMD_gpu_shader_half_float};
constexpr AnyExtension kFloat32Types = {ExtensionId::GL_EXT_shader_explicit_arithmetic_types_float32,
                                        ExtensionId::GL_EXT_shader_explicit_arithmetic_types,
                                        ExtensionId::GL_NV_gpu_shader5};
constexpr AnyExtension kFloat32Matrices = {ExtensionId::GL_EXT_shader_explicit_arithmetic_types_float32,
                                           ExtensionId::GL_EXT_shader_explicit_arithmetic_types};
constexpr AnyExtension kFloat64Types = {ExtensionId::GL_EXT_shader_explicit_arithmetic_types_float64,
                                        ExtensionId::GL_EXT_shader_explicit_arithmetic_types,
                                        ExtensionId::GL_NV_gpu_shader5};
constexpr AnyExtension kFloat64Matrices = {ExtensionId::GL_EXT_shader_explicit_arithmetic_types_float64,
                                           ExtensionId::GL_EXT_shader_explicit_arithmetic_types};
constexpr AnyExtension kDoubleTypes = {ExtensionId::GL_EXT_shader_explicit_arithmetic_types_float64,
                                       ExtensionId::GL_EXT_shader_explicit_arithmetic_types,
                                       ExtensionId::GL_ARB_gpu_shader_fp64};

constexpr uint32_t opaque(ImageKind kind, ImageDim dim, Scalar sampled, bool arrayed = false,
                          bool multisampled = false) {
  return ImageDesc{kind, dim, sampled, arrayed, multisampled}.pack();
}

constexpr BuiltinTypeName kTypeNames[] = {
#define SCALAR(name, s, any, desktop, es) \
  { name, basicType(s), 0, any, desktop, es }
#define VECTORS(prefix, s, any, desktop, es)                                                                \
  {prefix "2", basicType(s, 2), 0, any, desktop, es}, {prefix "3", basicType(s, 3), 0, any, desktop, es}, { \
    prefix "4", basicType(s, 4), 0, any, desktop, es                                                        \
  }
#define MATRIX(name, s, columns, rows, any, desktop, es) \
  { name, basicType(s, rows, columns), 0, any, desktop, es }
#define MATRICES(prefix, s, any, desktop, es)                                                           \
  MATRIX(prefix "2", s, 2, 2, any, desktop, es), MATRIX(prefix "3", s, 3, 3, any, desktop, es),         \
      MATRIX(prefix "4", s, 4, 4, any, desktop, es), MATRIX(prefix "2x2", s, 2, 2, any, desktop, es),   \
      MATRIX(prefix "2x3", s, 2, 3, any, desktop, es), MATRIX(prefix "2x4", s, 2, 4, any, desktop, es), \
      MATRIX(prefix "3x2", s, 3, 2, any, desktop, es), MATRIX(prefix "3x3", s, 3, 3, any, desktop, es), \
      MATRIX(prefix "3x4", s, 3, 4, any, desktop, es), MATRIX(prefix "4x2", s, 4, 2, any, desktop, es), \
      MATRIX(prefix "4x3", s, 4, 3, any, desktop, es), MATRIX(prefix "4x4", s, 4, 4, any, desktop, es)
    SCALAR("bool", Scalar::Bool, {}, 110, 100),
    VECTORS("bvec", Scalar::Bool, {}, 110, 100),
    SCALAR("int", Scalar::Int, {}, 110, 100),
    VECTORS("ivec", Scalar::Int, {}, 110, 100),
    SCALAR("uint", Scalar::Uint, {}, 130, 300),
    VECTORS("uvec", Scalar::Uint, {}, 130, 300),
    SCALAR("float", Scalar::Float, {}, 110, 100),
    VECTORS("vec", Scalar::Float, {}, 110, 100),
    MATRICES("mat", Scalar::Float, {}, 110, 300),
    SCALAR("double", Scalar::Double, kDoubleTypes, 400, 0),
    VECTORS("dvec", Scalar::Double, kDoubleTypes, 400, 0),
    MATRICES("dmat", Scalar::Double, kDoubleTypes, 400, 0),
    SCALAR("int8_t", Scalar::Int8, kInt8Types, 0, 0),
    VECTORS("i8vec", Scalar::Int8, kInt8Types, 0, 0),
    SCALAR("uint8_t", Scalar::Uint8, kInt8Types, 0, 0),
    VECTORS("u8vec", Scalar::Uint8, kInt8Types, 0, 0),
    SCALAR("int16_t", Scalar::Int16, kInt16Types, 0, 0),
    VECTORS("i16vec", Scalar::Int16, kInt16Types, 0, 0),
    SCALAR("uint16_t", Scalar::Uint16, kInt16Types, 0, 0),
    VECTORS("u16vec", Scalar::Uint16, kInt16Types, 0, 0),
    SCALAR("int32_t", Scalar::Int, kInt32Types, 0, 0),
    VECTORS("i32vec", Scalar::Int, kInt32Types, 0, 0),
    SCALAR("uint32_t", Scalar::Uint, kInt32Types, 0, 0),
    VECTORS("u32vec", Scalar::Uint, kInt32Types, 0, 0),
    SCALAR("int64_t", Scalar::Int64, kInt64Types, 0, 0),
    VECTORS("i64vec", Scalar::Int64, kInt64Types, 0, 0),
    SCALAR("uint64_t", Scalar::Uint64, kInt64Types, 0, 0),
    VECTORS("u64vec", Scalar::Uint64, kInt64Types, 0, 0),
    SCALAR("float16_t", Scalar::Float16, kFloat16Types, 0, 0),
    VECTORS("f16vec", Scalar::Float16, kFloat16Types, 0, 0),
    MATRICES("f16mat", Scalar::Float16, kFloat16Matrices, 0, 0),
    SCALAR("float32_t", Scalar::Float, kFloat32Types, 0, 0),
    VECTORS("f32vec", Scalar::Float, kFloat32Types, 0, 0),
    MATRICES("f32mat", Scalar::Float, kFloat32Matrices, 0, 0),
    SCALAR("float64_t", Scalar::Double, kFloat64Types, 0, 0),
    VECTORS("f64vec", Scalar::Double, kFloat64Types, 0, 0),
    MATRICES("f64mat", Scalar::Double, kFloat64Matrices, 0, 0),
    SCALAR("bfloat16_t", Scalar::BFloat16, {ExtensionId::GL_EXT_bfloat16}, 0, 0),
    VECTORS("bf16vec", Scalar::BFloat16, {ExtensionId::GL_EXT_bfloat16}, 0, 0),
    SCALAR("floate4m3_t", Scalar::FloatE4M3, {ExtensionId::GL_EXT_float_e4m3}, 0, 0),
    VECTORS("fe4m3vec", Scalar::FloatE4M3, {ExtensionId::GL_EXT_float_e4m3}, 0, 0),
    SCALAR("floate5m2_t", Scalar::FloatE5M2, {ExtensionId::GL_EXT_float_e5m2}, 0, 0),
    VECTORS("fe5m2vec", Scalar::FloatE5M2, {ExtensionId::GL_EXT_float_e5m2}, 0, 0),
    SCALAR("floate2m1_t", Scalar::FloatE2M1, {ExtensionId::GL_EXT_float_e2m1}, 0, 0),
    VECTORS("fe2m1vec", Scalar::FloatE2M1, {ExtensionId::GL_EXT_float_e2m1}, 0, 0),
    SCALAR("floate2m3_t", Scalar::FloatE2M3, {ExtensionId::GL_EXT_float_e2m3}, 0, 0),
    VECTORS("fe2m3vec", Scalar::FloatE2M3, {ExtensionId::GL_EXT_float_e2m3}, 0, 0),
    SCALAR("floate3m2_t", Scalar::FloatE3M2, {ExtensionId::GL_EXT_float_e3m2}, 0, 0),
    VECTORS("fe3m2vec", Scalar::FloatE3M2, {ExtensionId::GL_EXT_float_e3m2}, 0, 0),
    SCALAR("floatue8m0_t", Scalar::FloatE8M0, {ExtensionId::GL_EXT_float_ue8m0}, 0, 0),
    VECTORS("fue8m0vec", Scalar::FloatE8M0, {ExtensionId::GL_EXT_float_ue8m0}, 0, 0),
    SCALAR("floatmxint8_t", Scalar::MxInt8, {ExtensionId::GL_EXT_float_mxint8}, 0, 0),
    VECTORS("fmxint8vec", Scalar::MxInt8, {ExtensionId::GL_EXT_float_mxint8}, 0, 0),
    {"gl_TextureFootprint2DNV", kFootprint2DType, 0, {ExtensionId::GL_NV_shader_texture_footprint}, 0, 0},
    {"gl_TextureFootprint3DNV", kFootprint3DType, 0, {ExtensionId::GL_NV_shader_texture_footprint}, 0, 0},
    {"accelerationStructureEXT", kAccelerationStructureType, 0, kRays, 0, 0},
    {"accelerationStructureNV", kAccelerationStructureType, 0, {ExtensionId::GL_NV_ray_tracing}, 0, 0},
    {"rayQueryEXT", kRayQueryType, 0, {ExtensionId::GL_EXT_ray_query}, 0, 0},
    {"hitObjectEXT", kHitObjectType, 0, {ExtensionId::GL_EXT_shader_invocation_reorder}, 0, 0, kRayTracers},
    {"hitObjectNV", kHitObjectNVType, 0, {ExtensionId::GL_NV_shader_invocation_reorder}, 0, 0, kRayTracers},
#undef SCALAR
#undef VECTORS
#undef MATRIX
#undef MATRICES

#define OPAQUE(name, desc, desktop, es) \
  { name, kErrorType, desc, {}, desktop, es }
// Opaque types that an extension can provide as well.
#define IMAGE(name, desc, any, desktop, es) \
  { name, kErrorType, desc, any, desktop, es }
// Every shape of one kind and sampled type: samplers and textures.
#define TEXTURES(prefix, kind, s)                                                                \
  OPAQUE(prefix "1D", opaque(kind, ImageDim::D1, s), 110, 0),                                    \
      OPAQUE(prefix "2D", opaque(kind, ImageDim::D2, s), 110, 100),                              \
      OPAQUE(prefix "3D", opaque(kind, ImageDim::D3, s), 110, 300),                              \
      OPAQUE(prefix "Cube", opaque(kind, ImageDim::Cube, s), 110, 100),                          \
      OPAQUE(prefix "2DRect", opaque(kind, ImageDim::Rect, s), 0, 0),                            \
      OPAQUE(prefix "1DArray", opaque(kind, ImageDim::D1, s, true), 130, 0),                     \
      OPAQUE(prefix "2DArray", opaque(kind, ImageDim::D2, s, true), 130, 300),                   \
      IMAGE(prefix "CubeArray", opaque(kind, ImageDim::Cube, s, true), kCubeArrays, 400, 320),   \
      IMAGE(prefix "Buffer", opaque(kind, ImageDim::Buffer, s), kTexelBuffers, 140, 320),        \
      IMAGE(prefix "2DMS", opaque(kind, ImageDim::D2, s, false, true), kMultisampled, 150, 310), \
      IMAGE(prefix "2DMSArray", opaque(kind, ImageDim::D2, s, true, true), kMultisampledArrays, 150, 320)
// The same for storage images; 64-bit ones by extension.
#define IMAGES(prefix, s, any, cubes, buffers, desktop, es, es32)                                           \
  IMAGE(prefix "1D", opaque(ImageKind::Storage, ImageDim::D1, s), any, desktop, 0),                         \
      IMAGE(prefix "2D", opaque(ImageKind::Storage, ImageDim::D2, s), any, desktop, es),                    \
      IMAGE(prefix "3D", opaque(ImageKind::Storage, ImageDim::D3, s), any, desktop, es),                    \
      IMAGE(prefix "Cube", opaque(ImageKind::Storage, ImageDim::Cube, s), any, desktop, es),                \
      IMAGE(prefix "2DRect", opaque(ImageKind::Storage, ImageDim::Rect, s), {}, 0, 0),                      \
      IMAGE(prefix "1DArray", opaque(ImageKind::Storage, ImageDim::D1, s, true), any, desktop, 0),          \
      IMAGE(prefix "2DArray", opaque(ImageKind::Storage, ImageDim::D2, s, true), any, desktop, es),         \
      IMAGE(prefix "CubeArray", opaque(ImageKind::Storage, ImageDim::Cube, s, true), cubes, desktop, es32), \
      IMAGE(prefix "Buffer", opaque(ImageKind::Storage, ImageDim::Buffer, s), buffers, desktop, es32),      \
      IMAGE(prefix "2DMS", opaque(ImageKind::Storage, ImageDim::D2, s, false, true), any, desktop, 0),      \
      IMAGE(prefix "2DMSArray", opaque(ImageKind::Storage, ImageDim::D2, s, true, true), any, desktop, 0)
    OPAQUE("sampler", opaque(ImageKind::Sampler, ImageDim::D1, Scalar::Float), 140, 310),
    OPAQUE("samplerShadow", opaque(ImageKind::SamplerShadow, ImageDim::D1, Scalar::Float), 140, 310),
    TEXTURES("sampler", ImageKind::Combined, Scalar::Float),
    TEXTURES("isampler", ImageKind::Combined, Scalar::Int),
    TEXTURES("usampler", ImageKind::Combined, Scalar::Uint),
    TEXTURES("texture", ImageKind::Texture, Scalar::Float),
    TEXTURES("itexture", ImageKind::Texture, Scalar::Int),
    TEXTURES("utexture", ImageKind::Texture, Scalar::Uint),
    OPAQUE("sampler1DShadow", opaque(ImageKind::CombinedShadow, ImageDim::D1, Scalar::Float), 110, 0),
    OPAQUE("sampler2DShadow", opaque(ImageKind::CombinedShadow, ImageDim::D2, Scalar::Float), 110, 300),
    OPAQUE("samplerCubeShadow", opaque(ImageKind::CombinedShadow, ImageDim::Cube, Scalar::Float), 130, 300),
    OPAQUE("sampler2DRectShadow", opaque(ImageKind::CombinedShadow, ImageDim::Rect, Scalar::Float), 0, 0),
    OPAQUE("sampler1DArrayShadow", opaque(ImageKind::CombinedShadow, ImageDim::D1, Scalar::Float, true), 130,
           0),
    OPAQUE("sampler2DArrayShadow", opaque(ImageKind::CombinedShadow, ImageDim::D2, Scalar::Float, true), 130,
           300),
    IMAGE("samplerCubeArrayShadow", opaque(ImageKind::CombinedShadow, ImageDim::Cube, Scalar::Float, true),
          kCubeArrays, 400, 320),
    IMAGES("image", Scalar::Float, {}, kCubeArrays, kTexelBuffers, 130, 310, 320),
    IMAGES("iimage", Scalar::Int, {}, kCubeArrays, kTexelBuffers, 130, 310, 320),
    IMAGES("uimage", Scalar::Uint, {}, kCubeArrays, kTexelBuffers, 130, 310, 320),
    IMAGES("i64image", Scalar::Int64, k64Images, k64Images, k64Images, 0, 0, 0),
    IMAGES("u64image", Scalar::Uint64, k64Images, k64Images, k64Images, 0, 0, 0),
    // Only fragment shaders have these; in other stages they are reserved words
    OPAQUE("subpassInput", opaque(ImageKind::SubpassInput, ImageDim::Subpass, Scalar::Float), 140, 310),
    OPAQUE("isubpassInput", opaque(ImageKind::SubpassInput, ImageDim::Subpass, Scalar::Int), 140, 310),
    OPAQUE("usubpassInput", opaque(ImageKind::SubpassInput, ImageDim::Subpass, Scalar::Uint), 140, 310),
    OPAQUE("subpassInputMS", opaque(ImageKind::SubpassInput, ImageDim::Subpass, Scalar::Float, false, true),
           140, 310),
    OPAQUE("isubpassInputMS", opaque(ImageKind::SubpassInput, ImageDim::Subpass, Scalar::Int, false, true),
           140, 310),
    OPAQUE("usubpassInputMS", opaque(ImageKind::SubpassInput, ImageDim::Subpass, Scalar::Uint, false, true),
           140, 310),
#define ATTACHMENT(name, s)                                                \
  {                                                                        \
    name, kErrorType, opaque(ImageKind::Attachment, ImageDim::Subpass, s), \
        {ExtensionId::GL_EXT_shader_tile_image}, 0, 0, kFragment           \
  }
    ATTACHMENT("attachmentEXT", Scalar::Float),
    ATTACHMENT("iattachmentEXT", Scalar::Int),
    ATTACHMENT("uattachmentEXT", Scalar::Uint),
#undef ATTACHMENT
#undef OPAQUE
#undef TEXTURES
#undef IMAGE
#undef IMAGES
};

}  // namespace coopc::frontend::builtins
