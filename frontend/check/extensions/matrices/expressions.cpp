// Operators and constructors of cooperative matrices (GL_KHR_cooperative_matrix, 5.4.X and 5.9, with
// GL_NV_cooperative_matrix2's changes) and of cooperative vectors.
#include "frontend/check/extensions/matrices/rules.hpp"
#include "frontend/check/extensions/matrices/support.hpp"
#include "frontend/check/folding.hpp"

namespace coopc::frontend {

namespace {

bool isTensor(const Checker& c, TypeId t) {
  const TypeKind k = c.program.types.kind(t);
  return k == TypeKind::TensorLayout || k == TypeKind::TensorView;
}

ExprId rejectOperator(Checker& c, ExprOp op, TypeId type, SourceLoc loc) {
  c.report(DiagKind::MatrixOperator, loc, {operatorText(op), c.typeText(type)});
  return c.error(loc);
}

// Reports an operator that has an instruction, which modules must not use on matrices either. True if the
// caller must give up.
bool forbidOperator(Checker& c, ExprOp op, TypeId type, SourceLoc loc) {
  return forbid(c, DiagKind::MatrixOperator, loc, {operatorText(op), c.typeText(type)});
}

bool hasInstruction(ExprOp op) {
  switch (op) {
    case ExprOp::Mod:
    case ExprOp::BitAnd:
    case ExprOp::BitOr:
    case ExprOp::BitXor:
    case ExprOp::ShiftLeft:
    case ExprOp::ShiftRight: return true;
    default: return false;
  }
}

// Matrices of bfloat16, float8 and smaller types have no arithmetic.
bool requireArithmetic(Checker& c, TypeId type, SourceLoc loc) {
  const Scalar s = c.type(type).scalar;
  if (isIntScalar(s) || isArithmeticFloat(s)) return true;
  return !forbid(c, DiagKind::MatrixArithmeticType, loc, {c.typeText(basicType(s))});
}

// Cooperative vectors also support bit operations on integer components (GL_NV_cooperative_vector, 5.9).
bool vectorOperator(const Checker& c, ExprOp op, TypeId type) {
  switch (op) {
    case ExprOp::Add:
    case ExprOp::Sub:
    case ExprOp::Mul:
    case ExprOp::Div: return true;
    case ExprOp::ShiftLeft:
    case ExprOp::ShiftRight:
    case ExprOp::BitAnd:
    case ExprOp::BitOr:
    case ExprOp::BitXor: return isIntScalar(c.type(type).scalar);
    default: return false;
  }
}

// The node, or its value if all operands are constant expressions (4.3.3).
ExprId nodeOrConstant(Checker& c, const Expr& node, std::initializer_list<ExprId> operands) {
  // With checks off, there may be operators and operands that only the validator should reject.
  if (c.options.checksOff) return c.program.addExpr(node);
  ConstId values[2] = {};
  uint32_t count = 0;
  for (ExprId o : operands) values[count++] = c.constantOf(o);
  const ConstId folded = foldOperation(c, node.op, node.type, {values, count}, node.loc);
  return folded ? c.constant(folded, node.loc) : c.program.addExpr(node);
}

}  // namespace

ExprId checkMatrixUnary(Checker& c, ExprOp op, ExprId operand, SourceLoc loc) {
  if (c.isError(operand)) return c.error(loc);
  const TypeId type = c.typeOf(operand);
  const bool bitNot = op == ExprOp::BitNot && c.program.types.kind(type) == TypeKind::CoopVec &&
                      isIntScalar(c.type(type).scalar);
  if ((op != ExprOp::Negate && op != ExprOp::BitNot) || !isMatrixLike(c, type))
    return rejectOperator(c, op, type, loc);
  if (op == ExprOp::BitNot && !bitNot && forbidOperator(c, op, type, loc)) return c.error(loc);
  if (!requireArithmetic(c, type, loc)) return c.error(loc);
  return nodeOrConstant(c, Expr::unary(op, {type, 0, loc}, operand), {operand});
}

ExprId checkMatrixBinary(Checker& c, ExprOp written, ExprId left, ExprId right, SourceLoc loc) {
  if (c.isError(left) || c.isError(right)) return c.error(loc);
  const ExprOp op = operationOf(written);
  const TypeId l = c.typeOf(left);
  const TypeId r = c.typeOf(right);
  const bool leftMatrix = isMatrixLike(c, l);
  const bool rightMatrix = isMatrixLike(c, r);
  const TypeId matrix = leftMatrix || isTensor(c, l) ? l : r;
  const bool isVector = c.program.types.kind(matrix) == TypeKind::CoopVec;
  const bool arithmetic = op == ExprOp::Add || op == ExprOp::Sub || op == ExprOp::Mul || op == ExprOp::Div;
  if (!isMatrixLike(c, matrix)) return rejectOperator(c, written, matrix, loc);
  if (isVector ? !vectorOperator(c, op, matrix) : !arithmetic) {
    if (l != r || !hasInstruction(op)) return rejectOperator(c, written, matrix, loc);
    if (forbidOperator(c, written, matrix, loc)) return c.error(loc);
  }
  // The first version of cooperative matrices multiplies them only by scalars (GL_NV_cooperative_matrix,
  // 5.9).
  if (leftMatrix && rightMatrix && op == ExprOp::Mul && c.program.types.kind(matrix) == TypeKind::CoopMatNV)
    return rejectOperator(c, written, matrix, loc);
  const auto differ = isVector ? DiagKind::CoopVecOperandTypes : DiagKind::MatrixOperandTypes;
  if (leftMatrix && rightMatrix) {
    if (l != r) {
      DiagBuilder report =
          reportForbidden(c, differ, loc, {operatorText(written), c.typeText(l), c.typeText(r)});
      if (op == ExprOp::Mul && !isVector)
        report.note({},
                    "operators work component by component; `coopMatMulAdd(a, b, c)` is the matrix product, "
                    "added to `c`");
      if (!c.options.checksOff) return c.error(loc);
    }
  } else {
    ExprId& scalar = leftMatrix ? right : left;
    const TypeId st = c.typeOf(scalar);
    if (op != ExprOp::Mul || !isScalarType(st)) {
      c.report(differ, loc, {operatorText(written), c.typeText(l), c.typeText(r)});
      return c.error(loc);
    }
    // "The scalar type must match" (GL_NV_cooperative_vector, 5.9) after implicit conversions, as for other
    // operators (GLSL 4.60, 5.9).
    const ExprId converted = isVector ? convertImplicitly(c, scalar, componentType(c, matrix)) : ExprId{};
    if (converted) {
      scalar = converted;
    } else if (st != componentType(c, matrix)) {
      const std::string wanted = c.typeText(componentType(c, matrix));
      const auto kind = isVector ? DiagKind::CoopVecScalarType : DiagKind::MatrixScalarType;
      reportForbidden(c, kind, c.expr(scalar).loc, {wanted, c.typeText(st)})
          .note({}, "convert the scalar: `" + wanted + "(...)`");
      if (!c.options.checksOff) return c.error(loc);
    }
  }
  if (!requireArithmetic(c, matrix, loc)) return c.error(loc);
  return nodeOrConstant(c, Expr::binary(op, {matrix, 0, loc}, left, right), {left, right});
}

ExprId checkMatrixConstruct(Checker& c, TypeId type, std::span<const ExprId> args, SourceLoc loc) {
  for (const ExprId a : args) {
    if (c.isError(a)) return c.error(loc);
  }
  const TypeInfo info = c.type(type);
  const TypeId component = basicType(info.scalar);
  const bool isVector = info.kind == TypeKind::CoopVec;
  if (args.size() != 1) {
    DiagBuilder report =
        c.report(DiagKind::MatrixConstructorCount, loc,
                 {c.typeText(type), static_cast<uint64_t>(args.size()), isVector ? "vector" : "matrix"});
    if (isVector) report.clause("GL_NV_cooperative_vector, 5.4.X \"Cooperative Vector Type Constructors\"");
    return c.error(loc);
  }
  const ExprId value = args[0];
  const TypeId from = c.typeOf(value);
  const bool microscaling = info.scalar >= Scalar::FloatE2M1;
  if (c.program.types.kind(from) == TypeKind::SpirvType && scalarOfSpirvType(c.program, from) == component)
    return c.program.addExpr(Expr::unary(ExprOp::Splat, {type, 0, loc}, value));
  if (microscaling && from != type && !c.constantOf(value) && from != component) {
    c.report(DiagKind::MicroscalingConversion, c.expr(value).loc, {c.typeText(component)});
    return c.error(loc);
  }
  if (isScalarType(from)) {
    // "a single scalar value whose type matches the component type (or any value that can be implicitly
    // converted)". Shipping compilers accept any scalar here, and constants of a wider type are common
    // (`coopmat<float16_t, ...>(0.0)`): the constructor converts as scalar constructors do.
    if (basicScalar(from) == Scalar::Bool) {
      if (forbid(c, DiagKind::MatrixConstructorScalar, loc, {c.typeText(type), c.typeText(from)}))
        return c.error(loc);
      return c.program.addExpr(Expr::unary(ExprOp::Splat, {type, 0, loc}, value));
    }
    const ExprId scalar = from == component ? value : makeConvert(c, value, component);
    const ConstId k = c.constantOf(scalar);
    if (k) return c.constant(c.program.constants.composite(type, {&k, 1}), loc);
    return c.program.addExpr(Expr::unary(ExprOp::Splat, {type, 0, loc}, scalar));
  }
  if (c.program.types.kind(from) != info.kind) {
    c.report(DiagKind::MatrixConstructorScalar, loc, {c.typeText(type), c.typeText(from)});
    return c.error(loc);
  }
  if (from == type) return value;
  const auto differ = [&](std::string_view what) {
    return forbid(c, DiagKind::MatrixConstructorShape, loc, {c.typeText(type), c.typeText(from), what});
  };
  const auto to = c.program.types.params(type);
  const auto of = c.program.types.params(from);
  if (isVector) {
    if (to[0] != of[0] && differ("numbers of components")) return c.error(loc);
  } else {
    if (to[0] != of[0] && differ("scopes")) return c.error(loc);
    if (to[1] != of[1] && differ("numbers of rows")) return c.error(loc);
    if (to[2] != of[2] && differ("numbers of columns")) return c.error(loc);
    if (info.kind == TypeKind::CoopMat && !useConverts(c, from, type) &&
        forbid(c, DiagKind::MatrixConstructorUse, loc, {c.typeText(type), c.typeText(from)})) {
      return c.error(loc);
    }
  }
  return nodeOrConstant(c, Expr::unary(ExprOp::Convert, {type, 0, loc}, value), {value});
}

}  // namespace coopc::frontend
