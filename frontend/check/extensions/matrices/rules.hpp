// The rules of GL_KHR_cooperative_matrix, GL_NV_cooperative_matrix2 and the tensor types, as hooks that the
// parser and the expression checks call. Every rule cites its clause through its diagnostic kind
// (frontend/base/kinds/matrix.def).
#pragma once

#include <span>

#include "frontend/check/checker.hpp"

namespace coopc::frontend {

/// One parameter between `<` and `>`: a type or a constant expression.
struct TypeArgument {
  TypeId type = kErrorType;  ///< the type, if it is one (isType)
  ExprId value;
  bool isType = false;
  SourceLoc loc;
  bool byNumber = false;  ///< the type is a spirv_type's scalar
};
/// The scalar type that a spirv_type names by number, as a component of matrices and vectors; other types are
/// returned as they are. Both are the same type, so the requirements that the spirv_type states are recorded
/// for the module as a whole.
TypeId scalarOfSpirvType(Program& program, TypeId type);
/// The clause for the parameters of the type that the keyword begins; `grammar`: for their grammar.
std::string_view typeParametersClause(Tok keyword, bool grammar);
/// coopmat<...>, tensorLayoutNV<...>, tensorViewNV<...>, coopvecNV<...>, vector<...>: checks parameters,
/// kErrorType after a report.
TypeId checkTypeArguments(Checker& c, Tok keyword, std::span<const TypeArgument> args, SourceLoc loc);
/// The same for tensorARM<...> (tensors.cpp).
TypeId checkTensorType(Checker& c, std::span<const TypeArgument> args, SourceLoc loc);
/// Arithmetic with a cooperative matrix or vector operand. `written` is a binary operator or a compound
/// assignment. The result is the operation's value, without the assignment.
ExprId checkMatrixBinary(Checker& c, ExprOp written, ExprId left, ExprId right, SourceLoc loc);
ExprId checkMatrixUnary(Checker& c, ExprOp op, ExprId operand, SourceLoc loc);
/// coopmat<...>(x), coopvecNV<...>(...).
ExprId checkMatrixConstruct(Checker& c, TypeId type, std::span<const ExprId> args, SourceLoc loc);
/// Calls of built-in functions whose overloads are not in tables: coopMat*, tensor*ARM, create*, set*,
/// slice*. The name is for messages.
ExprId checkMatrixCall(Checker& c, BuiltinOp op, NameId name, std::span<const ExprId> args, SourceLoc loc);
/// Whether a type with matrix or tensor parts may be used for this storage (KHR 4.1.X; decision 11); false
/// after a report.
bool checkMatrixStorage(Checker& c, TypeId type, Storage storage, SourceLoc loc, std::string_view what);
/// Checks at the end of the text: rules of the call graph (callbacks are not recursive and have no tangled
/// instructions), workgroup scope needs a local size, ...
void checkMatrixProgram(Checker& c);
/// Warns at the end of the text about strides that are too small for the dimensions of a tensor layout
/// (tensor_strides.cpp).
void warnTensorStrides(Checker& c);

}  // namespace coopc::frontend
