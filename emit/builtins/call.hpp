// A call of a built-in function while it is being emitted, and instructions with the call's type and
// decorations. Internal to the files of this folder.
#pragma once

#include "emit/builtins/topics.hpp"
#include "emit/operand_words.hpp"

namespace coopc::emit {

struct BuiltinCall {
  Emitter& e;
  const Expr& call;
  std::span<const ExprId> args;
  frontend::BuiltinOp o;
  TypeId t;   ///< of the result
  Mode mode;  ///< of the result

  BuiltinCall(Emitter& emitter, ExprId id)
      : e(emitter),
        call(emitter.expr(id)),
        args(emitter.program.builtinArguments(call)),
        o(call.builtin()),
        t(call.type),
        mode(emitter.mode(id)) {}

  uint32_t count() const { return static_cast<uint32_t>(args.size()); }
  TypeId argType(uint32_t i) const { return e.typeOf(args[i]); }
  Scalar argScalar(uint32_t i) const { return e.scalarOf(argType(i)); }
  Id arg(uint32_t i) const { return e.value(args[i]); }
  Id type() const { return e.type(t); }
  bool isVector(TypeId type) const { return frontend::isBasic(type) ? frontend::isVectorType(type) : true; }

  /// Operand i. If it is a scalar (of the same type) and `shape` is a vector, it is replicated to all
  /// components of `shape`.
  Id replicate(uint32_t i, TypeId shape) const {
    const Id v = arg(i);
    if (frontend::isScalarType(argType(i)) && isVector(shape)) return e.arithmetic.splat(shape, v);
    return v;
  }
  Id decorate(Id id) const { return e.decorate(id, mode); }
  /// Writes an instruction whose result is the call's (InstructionWriter::make).
  template <class Op>
  Id make(const typename Op::Fields& fields) const {
    return decorate(e.make<Op>(t, fields));
  }
  /// The same for one of several opcodes with the same operands.
  template <class Op>
  Id make(spv::Op opcode, const typename Op::Fields& fields) const {
    return decorate(e.make<Op>(opcode, t, fields));
  }

  /// The place of an output argument; its indices are evaluated at once.
  void place(uint32_t i, Place& p) const {
    if (!e.place(args[i], p)) e.unsupported(e.expr(args[i]).loc, "this output argument");
  }
  /// Writes an output argument: `v` has the parameter's type.
  void write(Place& p, Id v, TypeId parameter) const {
    e.memory.store(p, e.arithmetic.convert(v, parameter, e.memory.placeResult(p)));
  }
  /// A structure type for instructions that have two results.
  Id pairType(TypeId first, TypeId second) const {
    const Id a = e.type(first);
    const Id b = e.type(second);
    return e.b.type<op::TypeStruct>({.memberTypes = {a, b}});
  }
  Id unsupported() const {
    e.unsupported(call.loc, "this built-in function");
    return e.constants.undef(type());
  }
};

/// The image of the first argument, whose value is `texture`, for instructions that take no sampler.
Id imageOf(const BuiltinCall& c, Id texture);

/// The value of a constant scope or semantics operand.
uint32_t literalOr(Emitter& e, ExprId id, uint32_t otherwise);
/// The operand for a scope, and the one for semantics: storage classes | order
/// (GL_KHR_memory_scope_semantics).
Id scopeOperand(Emitter& e, ExprId id);
Id semanticsOperand(Emitter& e, ExprId storage, ExprId order, uint32_t more = 0);

/// An atomic read-modify-write, load or store on a pointer (atomics.cpp). `first` is the index of
/// the data operand.
Id emitAtomic(const BuiltinCall& c, frontend::BuiltinOp plain, Id pointer, const Place& p, TypeId t,
              uint32_t first);

}  // namespace coopc::emit
