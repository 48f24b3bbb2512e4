// Typed expressions: every function checks its operands against the specification, applies implicit
// conversions, folds constants and returns the node. If an operand is an error node, the result is one as
// well, without a report. `loc` is the operator's or the name's place.
#pragma once

#include <span>

#include "frontend/check/checker.hpp"

namespace coopc::frontend {

/// An identifier used as a value (3.8, 4.2.2): variables, block members, constants, built-in variables and
/// constants. A function's name gives ExprOp::FunctionName (legal only as a built-in's argument; callers
/// check with requireValue).
ExprId checkName(Checker& c, NameId name, SourceLoc loc);

ExprId checkUnary(Checker& c, ExprOp op, ExprId operand,
                  SourceLoc loc);  ///< Negate, Plus, BitNot, LogicalNot, Pre/Post Inc/Decrement
ExprId checkBinary(Checker& c, ExprOp op, ExprId left, ExprId right,
                   SourceLoc loc);  ///< Add .. LogicalXor, Comma
ExprId checkAssign(Checker& c, ExprOp op, ExprId left, ExprId right,
                   SourceLoc loc);  ///< Assign and the compound ones
ExprId checkSelect(Checker& c, ExprId condition, ExprId a, ExprId b, SourceLoc loc);

/// `base.field`: members, swizzles (also of scalars, 5.5), through references. `loc` is the field's place.
ExprId checkField(Checker& c, ExprId base, NameId field, SourceLoc loc);
/// `base.length()` (4.1.9, 5.4.5 and the matrix extensions), folded if the size is known.
ExprId checkMethod(Checker& c, ExprId base, NameId method, std::span<const ExprId> args, SourceLoc loc);
/// `base[index]` (5.5 to 5.7, buffer_reference2, cooperative matrices); constants out of range are errors
/// where the text says so.
ExprId checkIndex(Checker& c, ExprId base, ExprId index, SourceLoc loc);

/// `(type)operand` (GL_NV_explicit_typecast, 5.11): the constructor with one argument.
ExprId checkTypecast(Checker& c, TypeId type, ExprId operand, SourceLoc loc);
/// Constructors (5.4) of every type, initializer lists included (`braces`: 4.1.11: exact counts, no
/// flattening). For an unsized array type the result's type has the size.
ExprId checkConstruct(Checker& c, TypeId type, std::span<const ExprId> args, SourceLoc loc,
                      bool braces = false);

/// `name(args)`: user functions and built-ins by the ranking of 6.1; user types are the parser's
/// checkConstruct.
ExprId checkCall(Checker& c, NameId name, std::span<const ExprId> args, SourceLoc loc);

/// Whether GLSL converts `from` to `to` implicitly (4.1.10, with the explicit arithmetic types' table).
bool implicitlyConverts(const Checker& c, TypeId from, TypeId to);
/// Converts, or returns none without a report if there is no implicit conversion.
ExprId convertImplicitly(Checker& c, ExprId value, TypeId to);
/// The same with the diagnostic; `what` names the place: "initializer", "argument 2 of `f`", "return value".
ExprId convertOrReport(Checker& c, ExprId value, TypeId to, SourceLoc loc, std::string_view what);
/// An explicit component-wise conversion to the same shape; checks nothing, folds constants.
ExprId makeConvert(Checker& c, ExprId value, TypeId to);

/// Reports an error if `value` is not a value (a function name, void, or opaque unless the caller allows
/// that). `tolerated`: a read of `writeonly` memory is only a warning (decision 29), because the same
/// operator writes it back (`|=`, `++`) or because it is an argument of a function.
bool requireValue(Checker& c, ExprId value, bool tolerated = false);
/// Warns about a statement that is a call of a built-in on matrices or tensors without side effects.
void warnUnusedResult(Checker& c, ExprId statement);
/// Reports an error if `target` is not an l-value that may be written (5.8): const, readonly, swizzle with
/// duplicates, ...
bool requireLvalue(Checker& c, ExprId target, SourceLoc loc, std::string_view what);
/// A constant integral expression (4.3.3) as a ConstId (specialization constants allowed where `allowSpec`),
/// or none after a report.
ConstId requireConstantInteger(Checker& c, ExprId value, std::string_view what, bool allowSpec);
/// A scalar bool condition, converted or reported.
ExprId checkCondition(Checker& c, ExprId condition, SourceLoc loc);

/// The variable at the root of an l-value chain (Member, Index, Swizzle), or none (references: none).
VarId rootVariable(const Program& program, ExprId e);
/// Memory qualifiers of an access through this l-value: of its variable, blocks and members combined.
uint32_t accessQualifiers(const Program& program, ExprId e);
/// For an access that `qualifier` (kQualReadonly, kQualWriteonly) forbids: whether only the block that a
/// reference points to has the qualifier. It then does not apply (GL_EXT_buffer_reference, 4.3.9): a warning
/// is reported, and the block's memory is declared without it (StructInfo::contradicted). If no access
/// contradicts it, the qualifier stays a promise to the driver.
bool contradictsReferenceBlock(Checker& c, ExprId e, uint32_t qualifier);
/// The precision of an expression (4.7.3): None for literals and types without precision (bool, 64-bit, ...).
Precision expressionPrecision(const Program& program, ExprId e);

/// One dimension of gl_WorkGroupSize: a uint; a specialization constant if local_size_*_id was given.
ConstId localSizeConstant(Program& program, Names& names, uint32_t dimension, SourceLoc loc);

}  // namespace coopc::frontend
