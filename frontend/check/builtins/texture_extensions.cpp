// Prototypes of GL_NV_shader_texture_footprint (8.9.X), GL_AMD_shader_fragment_mask (8.9.2) and
// GL_QCOM_image_processing, 2 and 3 (8.9.2): functions of textures that are not look-ups of a single texel.
#include "frontend/check/builtins/texture_extensions.hpp"

#include "frontend/check/extensions/texture_footprint.hpp"

namespace coopc::frontend::builtins {
namespace {

using B = BuiltinOp;

constexpr TypeId kVec2 = basicType(Scalar::Float, 2);
constexpr TypeId kUvec2 = basicType(Scalar::Uint, 2);
constexpr TypeId kIvec2 = basicType(Scalar::Int, 2);

struct Maker {
  Checker& c;
  const FnRow& row;
  TypeId image;
  ImageDesc desc;
  std::array<Prototype, kMaxTexturePrototypes>& out;
  uint32_t n = 0;

  Prototype& make(TypeId result) {
    Prototype& p = out[n++];
    p = {};
    p.row = &row;
    p.result = result;
    p.add(image);
    return p;
  }
  bool is(ImageDim dim, bool arrayed = false) const {
    return desc.kind == ImageKind::Combined && desc.dim == dim && desc.arrayed == arrayed &&
           !desc.multisampled;
  }

  void footprint();
  void fragmentMask();
  void processing();
  void gather(bool offset);
};

// "The texture footprint query functions have the same parameters as the equivalent texture lookup function,
// plus three additional parameters" (GL_NV_shader_texture_footprint, 8.9.X). The functions with gradients
// exist for 2D only.
void Maker::footprint() {
  const bool grad = row.op == B::TextureFootprintGrad || row.op == B::TextureFootprintGradClamp;
  const bool clamped = row.op == B::TextureFootprintClamp || row.op == B::TextureFootprintGradClamp;
  const bool lod = row.op == B::TextureFootprintLod;
  const bool threeD = is(ImageDim::D3);
  if (!is(ImageDim::D2) && (!threeD || grad)) return;
  Prototype& p = make(kBool);
  p.add(basicType(Scalar::Float, threeD ? 3 : 2));
  if (grad) {
    p.add(kVec2);
    p.add(kVec2);
  }
  if (lod || clamped) p.add(kFloat);
  p.add(kInt);
  p.add(kBool);
  p.add(footprintType(c, threeD), ParamMode::Out);
  if (grad || lod || (!c.program.hasDerivatives() && !c.derivativesAreZero())) return;
  Prototype& biased = out[n++];
  biased = p;
  biased.add(kFloat);
}

// GL_AMD_shader_fragment_mask: multisampled textures and subpass inputs.
void Maker::fragmentMask() {
  const bool subpass = desc.kind == ImageKind::SubpassInput;
  if (!desc.multisampled || (!subpass && desc.kind != ImageKind::Combined)) return;
  const bool mask = row.op == B::FragmentMaskFetch;
  Prototype& p = make(mask ? kUint : basicType(desc.sampled, 4));
  if (!subpass) p.add(basicType(Scalar::Int, desc.arrayed ? 3 : 2));
  if (!mask) p.add(kUint);
}

// GL_QCOM_image_processing and GL_QCOM_image_processing2: float textures of two dimensions. Weights that are
// separable are two rows, layers of a 1D texture (Vulkan, "Weight Image Sampling").
void Maker::processing() {
  if (!is(ImageDim::D2) || desc.sampled != Scalar::Float) return;
  const TypeId result = basicType(Scalar::Float, 4);
  if (row.op == B::TextureBoxFilter) {
    Prototype& p = make(result);
    p.add(kVec2);
    p.add(kVec2);
    return;
  }
  if (row.op == B::TextureWeighted) {
    for (const ImageDim dim : {ImageDim::D2, ImageDim::D1}) {
      if (dim == ImageDim::D1 && c.es) return;
      Prototype& p = make(result);
      p.add(kVec2);
      p.add(c.program.types.image({ImageKind::Combined, dim, Scalar::Float, true, false}));
    }
    return;
  }
  Prototype& p = make(result);
  p.add(kUvec2);
  p.add(image);
  p.add(kUvec2);
  p.add(kUvec2);
}

// GL_QCOM_image_processing3: like textureGather, for 2D textures and arrays of them.
void Maker::gather(bool offset) {
  if (!is(ImageDim::D2) && !is(ImageDim::D2, true)) return;
  Prototype& p = make(basicType(desc.sampled, 4));
  p.add(basicType(Scalar::Float, desc.arrayed ? 3 : 2));
  if (offset) p.add(kIvec2);
  Prototype& more = out[n++];
  more = p;
  more.add(kInt, ParamMode::Constant);
}

}  // namespace

uint32_t extensionPrototypes(Checker& c, const FnRow& row, TypeId image, ImageDesc desc,
                             std::array<Prototype, kMaxTexturePrototypes>& out) {
  Maker m{c, row, image, desc, out};
  switch (row.op) {
    case B::TextureFootprint:
    case B::TextureFootprintClamp:
    case B::TextureFootprintLod:
    case B::TextureFootprintGrad:
    case B::TextureFootprintGradClamp: m.footprint(); break;
    case B::FragmentMaskFetch:
    case B::FragmentFetch: m.fragmentMask(); break;
    case B::TextureGather4x1:
    case B::TextureGatherD:
    case B::TextureGatherH2:
    case B::TextureGatherV2: m.gather(false); break;
    case B::TextureGather4x1Offset:
    case B::TextureGatherDOffset:
    case B::TextureGatherH2Offset:
    case B::TextureGatherV2Offset: m.gather(true); break;
    default: m.processing(); break;
  }
  return m.n;
}

}  // namespace coopc::frontend::builtins
