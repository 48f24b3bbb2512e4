// The dispatcher of built-in functions; see builtins.hpp.
#include "emit/builtins.hpp"

#include "emit/builtins_topics.hpp"
#include "emit/cooperative_matrix.hpp"

namespace coopc::emit {

using frontend::BuiltinOp;

Id emitBuiltin(Emitter& e, ExprId call) {
  const BuiltinOp o = e.expr(call).builtin();
  if (isMatrixBuiltin(o)) return emitMatrixBuiltin(e, e.expr(call));
  if (o <= BuiltinOp::FindMsb) return emitMathBuiltin(e, call);
  if (o <= BuiltinOp::SparseTexelsResident) return emitTextureBuiltin(e, call);
  if (o <= BuiltinOp::ImageAtomicStore) return emitImageBuiltin(e, call);
  if (o <= BuiltinOp::AtomicStore) return emitAtomicBuiltin(e, call);
  if (o <= BuiltinOp::MemoryBarrierScope) return emitBarrierBuiltin(e, call);
  if (o <= BuiltinOp::AllInvocationsEqual) return emitSubgroupBuiltin(e, call);
  return emitOtherBuiltin(e, call);
}

}  // namespace coopc::emit
