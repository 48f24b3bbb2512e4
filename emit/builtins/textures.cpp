// Texture functions: GLSL 4.60, 8.9, GL_EXT_samplerless_texture_functions, GL_ARB_sparse_texture2. Compute
// shaders have no implicit derivatives: look-ups that would need them read the base level, which is an
// explicit level of 0 in SPIR-V, unless a layout says how invocations are grouped for derivatives.
#include <spirv/unified1/GLSL.std.450.h>

#include "emit/builtins/builtins.hpp"
#include "emit/builtins/call.hpp"
#include "frontend/language/texture_form.hpp"

namespace coopc::emit {

using namespace frontend;

namespace {

// SPIR-V 3.14, Image Operands
constexpr auto kBias = uint32_t(spv::ImageOperandsMask::Bias);
constexpr auto kLod = uint32_t(spv::ImageOperandsMask::Lod);
constexpr auto kGrad = uint32_t(spv::ImageOperandsMask::Grad);
constexpr auto kConstOffset = uint32_t(spv::ImageOperandsMask::ConstOffset);
constexpr auto kOffset = uint32_t(spv::ImageOperandsMask::Offset);
constexpr auto kConstOffsets = uint32_t(spv::ImageOperandsMask::ConstOffsets);
constexpr auto kSample = uint32_t(spv::ImageOperandsMask::Sample);
constexpr auto kMinLod = uint32_t(spv::ImageOperandsMask::MinLod);

// The operands that follow P, in GLSL's order, as a function's name implies.
struct Form {
  bool proj = false, lod = false, grad = false, offset = false, offsets = false, gather = false,
       fetch = false, sparse = false, clamped = false;
};

Form formOf(BuiltinOp op) {
  Form f;
  using B = BuiltinOp;
  const TextureForm form = textureForm(op);
  const B o = form.base;
  f.sparse = form.sparse;
  f.clamped = form.clamped;
  f.proj = o == B::TextureProj || o == B::TextureProjOffset || o == B::TextureProjLod ||
           o == B::TextureProjLodOffset || o == B::TextureProjGrad || o == B::TextureProjGradOffset;
  f.lod = o == B::TextureLod || o == B::TextureLodOffset || o == B::TextureProjLod ||
          o == B::TextureProjLodOffset || form.lod;
  f.grad = o == B::TextureGrad || o == B::TextureGradOffset || o == B::TextureProjGrad ||
           o == B::TextureProjGradOffset;
  f.gather = o == B::TextureGather || o == B::TextureGatherOffset || o == B::TextureGatherOffsets;
  f.offsets = o == B::TextureGatherOffsets;
  f.fetch = o == B::TexelFetch || o == B::TexelFetchOffset;
  f.offset = o == B::TextureOffset || o == B::TexelFetchOffset || o == B::TextureProjOffset ||
             o == B::TextureLodOffset || o == B::TextureProjLodOffset || o == B::TextureGradOffset ||
             o == B::TextureProjGradOffset || o == B::TextureGatherOffset;
  return f;
}

uint32_t dimensionsOf(ImageDim d) {
  switch (d) {
    case ImageDim::D1:
    case ImageDim::Buffer: return 1;
    case ImageDim::D3:
    case ImageDim::Cube: return 3;
    default: return 2;
  }
}

bool isCombined(ImageDesc d) { return d.kind == ImageKind::Combined || d.kind == ImageKind::CombinedShadow; }

Id query(const BuiltinCall& c) {
  Emitter& e = c.e;
  e.capability(spv::Capability::ImageQuery);
  const Id image = imageOf(c, c.arg(0));
  if (c.o == BuiltinOp::TextureQueryLevels) return c.op(spv::Op::OpImageQueryLevels, {image});
  if (c.o == BuiltinOp::TextureSamples) return c.op(spv::Op::OpImageQuerySamples, {image});
  if (c.count() == 1) return c.op(spv::Op::OpImageQuerySize, {image});
  return c.op(spv::Op::OpImageQuerySizeLod, {image, c.arg(1)});
}

spv::Op sparseOf(spv::Op o) {
  switch (o) {
    case spv::Op::OpImageSampleImplicitLod: return spv::Op::OpImageSparseSampleImplicitLod;
    case spv::Op::OpImageSampleDrefImplicitLod: return spv::Op::OpImageSparseSampleDrefImplicitLod;
    case spv::Op::OpImageSampleExplicitLod: return spv::Op::OpImageSparseSampleExplicitLod;
    case spv::Op::OpImageSampleDrefExplicitLod: return spv::Op::OpImageSparseSampleDrefExplicitLod;
    case spv::Op::OpImageFetch: return spv::Op::OpImageSparseFetch;
    case spv::Op::OpImageGather: return spv::Op::OpImageSparseGather;
    default: return spv::Op::OpImageSparseDrefGather;
  }
}

// The memory qualifiers of the variable of a sampler or texture (GL_KHR_memory_scope_semantics allows
// `nonprivate`).
uint32_t textureQualifiers(const Emitter& e, ExprId texture) {
  for (;;) {
    const Expr& x = e.expr(texture);
    switch (x.op) {
      case ExprOp::Variable: return e.program.variables[x.variable()].qualifiers;
      case ExprOp::Index: texture = x.indexBase(); break;
      case ExprOp::SampledImage: texture = e.program.sampledTexture(x); break;
      default: return 0;
    }
  }
}

// Image operands of a look-up: the mask, followed by the words in the order of the mask's bits.
struct ImageOperands {
  const BuiltinCall& c;
  const Form& f;
  ImageDesc d;
  OperandWords words{c.e};
  uint32_t mask = 0;

