// Cooperative matrices and tensor values: the instructions for GL_KHR_cooperative_matrix,
// GL_NV_cooperative_matrix2 and GL_EXT_cooperative_matrix_maintenance1. Operators are in operators.cpp, types
// in types.cpp.
#pragma once

#include "emit/emitter.hpp"

namespace coopc::emit {

/// The value of a call, none for those without a result. Arguments are evaluated from left to right.
Id emitMatrixBuiltin(Emitter& e, const Expr& call);
/// The same for GL_NV_cooperative_vector and GL_NV_cooperative_matrix (cooperative_vector.cpp).
Id emitVectorBuiltin(Emitter& e, const Expr& call);
/// Component-wise conversion between cooperative matrix types, which may change the use at the same time.
Id convertMatrix(Arithmetic& a, Id matrix, TypeId from, TypeId to);
/// saturatedConvertEXT: the same, with a decoration on the instruction that changes the components.
Id convertMatrixSaturated(Arithmetic& a, Id matrix, TypeId from, TypeId to);

}  // namespace coopc::emit
