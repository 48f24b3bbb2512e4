// Expressions of the typed program. A node is 20 bytes. The meaning of its two operand words depends on the
// operation, so nodes are made and read only through functions that name the operands.
#pragma once

#include <cassert>
#include <cstdint>

#include "frontend/base/source.hpp"
#include "frontend/language/builtins/op.hpp"
#include "frontend/language/ids.hpp"
#include "frontend/language/names.hpp"
#include "frontend/language/types.hpp"

namespace coopc::frontend {

/// The operations. Where GLSL converts implicitly, explicit Convert nodes have made the operands' component
/// types equal; shapes may still differ where GLSL allows it (a scalar with a vector or matrix). operandsOf()
/// gives the number of operands; Expr's functions name them.
enum class ExprOp : uint8_t {
  Error,
  Constant,  ///< or a specialization constant, or an expression of specialization constants
  Variable,  ///< an l-value unless the variable is constant
  Member,    ///< of a structure, a block, or the block that a Reference value refers to
  /// of an array, vector, matrix, cooperative matrix or cooperative vector. Indexing a Reference is pointer
  /// arithmetic (GL_EXT_buffer_reference2): the index is an int64_t, the result a reference, and nothing is
  /// accessed
  Index,
  Swizzle,       ///< of a vector or scalar
  FunctionName,  ///< the identifier of a function passed to a built-in
  // --- Unary
  Negate,
  Plus,
  BitNot,
  LogicalNot,
  /// component-wise to `type`, of the same shape, for coopmat and coopvec too; or between a Reference and a
  /// uint64_t or uvec2
  Convert,
  PreIncrement,
  PreDecrement,
  PostIncrement,
  PostDecrement,
  ArrayLength,    ///< length() of a runtime-sized array, which is an l-value; an int
  CoopMatLength,  ///< length() of a matrix type, known only to the device; an int or a uint
  // --- Binary
  Add,
  Sub,
  Mul,
  Div,
  Mod,
  ShiftLeft,
  ShiftRight,
  BitAnd,
  BitOr,
  BitXor,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Equal,
  NotEqual,    ///< like Equal, takes operands of any type and gives one bool
  LogicalAnd,  ///< like LogicalOr, evaluates its right operand only if that decides the result
  LogicalOr,
  LogicalXor,
  Comma,
  Assign,  ///< the value has the type of the l-value
  /// like SubAssign, may have a Reference on the left; the right operand is an int64_t then, in elements
  AddAssign,
  SubAssign,
  MulAssign,
  DivAssign,
  ModAssign,
  ShiftLeftAssign,
  ShiftRightAssign,
  AndAssign,
  OrAssign,
  XorAssign,
  // --- Lists
  Select,  ///< `condition ? value : value`, of any type; the condition is a bool
  /// A vector: the components of its operands (scalars, vectors, matrices) in order; only a last operand that
  /// is a matrix may have more than are needed. A matrix: the same, column by column. A structure or an
  /// array: a value for each member or element. Never a scalar.
  Construct,
  Splat,           ///< a vector, coopmat or coopvec whose components all are the scalar operand
  MatrixDiagonal,  ///< a matrix with the scalar operand on its diagonal and 0 elsewhere
  /// of a matrix of another shape; the identity matrix gives the components that the operand lacks
  MatrixResize,
  SampledImage,  ///< texture, sampler
  Call,
  CallBuiltin,
  String,    ///< a string literal, as an argument of debugPrintfEXT
  Decorate,  ///< `spirv_decorate(...)(value)`
};

/// How many operands of an operation are expressions.
enum class Operands : uint8_t { None, One, Two, List };

constexpr Operands operandsOf(ExprOp op) {
  switch (op) {
    case ExprOp::Error:
    case ExprOp::Constant:
    case ExprOp::Variable:
    case ExprOp::FunctionName:
    case ExprOp::CoopMatLength:
    case ExprOp::String: return Operands::None;
    case ExprOp::Member:
    case ExprOp::Swizzle:
    case ExprOp::Negate:
    case ExprOp::Plus:
    case ExprOp::BitNot:
    case ExprOp::LogicalNot:
    case ExprOp::Convert:
    case ExprOp::PreIncrement:
    case ExprOp::PreDecrement:
    case ExprOp::PostIncrement:
    case ExprOp::PostDecrement:
    case ExprOp::ArrayLength:
    case ExprOp::Splat:
    case ExprOp::MatrixDiagonal:
    case ExprOp::MatrixResize:
    case ExprOp::Decorate: return Operands::One;
    case ExprOp::Select:
    case ExprOp::Construct:
    case ExprOp::SampledImage:
    case ExprOp::Call:
    case ExprOp::CallBuiltin: return Operands::List;
    default: return Operands::Two;
  }
}

constexpr bool isAssignment(ExprOp op) { return op >= ExprOp::Assign && op <= ExprOp::XorAssign; }
/// The operator of a compound assignment: Add for AddAssign. Error for other operations.
constexpr ExprOp plainOperator(ExprOp assign) {
  switch (assign) {
    case ExprOp::AddAssign: return ExprOp::Add;
    case ExprOp::SubAssign: return ExprOp::Sub;
    case ExprOp::MulAssign: return ExprOp::Mul;
    case ExprOp::DivAssign: return ExprOp::Div;
    case ExprOp::ModAssign: return ExprOp::Mod;
    case ExprOp::ShiftLeftAssign: return ExprOp::ShiftLeft;
    case ExprOp::ShiftRightAssign: return ExprOp::ShiftRight;
    case ExprOp::AndAssign: return ExprOp::BitAnd;
    case ExprOp::OrAssign: return ExprOp::BitOr;
    case ExprOp::XorAssign: return ExprOp::BitXor;
    default: return ExprOp::Error;
  }
}
/// The operation that an operator performs: `+` for `+=`, and the operator itself if it does not assign.
constexpr ExprOp operationOf(ExprOp written) {
  return isAssignment(written) ? plainOperator(written) : written;
}
constexpr bool isIncrement(ExprOp op) { return op >= ExprOp::PreIncrement && op <= ExprOp::PostDecrement; }
/// Whether the result is a part of the first operand. A chain of these leads from an access to the object
/// accessed.
constexpr bool isAccess(ExprOp op) {
  return op == ExprOp::Member || op == ExprOp::Index || op == ExprOp::Swizzle;
}

enum ExprFlags : uint8_t {
  kExprLvalue = 1,   ///< designates a place; qualifiers such as const or readonly may still forbid writing it
  kExprRelaxed = 2,  ///< mediump or lowp operation: RelaxedPrecision
  kExprNonUniform = 4,  ///< nonuniformEXT flows through
  kExprSideEffects = 8,
  kExprParenthesized = 16,
  /// highp; expressions with neither this nor kExprRelaxed, such as literals, have no precision
  kExprHighp = 32,
};

/// Members of expressions of every operation.
struct ExprHead {
  TypeId type = kErrorType;
  uint8_t flags = 0;  ///< ExprFlags
  SourceLoc loc;
};

class Expr {
 public:
  ExprOp op = ExprOp::Error;
  uint8_t flags = 0;  ///< ExprFlags

