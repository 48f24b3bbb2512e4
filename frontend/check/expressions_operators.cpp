// Operators (GLSL 4.60, 5.8 to 5.10): unary, binary and assignment operators on scalars, vectors, matrices,
// references; equality, `?:` and `,` on everything that has them.
//
// A binary operator is planned first: the types to which the operands are converted, and the type of the
// result. Plain operators and compound assignments share the plan. Cooperative matrices and vectors go to
// check/extensions/matrices/rules.
#include "frontend/check/declarations.hpp"
#include "frontend/check/expressions_common.hpp"
#include "frontend/check/extensions/matrices/rules.hpp"
#include "frontend/program/block_layout.hpp"
#include "frontend/program/constant_values.hpp"
#include "frontend/program/type_queries.hpp"

namespace coopc::frontend {

namespace {

// Notes an operand that an operator reads before it writes it.
void noteRead(Checker& c, ExprId operand) {
  if (const VarId v = rootVariable(c.program, operand); v && c.program.variables[v].unwritten)
    c.unwritten.readToo(rootExpression(c.program, operand));
}

bool isArithmetic(ExprOp op) {
  return op == ExprOp::Add || op == ExprOp::Sub || op == ExprOp::Mul || op == ExprOp::Div;
}
bool isShift(ExprOp op) { return op == ExprOp::ShiftLeft || op == ExprOp::ShiftRight; }
bool isRelational(ExprOp op) {
  return op == ExprOp::Less || op == ExprOp::LessEqual || op == ExprOp::Greater || op == ExprOp::GreaterEqual;
}
bool isLogical(ExprOp op) {
  return op == ExprOp::LogicalAnd || op == ExprOp::LogicalOr || op == ExprOp::LogicalXor;
}
bool isEquality(ExprOp op) { return op == ExprOp::Equal || op == ExprOp::NotEqual; }

struct Plan {
  TypeId left = kErrorType;   // what the left operand converts to
  TypeId right = kErrorType;  // the same
  TypeId result = kErrorType;
};

std::string_view relationalFunction(ExprOp op) {
  switch (op) {
    case ExprOp::Less: return "lessThan";
    case ExprOp::LessEqual: return "lessThanEqual";
    case ExprOp::Greater: return "greaterThan";
    default: return "greaterThanEqual";
  }
}

// Explains why an operator is not defined for a type that is not a scalar, vector or matrix.
void reportNoShape(Checker& c, std::string_view op, TypeId type, SourceLoc loc) {
  switch (c.program.types.kind(type)) {
    case TypeKind::Array:
    case TypeKind::Struct: c.report(DiagKind::AggregateOperand, loc, {op, c.typeText(type)}); return;
    case TypeKind::Reference: {
      DiagBuilder report = c.report(DiagKind::ReferenceOperand, loc, {op, c.typeText(type)});
      if (op == "==" || op == "!=")
        report.note({}, "convert both to `uint64_t` or `uvec2` to compare addresses");
      return;
    }
    default: c.report(DiagKind::OpaqueOperand, loc, {op, c.typeText(type)}); return;
  }
}

bool reportNoCommonType(Checker& c, ExprOp op, TypeId a, TypeId b, SourceLoc loc) {
  DiagBuilder report =
      c.report(DiagKind::NoCommonType, loc, {operatorText(op), c.typeText(a), c.typeText(b)});
  const TypeId other = isBasic(a) && isBasic(b) && !isFloatScalar(basicScalar(a)) ? b : a;
  if (c.es)
    report.note({}, "GLSL ES has no implicit conversions: write `" + c.typeText(other) + "(...)`");
  else if (isBasic(a) && isBasic(b) && basicScalar(a) != Scalar::Bool && basicScalar(b) != Scalar::Bool)
    report.note(
        {}, "neither converts to the other implicitly, write the conversion: `" + c.typeText(a) + "(...)`");
  return false;
}

// Bool, or an encoding that only converts: no arithmetic (5.9; GL_EXT_bfloat16, GL_EXT_float_e4m3, ...).
bool requireNumber(Checker& c, ExprOp op, TypeId type, Scalar s, SourceLoc loc) {
  if (s == Scalar::Bool) {
    c.report(DiagKind::BoolOperand, loc, {operatorText(op), c.typeText(type)});
    return false;
  }
  if (isFloatScalar(s) && !isArithmeticFloat(s)) {
    c.report(DiagKind::EncodingArithmetic, loc, {operatorText(op), c.typeText(type)})
        .note({}, "convert to `float` first");
    return false;
  }
  return requireArithmetic(c, s, loc, "arithmetic");
}

bool requireInteger(Checker& c, ExprOp written, TypeId type, Scalar s, SourceLoc loc) {
  if (!isIntScalar(s)) {
    const ExprOp op = operationOf(written);
    DiagBuilder report = c.report(DiagKind::IntegerOperands, loc, {operatorText(written), c.typeText(type)});
    if (op == ExprOp::Mod && isFloatScalar(s)) report.note({}, "use `mod()` for floating-point values");
    if (s == Scalar::Bool && (op == ExprOp::BitAnd || op == ExprOp::BitOr || op == ExprOp::BitXor))
      report.note({}, op == ExprOp::BitAnd  ? "use `&&` for scalar bools"
                      : op == ExprOp::BitOr ? "use `||` for scalar bools"
                                            : "use `^^` for scalar bools");
    return false;
  }
  return requireArithmetic(c, s, loc, "arithmetic");
}

bool shapeMismatch(Checker& c, ExprOp op, TypeId a, TypeId b, SourceLoc loc) {
  c.report(DiagKind::OperandShapes, loc, {operatorText(op), c.typeText(a), c.typeText(b)});
  return false;
}

// The linear algebraic product (5.10): columns of the left operand against rows of the right one. `op`: `*`
// or `*=`.
bool planProduct(Checker& c, ExprOp op, const Shape& a, const Shape& b, TypeId ta, TypeId tb, Scalar s,
                 SourceLoc loc, TypeId& result) {
  const bool matrixA = a.kind == TypeKind::Matrix, matrixB = b.kind == TypeKind::Matrix;
  const uint32_t columns = matrixA ? a.columns : a.rows;  // a left vector is a row
  if (a.kind == TypeKind::LongVector || b.kind == TypeKind::LongVector)
    return shapeMismatch(c, op, ta, tb, loc);
  if (columns != b.rows) {
    c.report(DiagKind::MatrixProduct, loc, {c.typeText(ta), c.typeText(tb), columns, unsigned{b.rows}});
    return false;
  }
  result = !matrixA   ? basicType(s, b.columns)
           : !matrixB ? basicType(s, a.rows)
                      : basicType(s, a.rows, b.columns);
  return true;
}

// Scalar with anything, or operands of one shape.
bool planComponentWise(Checker& c, ExprOp op, const Shape& a, const Shape& b, TypeId ta, TypeId tb, Scalar s,
                       SourceLoc loc, TypeId& result) {
  if (b.kind == TypeKind::Scalar)
    result = shapeType(c.program, a, s);
  else if (a.kind == TypeKind::Scalar || a.sameAs(b))
    result = shapeType(c.program, b, s);
  else
    return shapeMismatch(c, op, ta, tb, loc);
  return true;
}

bool planEqualityOfOthers(Checker& c, ExprOp op, TypeId a, TypeId b, SourceLoc loc, Plan& plan) {
  for (TypeId t : {a, b}) {
    const TypeKind kind = c.program.types.kind(t);
    if (!isBasic(t) && kind != TypeKind::Array && kind != TypeKind::Struct && kind != TypeKind::LongVector) {
      reportNoShape(c, operatorText(op), t, loc);
      return false;
    }
  }
  if (a != b) return reportNoCommonType(c, op, a, b, loc);
  const TypeInfo info = c.type(a);
  if (info.kind == TypeKind::Array &&
      (info.arraySize() == kUnsizedArray || info.arraySize() == kRuntimeArray)) {
    c.report(DiagKind::UnsizedOperand, loc, {operatorText(op), c.typeText(a)});
    return false;
  }
  if (containsSpecSized(c.program, a)) {
    c.report(DiagKind::SpecSizedOperand, loc, {operatorText(op), c.typeText(a)});
    return false;
  }
  // Component types that operators reject as scalars are rejected in vectors and matrices as well.
  for (Scalar s : {Scalar::Int8, Scalar::Uint8, Scalar::Int16, Scalar::Uint16, Scalar::Float16})
    if (!hasArithmetic(c, s) && containsScalar(c.program, a, s))
      return requireArithmetic(c, s, loc, "arithmetic");
  for (Scalar s : {Scalar::BFloat16, Scalar::FloatE4M3, Scalar::FloatE5M2, Scalar::FloatE2M1,
                   Scalar::FloatE2M3, Scalar::FloatE3M2, Scalar::FloatE8M0, Scalar::MxInt8})
    if (containsScalar(c.program, a, s)) return requireNumber(c, op, basicType(s), s, loc);
  std::string_view part;
  if (containsOpaque(c.program, a))
    part = "opaque";
  else if (containsKind(c.program, a, TypeKind::Reference))
    part = "reference";
  else if (containsKind(c.program, a, TypeKind::CoopMat) || containsKind(c.program, a, TypeKind::CoopMatNV) ||
           containsKind(c.program, a, TypeKind::CoopVec))
    part = "cooperative";
  if (!part.empty()) {
    c.report(DiagKind::EqualityParts, loc, {operatorText(op), c.typeText(a), part});
    return false;
  }
  plan = {a, a, kBool};
  return true;
}

bool planBinary(Checker& c, ExprOp written, TypeId ta, TypeId tb, SourceLoc loc, Plan& plan) {
  const ExprOp op = operationOf(written);
  // Most operators have two operands of one arithmetic scalar type.
  if (ta == tb && isScalarType(ta) && isArithmetic(op)) {
    const Scalar s = basicScalar(ta);
    if (s >= Scalar::Int && s <= Scalar::Uint64) {
      plan = {ta, ta, ta};
      return true;
    }
  }
  Shape a, b;
  const bool shapes = shapeOf(c.program, ta, a) && shapeOf(c.program, tb, b);
  if (!shapes) {
    if (isEquality(op)) return planEqualityOfOthers(c, written, ta, tb, loc, plan);
    reportNoShape(c, operatorText(written), shapeOf(c.program, ta, a) ? tb : ta, loc);
    return false;
  }
  if (isLogical(op)) {
    if (ta == kBool && tb == kBool) {
      plan = {kBool, kBool, kBool};
      return true;
    }
    DiagBuilder report =
        c.report(DiagKind::LogicalOperands, loc, {operatorText(written), c.typeText(ta), c.typeText(tb)});
    if (a.scalar == Scalar::Bool && b.scalar == Scalar::Bool)
      report.note({}, "use `all()` or `any()` to make one bool of a vector");
    return false;
  }
  if (isEquality(op) && a.scalar == Scalar::Bool && ta == tb) {
    plan = {ta, ta, kBool};
    return true;
  }
  if (isEquality(op) && (a.scalar == Scalar::Bool || b.scalar == Scalar::Bool))
    return reportNoCommonType(c, written, ta, tb, loc);
  if (isArithmetic(op) || isRelational(op) || isEquality(op)) {
    // `float + bfloat16_t` is arithmetic on float: the encoding is converted implicitly first.
    const bool leftWidens = b.scalar >= Scalar::Float && b.scalar <= Scalar::Double &&
                            a.scalar > Scalar::Double && scalarConverts(c, a.scalar, b.scalar);
    const bool rightWidens = a.scalar >= Scalar::Float && a.scalar <= Scalar::Double &&
                             b.scalar > Scalar::Double && scalarConverts(c, b.scalar, a.scalar);
    if ((!leftWidens && !requireNumber(c, written, ta, a.scalar, loc)) ||
        (!rightWidens && !requireNumber(c, written, tb, b.scalar, loc)))
      return false;
  } else if (!requireInteger(c, written, ta, a.scalar, loc) ||
             !requireInteger(c, written, tb, b.scalar, loc)) {
    return false;
  }
  if (isShift(op)) {
    if (b.kind != TypeKind::Scalar && !a.sameAs(b)) return shapeMismatch(c, written, ta, tb, loc);
    plan = {ta, tb, ta};  // signedness and width may differ
    return true;
  }
  const std::optional<Scalar> s = commonScalar(c, a.scalar, b.scalar);
  if (!s) return reportNoCommonType(c, written, ta, tb, loc);
  plan.left = a.scalar == *s ? ta : shapeType(c.program, a, *s);
  plan.right = b.scalar == *s ? tb : shapeType(c.program, b, *s);
  if (isRelational(op)) {
    plan.result = kBool;
    if (a.kind == TypeKind::Scalar && b.kind == TypeKind::Scalar) return true;
    DiagBuilder report = c.report(DiagKind::RelationalVector, loc,
                                  {operatorText(written), c.typeText(a.kind == TypeKind::Scalar ? tb : ta)});
    if (a.kind != TypeKind::Matrix && b.kind != TypeKind::Matrix)
      report.note({},
                  "use `" + std::string(relationalFunction(op)) + "()` to compare component by component");
    return false;
  }
  if (isEquality(op)) {
    plan.result = kBool;
    return a.sameAs(b) || shapeMismatch(c, written, ta, tb, loc);
  }
  const bool matrix = a.kind == TypeKind::Matrix || b.kind == TypeKind::Matrix;
  if (op == ExprOp::Mul && matrix && a.kind != TypeKind::Scalar && b.kind != TypeKind::Scalar)
    return planProduct(c, written, a, b, ta, tb, *s, loc, plan.result);
  return planComponentWise(c, written, a, b, ta, tb, *s, loc, plan.result);
}

// Warns about operations that constants show to be undefined even if the whole does not fold: x / 0, shifts
// beyond the width.
void warnRightOperand(Checker& c, ExprOp op, TypeId left, ExprId right, SourceLoc loc) {
  const ConstId k = c.constantOf(right);
  if (!k || c.program.constants[k].isSpec) return;
  const std::optional<int64_t> value = literalInteger(c.program, k);
  if (!value) return;
  const int64_t v = *value;
  if ((op == ExprOp::Div || op == ExprOp::Mod) && v == 0) c.report(DiagKind::DivisionByZero, loc);
  if (isShift(op) &&
      (v < 0 || v >= static_cast<int64_t>(scalarBits(basicScalar(componentType(c.program, left))))))
    c.report(DiagKind::ShiftTooWide, loc);
}

// `left op right` of converted operands: a constant if both operands are and the operation folds.
ExprId foldBinary(Checker& c, ExprOp op, const ExprHead& head, ExprId left, ExprId right) {
  const Expr& a = c.expr(left);
  const Expr& b = c.expr(right);
  if (a.op == ExprOp::Constant && b.op == ExprOp::Constant) {
    const ConstId operands[2] = {a.constant(), b.constant()};
    const ConstId folded = foldOperation(c, op, head.type, operands, head.loc);
    if (folded) return c.program.addExpr(Expr::constant(head, folded));
  }
  return c.program.addExpr(Expr::binary(op, head, left, right));
}

// ------------------------------------------------------------------------------------------------ references

bool isScalarInteger(TypeId t) { return isScalarType(t) && isIntScalar(basicScalar(t)); }

// reference + integer, integer + reference, reference - integer, reference - reference.
ExprId checkReferenceBinary(Checker& c, ExprOp written, ExprId left, ExprId right, SourceLoc loc) {
  const ExprOp op = operationOf(written);
  const TypeId ta = c.typeOf(left), tb = c.typeOf(right);
  const TypeId reference = isReference(c.program, ta) ? ta : tb;
  const bool sum =
      op == ExprOp::Add && ((isReference(c.program, ta) && isScalarInteger(tb)) || isScalarInteger(ta));
  const bool difference =
      op == ExprOp::Sub && isReference(c.program, ta) && (isScalarInteger(tb) || ta == tb);
  if (!sum && !difference) {
    if (op == ExprOp::Sub && isReference(c.program, ta) && isReference(c.program, tb))
      reportNoCommonType(c, written, ta, tb, loc);
    else
      reportNoShape(c, operatorText(written), reference, loc);
    return c.error(loc);
  }
  if (!requireReferenceArithmetic(c, operatorText(written), reference, loc) ||
      !requireReferentSize(c, reference, loc))
    return c.error(loc);
  const TypeId int64 = basicType(Scalar::Int64);
  const uint8_t flags = (c.expr(left).flags | c.expr(right).flags) & (kExprNonUniform | kExprSideEffects);
  if (difference && ta == tb) {
    const TypeId uint64 = basicType(Scalar::Uint64);
    left = makeConvert(c, makeConvert(c, left, uint64), int64);
    right = makeConvert(c, makeConvert(c, right, uint64), int64);
    const ExprHead head = {int64, flags, loc};
    const ExprId bytes = foldBinary(c, ExprOp::Sub, head, left, right);
    const uint64_t size = referentSize(c.program, c.type(reference).structure());
    return foldBinary(c, ExprOp::Div, head, bytes, c.constant(c.program.constants.scalar(int64, size), loc));
  }
  const bool leftReference = isReference(c.program, ta);
  const ExprId base = leftReference ? left : right;
  ExprId index = leftReference ? right : left;
  if (!requireArithmetic(c, basicScalar(c.typeOf(index)), c.expr(index).loc, "arithmetic"))
    return c.error(loc);
  index = makeConvert(c, index, int64);
  if (op == ExprOp::Sub) index = checkUnary(c, ExprOp::Negate, index, loc);
  return c.program.addExpr(Expr::index({reference, flags, loc}, base, index));
}

// -------------------------------------------------------------------------------------------------- sequence

ExprId checkComma(Checker& c, ExprId left, ExprId right, SourceLoc loc) {
  // Operands of the sequence operator may be void (5.9), but not opaque.
  for (ExprId e : {left, right}) {
    const TypeId t = c.typeOf(e);
    if (t != kVoidType && !requireValue(c, e)) return c.error(loc);
    if (t != kVoidType && containsOpaque(c.program, t)) {
      c.report(DiagKind::OpaqueOperand, c.expr(e).loc, {",", c.typeText(t)});
      return c.error(loc);
    }
  }
  const Expr& r = c.expr(right);
  uint8_t flags = static_cast<uint8_t>(r.flags & (kExprRelaxed | kExprHighp | kExprSideEffects));
  flags |= c.expr(left).flags & kExprSideEffects;
  return c.program.addExpr(Expr::binary(ExprOp::Comma, {r.type, flags, loc}, left, right));
}

}  // namespace

// ----------------------------------------------------------------------------------------------------- unary

ExprId checkUnary(Checker& c, ExprOp op, ExprId operand, SourceLoc loc) {
  if (c.isError(operand)) return c.error(loc);
  const bool writes = isIncrement(op);
  if (!requireValue(c, operand, writes)) return c.error(loc);
  const TypeId type = c.typeOf(operand);
  if (!isBasic(type) && isMatrixOrVectorObject(c.program.types.kind(type)))
    return checkMatrixUnary(c, op, operand, loc);
  Shape shape;
  if (!shapeOf(c.program, type, shape)) {
    reportNoShape(c, operatorText(op), type, loc);
    return c.error(loc);
  }
  switch (op) {
    case ExprOp::LogicalNot:
      if (type != kBool) {
        DiagBuilder report = c.report(DiagKind::LogicalNotOperand, loc, {c.typeText(type)});
        if (shape.scalar == Scalar::Bool) report.note({}, "use `not()` for vectors");
        return c.error(loc);
      }
      break;
    case ExprOp::BitNot:
      if (!requireInteger(c, op, type, shape.scalar, loc)) return c.error(loc);
      break;
    default:
      if (!requireNumber(c, op, type, shape.scalar, loc)) return c.error(loc);
      break;
  }
  const Expr e = c.expr(operand);
  if (writes) {
    noteRead(c, operand);
    if (!requireLvalue(c, operand, loc,
                       op == ExprOp::PreIncrement || op == ExprOp::PostIncrement ? "operand of `++`"
                                                                                 : "operand of `--`"))
      return c.error(loc);
    const auto flags = static_cast<uint8_t>(resultFlags(c.program, type, e.flags) | kExprSideEffects);
    return c.program.addExpr(Expr::unary(op, {type, flags, loc}, operand));
  }
  const ExprHead head = {type, resultFlags(c.program, type, e.flags), loc};
  if (e.op == ExprOp::Constant) {
    const ConstId value = e.constant();
    const ConstId folded = foldOperation(c, op, type, {&value, 1}, loc);
    if (folded) return c.program.addExpr(Expr::constant(head, folded));
  }
  return c.program.addExpr(Expr::unary(op, head, operand));
}

// ---------------------------------------------------------------------------------------------------- binary

ExprId checkBinary(Checker& c, ExprOp op, ExprId left, ExprId right, SourceLoc loc) {
  if (c.isError(left) || c.isError(right)) return c.error(loc);
  if (op == ExprOp::Comma) return checkComma(c, left, right, loc);
  if (!requireValue(c, left) || !requireValue(c, right)) return c.error(loc);
  const TypeId ta = c.typeOf(left), tb = c.typeOf(right);
  if (!isBasic(ta) || !isBasic(tb)) {
    const TypeKind ka = c.program.types.kind(ta), kb = c.program.types.kind(tb);
    if (isMatrixOrVectorObject(ka) || isMatrixOrVectorObject(kb))
      return checkMatrixBinary(c, op, left, right, loc);
    if (ka == TypeKind::Reference || kb == TypeKind::Reference)
      return checkReferenceBinary(c, op, left, right, loc);
  }
  Plan plan;
  if (!planBinary(c, op, ta, tb, loc, plan)) return c.error(loc);
  left = makeConvert(c, left, plan.left);
  right = makeConvert(c, right, plan.right);
  const Expr& a = c.expr(left);
  const Expr& b = c.expr(right);
  const ExprHead head = {plan.result, resultFlags(c.program, plan.result, joinFlags(a.flags, b.flags)), loc};
  if (b.op == ExprOp::Constant && a.op != ExprOp::Constant) warnRightOperand(c, op, plan.left, right, loc);
  return foldBinary(c, op, head, left, right);
}

// ------------------------------------------------------------------------------------------------ assignment

namespace {

// Whether values of the type can be assigned as a whole: not opaque types (except tensor layouts and views)
// or unsized arrays.
bool requireAssignable(Checker& c, ExprOp op, TypeId type, SourceLoc loc) {
  if (isBasic(type)) return true;
  const TypeInfo info = c.type(type);
  if (containsOpaque(c.program, type)) {
    c.report(DiagKind::OpaqueOperand, loc, {operatorText(op), c.typeText(type)});
    return false;
  }
  if (info.kind == TypeKind::Array &&
      (info.arraySize() == kUnsizedArray || info.arraySize() == kRuntimeArray)) {
    c.report(DiagKind::UnsizedOperand, loc, {operatorText(op), c.typeText(type)});
    return false;
  }
  if (containsSpecSized(c.program, type)) {
    c.report(DiagKind::SpecSizedOperand, loc, {operatorText(op), c.typeText(type)});
    return false;
  }
  return true;
}

// The assigned operand, for messages; a literal, since every assignment asks for it.
std::string_view targetText(ExprOp op) {
  switch (op) {
    case ExprOp::AddAssign: return "left operand of `+=`";
    case ExprOp::SubAssign: return "left operand of `-=`";
    case ExprOp::MulAssign: return "left operand of `*=`";
    case ExprOp::DivAssign: return "left operand of `/=`";
    case ExprOp::ModAssign: return "left operand of `%=`";
    case ExprOp::ShiftLeftAssign: return "left operand of `<<=`";
    case ExprOp::ShiftRightAssign: return "left operand of `>>=`";
    case ExprOp::AndAssign: return "left operand of `&=`";
    case ExprOp::OrAssign: return "left operand of `|=`";
    case ExprOp::XorAssign: return "left operand of `^=`";
    default: return "left operand of `=`";
  }
}

ExprId addAssignment(Checker& c, ExprOp op, ExprId left, ExprId right, SourceLoc loc) {
  const Expr& l = c.expr(left);
  // The result has "the type and precision of" the left operand (5.8); non-uniformity does not flow through.
  const auto flags = static_cast<uint8_t>((l.flags & (kExprRelaxed | kExprHighp)) | kExprSideEffects);
  return c.program.addExpr(Expr::binary(op, {l.type, flags, loc}, left, right));
}

ExprId checkReferenceAssign(Checker& c, ExprOp op, ExprId left, ExprId right, SourceLoc loc) {
  const ExprOp plain = plainOperator(op);
  if (isReference(c.program, c.typeOf(right)) || (plain != ExprOp::Add && plain != ExprOp::Sub)) {
    reportNoShape(c, operatorText(op),
                  isReference(c.program, c.typeOf(left)) ? c.typeOf(left) : c.typeOf(right), loc);
    return c.error(loc);
  }
  const ExprId value = checkReferenceBinary(c, op, left, right, loc);
  if (c.isError(value)) return value;
  if ((c.expr(left).flags & kExprSideEffects) == 0) return addAssignment(c, ExprOp::Assign, left, value, loc);
  // The l-value is evaluated once, because its side effects must not happen twice.
  return addAssignment(c, op, left, makeConvert(c, right, basicType(Scalar::Int64)), loc);
}

ExprId checkCompound(Checker& c, ExprOp op, ExprId left, ExprId right, SourceLoc loc) {
  const ExprOp plain = plainOperator(op);
  if (!requireValue(c, left, true) || !requireValue(c, right)) return c.error(loc);
  const TypeId ta = c.typeOf(left), tb = c.typeOf(right);
  Plan plan;
  if (!isBasic(ta) || !isBasic(tb)) {
    const TypeKind ka = c.program.types.kind(ta), kb = c.program.types.kind(tb);
    if (isMatrixOrVectorObject(ka) || isMatrixOrVectorObject(kb)) {
      const ExprId value = checkMatrixBinary(c, op, left, right, loc);
      if (c.isError(value)) return value;
      const Expr v = c.expr(value);
      if (v.type != ta || operandsOf(v.op) != Operands::Two || v.left() != left) {
        c.report(DiagKind::CompoundResult, loc, {operatorText(op), c.typeText(v.type), c.typeText(ta)});
        return c.error(loc);
      }
      return addAssignment(c, op, left, v.right(), loc);
    }
    if (ka == TypeKind::Reference || kb == TypeKind::Reference)
      return checkReferenceAssign(c, op, left, right, loc);
  }
  if (!planBinary(c, op, ta, tb, loc, plan)) return c.error(loc);
  // `l op= r` means `l = l op r`. No implicit conversion leads back to the type of `l`, so the operation must
  // already have that type.
  if (plan.result != ta || plan.left != ta) {
    c.report(DiagKind::CompoundResult, loc, {operatorText(op), c.typeText(plan.result), c.typeText(ta)});
    return c.error(loc);
  }
  right = makeConvert(c, right, plan.right);
  warnRightOperand(c, plain, plan.left, right, loc);
  return addAssignment(c, op, left, right, loc);
}

}  // namespace

ExprId checkAssign(Checker& c, ExprOp op, ExprId left, ExprId right, SourceLoc loc) {
  if (c.isError(left) || c.isError(right)) return c.error(loc);
  if (op != ExprOp::Assign) noteRead(c, left);
  if (!requireLvalue(c, left, loc, targetText(op))) return c.error(loc);
  if (op != ExprOp::Assign) return checkCompound(c, op, left, right, loc);
  const TypeId type = c.typeOf(left);
  if (!requireAssignable(c, op, type, loc)) return c.error(loc);
  right = convertOrReport(c, right, type, loc, "assigned value");
  return c.isError(right) ? c.error(loc) : addAssignment(c, op, left, right, loc);
}

// ------------------------------------------------------------------------------------------------- selection

ExprId checkSelect(Checker& c, ExprId condition, ExprId a, ExprId b, SourceLoc loc) {
  if (c.isError(condition) || c.isError(a) || c.isError(b)) return c.error(loc);
  condition = checkCondition(c, condition, loc);
  if (c.isError(condition)) return c.error(loc);
  TypeId ta = c.typeOf(a), tb = c.typeOf(b);
  for (ExprId e : {a, b})
    if (c.typeOf(e) != kVoidType && !requireValue(c, e)) return c.error(loc);
  for (TypeId t : {ta, tb}) {
    // Layouts and views are selected by control flow (decision 19); samplers and images must not be (5.4,
    // 5.9).
    if (isBasic(t) || t == kVoidType) continue;
    if (containsOpaque(c.program, t)) {
      c.report(DiagKind::OpaqueOperand, loc, {"?:", c.typeText(t)});
      return c.error(loc);
    }
    const TypeInfo info = c.type(t);
    if (info.kind == TypeKind::Array &&
        (info.arraySize() == kUnsizedArray || info.arraySize() == kRuntimeArray)) {
      c.report(DiagKind::UnsizedOperand, loc, {"?:", c.typeText(t)});
      return c.error(loc);
    }
  }
  if (ta != tb) {
    Shape sa, sb;
    const bool fit = shapeOf(c.program, ta, sa) && shapeOf(c.program, tb, sb) && sa.sameAs(sb);
    const std::optional<Scalar> s = fit ? commonScalar(c, sa.scalar, sb.scalar) : std::nullopt;
    if (!s) {
      c.report(DiagKind::SelectTypes, loc, {c.typeText(ta), c.typeText(tb)});
      return c.error(loc);
    }
    ta = tb = shapeType(c.program, sa, *s);
    a = makeConvert(c, a, ta);
    b = makeConvert(c, b, tb);
  }
  const Expr& k = c.expr(condition);
  const Expr& x = c.expr(a);
  const Expr& y = c.expr(b);
  uint8_t flags = resultFlags(c.program, ta, joinFlags(x.flags, y.flags));
  if (x.op == ExprOp::Constant && y.op == ExprOp::Constant && k.op == ExprOp::Constant) {
    const ConstId operands[3] = {k.constant(), x.constant(), y.constant()};
    const ConstId folded = foldOperation(c, ExprOp::Select, ta, operands, loc);
    if (folded) return c.program.addExpr(Expr::constant({ta, flags, loc}, folded));
  }
  flags |= k.flags & (kExprNonUniform | kExprSideEffects);
  return c.program.addSelect({ta, flags, loc}, condition, a, b);
}

}  // namespace coopc::frontend
