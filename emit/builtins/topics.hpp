// The topics of built-in functions, one for each BuiltinGroup: each evaluates the operands of the call and
// returns its value. Helpers that several topics use are here too.
#pragma once

#include "emit/emitter.hpp"

namespace coopc::emit {

Id emitMathBuiltin(Emitter& e, ExprId call);     ///< math.cpp: GLSL 8.1 to 8.8
Id emitTextureBuiltin(Emitter& e, ExprId call);  ///< textures.cpp: 8.9, sparse lookups
/// texture_extensions.cpp: footprints, fragment masks, filters and block matching
Id emitTextureExtension(Emitter& e, ExprId call);
Id emitImageBuiltin(Emitter& e, ExprId call);     ///< images.cpp: 8.12
Id emitAtomicBuiltin(Emitter& e, ExprId call);    ///< atomics.cpp: 8.11
Id emitBarrierBuiltin(Emitter& e, ExprId call);   ///< barriers.cpp: 8.16, 8.17, subgroup barriers
Id emitSubgroupBuiltin(Emitter& e, ExprId call);  ///< subgroups.cpp
Id emitAmdBuiltin(Emitter& e, ExprId call);       ///< amd.cpp
Id emitTensorBuiltin(Emitter& e, ExprId call);    ///< tensors.cpp: GL_ARM_tensors
/// abort.cpp: abortEXT, which ends the block.
void emitAbort(Emitter& e, ExprId call);
Id emitHint(Emitter& e, ExprId call);              ///< hints.cpp: clocks, debug output
Id emitDotProduct(Emitter& e, ExprId call);        ///< dot_products.cpp
Id emitFloatEncoding(Emitter& e, ExprId call);     ///< float_encodings.cpp
Id emitDerivative(Emitter& e, ExprId call);        ///< derivatives.cpp
Id emitInterpolation(Emitter& e, ExprId call);     ///< derivatives.cpp
Id emitPrimitiveBuiltin(Emitter& e, ExprId call);  ///< primitives.cpp: vertices, primitives, mesh workgroups
/// primitives.cpp: a statement whose call ends the block, abortEXT or EmitMeshTasksEXT.
void emitEndingCall(Emitter& e, ExprId call);
/// The same within an expression: a block that is never reached follows.
Id emitEndingValue(Emitter& e, ExprId call);
/// instruction_rows.cpp: a function that is one instruction, by its row of extensions.def.
Id emitInstructionRow(Emitter& e, ExprId call);
/// An instruction without a result over the call's arguments.
Id emitStatement(Emitter& e, ExprId call, spv::Op opcode);

}  // namespace coopc::emit
