// Atomic functions on memory (GLSL 4.60, 8.11; GL_KHR_memory_scope_semantics, GL_EXT_shader_atomic_int64,
// GL_EXT_shader_atomic_float, GL_EXT_shader_atomic_float2), and the code that image atomics share with them.
#include "emit/builtins/call.hpp"

namespace coopc::emit {

using namespace frontend;

namespace {

// Memory semantics (SPIR-V 3.25)
constexpr auto kAcquire = uint32_t(spv::MemorySemanticsMask::Acquire);
constexpr auto kRelease = uint32_t(spv::MemorySemanticsMask::Release);
constexpr auto kAcquireRelease = uint32_t(spv::MemorySemanticsMask::AcquireRelease);
constexpr auto kVolatileSemantics = uint32_t(spv::MemorySemanticsMask::Volatile);

void floatAtomicCapability(Emitter& e, BuiltinOp o, Scalar s) {
  if (o == BuiltinOp::AtomicAdd) {
    e.capability(s == Scalar::Float16 ? spv::Capability::AtomicFloat16AddEXT
                 : s == Scalar::Float ? spv::Capability::AtomicFloat32AddEXT
                                      : spv::Capability::AtomicFloat64AddEXT);
  } else {
    e.capability(s == Scalar::Float16 ? spv::Capability::AtomicFloat16MinMaxEXT
                 : s == Scalar::Float ? spv::Capability::AtomicFloat32MinMaxEXT
                                      : spv::Capability::AtomicFloat64MinMaxEXT);
  }
}

spv::Op opcodeOf(BuiltinOp o, Scalar s) {
  const bool f = isFloatScalar(s), i = isSignedScalar(s);
  switch (o) {
    case BuiltinOp::AtomicAdd: return f ? spv::Op::OpAtomicFAddEXT : spv::Op::OpAtomicIAdd;
    case BuiltinOp::AtomicMin:
      return f ? spv::Op::OpAtomicFMinEXT : i ? spv::Op::OpAtomicSMin : spv::Op::OpAtomicUMin;
    case BuiltinOp::AtomicMax:
      return f ? spv::Op::OpAtomicFMaxEXT : i ? spv::Op::OpAtomicSMax : spv::Op::OpAtomicUMax;
    case BuiltinOp::AtomicAnd: return spv::Op::OpAtomicAnd;
    case BuiltinOp::AtomicOr: return spv::Op::OpAtomicOr;
    case BuiltinOp::AtomicXor: return spv::Op::OpAtomicXor;
    default: return spv::Op::OpAtomicExchange;
  }
}

}  // namespace

uint32_t literalOr(Emitter& e, ExprId id, uint32_t otherwise) {
  const std::optional<int64_t> v = e.literalInt(id);
  return v ? static_cast<uint32_t>(*v) : otherwise;
}

Id scopeOperand(Emitter& e, ExprId id) {
  return e.constants.scope(
      static_cast<spv::Scope>(literalOr(e, id, static_cast<uint32_t>(spv::Scope::Device))));
}

Id semanticsOperand(Emitter& e, ExprId storage, ExprId order, uint32_t more) {
  const uint32_t how = literalOr(e, order, 0);
  // Semantics without an order have no storage classes either: VUID 10871.
  const bool orders = (how & (kAcquire | kRelease | kAcquireRelease)) != 0;
  return e.u32(how | (orders ? literalOr(e, storage, 0) : 0) | more);
}

Id emitAtomic(const BuiltinCall& c, BuiltinOp plain, Id pointer, const Place& p, TypeId t, uint32_t first) {
  Emitter& e = c.e;
  const Scalar s = basicScalar(t);
  if (scalarBits(s) == 64 && isIntScalar(s)) e.capability(spv::Capability::Int64Atomics);
  e.useScalar(s);
  const bool isVolatile = e.module.vulkanMemory && (p.qualifiers & kQualVolatile) != 0;
  const uint32_t more = isVolatile ? kVolatileSemantics : 0;

  // Data operands come first, then scopes and semantics if the call has them.
  const uint32_t data = plain == BuiltinOp::AtomicLoad ? 0 : plain == BuiltinOp::AtomicCompSwap ? 2 : 1;
  Id values[2] = {Id(), Id()};
  for (uint32_t i = 0; i < data; ++i) values[i] = c.arg(first + i);
  const uint32_t scoped = first + data;
  const bool hasScope = c.count() > scoped;
  const Id scope =
      hasScope ? scopeOperand(e, c.args[scoped])
               : e.constants.scope(e.module.vulkanMemory ? spv::Scope::QueueFamily : spv::Scope::Device);
  const Id semantics =
      hasScope ? semanticsOperand(e, c.args[scoped + 1], c.args[scoped + 2], more) : e.u32(more);

  const Id type = e.type(t);
  switch (plain) {
    case BuiltinOp::AtomicLoad:
      return c.decorate(
          e.make<op::AtomicLoad>(type, {.pointer = pointer, .memory = scope, .semantics = semantics}));
    case BuiltinOp::AtomicStore:
      e.make<op::AtomicStore>(
          {.pointer = pointer, .memory = scope, .semantics = semantics, .value = values[0]});
      return {};
    case BuiltinOp::AtomicCompSwap: {
      const Id unequal =
          hasScope ? semanticsOperand(e, c.args[scoped + 3], c.args[scoped + 4], more) : e.u32(more);
      return e.make<op::AtomicCompareExchange>(type, {.pointer = pointer,
                                                      .memory = scope,
                                                      .equal = semantics,
                                                      .unequal = unequal,
                                                      .value = values[1],
                                                      .comparator = values[0]});
    }
    default: {
      const bool exchange = plain == BuiltinOp::AtomicExchange;
      if (isVectorType(t)) {
        e.capability(spv::Capability::AtomicFloat16VectorNV);
      } else if (isFloatScalar(s) && !exchange) {
        floatAtomicCapability(e, plain, s);
      }
      return e.make<op::AtomicExchange>(
          opcodeOf(plain, s), type,
          {.pointer = pointer, .memory = scope, .semantics = semantics, .value = values[0]});
    }
  }
}

Id emitAtomicBuiltin(Emitter& e, ExprId call) {
  const BuiltinCall c(e, call);
  Place p;
  c.place(0, p);
  const Id pointer = e.memory.pointer(p);
  return emitAtomic(c, c.o, pointer, p, c.argType(0), 1);
}

}  // namespace coopc::emit