  void readFetchOperands(uint32_t& next);
  void readSampleOperands(uint32_t& next, bool implicit, uint32_t bias);
};

void ImageOperands::readFetchOperands(uint32_t& next) {
  const bool hasLevels = !d.multisampled && d.dim != ImageDim::Buffer && d.dim != ImageDim::Rect;
  if (hasLevels) {
    mask |= kLod;
    words.push(c.arg(next++));
  }
  Id sample = d.multisampled ? c.arg(next++) : Id();
  if (f.offset) {
    const bool constant = c.e.isConstantExpr(c.args[next]);
    mask |= constant ? kConstOffset : kOffset;
    if (!constant) c.e.capability(spv::Capability::ImageGatherExtended);
    words.push(c.arg(next++));
  }
  if (sample) {
    mask |= kSample;
    words.push(sample);
  }
}

void ImageOperands::readSampleOperands(uint32_t& next, bool implicit, uint32_t bias) {
  if (f.lod) {
    mask |= kLod;
    words.push(c.arg(next++));
  } else if (f.grad) {
    mask |= kGrad;
    words.push(c.arg(next++));
    words.push(c.arg(next++));
  } else if (!f.gather && !implicit) {
    // The base level, which derivatives of zero give, and the bias. SPIR-V has no smallest level beside one
    // that is given.
    const Id level = bias != 0 ? c.arg(bias) : c.e.constants.scalarConstant(Scalar::Float, 0);
    mask |= kLod;
    const uint32_t least = next + (f.offset || f.offsets ? 1u : 0u);
    words.push(f.clamped ? c.e.ext(GLSLstd450FMax, kFloat, {level, c.arg(least)}) : level);
  } else if (bias != 0) {
    mask |= kBias;
    words.push(c.arg(bias));
  }
  if (f.offset || f.offsets) {
    const bool constant = c.e.isConstantExpr(c.args[next]);
    mask |= f.offsets ? kConstOffsets : constant ? kConstOffset : kOffset;
    if (f.offsets || !constant) c.e.capability(spv::Capability::ImageGatherExtended);
    words.push(c.arg(next++));
  }
  if (f.clamped && (mask & kLod) != 0) {
    ++next;
  } else if (f.clamped) {
    mask |= kMinLod;
    c.e.capability(spv::Capability::MinLod);
    words.push(c.arg(next++));
  }
}

spv::Op sampleOpcode(bool proj, bool shadow, bool implicit) {
  using Op = spv::Op;
  if (implicit) {
    return proj ? (shadow ? Op::OpImageSampleProjDrefImplicitLod : Op::OpImageSampleProjImplicitLod)
                : (shadow ? Op::OpImageSampleDrefImplicitLod : Op::OpImageSampleImplicitLod);
  }
  return proj ? (shadow ? Op::OpImageSampleProjDrefExplicitLod : Op::OpImageSampleProjExplicitLod)
              : (shadow ? Op::OpImageSampleDrefExplicitLod : Op::OpImageSampleExplicitLod);
}

}  // namespace

Id imageOf(const BuiltinCall& c, Id texture) {
  const ImageDesc d = c.e.info(c.argType(0)).image();
  Emitter& e = c.e;
  if (!isCombined(d) || d.dim == ImageDim::Buffer) return texture;
  Id type;
  if (d.kind == ImageKind::CombinedShadow) {
    // GLSL has no type for depth images: this is the image type inside the combined type, with the same
    // operands.
    const spv::Dim dim = d.dim == ImageDim::D1     ? spv::Dim::Dim1D
                         : d.dim == ImageDim::Cube ? spv::Dim::Cube
                                                   : spv::Dim::Dim2D;
    type = e.b.type(spv::Op::OpTypeImage,
                    {e.type(kFloat), static_cast<uint32_t>(dim), 1, d.arrayed ? 1u : 0u, 0, 1, 0});
  } else {
    type = e.types.imageType({ImageKind::Texture, d.dim, d.sampled, d.arrayed, d.multisampled}, 0);
  }
  const Id image = e.op(spv::Op::OpImage, type, {texture});
  if ((e.expr(c.args[0]).flags & kExprNonUniform) != 0) e.nonUniform(image);
  return image;
}

SampledParts sampledParts(Emitter& e, ExprId argument) {
  const Expr& x = e.expr(argument);
  if (x.op != ExprOp::SampledImage) return {e.value(argument), {}};
  const ExprId image = e.program.sampledTexture(x);
  const Id texture = e.value(image);
  // A texel buffer can only be fetched from, and no sampled image has its dimension (SPIR-V 1.6), so it stays
  // an image.
  if (e.info(e.typeOf(image)).image().dim == ImageDim::Buffer) return {texture, {}};
  return {texture, e.value(e.program.sampledSampler(x))};
}

Id combine(Emitter& e, ExprId argument, const SampledParts& sampled) {
  if (!sampled.sampler) return sampled.texture;
  const Expr& x = e.expr(argument);
  const ExprId texture = e.program.sampledTexture(x), sampler = e.program.sampledSampler(x);
  const Id type = e.b.type(spv::Op::OpTypeSampledImage, {e.type(e.typeOf(texture))});
  const Id v = e.op(spv::Op::OpSampledImage, type, {sampled.texture, sampled.sampler});
  if (((e.expr(texture).flags | e.expr(sampler).flags) & kExprNonUniform) != 0) e.nonUniform(v);
  return v;
}

Id emitTextureBuiltin(Emitter& e, ExprId call) {
  const BuiltinCall c(e, call);
  if (c.o == BuiltinOp::SparseTexelsResident) {
    e.capability(spv::Capability::SparseResidency);
    return e.op(spv::Op::OpImageSparseTexelsResident, c.t, {c.arg(0)});
  }
  if (textureForm(c.o).base == BuiltinOp::ImageLoad) return emitImageBuiltin(e, call);
  const ImageDesc d = e.info(c.argType(0)).image();
  if (c.o == BuiltinOp::TextureSize || c.o == BuiltinOp::TextureQueryLevels ||
      c.o == BuiltinOp::TextureSamples)
    return query(c);

  if (c.o == BuiltinOp::TextureQueryLod) {
    e.capability(spv::Capability::ImageQuery);
    const SampledParts sampled = sampledParts(e, c.args[0]);
    const Id coordinate = c.arg(1);
    return c.op(spv::Op::OpImageQueryLod, {combine(e, c.args[0], sampled), coordinate});
  }

  const Form f = formOf(c.o);
  const bool shadow = d.kind == ImageKind::CombinedShadow;
  const uint32_t coordinates = dimensionsOf(d.dim) + (d.arrayed ? 1 : 0);
  uint32_t next = 1;

  // Operands in GLSL's order.
  const SampledParts sampled = sampledParts(e, c.args[0]);
  const TypeId pType = c.argType(next);
  Id coordinate = c.arg(next++);
  Id reference;
  if (shadow) {
    if (f.gather || coordinates == 4) {
      reference = c.arg(next++);
    } else {
      // It follows the coordinates; P of a 1D texture has one unused component.
      reference = e.extract(coordinate, kFloat, coordinates < 2 ? 2 : coordinates);
    }
  }
  if (f.proj && basicRows(pType) == 4 && coordinates < 3) {
    // In SPIR-V, q directly follows the coordinates.
    const uint32_t packed = coordinates == 1 ? (2u | 0u << 4 | 3u << 8) : (3u | 0u << 4 | 1u << 8 | 3u << 12);
    coordinate = e.shuffle(coordinate, pType, packed);
  }
  // If there are derivatives, levels of detail are implicit. A bias follows the offset and, in a sparse
  // look-up, the texel argument, but it is the first of the image operands. In a gather, it follows the
  // component.
  const bool levels = !d.multisampled && d.dim != ImageDim::Buffer && d.dim != ImageDim::Rect;
  const bool implicit = e.program.hasDerivatives() && !f.fetch && !f.lod && !f.grad && !f.gather && levels;
  const uint32_t behind = next + (f.offset || f.offsets ? 1u : 0u) + (f.clamped ? 1u : 0u) +
                          (f.sparse ? 1u : 0u) + (f.gather ? 1u : 0u);
  const bool base = !implicit && !f.fetch && !f.lod && !f.grad && !f.gather && levels;
  const bool biased = (implicit || base || (f.gather && !f.lod && !shadow)) && c.count() > behind;
  const uint32_t bias = biased ? behind : 0;
  if (f.gather && (f.lod || biased)) e.capability(spv::Capability::ImageGatherBiasLodAMD);
  ImageOperands operands{c, f, d};
  if (f.fetch)
    operands.readFetchOperands(next);
  else
    operands.readSampleOperands(next, implicit, bias);
  // In sparse gathers, the texel argument comes before the component.
  Place out;
  const TypeId texel = shadow && !f.gather ? kFloat : basicType(d.sampled, 4);
  if (f.sparse) c.place(next++, out);

  OperandWords words(e);
  spv::Op opcode = spv::Op::OpNop;
  if (f.fetch) {
    opcode = spv::Op::OpImageFetch;
    words.push(imageOf(c, combine(e, c.args[0], sampled)));
    words.push(coordinate);
  } else if (f.gather) {
    opcode = shadow ? spv::Op::OpImageDrefGather : spv::Op::OpImageGather;
    const Id component = shadow ? reference : next < c.count() ? c.arg(next++) : e.constants.i32(0);
    words.push(combine(e, c.args[0], sampled));
    words.push(coordinate);
    words.push(component);
  } else {
    opcode = sampleOpcode(f.proj, shadow, implicit);
    words.push(combine(e, c.args[0], sampled));
    words.push(coordinate);
    if (shadow) words.push(reference);
  }
  if (e.module.vulkanMemory && (textureQualifiers(e, c.args[0]) & kQualNonPrivate) != 0)
    operands.mask |= static_cast<uint32_t>(spv::ImageOperandsMask::NonPrivateTexel);
  if (operands.mask != 0) {
    words.push(operands.mask);
    words.append(operands.words.span());
  }
  if (!f.sparse) return c.op(opcode, words.span());

  e.capability(spv::Capability::SparseResidency);
  const Id pairType = c.pairType(kInt, texel);
  const Id pair = e.op(sparseOf(opcode), pairType, words.span());
  c.write(out, e.extract(pair, texel, 1), texel);
  return e.extract(pair, c.t, 0);
}

}  // namespace coopc::emit
