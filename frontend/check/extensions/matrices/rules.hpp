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
/// The scalar type that a spirv_type names by its number, as component of matrices and vectors; other types
/// as they are. The types are the same, so the requirements stated with it are recorded for the module as a
/// whole.
TypeId scalarOfSpirvType(Program& program, TypeId type);
/// The clause about the parameters of the type that the keyword begins, or about their grammar.
std::string_view typeParametersClause(Tok keyword, bool grammar);
/// coopmat<...>, tensorLayoutNV<...>, tensorViewNV<...>, coopvecNV<...>, vector<...>: checks parameters,
/// kErrorType after a report.
TypeId checkTypeArguments(Checker& c, Tok keyword, std::span<const TypeArgument> args, SourceLoc loc);
/// The same for tensorARM<...> (tensors.cpp).
TypeId checkTensorType(Checker& c, std::span<const TypeArgument> args, SourceLoc loc);
/// Arithmetic with a cooperative matrix or vector as operand; `op` is a plain binary operator (that of an
/// assignment is checked first).
ExprId checkMatrixBinary(Checker& c, ExprOp op, ExprId left, ExprId right, SourceLoc loc);
ExprId checkMatrixUnary(Checker& c, ExprOp op, ExprId operand, SourceLoc loc);
/// coopmat<...>(x), coopvecNV<...>(...).
ExprId checkMatrixConstruct(Checker& c, TypeId type, std::span<const ExprId> args, SourceLoc loc);
/// Built-in calls whose overloads are not tables: coopMat*, tensor*ARM, create*, set*, slice*. The callee's
/// name is for messages.
ExprId checkMatrixCall(Checker& c, BuiltinOp op, NameId name, std::span<const ExprId> args, SourceLoc loc);
/// Whether a type with matrix or tensor parts may be used for this storage (KHR 4.1.X; decision 11); false
/// after a report.
bool checkMatrixStorage(Checker& c, TypeId type, Storage storage, SourceLoc loc, std::string_view what);
/// Checks at the end of the text: rules of the call graph (callbacks not recursive, no tangled instructions),
/// workgroup scope needs a local size, ...
void checkMatrixProgram(Checker& c);
/// Warns there of strides that are too small for the dimensions of a tensor layout (tensor_strides.cpp).
void warnTensorStrides(Checker& c);

}  // namespace coopc::frontend
