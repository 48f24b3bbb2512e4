// The common structure of the names of texture and image functions: the GLSL function whose operands they
// take, and what they add to it.
#pragma once

#include "frontend/language/builtins/op.hpp"

namespace coopc::frontend {

struct TextureForm {
  BuiltinOp base = BuiltinOp::None;
  bool sparse = false;  ///< the result is a residency code, the texel an out operand (GL_ARB_sparse_texture2)
  bool clamped = false;  ///< after the offset: the smallest level of detail (GL_ARB_sparse_texture_clamp)
  /// After the coordinates: a level of detail, which `base` does not take (GL_AMD_texture_gather_bias_lod,
  /// GL_AMD_shader_image_load_store_lod).
  bool lod = false;
};

constexpr TextureForm textureForm(BuiltinOp op) {
  using B = BuiltinOp;
  switch (op) {
    case B::SparseTexture: return {B::Texture, true};
    case B::SparseTextureLod: return {B::TextureLod, true};
    case B::SparseTextureOffset: return {B::TextureOffset, true};
    case B::SparseTexelFetch: return {B::TexelFetch, true};
    case B::SparseTexelFetchOffset: return {B::TexelFetchOffset, true};
    case B::SparseTextureLodOffset: return {B::TextureLodOffset, true};
    case B::SparseTextureGrad: return {B::TextureGrad, true};
    case B::SparseTextureGradOffset: return {B::TextureGradOffset, true};
    case B::SparseTextureGather: return {B::TextureGather, true};
    case B::SparseTextureGatherOffset: return {B::TextureGatherOffset, true};
    case B::SparseTextureGatherOffsets: return {B::TextureGatherOffsets, true};
    case B::SparseImageLoad: return {B::ImageLoad, true};
    case B::TextureClamp: return {B::Texture, false, true};
    case B::TextureOffsetClamp: return {B::TextureOffset, false, true};
    case B::TextureGradClamp: return {B::TextureGrad, false, true};
    case B::TextureGradOffsetClamp: return {B::TextureGradOffset, false, true};
    case B::SparseTextureClamp: return {B::Texture, true, true};
    case B::SparseTextureOffsetClamp: return {B::TextureOffset, true, true};
    case B::SparseTextureGradClamp: return {B::TextureGrad, true, true};
    case B::SparseTextureGradOffsetClamp: return {B::TextureGradOffset, true, true};
    case B::TextureGatherLod: return {B::TextureGather, false, false, true};
    case B::TextureGatherLodOffset: return {B::TextureGatherOffset, false, false, true};
    case B::TextureGatherLodOffsets: return {B::TextureGatherOffsets, false, false, true};
    case B::SparseTextureGatherLod: return {B::TextureGather, true, false, true};
    case B::SparseTextureGatherLodOffset: return {B::TextureGatherOffset, true, false, true};
    case B::SparseTextureGatherLodOffsets: return {B::TextureGatherOffsets, true, false, true};
    case B::ImageLoadLod: return {B::ImageLoad, false, false, true};
    case B::ImageStoreLod: return {B::ImageStore, false, false, true};
    case B::SparseImageLoadLod: return {B::ImageLoad, true, false, true};
    default: return {op};
  }
}

/// Whether a call has no meaning without derivatives: it queries the level of detail that follows from them,
/// or limits that level from below, which SPIR-V supports for implicit levels and gradients only.
constexpr bool needsDerivatives(BuiltinOp op) {
  const TextureForm form = textureForm(op);
  return op == BuiltinOp::TextureQueryLod || op == BuiltinOp::TextureFootprintClamp ||
         (form.clamped && (form.base == BuiltinOp::Texture || form.base == BuiltinOp::TextureOffset));
}

}  // namespace coopc::frontend
