// Texture functions: GLSL 4.60, 8.9, GL_EXT_samplerless_texture_functions, GL_ARB_sparse_texture2. Compute
// shaders have no implicit derivatives: look-ups that would need them read the base level, which is an
// explicit level of 0 in SPIR-V, unless a layout says how invocations are grouped for derivatives.
#include "emit/builtins/builtins.hpp"
#include "emit/builtins/call.hpp"
#include "frontend/language/texture_form.hpp"

namespace coopc::emit {

using namespace frontend;

namespace {

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
  if (c.o == BuiltinOp::TextureQueryLevels) return c.make<op::ImageQueryLevels>({.image = image});
  if (c.o == BuiltinOp::TextureSamples) return c.make<op::ImageQuerySamples>({.image = image});
  if (c.count() == 1) return c.make<op::ImageQuerySize>({.image = image});
  return c.make<op::ImageQuerySizeLod>({.image = image, .levelOfDetail = c.arg(1)});
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

// Reads the image operands of a look-up from a call's arguments.
struct LookUpOperands {
  const BuiltinCall& c;
  const Form& f;
  ImageDesc d;
  spirv::ImageOperands given;

  void readFetchOperands(uint32_t& next);
  void readSampleOperands(uint32_t& next, bool implicit, uint32_t bias);
  void readOffset(uint32_t argument);
};

void LookUpOperands::readOffset(uint32_t argument) {
  const bool constant = c.e.isConstantExpr(c.args[argument]);
  if (f.offsets || !constant) c.e.capability(spv::Capability::ImageGatherExtended);
  const Id offset = c.arg(argument);
  (f.offsets ? given.constOffsets : constant ? given.constOffset : given.offset) = offset;
}

void LookUpOperands::readFetchOperands(uint32_t& next) {
  const bool hasLevels = !d.multisampled && d.dim != ImageDim::Buffer && d.dim != ImageDim::Rect;
  if (hasLevels) given.lod = c.arg(next++);
  if (d.multisampled) given.sample = c.arg(next++);
  if (f.offset) readOffset(next++);
}

void LookUpOperands::readSampleOperands(uint32_t& next, bool implicit, uint32_t bias) {
  if (f.lod) {
    given.lod = c.arg(next++);
  } else if (f.grad) {
    given.dx = c.arg(next++);
    given.dy = c.arg(next++);
  } else if (!f.gather && !implicit) {
    // The base level, which derivatives of zero would select, plus the bias. SPIR-V cannot combine a minimum
    // level with an explicit one.
    const Id level = bias != 0 ? c.arg(bias) : c.e.constants.scalarConstant(Scalar::Float, 0);
    const uint32_t least = next + (f.offset || f.offsets ? 1u : 0u);
    given.lod = f.clamped ? c.e.ext<op::glsl450::FMax>(kFloat, {.x = level, .y = c.arg(least)}) : level;
  } else if (bias != 0) {
    given.bias = c.arg(bias);
  }
  if (f.offset || f.offsets) readOffset(next++);
  if (f.clamped && given.lod) {
    ++next;
  } else if (f.clamped) {
    c.e.capability(spv::Capability::MinLod);
    given.minLod = c.arg(next++);
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

// The operands of a look-up, by the names that they have in all of its instructions.
struct LookUp {
  Id image;  // with its sampler, except in fetches
  Id coordinate;
  Id reference;  // of comparisons: Dref
  Id component;  // of gathers
  spirv::ImageOperands operands;
};

// Writes a look-up. The instructions of implicit and explicit levels, and of sparse images, have their
// operands in the same order; an explicit level is among the image operands.
Id lookUp(Emitter& e, spv::Op opcode, NamedId type, const LookUp& l) {
  const spirv::ImageOperandWords operands(l.operands);
  if (l.component)
    return e.make<op::ImageGather>(opcode, type,
                                   {.sampledImage = l.image,
                                    .coordinate = l.coordinate,
                                    .component = l.component,
                                    .imageOperands = operands.mask(),
                                    .parameters = operands.parameters()});
  if (l.reference)
    return e.make<op::ImageSampleDrefImplicitLod>(opcode, type,
                                                  {.sampledImage = l.image,
                                                   .coordinate = l.coordinate,
                                                   .dref = l.reference,
                                                   .imageOperands = operands.mask(),
                                                   .parameters = operands.parameters()});
  return e.make<op::ImageSampleImplicitLod>(opcode, type,
                                            {.sampledImage = l.image,
                                             .coordinate = l.coordinate,
                                             .imageOperands = operands.mask(),
                                             .parameters = operands.parameters()});
}

}  // namespace

Id imageOf(const BuiltinCall& c, Id texture) {
  const ImageDesc d = c.e.info(c.argType(0)).image();
  Emitter& e = c.e;
  if (!isCombined(d) || d.dim == ImageDim::Buffer) return texture;
  const Expr& argument = e.expr(c.args[0]);
  Id type;
  if (argument.op == ExprOp::SampledImage) {
    // OpImage: "Its type must be the type of Image of the Sampled Image", the texture's: combine().
    type = e.type(e.typeOf(e.program.sampledTexture(argument)));
  } else if (d.kind == ImageKind::CombinedShadow) {
    // GLSL has no type for depth images: this is the image type inside the combined type, with the same
    // operands.
    const spv::Dim dim = d.dim == ImageDim::D1     ? spv::Dim::Dim1D
                         : d.dim == ImageDim::Cube ? spv::Dim::Cube
                                                   : spv::Dim::Dim2D;
    type = e.b.type<op::TypeImage>({.sampledType = e.type(kFloat),
                                    .dim = dim,
                                    .depth = 1,
                                    .arrayed = d.arrayed ? 1u : 0u,
                                    .ms = 0,
                                    .sampled = kSampled,
                                    .imageFormat = spv::ImageFormat::Unknown});
  } else {
    type = e.types.imageType({ImageKind::Texture, d.dim, d.sampled, d.arrayed, d.multisampled}, 0);
  }
  const Id image = e.make<op::Image>(type, {.sampledImage = texture});
  if ((argument.flags & kExprNonUniform) != 0) e.nonUniform(image);
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
  const Id type = e.b.type<op::TypeSampledImage>({.imageType = e.type(e.typeOf(texture))});
  const Id v = e.make<op::SampledImage>(type, {.image = sampled.texture, .sampler = sampled.sampler});
  if (((e.expr(texture).flags | e.expr(sampler).flags) & kExprNonUniform) != 0) e.nonUniform(v);
  return v;
}

Id emitTextureBuiltin(Emitter& e, ExprId call) {
  const BuiltinCall c(e, call);
  if (c.o == BuiltinOp::SparseTexelsResident) {
    e.capability(spv::Capability::SparseResidency);
    return e.make<op::ImageSparseTexelsResident>(c.t, {.residentCode = c.arg(0)});
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
    return c.make<op::ImageQueryLod>(
        {.sampledImage = combine(e, c.args[0], sampled), .coordinate = coordinate});
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
  const uint32_t biasAt = next + (f.offset || f.offsets ? 1u : 0u) + (f.clamped ? 1u : 0u) +
                          (f.sparse ? 1u : 0u) + (f.gather ? 1u : 0u);
  const bool base = !implicit && !f.fetch && !f.lod && !f.grad && !f.gather && levels;
  const bool biased = (implicit || base || (f.gather && !f.lod && !shadow)) && c.count() > biasAt;
  const uint32_t bias = biased ? biasAt : 0;
  if (f.gather && (f.lod || biased)) e.capability(spv::Capability::ImageGatherBiasLodAMD);
  LookUpOperands operands{c, f, d, {}};
  if (f.fetch)
    operands.readFetchOperands(next);
  else
    operands.readSampleOperands(next, implicit, bias);
  // In sparse gathers, the texel argument comes before the component.
  Place out;
  const TypeId texel = shadow && !f.gather ? kFloat : basicType(d.sampled, 4);
  if (f.sparse) c.place(next++, out);

  LookUp l;
  l.coordinate = coordinate;
  l.reference = reference;
  if (f.gather && !shadow) l.component = next < c.count() ? c.arg(next++) : e.constants.i32(0);
  l.image = combine(e, c.args[0], sampled);
  if (f.fetch) l.image = imageOf(c, l.image);
  if (e.module.vulkanMemory && (textureQualifiers(e, c.args[0]) & kQualNonPrivate) != 0)
    operands.given.flags = spv::ImageOperandsMask::NonPrivateTexel;
  l.operands = operands.given;
  const spv::Op opcode = f.fetch    ? spv::Op::OpImageFetch
                         : f.gather ? (shadow ? spv::Op::OpImageDrefGather : spv::Op::OpImageGather)
                                    : sampleOpcode(f.proj, shadow, implicit);
  if (!f.sparse) {
    const Id type = c.type();
    return c.decorate(lookUp(e, opcode, type, l));
  }
  e.capability(spv::Capability::SparseResidency);
  const Id pairType = c.pairType(kInt, texel);
  const Id pair = lookUp(e, sparseOf(opcode), pairType, l);
  c.write(out, e.extract(pair, texel, 1), texel);
  return e.extract(pair, c.t, 0);
}

}  // namespace coopc::emit
