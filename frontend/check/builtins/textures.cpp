// Prototypes of texture functions (GLSL 4.60, 8.9, GL_EXT_samplerless_texture_functions,
// GL_ARB_sparse_texture2) and image functions (8.12). The text lists some 600 prototypes, which follow from
// the image type's dimension, arrayed, shadow and multisample properties. The rules are here, one function
// for each group of functions.
#include <algorithm>

#include "frontend/check/builtins/prototypes.hpp"
#include "frontend/check/builtins/texture_extensions.hpp"
#include "frontend/language/texture_form.hpp"

namespace coopc::frontend::builtins {
namespace {

struct TextureShape {
  ImageDesc desc;
  bool shadow;
  bool array;
  bool multisample;
  bool hasLevels;       // mipmaps: not for rectangle, buffer and multisample textures
  uint32_t dimensions;  // of the image, without the layer
  uint32_t coordinate;  // of P without the reference value: dimensions and layer

  bool is(ImageDim d) const { return desc.dim == d; }
  bool cube() const { return is(ImageDim::Cube); }
  bool buffer() const { return is(ImageDim::Buffer); }
  TypeId coordinates() const { return basicType(Scalar::Float, coordinate); }
  TypeId integerCoordinates() const { return basicType(Scalar::Int, coordinate); }
  TypeId offset() const { return basicType(Scalar::Int, dimensions); }
  TypeId gradient() const { return basicType(Scalar::Float, dimensions); }
  TypeId texel() const { return basicType(desc.sampled, 4); }
  TypeId result() const { return shadow ? kFloat : texel(); }
  // In the shadow forms, P has the reference value after the coordinates; 1D is padded to vec3.
  // samplerCubeArrayShadow has no room for it, so its reference value is an operand.
  TypeId shadowCoordinates() const {
    const uint32_t n = coordinate < 2 ? 2 : coordinate;
    return basicType(Scalar::Float, n + 1 > 4 ? 4 : n + 1);
  }
  bool separateReference() const { return shadow && coordinate == 4; }
  TypeId p() const { return shadow ? shadowCoordinates() : coordinates(); }
};

TextureShape shapeOf(ImageDesc desc) {
  TextureShape s{};
  s.desc = desc;
  s.shadow = desc.kind == ImageKind::CombinedShadow;
  s.array = desc.arrayed;
  s.multisample = desc.multisampled;
  switch (desc.dim) {
    case ImageDim::D1:
    case ImageDim::Buffer: s.dimensions = 1; break;
    case ImageDim::D2:
    case ImageDim::Rect:
    case ImageDim::Subpass: s.dimensions = 2; break;
    case ImageDim::D3:
    case ImageDim::Cube: s.dimensions = 3; break;
  }
  s.coordinate = s.dimensions + (s.array ? 1 : 0);
  s.hasLevels = !s.multisample && !s.buffer() && !s.is(ImageDim::Rect);
  return s;
}

struct Maker {
  Checker& c;
  const FnRow& row;
  TypeId image;
  TextureShape s;
  TextureForm form;
  std::array<Prototype, kMaxTexturePrototypes>& out;
  BuiltinOp op = form.base;
  bool sparse = form.sparse;
  uint32_t n = 0;
  bool overflow = false;

  // On overflow, which is reported at the end, the last prototype is overwritten.
  Prototype& next() {
    if (n == out.size()) {
      overflow = true;
      --n;
    }
    return out[n++];
  }
  Prototype& make(TypeId result) {
    Prototype& p = next();
    p = {};
    p.row = &row;
    p.result = result;
    p.add(image);
    return p;
  }
  // The prototype is complete except for the texel of the sparse forms and an optional last operand.
  void finish(Prototype& p, TypeId optional = kErrorType) {
    if (sparse) {
      p.add(p.result, ParamMode::Out);
      p.result = kInt;
    }
    if (optional == kErrorType) return;
    Prototype& more = next();
    more = p;
    more.add(optional, ParamMode::Constant);
  }

