// Image functions: GLSL 4.60, 8.12, with the scopes of GL_KHR_memory_scope_semantics and sparse loads of
// GL_ARB_sparse_texture2.
#include "emit/builtins/call.hpp"
#include "frontend/language/texture_form.hpp"

namespace coopc::emit {

using namespace frontend;

namespace {

BuiltinOp plainAtomic(BuiltinOp o) {
  switch (o) {
    case BuiltinOp::ImageAtomicAdd: return BuiltinOp::AtomicAdd;
    case BuiltinOp::ImageAtomicMin: return BuiltinOp::AtomicMin;
    case BuiltinOp::ImageAtomicMax: return BuiltinOp::AtomicMax;
    case BuiltinOp::ImageAtomicAnd: return BuiltinOp::AtomicAnd;
    case BuiltinOp::ImageAtomicOr: return BuiltinOp::AtomicOr;
    case BuiltinOp::ImageAtomicXor: return BuiltinOp::AtomicXor;
    case BuiltinOp::ImageAtomicExchange: return BuiltinOp::AtomicExchange;
    case BuiltinOp::ImageAtomicCompSwap: return BuiltinOp::AtomicCompSwap;
    case BuiltinOp::ImageAtomicLoad: return BuiltinOp::AtomicLoad;
    default: return BuiltinOp::AtomicStore;
  }
}

}  // namespace

Id emitImageBuiltin(Emitter& e, ExprId call) {
  const BuiltinCall c(e, call);
  const ImageDesc desc = e.info(c.argType(0)).image();
  const bool ms = desc.multisampled;
  Place p;
  c.place(0, p);
  e.useScalar(desc.sampled);
  const TextureForm form = textureForm(c.o);
  // The sample of a multisampled image, or a level of detail, follows the coordinates.
  const bool more = ms || form.lod;
  const auto operandsOf = [&](spirv::ImageOperands operands, NamedId value) {
    (ms ? operands.sample : operands.lod) = value;
    return spirv::ImageOperandWords(operands);
  };
  if (form.lod) e.capability(spv::Capability::ImageReadWriteLodAMD);

  switch (form.base) {
    case BuiltinOp::ImageSize:
      e.capability(spv::Capability::ImageQuery);
      return c.make<op::ImageQuerySize>({.image = e.memory.load(p)});
    case BuiltinOp::ImageSamples:
      e.capability(spv::Capability::ImageQuery);
      return c.make<op::ImageQuerySamples>({.image = e.memory.load(p)});
    case BuiltinOp::SubpassLoad: {  // GL_KHR_vulkan_glsl: of the fragment's own place
      const Id image = e.memory.load(p);
      const Id coordinate = e.constants.zeroOf(basicType(Scalar::Int, 2));
      const Id sample = ms ? c.arg(1) : Id();
      const spirv::ImageOperandWords operands = operandsOf({}, sample);
      return c.make<op::ImageRead>({.image = image,
                                    .coordinate = coordinate,
                                    .imageOperands = operands.mask(),
                                    .parameters = operands.parameters()});
    }
    case BuiltinOp::ColorAttachmentRead: {
      const Id attachment = e.memory.load(p);
      const Id sample = c.count() > 1 ? c.arg(1) : Id();
      return c.make<op::ColorAttachmentReadEXT>({.attachment = attachment, .sample = sample});
    }
    case BuiltinOp::ImageLoad: {
      if (p.imageFormat == 0) e.capability(spv::Capability::StorageImageReadWithoutFormat);
      const Id image = e.memory.load(p);
      const Id coordinate = c.arg(1);
      const Id value = more ? c.arg(2) : Id();
      const spirv::ImageOperandWords operands = operandsOf(e.memory.imageMemoryOperands(p, true), value);
      const op::ImageRead::Fields fields{.image = image,
                                         .coordinate = coordinate,
                                         .imageOperands = operands.mask(),
                                         .parameters = operands.parameters()};
      if (!form.sparse) return c.make<op::ImageRead>(fields);
      e.capability(spv::Capability::SparseResidency);
      const TypeId texel = basicType(desc.sampled, 4);
      Place out;
      c.place(more ? 3 : 2, out);
      const Id pairType = c.pairType(kInt, texel);
      const Id pair = e.make<op::ImageRead>(spv::Op::OpImageSparseRead, pairType, fields);
      c.write(out, e.extract(pair, texel, 1), texel);
      return e.extract(pair, c.t, 0);
    }
    case BuiltinOp::ImageStore: {
      if (p.imageFormat == 0) e.capability(spv::Capability::StorageImageWriteWithoutFormat);
      const Id image = e.memory.load(p);
      const Id coordinate = c.arg(1);
      const Id value = more ? c.arg(2) : Id();
      const Id texel = c.arg(more ? 3 : 2);
      const spirv::ImageOperandWords operands = operandsOf(e.memory.imageMemoryOperands(p, false), value);
      e.make<op::ImageWrite>({.image = image,
                              .coordinate = coordinate,
                              .texel = texel,
                              .imageOperands = operands.mask(),
                              .parameters = operands.parameters()});
      return {};
    }
    default: {
      const Id coordinate = c.arg(1);
      const Id sample = ms ? c.arg(2) : e.u32(0);
      // Vectors of half floats are data of another type than the image's.
      const TypeId data = c.t == kVoidType ? basicType(desc.sampled) : c.t;
      const Id texel = e.memory.texelPointer(p, coordinate, sample, data);
      return emitAtomic(c, plainAtomic(c.o), texel, p, data, ms ? 3 : 2);
    }
  }
}

}  // namespace coopc::emit
