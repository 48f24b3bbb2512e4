// Shared by the matrix rules: constants of type parameters, arguments of calls, texts for messages.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "frontend/check/checker.hpp"
#include "frontend/check/expressions.hpp"

namespace coopc::frontend {

constexpr uint32_t kMaxTensorDimensions = 5;  ///< GL_NV_cooperative_matrix2, 4.1.X

enum MatrixUse : uint32_t { kMatrixUseA = 0, kMatrixUseB = 1, kMatrixUseAccumulator = 2 };

/// Parameters of a CoopMat type, each a literal or a specialization constant.
struct MatrixParameters {
  ConstId scope, rows, columns, use;
};
MatrixParameters matrixParameters(const Program& program, TypeId matrix);
inline bool isCoopMat(const Checker& c, TypeId t) { return c.program.types.kind(t) == TypeKind::CoopMat; }
inline bool isMatrixLike(const Checker& c, TypeId t) {
  const TypeKind k = c.program.types.kind(t);
  return k == TypeKind::CoopMat || k == TypeKind::CoopMatNV || k == TypeKind::CoopVec;
}
inline TypeId componentType(const Checker& c, TypeId t) { return basicType(c.type(t).scalar); }
/// Whether the type's use is the literal `use`; false if it is another one or a specialization constant.
bool hasUse(const Checker& c, TypeId matrix, MatrixUse use);
/// Whether a constructor converts between the uses of two matrix types: the uses are equal, or the enabled
/// extensions allow it.
bool useConverts(const Checker& c, TypeId from, TypeId to);
std::string useText(const Checker& c, TypeId matrix);
std::string constText(const Checker& c, ConstId id);

/// Dim of a tensor layout or view type (decision 26: the default of a specialization constant); 0 if unknown.
uint32_t tensorDimensions(const Checker& c, TypeId tensor);

/// Reports an error that the rules of modules also forbid: validator/rules.def names the kind. True if the
/// caller must give up. With checks off, the report is a warning and the caller continues as if there were no
/// error, so that the validator sees it.
template <DiagArgKind... Kinds>
bool forbid(Checker& c, DiagKindOf<Kinds...> kind, SourceLoc loc, const DiagArgs<Kinds...>& args) {
  c.diagnostics.report(kind, loc, args, c.options.checksOff);
  return !c.options.checksOff;
}
inline bool forbid(Checker& c, DiagKindOf<> kind, SourceLoc loc) {
  c.diagnostics.report(kind, loc, c.options.checksOff);
  return !c.options.checksOff;
}
/// The same, for adding notes; the caller checks c.options.checksOff itself.
template <DiagArgKind... Kinds>
DiagBuilder reportForbidden(Checker& c, DiagKindOf<Kinds...> kind, SourceLoc loc,
                            const DiagArgs<Kinds...>& args) {
  return c.diagnostics.report(kind, loc, args, c.options.checksOff);
}

/// Reports a wrong number of arguments.
bool requireArgumentCount(Checker& c, NameId name, std::span<const ExprId> args, uint32_t min, uint32_t max,
                          SourceLoc loc);
/// Whether an error in one of the arguments has been reported already.
bool anyError(const Checker& c, std::span<const ExprId> args);
/// Reports "argument N of `f` must be WHAT, not `TYPE`".
ExprId badArgument(Checker& c, NameId name, uint32_t index, std::string_view what, ExprId arg);
/// The same for a rule that modules also have; true if the caller must give up.
bool forbidArgument(Checker& c, NameId name, uint32_t index, std::string_view what, ExprId arg);
/// Converts an argument implicitly to uint, but keeps int (decision 6: offsets keep their bits); none after a
/// report.
ExprId uintArgument(Checker& c, NameId name, uint32_t index, ExprId arg);
/// The same for offsets in memory, which may have 64 bits with GL_EXT_shader_64bit_indexing.
ExprId offsetArgument(Checker& c, NameId name, uint32_t index, ExprId arg);
/// The storage of the root of a `buf` argument; StorageBlock for buffer references. None after a report.
std::optional<Storage> requireBuffer(Checker& c, NameId name, uint32_t index, ExprId buffer, bool anyElement);
ExprId makeCall(Checker& c, BuiltinOp op, TypeId type, std::span<const ExprId> args, SourceLoc loc);
/// The value of an argument that is an integer constant; none if it depends on specialization constants.
std::optional<int64_t> literalArgument(const Checker& c, ExprId arg);

/// Callback parameters of the three kinds (callbacks.cpp). They return the chosen overload; none after a
/// report.
struct CallbackContract {
  std::string_view kind;  ///< "decode function", "combine function", "per-element function"
  BuiltinOp op;
  TypeId component;               ///< result type, and the type of elements
  std::span<const TypeId> extra;  ///< per element: types of further parameters
  std::span<const ExprId> args;   ///< per element: all arguments; the further ones follow the third
  uint32_t dimensions = 0;        ///< decode: length of the coordinate arrays; 0 if unknown
  bool vectorResult = false;      ///< decode vector function: returns 2, 4 or 8 components
};
FnId checkCallback(Checker& c, NameId callee, uint32_t index, ExprId arg, const CallbackContract& contract);

/// The calls, by topic; `name` is for messages.
ExprId checkMatrixLoadStore(Checker& c, BuiltinOp op, NameId name, std::span<const ExprId> args,
                            SourceLoc loc);
ExprId checkMatrixMulAdd(Checker& c, NameId name, std::span<const ExprId> args, SourceLoc loc);
ExprId checkMatrixReduce(Checker& c, NameId name, std::span<const ExprId> args, SourceLoc loc);
ExprId checkMatrixPerElement(Checker& c, NameId name, std::span<const ExprId> args, SourceLoc loc);
ExprId checkMatrixTranspose(Checker& c, BuiltinOp op, NameId name, std::span<const ExprId> args,
                            SourceLoc loc);
ExprId checkMatrixGetCoordinate(Checker& c, NameId name, std::span<const ExprId> args, SourceLoc loc);
ExprId checkMatrixSaturatedConvert(Checker& c, NameId name, std::span<const ExprId> args, SourceLoc loc);
/// GL_QCOM_cooperative_matrix_conversion (arrays.cpp).
ExprId checkArrayConversion(Checker& c, BuiltinOp op, NameId name, std::span<const ExprId> args,
                            SourceLoc loc);
ExprId checkTensorLoadStore(Checker& c, BuiltinOp op, NameId name, std::span<const ExprId> args,
                            SourceLoc loc);
ExprId checkTensorValue(Checker& c, BuiltinOp op, NameId name, std::span<const ExprId> args, SourceLoc loc);
/// GL_ARM_tensors (tensors.cpp).
ExprId checkTensorAccess(Checker& c, BuiltinOp op, NameId name, std::span<const ExprId> args, SourceLoc loc);
ExprId checkTensorSize(Checker& c, NameId name, std::span<const ExprId> args, SourceLoc loc);

/// GL_NV_cooperative_vector and GL_NV_cooperative_matrix.
ExprId checkVectorCall(Checker& c, BuiltinOp op, NameId name, std::span<const ExprId> args, SourceLoc loc);

/// The byte offset of an l-value inside its buffer, if constants determine it (decision 15).
std::optional<uint64_t> constantBufferOffset(const Checker& c, ExprId buffer);

}  // namespace coopc::frontend