  // GL_EXT_texture_offset_non_const, 8.9.2. GL_NV_gpu_shader5, 8.7, still requires constants in functions
  // with gradients.
  ParamMode offsetMode(bool gradient = false) const {
    const Feature dynamic = gradient ? Feature::DynamicGradientOffsets : Feature::DynamicTexelOffsets;
    return c.allows(dynamic) ? ParamMode::Offset : ParamMode::Constant;
  }

  void addSampledForms() {
    const bool combined = s.desc.kind == ImageKind::Combined || s.shadow;
    if (!combined || s.multisample || s.buffer()) return;
    if (sparse && s.is(ImageDim::D1)) return;
    using B = BuiltinOp;
    const bool lod = op == B::TextureLod || op == B::TextureLodOffset;
    const bool grad = op == B::TextureGrad || op == B::TextureGradOffset;
    const bool offset = op == B::TextureOffset || op == B::TextureLodOffset || op == B::TextureGradOffset;
    if (lod && !s.hasLevels) return;
    // GL_EXT_texture_shadow_lod adds levels of detail and biases, to the functions that are not sparse.
    const bool shadowLods = !sparse && !form.clamped && c.allows(Feature::ShadowLods);
    if (lod && s.shadow && !shadowLods && (s.cube() || (s.array && s.is(ImageDim::D2)))) return;
    if (grad && s.separateReference()) return;
    if (offset && s.cube()) return;
    Prototype& p = make(s.result());
    p.add(s.p());
    if (s.separateReference()) p.add(kFloat);
    if (lod) p.add(kFloat);
    if (grad) {
      p.add(s.gradient());
      p.add(s.gradient());
    }
    if (offset) p.add(s.offset(), offsetMode(grad));
    if (form.clamped) p.add(kFloat);
    finish(p);
    if (shadowLods && !lod && !grad) return addBiasedForm(p);
    const bool noBias = s.separateReference() || (s.shadow && s.array && s.is(ImageDim::D2));
    if (!lod && !grad && !noBias) addBiasedForm(p);
  }

  // The form with a bias exists if levels of detail are implicit.
  void addBiasedForm(const Prototype& p) {
    if ((!c.program.hasDerivatives() && !c.derivativesAreZero()) || !s.hasLevels) return;
    Prototype& more = next();
    more = p;
    more.add(kFloat);
  }

  void queryLod() {
    if ((s.desc.kind != ImageKind::Combined && !s.shadow) || !s.hasLevels) return;
    make(basicType(Scalar::Float, 2)).add(basicType(Scalar::Float, s.dimensions));
  }

  void addProjectedForms() {
    const bool combined = s.desc.kind == ImageKind::Combined || s.shadow;
    if (!combined || s.multisample || s.buffer() || s.array || s.cube()) return;
    using B = BuiltinOp;
    const bool lod = op == B::TextureProjLod || op == B::TextureProjLodOffset;
    const bool grad = op == B::TextureProjGrad || op == B::TextureProjGradOffset;
    const bool offset =
        op == B::TextureProjOffset || op == B::TextureProjLodOffset || op == B::TextureProjGradOffset;
    if (lod && !s.hasLevels) return;
    for (uint32_t size : {s.dimensions + 1, 4u}) {
      if (s.shadow && size != 4) continue;
      if (size == 4 && n != 0 && s.dimensions == 3) break;  // vec4 already
      Prototype& p = make(s.result());
      p.add(basicType(Scalar::Float, size));
      if (lod) p.add(kFloat);
      if (grad) {
        p.add(s.gradient());
        p.add(s.gradient());
      }
      if (offset) p.add(s.offset(), offsetMode(grad));
      finish(p);
      if (!lod && !grad) addBiasedForm(p);
    }
  }

