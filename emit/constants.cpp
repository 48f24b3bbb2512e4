// Constants and specialization constants. A ConstId has one id; operands are written before the constants
// that use them.
#include "base/spirv_version.hpp"
#include "emit/declarations.hpp"

namespace coopc::emit {

using namespace frontend;

Constants::Constants(ModuleState& m, Declarations& declarations) : Part(m), declared(declarations) {
  constIds_.resize(m.program.constants.size());
}

Id Constants::scope(spv::Scope s) {
  if (s == spv::Scope::Device && module.vulkanMemory)
    capability(spv::Capability::VulkanMemoryModelDeviceScope);
  return u32(static_cast<uint32_t>(s));
}

Id Constants::zeroOf(TypeId t) { return b.constantNull(declared.types.type(t)); }

Id Constants::makeU32(uint32_t v) {
  const Id id = b.constantU32(v);
  if (v < kSmall) small_[v] = id;
  return id;
}

Id Constants::scalarConstant(Scalar s, uint64_t bits) {
  if (s == Scalar::Bool) return b.constantBool(bits != 0);
  useScalar(s);
  const Id t = declared.types.type(basicType(s));
  if (scalarBits(s) == 64)
    return b.constant<op::Constant>(
        t, {.value = {static_cast<uint32_t>(bits), static_cast<uint32_t>(bits >> 32)}});
  return b.constant<op::Constant>(t, {.value = {literalWord(s, bits)}});
}

Id Constants::oneOf(TypeId t) {
  const Scalar s = scalarOf(t);
  uint64_t one = 1;
  switch (s) {
    case Scalar::Float: one = 0x3F800000u; break;
    case Scalar::Float16: one = 0x3C00u; break;
    case Scalar::Double: one = 0x3FF0000000000000u; break;
    case Scalar::BFloat16: one = 0x3F80u; break;
    default: break;
  }
  const Id scalar = scalarConstant(s, one);
  if (!isVectorType(t)) return scalar;
  const uint32_t n = basicRows(t);
  const Id parts[4] = {scalar, scalar, scalar, scalar};
  const Id vector = declared.types.type(t);
  return b.constant<op::ConstantComposite>(vector, {.constituents = std::span(parts, n)});
}

Id Constants::sizeConstant(ConstId c) {
  const Constant& k = program.constants[c];
  if (!k.isSpec && k.kind == ConstKind::Scalar && isIntScalar(basicScalar(k.type)))
    return u32(static_cast<uint32_t>(k.bits));
  return constant(c);
}

Id Constants::makeConstant(ConstId c) {
  const Constant& k = program.constants[c];
  switch (k.kind) {
    case ConstKind::Scalar: return constIds_[c] = scalarConstant(basicScalar(k.type), k.bits);
    case ConstKind::Null:
      declared.types.useType(k.type);
      return constIds_[c] = b.constantNull(declared.types.type(k.type));
    case ConstKind::Spec: return constIds_[c] = makeSpec(c);
    default: break;
  }
  // Operands come first. The stack is explicit because sums of specialization constants may be of any length.
  const size_t mark = stack_.size();
  stack_.push_back(c);
  while (stack_.size() > mark) {
    const ConstId top = stack_.back();
    const auto operands = program.constants.operands(top);
    const Constant& t = program.constants[top];
    const bool isLeaf = t.kind != ConstKind::Composite && t.kind != ConstKind::SpecOp;
    const size_t before = stack_.size();
    if (!isLeaf)
      for (size_t i = operands.size(); i-- > 0;)
        if (!constIds_[operands[i]]) stack_.push_back(operands[i]);
    if (stack_.size() > before) continue;
    stack_.pop_back();
    if (constIds_[top]) continue;
    if (isLeaf) {
      (void)makeConstant(top);
    } else if (t.kind == ConstKind::Composite) {
      constIds_[top] = makeComposite(top);
    } else {
      constIds_[top] = makeSpecOp(top);
    }
  }
  return constIds_[c];
}

Id Constants::makeComposite(ConstId c) {
  const Constant& k = program.constants[c];
  declared.types.useType(k.type);
  const Id t = declared.types.type(k.type);
  const auto mark = static_cast<uint32_t>(module.scratch.size());
  for (ConstId part : program.constants.operands(c)) module.scratch.push_back(constIds_[part]);
  const Words parts = module.scratchFrom(mark);
  spv::Op opcode = k.isSpec ? spv::Op::OpSpecConstantComposite : spv::Op::OpConstantComposite;
  if (parts.size() == 1 && (kind(k.type) == TypeKind::CoopVec || kind(k.type) == TypeKind::LongVector)) {
    // One value for all components, whose number may be a specialization constant.
    opcode =
        k.isSpec ? spv::Op::OpSpecConstantCompositeReplicateEXT : spv::Op::OpConstantCompositeReplicateEXT;
    declareFor(opcode);
  }
  // All of these have the value's parts as their operands.
  const Id id = k.isSpec ? b.uniqueConstant<op::ConstantComposite>(opcode, t, {.constituents = parts})
                         : b.constant<op::ConstantComposite>(opcode, t, {.constituents = parts});
  module.scratch.resize(mark);
  return id;
}

Id Constants::makeSpec(ConstId c) {
  const Constant& k = program.constants[c];
  const Scalar s = basicScalar(k.type);
  useScalar(s);
  const Id t = declared.types.type(k.type);
  Id id;
  if (s == Scalar::Bool) {
    id = k.bits != 0 ? b.uniqueConstant<op::SpecConstantTrue>(t) : b.uniqueConstant<op::SpecConstantFalse>(t);
  } else if (scalarBits(s) == 64) {
    id = b.uniqueConstant<op::SpecConstant>(
        t, {.value = {static_cast<uint32_t>(k.bits), static_cast<uint32_t>(k.bits >> 32)}});
  } else {
    id = b.uniqueConstant<op::SpecConstant>(t, {.value = {literalWord(s, k.bits)}});
  }
  const VarId declaration = program.constants.specDeclaration(c);
  if (declaration) {
    const Variable& v = program.variables[declaration];
    if (v.name) b.name(id, names.text(v.name));
    if (v.constantId != kNoLayout) b.decorate(id, spv::Decoration::SpecId, {v.constantId});
  }
  return id;
}

namespace {

// The opcode of a binary operator on integers or bools; OpNop if there is none.
spv::Op integerOp(ExprOp o, Scalar s) {
  const bool isSigned = isSignedScalar(s);
  const bool isBool = s == Scalar::Bool;
  switch (o) {
    case ExprOp::Add: return spv::Op::OpIAdd;
    case ExprOp::Sub: return spv::Op::OpISub;
    case ExprOp::Mul: return spv::Op::OpIMul;
    case ExprOp::Div: return isSigned ? spv::Op::OpSDiv : spv::Op::OpUDiv;
    case ExprOp::Mod: return isSigned ? spv::Op::OpSMod : spv::Op::OpUMod;
    case ExprOp::ShiftLeft: return spv::Op::OpShiftLeftLogical;
    case ExprOp::ShiftRight: return isSigned ? spv::Op::OpShiftRightArithmetic : spv::Op::OpShiftRightLogical;
    case ExprOp::BitAnd: return spv::Op::OpBitwiseAnd;
    case ExprOp::BitOr: return spv::Op::OpBitwiseOr;
    case ExprOp::BitXor: return spv::Op::OpBitwiseXor;
    case ExprOp::Less: return isSigned ? spv::Op::OpSLessThan : spv::Op::OpULessThan;
    case ExprOp::LessEqual: return isSigned ? spv::Op::OpSLessThanEqual : spv::Op::OpULessThanEqual;
    case ExprOp::Greater: return isSigned ? spv::Op::OpSGreaterThan : spv::Op::OpUGreaterThan;
    case ExprOp::GreaterEqual: return isSigned ? spv::Op::OpSGreaterThanEqual : spv::Op::OpUGreaterThanEqual;
    case ExprOp::Equal: return isBool ? spv::Op::OpLogicalEqual : spv::Op::OpIEqual;
    case ExprOp::NotEqual: return isBool ? spv::Op::OpLogicalNotEqual : spv::Op::OpINotEqual;
    case ExprOp::LogicalXor: return spv::Op::OpLogicalNotEqual;
    case ExprOp::LogicalAnd: return spv::Op::OpLogicalAnd;
    case ExprOp::LogicalOr: return spv::Op::OpLogicalOr;
    case ExprOp::Negate: return spv::Op::OpSNegate;
    case ExprOp::BitNot: return spv::Op::OpNot;
    case ExprOp::LogicalNot: return spv::Op::OpLogicalNot;
    default: return spv::Op::OpNop;
  }
}

}  // namespace

// The operations that OpSpecConstantOp allows in shaders (SPIR-V, OpSpecConstantOp).
Id Constants::makeSpecOp(ConstId c) {
  const Constant k = program.constants[c];
  const auto operands = program.constants.operands(c);
  const Id t = k.op == ExprOp::FunctionName ? Id() : declared.types.type(k.type);
  declared.types.useType(k.type);

  Id made;
  switch (k.op) {
    case ExprOp::Plus: return constant(operands[0]);
    case ExprOp::Convert: made = specConvert(k.type, operands[0]); break;
    case ExprOp::Negate:
    case ExprOp::BitNot:
    case ExprOp::LogicalNot: {
      const Id v = constant(operands[0]);
      return specOp<op::Unary>(integerOp(k.op, scalarOf(k.type)), t, {.operand = v});
    }
    case ExprOp::Select: {
      const Id x = constant(operands[0]), y = constant(operands[1]), z = constant(operands[2]);
      return specOp<op::Select>(t, {.condition = x, .object1 = y, .object2 = z});
    }
    case ExprOp::Swizzle: {
      const auto packed = static_cast<uint32_t>(k.bits);
      const Id v = constant(operands[0]);
      const uint32_t n = swizzleCount(packed);
      if (n == 1) return specExtract(t, v, swizzleAt(packed, 0));
      uint32_t components[4];
      for (uint32_t i = 0; i < n; ++i) components[i] = swizzleAt(packed, i);
      return specOp<op::VectorShuffle>(
          t, {.vector1 = v, .vector2 = v, .components = std::span<const uint32_t>(components, n)});
    }
    case ExprOp::Member: {
      const Id v = constant(operands[0]);
      return specExtract(t, v, static_cast<uint32_t>(k.bits));
    }
    case ExprOp::Index: {
      const Id v = constant(operands[0]);
      auto index = static_cast<uint32_t>(k.bits);
      if (operands.size() > 1) {
        const Constant& i = program.constants[operands[1]];
        if (i.isSpec) break;
        index = static_cast<uint32_t>(i.bits);
      }
      return specExtract(t, v, index);
    }
    case ExprOp::Splat: {
      const Id v = constant(operands[0]);
      const Id parts[4] = {v, v, v, v};
      return b.uniqueConstant<op::SpecConstantComposite>(
          t, {.constituents = std::span(parts, basicRows(k.type))});
    }
    case ExprOp::CoopMatLength: {
      const auto matrixType = TypeId(static_cast<uint32_t>(k.bits));
      const Id matrix = declared.types.type(matrixType);
      const auto opcode = kind(matrixType) == TypeKind::CoopMatNV ? spv::Op::OpCooperativeMatrixLengthNV
                                                                  : spv::Op::OpCooperativeMatrixLengthKHR;
      const Id uint = declared.types.type(kUint);
      const Id length = specOp<op::CooperativeMatrixLengthKHR>(opcode, uint, {.type = matrix});
      if (k.type == kUint) return length;
      return specOp<op::IAdd>(t, {.operand1 = length, .operand2 = b.constantNull(t)});
    }
    default:
      if (operands.size() == 2) made = specBinary(k.op, k.type, operands[0], operands[1]);
      break;
  }
  if (made) return made;
  unsupported({}, "this operation on specialization constants");
  return undef(declared.types.type(k.type));
}

// None if specialization constants have no such conversion.
Id Constants::specConvert(TypeId type, ConstId operand) {
  const TypeId fromType = program.constants[operand].type;
  const Scalar from = scalarOf(fromType);
  const Scalar to = scalarOf(type);
  const Id t = declared.types.type(type);
  const Id v = constant(operand);
  if (from == to) return v;
  if (to == Scalar::Bool) return specOp<op::INotEqual>(t, {.operand1 = v, .operand2 = zeroOf(fromType)});
  if (from == Scalar::Bool) {
    const Id one = oneOf(type);
    return specOp<op::Select>(t, {.condition = v, .object1 = one, .object2 = b.constantNull(t)});
  }
  if (isIntScalar(from) && isIntScalar(to)) return specConvertInteger(type, from, v);
  if (isFloatScalar(from) && isFloatScalar(to)) return specOp<op::FConvert>(t, {.floatValue = v});
  return {};
}

Id Constants::specConvertInteger(TypeId type, Scalar from, NamedId v) {
  const Scalar to = scalarOf(type);
  const Id t = declared.types.type(type);
  // Bitcasts are not allowed here: adding 0 changes the signedness.
  if (scalarBits(from) == scalarBits(to))
    return specOp<op::IAdd>(t, {.operand1 = v, .operand2 = b.constantNull(t)});
  if (isSignedScalar(from) || (module.version < kSpirv14 && scalarBits(from) > scalarBits(to)))
    return specOp<op::SConvert>(t, {.signedValue = v});
  if (module.version < kSpirv14) {
    // OpUConvert is not available yet, so the copies of the sign bit are masked out.
    const Id wide = specOp<op::SConvert>(t, {.signedValue = v});
    const Id mask = scalarConstant(to, (uint64_t{1} << scalarBits(from)) - 1);
    const Id parts[4] = {mask, mask, mask, mask};
    const Id masks = isVectorType(type) ? b.constant<op::ConstantComposite>(
                                              t, {.constituents = std::span(parts, basicRows(type))})
                                        : mask;
    return specOp<op::BitwiseAnd>(t, {.operand1 = wide, .operand2 = masks});
  }
  if (!isSignedScalar(to)) return specOp<op::UConvert>(t, {.unsignedValue = v});
  const auto unsignedScalar = static_cast<Scalar>(static_cast<uint32_t>(to) + 1);
  const Id unsignedType =
      declared.types.type(basicType(unsignedScalar, isVectorType(type) ? basicRows(type) : 1));
  const Id converted = specOp<op::UConvert>(unsignedType, {.unsignedValue = v});
  return specOp<op::IAdd>(t, {.operand1 = converted, .operand2 = b.constantNull(t)});
}

// A binary operator; a scalar operand applies to each component of a vector. None if specialization constants
// have no such operation.
Id Constants::specBinary(ExprOp op, TypeId type, ConstId left, ConstId right) {
  const TypeId lt = program.constants[left].type, rt = program.constants[right].type;
  const Scalar s = scalarOf(lt);
  const spv::Op opcode = isFloatScalar(s) ? spv::Op::OpNop : integerOp(op, s);
  if (opcode == spv::Op::OpNop) return {};
  Id l = constant(left), r = constant(right);
  const auto widen = [&](Id v, TypeId vector) {
    const Id parts[4] = {v, v, v, v};
    const Id vectorType = declared.types.type(vector);
    return b.constant<op::SpecConstantComposite>(vectorType,
                                                 {.constituents = std::span(parts, basicRows(vector))});
  };
  if (isVectorType(lt) && isScalarType(rt)) r = widen(r, basicType(basicScalar(rt), basicRows(lt)));
  if (isVectorType(rt) && isScalarType(lt)) l = widen(l, basicType(basicScalar(lt), basicRows(rt)));
  const Id t = declared.types.type(type);
  return specOp<op::Binary>(opcode, t, {.operand1 = l, .operand2 = r});
}

}  // namespace coopc::emit
