// Passes a call of a built-in function to its topic, according to the group of its operation.
#include "emit/builtins/builtins.hpp"

#include "emit/builtins/topics.hpp"
#include "emit/cooperative_matrix.hpp"

namespace coopc::emit {

using frontend::BuiltinGroup;

Id emitBuiltin(Emitter& e, ExprId call) {
  switch (frontend::builtinGroup(e.expr(call).builtin())) {
    case BuiltinGroup::Math: return emitMathBuiltin(e, call);
    case BuiltinGroup::Texture: return emitTextureBuiltin(e, call);
    case BuiltinGroup::TextureExtension: return emitTextureExtension(e, call);
    case BuiltinGroup::Image:
    case BuiltinGroup::ImageAtomic: return emitImageBuiltin(e, call);
    case BuiltinGroup::Atomic: return emitAtomicBuiltin(e, call);
    case BuiltinGroup::Barrier:
    case BuiltinGroup::SubgroupBarrier: return emitBarrierBuiltin(e, call);
    case BuiltinGroup::Subgroup:
    case BuiltinGroup::Reduction: return emitSubgroupBuiltin(e, call);
    case BuiltinGroup::CoopMat:
    case BuiltinGroup::CoopMatElement:
    case BuiltinGroup::Tensor:
    case BuiltinGroup::CoopMatNV:
    case BuiltinGroup::CoopVec: return emitMatrixBuiltin(e, e.expr(call));
    case BuiltinGroup::Amd: return emitAmdBuiltin(e, call);
    case BuiltinGroup::TensorAccess: return emitTensorBuiltin(e, call);
    case BuiltinGroup::Hint: return emitHint(e, call);
    case BuiltinGroup::Vertex: return emitPrimitiveBuiltin(e, call);
    case BuiltinGroup::IntegerDot: return emitDotProduct(e, call);
    case BuiltinGroup::FloatEncoding: return emitFloatEncoding(e, call);
    case BuiltinGroup::Derivative: return emitDerivative(e, call);
    case BuiltinGroup::Interpolation: return emitInterpolation(e, call);
    case BuiltinGroup::None:
    case BuiltinGroup::RayTracing:
    case BuiltinGroup::RayQuery: break;
  }
  return emitInstructionRow(e, call);
}

}  // namespace coopc::emit