 private:
  uint16_t sub_ = 0;

 public:
  TypeId type = kErrorType;
  SourceLoc loc;

  constexpr Expr() = default;

  /// Functions that make nodes. Nodes with lists of operands are made by Program::addSelect and the functions
  /// after it.
  static constexpr Expr error(SourceLoc loc) { return {ExprOp::Error, {kErrorType, 0, loc}, 0, 0}; }
  /// `name` is the variable through which the constant was named, or none.
  static constexpr Expr constant(const ExprHead& h, ConstId id, VarId name = {}) {
    return {ExprOp::Constant, h, id.index(), name.index()};
  }
  static constexpr Expr variable(const ExprHead& h, VarId id) { return {ExprOp::Variable, h, id.index(), 0}; }
  static constexpr Expr member(const ExprHead& h, ExprId base, uint32_t index) {
    return {ExprOp::Member, h, base.index(), index};
  }
  static constexpr Expr index(const ExprHead& h, ExprId base, ExprId value) {
    return {ExprOp::Index, h, base.index(), value.index()};
  }
  /// `selection` is count | s0 << 4 | s1 << 8 | s2 << 12 | s3 << 16, where s0 to s3 are component indices.
  static constexpr Expr swizzle(const ExprHead& h, ExprId base, uint32_t selection) {
    return {ExprOp::Swizzle, h, base.index(), selection};
  }
  static constexpr Expr functionName(const ExprHead& h, FnId id) {
    return {ExprOp::FunctionName, h, id.index(), 0};
  }
  static constexpr Expr matrixLength(const ExprHead& h, TypeId matrix) {
    return {ExprOp::CoopMatLength, h, 0, matrix.index()};
  }
  static constexpr Expr string(const ExprHead& h, NameId text) {
    return {ExprOp::String, h, text.index(), 0};
  }
  static constexpr Expr decorate(const ExprHead& h, ExprId value, DecorationListId decorations) {
    return {ExprOp::Decorate, h, value.index(), decorations.index()};
  }
  /// All other operations with Operands::One; binary() below makes those with Operands::Two.
  static constexpr Expr unary(ExprOp op, const ExprHead& h, ExprId operand) {
    assert(operandsOf(op) == Operands::One && !isAccess(op) && op != ExprOp::Decorate);
    return {op, h, operand.index(), 0};
  }
  static constexpr Expr binary(ExprOp op, const ExprHead& h, ExprId left, ExprId right) {
    assert(operandsOf(op) == Operands::Two && op != ExprOp::Index);
    return {op, h, left.index(), right.index()};
  }

