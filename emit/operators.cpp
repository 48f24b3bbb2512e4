// Arithmetic, bitwise and relational operators (GLSL 4.60, 5.9) over scalars, vectors, matrices, cooperative
// matrices and vectors; equality of every type.
#include "emit/arithmetic.hpp"
#include "spirv/enums_supplement.hpp"

namespace coopc::emit {

using namespace frontend;

namespace {

// Opcodes by operator for floats, signed and unsigned integers, bools.
struct Opcodes {
  spv::Op floating, isSigned, isUnsigned, boolean;
};

Opcodes opcodesOf(ExprOp o) {
  using spv::Op;
  switch (o) {
    case ExprOp::Add: return {Op::OpFAdd, Op::OpIAdd, Op::OpIAdd, Op::OpNop};
    case ExprOp::Sub: return {Op::OpFSub, Op::OpISub, Op::OpISub, Op::OpNop};
    case ExprOp::Mul: return {Op::OpFMul, Op::OpIMul, Op::OpIMul, Op::OpNop};
    case ExprOp::Div: return {Op::OpFDiv, Op::OpSDiv, Op::OpUDiv, Op::OpNop};
    case ExprOp::Mod: return {Op::OpFMod, Op::OpSMod, Op::OpUMod, Op::OpNop};
    case ExprOp::ShiftLeft: return {Op::OpNop, Op::OpShiftLeftLogical, Op::OpShiftLeftLogical, Op::OpNop};
    case ExprOp::ShiftRight:
      return {Op::OpNop, Op::OpShiftRightArithmetic, Op::OpShiftRightLogical, Op::OpNop};
    case ExprOp::BitAnd: return {Op::OpNop, Op::OpBitwiseAnd, Op::OpBitwiseAnd, Op::OpLogicalAnd};
    case ExprOp::BitOr: return {Op::OpNop, Op::OpBitwiseOr, Op::OpBitwiseOr, Op::OpLogicalOr};
    case ExprOp::BitXor: return {Op::OpNop, Op::OpBitwiseXor, Op::OpBitwiseXor, Op::OpLogicalNotEqual};
    case ExprOp::Less: return {Op::OpFOrdLessThan, Op::OpSLessThan, Op::OpULessThan, Op::OpNop};
    case ExprOp::LessEqual:
      return {Op::OpFOrdLessThanEqual, Op::OpSLessThanEqual, Op::OpULessThanEqual, Op::OpNop};
    case ExprOp::Greater: return {Op::OpFOrdGreaterThan, Op::OpSGreaterThan, Op::OpUGreaterThan, Op::OpNop};
    case ExprOp::GreaterEqual:
      return {Op::OpFOrdGreaterThanEqual, Op::OpSGreaterThanEqual, Op::OpUGreaterThanEqual, Op::OpNop};
    case ExprOp::Equal: return {Op::OpFOrdEqual, Op::OpIEqual, Op::OpIEqual, Op::OpLogicalEqual};
    case ExprOp::NotEqual:
      return {Op::OpFUnordNotEqual, Op::OpINotEqual, Op::OpINotEqual, Op::OpLogicalNotEqual};
    case ExprOp::LogicalAnd: return {Op::OpNop, Op::OpNop, Op::OpNop, Op::OpLogicalAnd};
    case ExprOp::LogicalOr: return {Op::OpNop, Op::OpNop, Op::OpNop, Op::OpLogicalOr};
    case ExprOp::LogicalXor: return {Op::OpNop, Op::OpNop, Op::OpNop, Op::OpLogicalNotEqual};
    default: return {Op::OpNop, Op::OpNop, Op::OpNop, Op::OpNop};
  }
}

constexpr bool isArithmetic(ExprOp o) { return o >= ExprOp::Add && o <= ExprOp::Mod; }

}  // namespace

Id Arithmetic::splat(TypeId t, Id scalar) {
  if (isScalarType(t)) return scalar;
  types.useType(t);
  if (isVectorType(t)) {
    const Id parts[4] = {scalar, scalar, scalar, scalar};
    return code.composite(t, parts, basicRows(t));
  }
  if (kind(t) == TypeKind::CoopVec || kind(t) == TypeKind::LongVector) {
    // The number of components may be a specialization constant, so one operand represents all of them.
    declareFor(spv::Op::OpCompositeConstructReplicateEXT);
    return code.make<op::CompositeConstructReplicateEXT>(t, {.value = scalar});
  }
  return code.make<op::CompositeConstruct>(t, {.constituents = {scalar}});  // cooperative matrices
}

Id Arithmetic::maskType(TypeId t) {
  if (isBasic(t)) return types.type(basicType(Scalar::Bool, basicRows(t)));
  const auto params = program.types.params(t);
  const Id count = params.empty() ? constants.sizeConstant(program.types[t].vectorSize())
                                  : constants.sizeConstant(params[0]);
  return b.type<op::TypeVectorIdEXT>({.componentType = types.type(kBool), .componentCount = count});
}

Id Arithmetic::splatMask(TypeId t, Id boolean) {
  if (isBasic(t)) return splat(basicType(Scalar::Bool, basicRows(t)), boolean);
  declareFor(spv::Op::OpCompositeConstructReplicateEXT);
  const Id mask = maskType(t);
  return code.make<op::CompositeConstructReplicateEXT>(mask, {.value = boolean});
}

Id Arithmetic::scalarOp(ExprOp o, TypeId result, Scalar s, NamedId l, NamedId r, Mode m) {
  const Opcodes c = opcodesOf(o);
  spv::Op opcode = isFloatScalar(s)    ? c.floating
                   : s == Scalar::Bool ? c.boolean
                   : isSignedScalar(s) ? c.isSigned
                                       : c.isUnsigned;
  if (opcode == spv::Op::OpNop) {
    unsupported({}, "this operator on these types");
    return constants.undef(types.type(result));
  }
  useScalar(s);
  const Id v = code.make<op::Binary>(opcode, result, {.operand1 = l, .operand2 = r});
  if (m.relaxed) b.decorate(v, spv::Decoration::RelaxedPrecision);
  if (m.precise && isFloatScalar(s) && isArithmetic(o)) b.decorate(v, spv::Decoration::NoContraction);
  return v;
}

Id Arithmetic::binary(ExprOp o, TypeId result, NamedId left, TypeId lt, NamedId right, TypeId rt, Mode m,
                      SourceLoc loc) {
  Id l = left, r = right;
  if (o == ExprOp::Equal || o == ExprOp::NotEqual) {
    if (isScalarType(lt)) return scalarOp(o, result, basicScalar(lt), l, r, m);
    return equal(lt, l, r, o == ExprOp::NotEqual);
  }
  const bool lBasic = isBasic(lt), rBasic = isBasic(rt);
  if (lBasic && rBasic) {
    const bool lMatrix = isMatrixType(lt), rMatrix = isMatrixType(rt);
    if (lMatrix || rMatrix) return matrixBinary(o, result, l, lt, r, rt, m);
    const Scalar s = basicScalar(lt);
    const bool lScalar = isScalarType(lt), rScalar = isScalarType(rt);
    if (lScalar == rScalar) return scalarOp(o, result, s, l, r, m);
    if (o == ExprOp::Mul && isFloatScalar(s)) {
      useScalar(s);
      const Id v =
          code.make<op::VectorTimesScalar>(result, {.vector = lScalar ? r : l, .scalar = lScalar ? l : r});
      return code.decorate(v, m);
    }
    if (lScalar) {
      l = splat(basicType(s, basicRows(rt)), l);
    } else {
      r = splat(basicType(basicScalar(rt), basicRows(lt)), r);
    }
    return scalarOp(o, result, s, l, r, m);
  }

  // Cooperative matrices and vectors, long vectors.
  const TypeId wide = lBasic ? rt : lt;
  const TypeKind k = kind(wide);
  const Scalar s = scalarOf(wide);
  if (k == TypeKind::CoopMat || k == TypeKind::CoopMatNV) {
    useScalar(s);
    if (lBasic || rBasic) {
      const Id matrix = lBasic ? r : l, scalar = lBasic ? l : r;
      if (o == ExprOp::Mul)
        return code.decorate(code.make<op::MatrixTimesScalar>(result, {.matrix = matrix, .scalar = scalar}),
                             m);
      const Id wideScalar = splat(wide, scalar);
      return scalarOp(o, result, s, lBasic ? wideScalar : l, lBasic ? r : wideScalar, m);
    }
    return scalarOp(o, result, s, l, r, m);
  }
  if (k == TypeKind::CoopVec || k == TypeKind::LongVector) {
    if (lBasic || rBasic) {
      if (o == ExprOp::Mul && isFloatScalar(s)) {
        useScalar(s);
        return code.decorate(
            code.make<op::VectorTimesScalar>(result, {.vector = lBasic ? r : l, .scalar = lBasic ? l : r}),
            m);
      }
      if (lBasic) {
        l = splat(rt, l);
      } else {
        r = splat(lt, r);
      }
    }
    return scalarOp(o, result, s, l, r, m);
  }
  unsupported(loc, "this operator on these types");
  return constants.undef(types.type(result));
}

// Linear algebra where GLSL defines it (5.9: multiplication), otherwise column by column.
Id Arithmetic::matrixBinary(ExprOp o, TypeId result, NamedId l, TypeId lt, NamedId r, TypeId rt, Mode m) {
  const Scalar s = basicScalar(isMatrixType(lt) ? lt : rt);
  useScalar(s);
  if (o == ExprOp::Mul) {
    const auto emit = [&](spv::Op opcode, NamedId x, NamedId y) {
      return code.decorate(code.make<op::Binary>(opcode, result, {.operand1 = x, .operand2 = y}), m);
    };
    if (isMatrixType(lt) && isMatrixType(rt)) return emit(spv::Op::OpMatrixTimesMatrix, l, r);
    if (isMatrixType(lt) && isVectorType(rt)) return emit(spv::Op::OpMatrixTimesVector, l, r);
    if (isVectorType(lt)) return emit(spv::Op::OpVectorTimesMatrix, l, r);
    if (isScalarType(rt)) return emit(spv::Op::OpMatrixTimesScalar, l, r);
    return emit(spv::Op::OpMatrixTimesScalar, r, l);
  }
  const TypeId matrix = isMatrixType(lt) ? lt : rt;
  const TypeId column = basicType(s, basicRows(matrix));
  const Id columnType = types.type(column);
  const bool lMatrix = isMatrixType(lt), rMatrix = isMatrixType(rt);
  const Id lWide = lMatrix ? Id() : splat(column, l), rWide = rMatrix ? Id() : splat(column, r);
  Id columns[4];
  for (uint32_t i = 0; i < basicColumns(matrix); ++i) {
    const Id x = lMatrix ? code.extract(l, columnType, i) : lWide;
    const Id y = rMatrix ? code.extract(r, columnType, i) : rWide;
    columns[i] = scalarOp(o, column, s, x, y, m);
  }
  return code.composite(result, columns, basicColumns(matrix));
}

Id Arithmetic::unary(ExprOp o, TypeId t, Id v, Mode m) {
  const Scalar s = scalarOf(t);
  useScalar(s);
  if (isMatrixType(t)) {
    const TypeId column = basicType(s, basicRows(t));
    Id columns[4];
    for (uint32_t i = 0; i < basicColumns(t); ++i)
      columns[i] = unary(o, column, code.extract(v, column, i), m);
    return code.composite(t, columns, basicColumns(t));
  }
  spv::Op opcode = spv::Op::OpLogicalNot;
  if (o == ExprOp::Negate) opcode = isFloatScalar(s) ? spv::Op::OpFNegate : spv::Op::OpSNegate;
  if (o == ExprOp::BitNot) opcode = spv::Op::OpNot;
  const Id result = code.make<op::Unary>(opcode, t, {.operand = v});
  if (m.relaxed) b.decorate(result, spv::Decoration::RelaxedPrecision);
  if (m.precise && opcode == spv::Op::OpFNegate) b.decorate(result, spv::Decoration::NoContraction);
  return result;
}

// `==` and `!=` of any type: one bool (5.9). Aggregates are compared part by part.
Id Arithmetic::equal(TypeId t, NamedId l, NamedId r, bool negated) {
  const Id boolean = types.type(kBool);
  const ExprOp o = negated ? ExprOp::NotEqual : ExprOp::Equal;
  const spv::Op join = negated ? spv::Op::OpLogicalOr : spv::Op::OpLogicalAnd;
  if (isScalarType(t)) return scalarOp(o, kBool, basicScalar(t), l, r, {});
  if (isVectorType(t)) {
    const TypeId mask = basicType(Scalar::Bool, basicRows(t));
    const Id same = scalarOp(o, mask, basicScalar(t), l, r, {});
    return code.make<op::Unary>(negated ? spv::Op::OpAny : spv::Op::OpAll, boolean, {.operand = same});
  }
  const TypeInfo a = info(t);
  Id result;
  const auto part = [&](TypeId pt, uint32_t i) {
    const Id pl = code.extract(l, pt, i), pr = code.extract(r, pt, i);
    const Id same = equal(pt, pl, pr, negated);
    result = !result ? same : code.make<op::Binary>(join, boolean, {.operand1 = result, .operand2 = same});
  };
  switch (a.kind) {
    case TypeKind::Matrix:
      for (uint32_t i = 0; i < a.columns; ++i) part(basicType(a.scalar, a.rows), i);
      break;
    case TypeKind::Array: {
      const Constant& size = program.constants[a.hasArraySize() ? a.arraySize() : ConstId()];
      if (size.isSpec || a.arraySize() == kRuntimeArray || a.arraySize() == kUnsizedArray) break;
      for (uint32_t i = 0; i < static_cast<uint32_t>(size.bits) && !b.overflow(); ++i) part(a.element(), i);
      break;
    }
    case TypeKind::Struct: {
      const auto members = program.membersOf(a.structure());
      for (uint32_t i = 0; i < members.size(); ++i) part(members[i].type, i);
      break;
    }
    case TypeKind::LongVector: {
      const Opcodes c = opcodesOf(o);
      const Id mask = maskType(t);
      const Id same = code.make<op::Binary>(isFloatScalar(a.scalar) ? c.floating : c.isSigned, mask,
                                            {.operand1 = l, .operand2 = r});
      return code.make<op::Unary>(negated ? spv::Op::OpAny : spv::Op::OpAll, boolean, {.operand = same});
    }
    case TypeKind::Reference: {
      useScalar(Scalar::Uint64);
      const Id u64 = types.type(basicType(Scalar::Uint64));
      const Id x = code.make<op::ConvertPtrToU>(u64, {.pointer = l});
      const Id y = code.make<op::ConvertPtrToU>(u64, {.pointer = r});
      return code.make<op::Binary>(negated ? spv::Op::OpINotEqual : spv::Op::OpIEqual, boolean,
                                   {.operand1 = x, .operand2 = y});
    }
    default: break;
  }
  if (result) return result;
  unsupported({}, "a comparison of values of this type");
  return constants.undef(boolean);
}

}  // namespace coopc::emit