  void fetch() {
    const bool lenient = op == BuiltinOp::TexelFetch && !sparse && s.buffer();  // resolveTexture() reports it
    const bool texture =
        s.desc.kind == ImageKind::Texture && (lenient || c.allows(Feature::SamplerlessTextures));
    if ((s.desc.kind != ImageKind::Combined && !texture) || s.cube()) return;
    const bool offset = op == BuiltinOp::TexelFetchOffset;
    if (offset && (s.multisample || s.buffer())) return;
    if (sparse && (s.is(ImageDim::D1) || s.buffer())) return;
    Prototype& p = make(s.texel());
    p.add(s.integerCoordinates());
    if (s.hasLevels || s.multisample) p.add(kInt);
    if (offset) p.add(s.offset(), offsetMode());
    finish(p);
  }

  void gather() {
    if (s.desc.kind != ImageKind::Combined && !s.shadow) return;
    if (form.lod && (s.shadow || !s.hasLevels)) return;
    if (s.multisample ||
        !(s.is(ImageDim::D2) || s.is(ImageDim::Rect) || (s.cube() && op == BuiltinOp::TextureGather)))
      return;
    Prototype& p = make(s.texel());
    p.add(s.coordinates());
    if (s.shadow) p.add(kFloat);
    if (form.lod) p.add(kFloat);
    // ESSL 3.10 takes an offset "as described in textureOffset", a constant; GL_OES_gpu_shader5, 8.9.3, makes
    // it variable, as it does the indices of arrays of samplers.
    if (op == BuiltinOp::TextureGatherOffset)
      p.add(s.offset(), c.allows(Feature::DynamicOpaqueIndices) ? ParamMode::In : ParamMode::Constant);
    if (op == BuiltinOp::TextureGatherOffsets)
      p.add(c.program.types.array(s.offset(), c.program.constants.uint32(4)), ParamMode::Constant);
    finish(p, s.shadow ? kErrorType : kInt);
    // A bias follows the component (GL_AMD_texture_gather_bias_lod).
    if (!s.shadow && !form.lod && c.allows(Feature::GatherBias)) addBiasedForm(out[n - 1]);
  }

  void query() {
    const bool samplerless = s.desc.kind == ImageKind::Texture && c.allows(Feature::SamplerlessTextures);
    if (s.desc.kind != ImageKind::Combined && !s.shadow && !samplerless) return;
    if (op == BuiltinOp::TextureSize) {
      const uint32_t size = (s.cube() ? 2 : s.dimensions) + (s.array ? 1 : 0);
      Prototype& p = make(basicType(Scalar::Int, size));
      if (s.hasLevels) p.add(kInt);
    } else if (op == BuiltinOp::TextureQueryLevels) {
      if (s.hasLevels) make(kInt);
    } else if (s.multisample) {
      make(kInt);  // textureSamples
    }
  }

  // IMAGE_PARAMS (8.12): a cube's layers and faces are one index.
  Prototype& imageParameters(TypeId result) {
    Prototype& p = make(result);
    p.add(basicType(Scalar::Int, s.cube() ? 3 : s.coordinate));
    if (s.multisample || form.lod) p.add(kInt);
    return p;
  }
  void scopes(Prototype& p, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) p.add(kInt, ParamMode::Constant);
  }

  // GL_NV_shader_atomic_fp16_vector, 8.12
  void halfVectors() {
    if (op != BuiltinOp::ImageAtomicAdd && op != BuiltinOp::ImageAtomicMin &&
        op != BuiltinOp::ImageAtomicMax && op != BuiltinOp::ImageAtomicExchange)
      return;
    for (const uint32_t components : {2u, 4u}) {
      const TypeId vector = basicType(Scalar::Float16, components);
      imageParameters(vector).add(vector);
    }
  }