  // --- Functions that read nodes
  constexpr ConstId constant() const { return ConstId(a(ExprOp::Constant)); }
  constexpr VarId constantName() const { return VarId(b(ExprOp::Constant)); }  ///< none if it has no name
  constexpr VarId variable() const { return VarId(a(ExprOp::Variable)); }
  constexpr ExprId memberBase() const { return ExprId(a(ExprOp::Member)); }
  constexpr uint32_t memberIndex() const { return b(ExprOp::Member); }
  constexpr ExprId indexBase() const { return ExprId(a(ExprOp::Index)); }
  constexpr ExprId indexValue() const { return ExprId(b(ExprOp::Index)); }
  constexpr ExprId swizzleBase() const { return ExprId(a(ExprOp::Swizzle)); }
  constexpr uint32_t swizzleSelection() const { return b(ExprOp::Swizzle); }
  constexpr ExprId accessBase() const {  // of isAccess()
    assert(isAccess(op));
    return ExprId(a_);
  }
  constexpr FnId functionName() const { return FnId(a(ExprOp::FunctionName)); }
  constexpr TypeId lengthOf() const { return TypeId(b(ExprOp::CoopMatLength)); }
  constexpr NameId string() const { return NameId(a(ExprOp::String)); }
  constexpr DecorationListId decorations() const { return DecorationListId(b(ExprOp::Decorate)); }
  constexpr ExprId operand() const {  // the only one
    assert(operandsOf(op) == Operands::One);
    return ExprId(a_);
  }
  constexpr ExprId left() const {  // of assignments: the l-value
    assert(operandsOf(op) == Operands::Two);
    return ExprId(a_);
  }
  constexpr ExprId right() const {
    assert(operandsOf(op) == Operands::Two);
    return ExprId(b_);
  }
  constexpr ExprId written() const {  // the l-value of isAssignment() and isIncrement()
    assert(isAssignment(op) || isIncrement(op));
    return ExprId(a_);
  }
  constexpr BuiltinOp builtin() const {
    assert(op == ExprOp::CallBuiltin);
    return static_cast<BuiltinOp>(sub_);
  }

  /// Replaces the function by the overload that was chosen.
  constexpr void setFunctionName(FnId id) {
    assert(op == ExprOp::FunctionName);
    a_ = id.index();
  }

 private:
  friend class Program;

  constexpr Expr(ExprOp o, const ExprHead& h, uint32_t a, uint32_t b, uint16_t sub = 0)
      : op(o), flags(h.flags), sub_(sub), type(h.type), loc(h.loc), a_(a), b_(b) {}
  constexpr uint32_t a([[maybe_unused]] ExprOp of) const {
    assert(op == of);
    return a_;
  }
  constexpr uint32_t b([[maybe_unused]] ExprOp of) const {
    assert(op == of);
    return b_;
  }

  uint32_t a_ = 0;  ///< the first operand, or where a list of operands starts in Program's lists
  uint32_t b_ = 0;  ///< the second operand, or the number of operands in the list; Call: the function
};
static_assert(sizeof(Expr) == 20);

}  // namespace coopc::frontend
