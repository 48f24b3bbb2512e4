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

constexpr auto kSampleOperand = uint32_t(spv::ImageOperandsMask::Sample);
constexpr auto kLodOperand = uint32_t(spv::ImageOperandsMask::Lod);

// Image operands: the sample of a multisampled image or a level of detail, as `first` says, then those that
// the memory model requires.
void imageOperands(OperandWords& words, uint32_t first, NamedId value, const MemoryOperands& memory) {
  const uint32_t mask = first | (memory.count != 0 ? uint32_t{memory.words[0]} : 0);
  if (mask == 0) return;
  words.push(mask);
  if (first != 0) words.push(value);
  for (uint32_t i = 1; i < memory.count; ++i) words.push(memory.words[i]);
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
  const uint32_t first = ms ? kSampleOperand : form.lod ? kLodOperand : 0;
  const bool more = first != 0;  // an operand behind the coordinates
  if (form.lod) e.capability(spv::Capability::ImageReadWriteLodAMD);

  switch (form.base) {
    case BuiltinOp::ImageSize:
      e.capability(spv::Capability::ImageQuery);
      return c.op(spv::Op::OpImageQuerySize, {e.memory.load(p)});
    case BuiltinOp::ImageSamples:
      e.capability(spv::Capability::ImageQuery);
      return c.op(spv::Op::OpImageQuerySamples, {e.memory.load(p)});
    case BuiltinOp::SubpassLoad: {  // GL_KHR_vulkan_glsl: of the fragment's own place
      const Id image = e.memory.load(p);
      const Id coordinate = e.constants.zeroOf(basicType(Scalar::Int, 2));
      const Id sample = ms ? c.arg(1) : Id();
      OperandWords words(e);
      words.push(image);
      words.push(coordinate);
      imageOperands(words, first, sample, {});
      return c.op(spv::Op::OpImageRead, words.span());
    }
    case BuiltinOp::ColorAttachmentRead: {
      const Id attachment = e.memory.load(p);
      if (c.count() == 1) return c.op(spv::Op::OpColorAttachmentReadEXT, {attachment});
      const Id sample = c.arg(1);
      return c.op(spv::Op::OpColorAttachmentReadEXT, {attachment, sample});
    }
    case BuiltinOp::ImageLoad: {
      if (p.imageFormat == 0) e.capability(spv::Capability::StorageImageReadWithoutFormat);
      const Id image = e.memory.load(p);
      const Id coordinate = c.arg(1);
      const Id value = more ? c.arg(2) : Id();
      OperandWords words(e);
      words.push(image);
      words.push(coordinate);
      imageOperands(words, first, value, e.memory.imageMemoryOperands(p, true));
      if (!form.sparse) return c.op(spv::Op::OpImageRead, words.span());
      e.capability(spv::Capability::SparseResidency);
      const TypeId texel = basicType(desc.sampled, 4);
      Place out;
      c.place(more ? 3 : 2, out);
      const Id pairType = c.pairType(kInt, texel);
      const Id pair = e.op(spv::Op::OpImageSparseRead, pairType, words.span());
      c.write(out, e.extract(pair, texel, 1), texel);
      return e.extract(pair, c.t, 0);
    }
    case BuiltinOp::ImageStore: {
      if (p.imageFormat == 0) e.capability(spv::Capability::StorageImageWriteWithoutFormat);
      const Id image = e.memory.load(p);
      const Id coordinate = c.arg(1);
      const Id value = more ? c.arg(2) : Id();
      const Id texel = c.arg(more ? 3 : 2);
      OperandWords words(e);
      words.push(image);
      words.push(coordinate);
      words.push(texel);
      imageOperands(words, first, value, e.memory.imageMemoryOperands(p, false));
      e.opVoid(spv::Op::OpImageWrite, words.span());
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
