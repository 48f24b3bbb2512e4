// Expressions of the typed program: what each operation's operands are, told by the functions that make and read nodes.
// A node is 20 bytes; its two words mean something else for each operation, so that only these functions read them.
#pragma once

#include <cassert>
#include <cstdint>

#include "frontend/base/source.hpp"
#include "frontend/language/builtin_op.hpp"
#include "frontend/language/ids.hpp"
#include "frontend/language/names.hpp"
#include "frontend/language/types.hpp"

namespace coopc::frontend {

/// Operand types were made equal by explicit Convert nodes where GLSL's implicit conversions apply; shapes may still
/// differ where GLSL allows it (scalar with vector or matrix). What the operands are: operandsOf() and Expr's functions.
enum class ExprOp : uint8_t {
  Error,
  Constant,  ///< specialization constants and their expressions included
  Variable,  ///< an l-value unless the variable is constant
  Member,    ///< of a structure, block or Reference value
  Index,  ///< of an array, vector, matrix, cooperative matrix or vector; of a Reference: pointer arithmetic
          ///< (buffer_reference2), the index is an int64_t then, the result a reference, nothing is accessed
  Swizzle,       ///< of a vector or scalar
  FunctionName,  ///< the identifier of a function passed to a built-in
  // --- Unary
  Negate,
  Plus,
  BitNot,
  LogicalNot,
  Convert,  ///< component-wise conversion to `type` (same shape), coopmat/coopvec too; Reference <-> uint64_t/uvec2 too
  PreIncrement,
  PreDecrement,
  PostIncrement,
  PostDecrement,
  ArrayLength,    ///< of an l-value of a runtime-sized array; int
  CoopMatLength,  ///< of a type (specialization dependent): int, or uint by its type
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
  NotEqual,  ///< Equal/NotEqual: any type, one bool
  LogicalAnd,
  LogicalOr,  ///< short-circuit
  LogicalXor,
  Comma,
  Assign,     ///< the value has the type of the l-value
  AddAssign,  ///< AddAssign, SubAssign of a Reference l-value: the value is an int64_t, in elements
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
  Select,  ///< condition (bool), value, value; any type
  /// Vectors: components in order (scalars, vectors, matrices: flattened, exact count after Convert; the rest of a matrix that is
  /// the last item is dropped); matrices: likewise, by columns; structs and arrays: a value for each member. Not for scalars.
  Construct,
  Splat,           ///< a scalar to every component of vector `type`, coopmat or coopvec
  MatrixDiagonal,  ///< a scalar on the diagonal, 0 elsewhere
  MatrixResize,    ///< of a matrix of the same component type, other shape: identity where there is no source
  SampledImage,    ///< texture, sampler
  Call,
  CallBuiltin,
  String,    ///< an argument of debugPrintfEXT
  Decorate,  ///< `spirv_decorate(...)(value)`
};

/// How many operands that are expressions an operation has.
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
/// The plain operator of a compound assignment, Error for others.
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
constexpr bool isIncrement(ExprOp op) { return op >= ExprOp::PreIncrement && op <= ExprOp::PostDecrement; }
/// Whether it stands for a part of its first operand: chains of these lead from an access to what is accessed.
constexpr bool isAccess(ExprOp op) {
  return op == ExprOp::Member || op == ExprOp::Index || op == ExprOp::Swizzle;
}

enum ExprFlags : uint8_t {
  kExprLvalue = 1,      ///< may stand on the left side of an assignment, as far as its kind goes
  kExprRelaxed = 2,     ///< mediump or lowp operation: RelaxedPrecision
  kExprNonUniform = 4,  ///< nonuniformEXT flows through
  kExprSideEffects = 8,
  kExprParenthesized = 16,
  kExprHighp = 32,  ///< has the precision highp (neither this nor kExprRelaxed: no precision, as literals)
};

/// What every expression has, whatever its operation is.
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

  /// Making nodes. Those with lists of operands: Program::addSelect and its neighbours.
  static constexpr Expr error(SourceLoc loc) { return {ExprOp::Error, {kErrorType, 0, loc}, 0, 0}; }
  /// `name`: the variable that names the constant, or none.
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
  /// `selection`: count | s0 << 4 | s1 << 8 | s2 << 12 | s3 << 16.
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
  /// All others of Operands::One and Operands::Two.
  static constexpr Expr unary(ExprOp op, const ExprHead& h, ExprId operand) {
    assert(operandsOf(op) == Operands::One && !isAccess(op) && op != ExprOp::Decorate);
    return {op, h, operand.index(), 0};
  }
  static constexpr Expr binary(ExprOp op, const ExprHead& h, ExprId left, ExprId right) {
    assert(operandsOf(op) == Operands::Two && op != ExprOp::Index);
    return {op, h, left.index(), right.index()};
  }

  // --- Reading them
  constexpr ConstId constant() const { return ConstId(a(ExprOp::Constant)); }
  constexpr VarId constantName() const { return VarId(b(ExprOp::Constant)); }  ///< none where it has no name
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

  /// Resolves the name of an overloaded function to one of them.
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

  uint32_t a_ = 0;  ///< first operand; lists: where it starts in Program's
  uint32_t b_ = 0;  ///< second operand; lists: count; Call: the function
};
static_assert(sizeof(Expr) == 20);

}  // namespace coopc::frontend
