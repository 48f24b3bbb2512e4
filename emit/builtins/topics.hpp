// The topics of built-in functions, one for each BuiltinGroup: each evaluates the operands of the call and
// returns its value. Helpers that several topics use are here too.
#pragma once

#include "emit/emitter.hpp"

namespace coopc::emit {

Id emitMathBuiltin(Emitter& e, ExprId call);     ///< math.cpp: GLSL 8.1 to 8.8
Id emitTextureBuiltin(Emitter& e, ExprId call);  ///< textures.cpp: 8.9, sparse look-ups
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
/// other.cpp: a statement whose call ends the block, abortEXT or EmitMeshTasksEXT.
void emitEndingCall(Emitter& e, ExprId call);
Id emitOtherBuiltin(Emitter& e, ExprId call);  ///< other.cpp: clocks, hints, dot products, encodings

}  // namespace coopc::emit
