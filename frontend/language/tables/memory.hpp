// Built-in functions of GLSL 4.60, 8.11 to 8.13, 8.16 to 8.19 (atomics, images, vertices, barriers, group
// votes) and the texture functions of 8.9, whose prototypes follow from the first argument's type
// (textures.cpp). Atomics have the plain forms, those of GL_KHR_memory_scope_semantics, and the
// component types of GL_EXT_shader_atomic_int64, GL_EXT_shader_atomic_float and GL_EXT_shader_atomic_float2.
#pragma once

#include "frontend/language/signature.hpp"

namespace coopc::frontend::builtins {

constexpr Availability kScopes = availability(Feature::MemoryScopes);
constexpr Availability kHalfVectors = byExtension({ExtensionId::GL_NV_shader_atomic_fp16_vector});
constexpr Availability kGeometryFunctions{
    150, 320, {ExtensionId::GL_EXT_geometry_shader, ExtensionId::GL_OES_geometry_shader}};
constexpr Availability kStreams{400, 0, {ExtensionId::GL_ARB_gpu_shader5, ExtensionId::GL_NV_gpu_shader5}};
constexpr uint32_t kAtomicInts = kI | kU | kI64;

constexpr uint16_t kAtomic = kRowSideEffects | kRowNoFold;
constexpr uint16_t kScopedAtomic = kAtomic | kRowScoped;
constexpr uint16_t kImageOp = kRowTexture | kRowSideEffects | kRowNoFold;
constexpr uint16_t kTextureOp = kRowTexture | kRowNoFold;

constexpr FnDef kMemoryFunctions[] = {
    // 8.11
    {"atomicAdd", BuiltinOp::AtomicAdd, kCore, "T(&T,T)", kAtomicInts | kFHD, 0, kAtomic | kRowAtomicFloat},
    {"atomicMin", BuiltinOp::AtomicMin, kCore, "T(&T,T)", kAtomicInts | kFHD, 0, kAtomic | kRowAtomicFloat2},
    {"atomicMax", BuiltinOp::AtomicMax, kCore, "T(&T,T)", kAtomicInts | kFHD, 0, kAtomic | kRowAtomicFloat2},
    {"atomicAnd", BuiltinOp::AtomicAnd, kCore, "T(&T,T)", kAtomicInts, 0, kAtomic},
    {"atomicOr", BuiltinOp::AtomicOr, kCore, "T(&T,T)", kAtomicInts, 0, kAtomic},
    {"atomicXor", BuiltinOp::AtomicXor, kCore, "T(&T,T)", kAtomicInts, 0, kAtomic},
    {"atomicExchange", BuiltinOp::AtomicExchange, kCore, "T(&T,T)", kAtomicInts | kFHD, 0,
     kAtomic | kRowAtomicFloat},
    {"atomicCompSwap", BuiltinOp::AtomicCompSwap, kCore, "T(&T,T,T)", kAtomicInts, 0, kAtomic},
    {"atomicAdd", BuiltinOp::AtomicAdd, kScopes, "T(&T,T,!i,!i,!i)", kAtomicInts | kFHD, 0,
     kScopedAtomic | kRowAtomicFloat},
    {"atomicMin", BuiltinOp::AtomicMin, kScopes, "T(&T,T,!i,!i,!i)", kAtomicInts | kFHD, 0,
     kScopedAtomic | kRowAtomicFloat2},
    {"atomicMax", BuiltinOp::AtomicMax, kScopes, "T(&T,T,!i,!i,!i)", kAtomicInts | kFHD, 0,
     kScopedAtomic | kRowAtomicFloat2},
    {"atomicAnd", BuiltinOp::AtomicAnd, kScopes, "T(&T,T,!i,!i,!i)", kAtomicInts, 0, kScopedAtomic},
    {"atomicOr", BuiltinOp::AtomicOr, kScopes, "T(&T,T,!i,!i,!i)", kAtomicInts, 0, kScopedAtomic},
    {"atomicXor", BuiltinOp::AtomicXor, kScopes, "T(&T,T,!i,!i,!i)", kAtomicInts, 0, kScopedAtomic},
    {"atomicExchange", BuiltinOp::AtomicExchange, kScopes, "T(&T,T,!i,!i,!i)", kAtomicInts | kFHD, 0,
     kScopedAtomic | kRowAtomicFloat},
    {"atomicCompSwap", BuiltinOp::AtomicCompSwap, kScopes, "T(&T,T,T,!i,!i,!i,!i,!i)", kAtomicInts, 0,
     kScopedAtomic},
    {"atomicLoad", BuiltinOp::AtomicLoad, kScopes, "T(@T,!i,!i,!i)", kAtomicInts | kFHD, 0,
     kScopedAtomic | kRowAtomicFloat},
    {"atomicStore", BuiltinOp::AtomicStore, kScopes, "v(^T,T,!i,!i,!i)", kAtomicInts | kFHD, 0,
     kScopedAtomic | kRowAtomicFloat},
// GL_NV_shader_atomic_fp16_vector
#define COOPC_HALF_VECTOR_ATOMIC(name, op)                          \
  {name, op, kHalfVectors, "f16.2(&f16.2,f16.2)", 0, 0, kAtomic}, { \
    name, op, kHalfVectors, "f16.4(&f16.4,f16.4)", 0, 0, kAtomic    \
  }
    COOPC_HALF_VECTOR_ATOMIC("atomicAdd", BuiltinOp::AtomicAdd),
    COOPC_HALF_VECTOR_ATOMIC("atomicMin", BuiltinOp::AtomicMin),
    COOPC_HALF_VECTOR_ATOMIC("atomicMax", BuiltinOp::AtomicMax),
    COOPC_HALF_VECTOR_ATOMIC("atomicExchange", BuiltinOp::AtomicExchange),
#undef COOPC_HALF_VECTOR_ATOMIC
    // 8.12
    {"imageSize", BuiltinOp::ImageSize, kCore, "", 0, 0, kTextureOp | kRowHighp},
    {"imageSamples", BuiltinOp::ImageSamples, kCoreDesktop, "", 0, 0, kTextureOp},
    {"imageLoad", BuiltinOp::ImageLoad, kCore, "", 0, 0, kImageOp},
    {"imageStore", BuiltinOp::ImageStore, kCore, "", 0, 0, kImageOp},
    {"imageAtomicAdd", BuiltinOp::ImageAtomicAdd, kCoreImageAtomics, "", 0, 0, kImageOp | kRowHighp},
    {"imageAtomicMin", BuiltinOp::ImageAtomicMin, kCoreImageAtomics, "", 0, 0, kImageOp | kRowHighp},
    {"imageAtomicMax", BuiltinOp::ImageAtomicMax, kCoreImageAtomics, "", 0, 0, kImageOp | kRowHighp},
    {"imageAtomicAnd", BuiltinOp::ImageAtomicAnd, kCoreImageAtomics, "", 0, 0, kImageOp | kRowHighp},
    {"imageAtomicOr", BuiltinOp::ImageAtomicOr, kCoreImageAtomics, "", 0, 0, kImageOp | kRowHighp},
    {"imageAtomicXor", BuiltinOp::ImageAtomicXor, kCoreImageAtomics, "", 0, 0, kImageOp | kRowHighp},
    {"imageAtomicExchange", BuiltinOp::ImageAtomicExchange, kCoreImageAtomics, "", 0, 0,
     kImageOp | kRowHighp},
    {"imageAtomicCompSwap", BuiltinOp::ImageAtomicCompSwap, kCoreImageAtomics, "", 0, 0,
     kImageOp | kRowHighp},
    {"imageAtomicLoad", BuiltinOp::ImageAtomicLoad, kScopes, "", 0, 0, kImageOp},
    {"imageAtomicStore", BuiltinOp::ImageAtomicStore, kScopes, "", 0, 0, kImageOp},
    // 8.16, 8.17
    {"barrier", BuiltinOp::Barrier, kCore, "v()", 0, 0, kAtomic, kWorkgroups | kTessControl},
    {"memoryBarrier", BuiltinOp::MemoryBarrier, kCore, "v()", 0, 0, kAtomic},
    {"memoryBarrierBuffer", BuiltinOp::MemoryBarrierBuffer, kCore, "v()", 0, 0, kAtomic},
    {"memoryBarrierShared", BuiltinOp::MemoryBarrierShared, kCore, "v()", 0, 0, kAtomic, kWorkgroups},
    {"memoryBarrierImage", BuiltinOp::MemoryBarrierImage, kCore, "v()", 0, 0, kAtomic},
    {"groupMemoryBarrier", BuiltinOp::GroupMemoryBarrier, kCore, "v()", 0, 0, kAtomic, kWorkgroups},
    {"controlBarrier", BuiltinOp::ControlBarrier, kScopes, "v(!i,!i,!i,!i)", 0, 0, kScopedAtomic},
    {"memoryBarrier", BuiltinOp::MemoryBarrierScope, kScopes, "v(!i,!i,!i)", 0, 0, kScopedAtomic},
    // 8.13
    {"EmitVertex", BuiltinOp::EmitVertex, kGeometryFunctions, "v()", 0, 0, kAtomic, kGeometry},
    {"EndPrimitive", BuiltinOp::EndPrimitive, kGeometryFunctions, "v()", 0, 0, kAtomic, kGeometry},
    {"EmitStreamVertex", BuiltinOp::EmitStreamVertex, kStreams, "v(!i)", 0, 0, kAtomic, kGeometry},
    {"EndStreamPrimitive", BuiltinOp::EndStreamPrimitive, kStreams, "v(!i)", 0, 0, kAtomic, kGeometry},
    // 8.19
    {"anyInvocation", BuiltinOp::AnyInvocation, {460, 0, {}}, "b(b)", 0, 0, kRowNoFold},
    {"allInvocations", BuiltinOp::AllInvocations, {460, 0, {}}, "b(b)", 0, 0, kRowNoFold},
    {"allInvocationsEqual", BuiltinOp::AllInvocationsEqual, {460, 0, {}}, "b(b)", 0, 0, kRowNoFold},
    // 8.9
    {"textureSize", BuiltinOp::TextureSize, kCore, "", 0, 0, kTextureOp | kRowHighp},
    {"textureQueryLevels", BuiltinOp::TextureQueryLevels, kCoreDesktop, "", 0, 0, kTextureOp},
    {"textureSamples",
     BuiltinOp::TextureSamples,
     {450, 0, {ExtensionId::GL_ARB_shader_texture_image_samples}},
     "",
     0,
     0,
     kTextureOp},
    {"texture", BuiltinOp::Texture, kCore, "", 0, 0, kTextureOp},
    {"textureProj", BuiltinOp::TextureProj, kCore, "", 0, 0, kTextureOp},
    {"textureLod", BuiltinOp::TextureLod, kCore, "", 0, 0, kTextureOp},
    {"textureOffset", BuiltinOp::TextureOffset, kCore, "", 0, 0, kTextureOp},
    {"texelFetch", BuiltinOp::TexelFetch, kCore, "", 0, 0, kTextureOp},
    {"texelFetchOffset", BuiltinOp::TexelFetchOffset, kCore, "", 0, 0, kTextureOp},
    {"textureProjOffset", BuiltinOp::TextureProjOffset, kCore, "", 0, 0, kTextureOp},
    {"textureLodOffset", BuiltinOp::TextureLodOffset, kCore, "", 0, 0, kTextureOp},
    {"textureProjLod", BuiltinOp::TextureProjLod, kCore, "", 0, 0, kTextureOp},
    {"textureProjLodOffset", BuiltinOp::TextureProjLodOffset, kCore, "", 0, 0, kTextureOp},
    {"textureGrad", BuiltinOp::TextureGrad, kCore, "", 0, 0, kTextureOp},
    {"textureGradOffset", BuiltinOp::TextureGradOffset, kCore, "", 0, 0, kTextureOp},
    {"textureProjGrad", BuiltinOp::TextureProjGrad, kCore, "", 0, 0, kTextureOp},
    {"textureProjGradOffset", BuiltinOp::TextureProjGradOffset, kCore, "", 0, 0, kTextureOp},
    {"textureGather", BuiltinOp::TextureGather, kCore, "", 0, 0, kTextureOp},
    {"textureGatherOffset", BuiltinOp::TextureGatherOffset, kCore, "", 0, 0, kTextureOp},
    {"textureGatherOffsets", BuiltinOp::TextureGatherOffsets, kCoreGpuShader5, "", 0, 0, kTextureOp},
};

/// GL_ARB_sparse_texture2: the functions of 8.9 with the texel in an out parameter and the residency code as
/// the result.
constexpr Availability kSparse = byExtension({ExtensionId::GL_ARB_sparse_texture2});
constexpr FnDef kSparseFunctions[] = {
    {"sparseTextureARB", BuiltinOp::SparseTexture, kSparse, "", 0, 0, kTextureOp},
    {"sparseTextureLodARB", BuiltinOp::SparseTextureLod, kSparse, "", 0, 0, kTextureOp},
    {"sparseTextureOffsetARB", BuiltinOp::SparseTextureOffset, kSparse, "", 0, 0, kTextureOp},
    {"sparseTexelFetchARB", BuiltinOp::SparseTexelFetch, kSparse, "", 0, 0, kTextureOp},
    {"sparseTexelFetchOffsetARB", BuiltinOp::SparseTexelFetchOffset, kSparse, "", 0, 0, kTextureOp},
    {"sparseTextureLodOffsetARB", BuiltinOp::SparseTextureLodOffset, kSparse, "", 0, 0, kTextureOp},
    {"sparseTextureGradARB", BuiltinOp::SparseTextureGrad, kSparse, "", 0, 0, kTextureOp},
    {"sparseTextureGradOffsetARB", BuiltinOp::SparseTextureGradOffset, kSparse, "", 0, 0, kTextureOp},
    {"sparseTextureGatherARB", BuiltinOp::SparseTextureGather, kSparse, "", 0, 0, kTextureOp},
    {"sparseTextureGatherOffsetARB", BuiltinOp::SparseTextureGatherOffset, kSparse, "", 0, 0, kTextureOp},
    {"sparseTextureGatherOffsetsARB", BuiltinOp::SparseTextureGatherOffsets, kSparse, "", 0, 0, kTextureOp},
    {"sparseImageLoadARB", BuiltinOp::SparseImageLoad, kSparse, "", 0, 0, kTextureOp},
    {"sparseTexelsResidentARB", BuiltinOp::SparseTexelsResident, kSparse, "b(i)", 0, 0, kRowNoFold},
};

}  // namespace coopc::frontend::builtins