  void images() {
    if (op == BuiltinOp::SubpassLoad && s.desc.kind == ImageKind::SubpassInput) {
      Prototype& p = make(s.texel());
      if (s.multisample) p.add(kInt);
      return;
    }
    if (op == BuiltinOp::ColorAttachmentRead && s.desc.kind == ImageKind::Attachment) {
      make(s.texel());
      make(s.texel()).add(kInt);
      return;
    }
    if (s.desc.kind != ImageKind::Storage || op == BuiltinOp::SubpassLoad ||
        op == BuiltinOp::ColorAttachmentRead)
      return;
    if (form.lod && !s.hasLevels) return;
    const Scalar sampled = s.desc.sampled;
    const bool integer = isIntScalar(sampled);
    const TypeId element = basicType(sampled);
    switch (op) {
      case BuiltinOp::ImageSize:
        make(basicType(Scalar::Int, (s.cube() ? 2 : s.dimensions) + (s.array ? 1 : 0)));
        return;
      case BuiltinOp::ImageSamples:
        if (s.multisample) make(kInt);
        return;
      case BuiltinOp::ImageLoad: {
        if (sparse && (s.is(ImageDim::D1) || s.buffer())) return;
        Prototype& p = imageParameters(s.texel());
        finish(p);
        return;
      }
      case BuiltinOp::ImageStore: imageParameters(kVoidType).add(s.texel()); return;
      case BuiltinOp::ImageAtomicLoad:
        if (integer || c.allows(Feature::FloatAtomics)) scopes(imageParameters(element), 3);
        return;
      case BuiltinOp::ImageAtomicStore:
        if (integer || c.allows(Feature::FloatAtomics)) {
          Prototype& p = imageParameters(kVoidType);
          p.add(element);
          scopes(p, 3);
        }
        return;
      default: break;
    }
    if (sampled == Scalar::Float && c.has(ExtensionId::GL_NV_shader_atomic_fp16_vector)) halfVectors();
    // Read-modify-write: float images always have exchange; add and compare need extensions.
    if (!integer) {
      const bool there = op == BuiltinOp::ImageAtomicExchange ||
                         (op == BuiltinOp::ImageAtomicAdd && c.allows(Feature::FloatAtomics)) ||
                         ((op == BuiltinOp::ImageAtomicMin || op == BuiltinOp::ImageAtomicMax) &&
                          c.allows(Feature::FloatMinMaxAtomics));
      if (!there) return;
    }
    const bool swap = op == BuiltinOp::ImageAtomicCompSwap;
    Prototype& p = imageParameters(element);
    p.add(element);
    if (swap) p.add(element);
    if (c.allows(Feature::MemoryScopes)) {
      Prototype& scoped = next();
      scoped = p;
      scopes(scoped, swap ? 5 : 3);
    }
  }
};

}  // namespace

uint32_t texturePrototypes(Checker& c, const FnRow& row, TypeId image, ImageDesc desc,
                           std::array<Prototype, kMaxTexturePrototypes>& out) {
  using B = BuiltinOp;
  if (builtinGroup(row.op) == BuiltinGroup::TextureExtension)
    return extensionPrototypes(c, row, image, desc, out);
  Maker m{c, row, image, shapeOf(desc), textureForm(row.op), out};
  switch (m.op) {
    case B::TextureSize:
    case B::TextureQueryLevels:
    case B::TextureSamples: m.query(); break;
    case B::TextureQueryLod: m.queryLod(); break;
    case B::Texture:
    case B::TextureLod:
    case B::TextureOffset:
    case B::TextureLodOffset:
    case B::TextureGrad:
    case B::TextureGradOffset: m.addSampledForms(); break;
    case B::TextureProj:
    case B::TextureProjLod:
    case B::TextureProjOffset:
    case B::TextureProjLodOffset:
    case B::TextureProjGrad:
    case B::TextureProjGradOffset: m.addProjectedForms(); break;
    case B::TexelFetch:
    case B::TexelFetchOffset: m.fetch(); break;
    case B::TextureGather:
    case B::TextureGatherOffset:
    case B::TextureGatherOffsets: m.gather(); break;
    default: m.images(); break;
  }
  if (m.overflow ||
      std::any_of(out.begin(), out.begin() + m.n, [](const Prototype& p) { return p.overflow; }))
    c.report(DiagKind::InternalError, {}, {"a texture function has too many prototypes or parameters"});
  return m.n;
}

}  // namespace coopc::frontend::builtins
