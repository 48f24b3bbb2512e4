// Which instructions may operate on cooperative matrices, cooperative vectors and small floats, and with
// which types; also composites.
#include "validator/context.hpp"

namespace coopc::validator {

using spirv::isBetween;
using spv::Op;

namespace {

// Core instructions that compute: arithmetic, relational, logical, bit, derivative, atomic and group
// operations. OpSelect is not among them.
bool computes(Op op) {
  return isBetween(op, Op::OpSNegate, Op::OpSMulExtended) || isBetween(op, Op::OpAny, Op::OpLogicalNot) ||
         isBetween(op, Op::OpIEqual, Op::OpFUnordGreaterThanEqual) ||
         isBetween(op, Op::OpShiftRightLogical, Op::OpBitCount) ||
         isBetween(op, Op::OpDPdx, Op::OpFwidthCoarse) || isBetween(op, Op::OpAtomicLoad, Op::OpAtomicXor) ||
         isBetween(op, Op::OpGroupAll, Op::OpGroupSMax) ||
         isBetween(op, Op::OpGroupNonUniformElect, Op::OpGroupNonUniformQuadSwap) || op == Op::OpTranspose ||
         op == Op::OpGroupNonUniformRotateKHR;
}

// Core conversions that accept neither matrices nor cooperative vectors: OpQuantizeToF16, OpConvertPtrToU,
// OpSatConvertSToU, OpSatConvertUToS, OpConvertUToPtr.
bool convertsOthers(Op op) { return isBetween(op, Op::OpQuantizeToF16, Op::OpConvertUToPtr); }

// Instructions that may not be used with objects of bfloat16 or of an 8-bit float type.
bool forbidsSmallFloats(Op op) {
  if (op == Op::OpTranspose) return false;  // listed among the composite instructions
  return computes(op) || isBetween(op, Op::OpSampledImage, Op::OpImageQuerySamples) ||
         isBetween(op, Op::OpImageSparseSampleImplicitLod, Op::OpImageSparseRead) ||
         op == Op::OpAtomicFMinEXT || op == Op::OpAtomicFMaxEXT || op == Op::OpAtomicFAddEXT ||
         isBetween(op, Op::OpSubgroupBallotKHR, Op::OpSubgroupReadInvocationKHR) ||
         op == Op::OpGroupNonUniformQuadAllKHR || op == Op::OpGroupNonUniformQuadAnyKHR ||
         op == Op::OpGroupNonUniformPartitionNV || op == spirv::enums::OpCooperativeMatrixReduceEXT ||
         isBetween(op, Op::OpCooperativeVectorMatrixMulNV, Op::OpCooperativeVectorMatrixMulAddNV);
}

// The kind of component that a matrix operand must have: 'f', 'i', or '*' for either. -1: the instruction
// does not accept matrices.
int matrixComponents(Op op) {
  switch (op) {
    case Op::OpFNegate:
    case Op::OpFAdd:
    case Op::OpFSub:
    case Op::OpFMul:
    case Op::OpFDiv: return 'f';
    case Op::OpSNegate:
    case Op::OpIAdd:
    case Op::OpISub:
    case Op::OpIMul:
    case Op::OpSDiv:
    case Op::OpUDiv: return 'i';
    default: return -1;
  }
}

int vectorComponents(Op op) {
  switch (op) {
    case Op::OpShiftRightLogical:
    case Op::OpShiftRightArithmetic:
    case Op::OpShiftLeftLogical:
    case Op::OpBitwiseOr:
    case Op::OpBitwiseXor:
    case Op::OpBitwiseAnd:
    case Op::OpNot: return 'i';
    default: return matrixComponents(op);
  }
}

// The instructions of GLSL.std.450 that accept cooperative vectors: FMin, UMin, SMin, FMax, UMax, SMax,
// FClamp, UClamp, SClamp, NMin, NMax, NClamp, Step, Exp, Log, Tanh, Atan, Fma (SPV_NV_cooperative_vector
// 3.42.13).
int extendedComponents(uint32_t number) {
  switch (number) {
    case 18:
    case 21:
    case 27:
    case 28:
    case 37:
    case 40:
    case 43:
    case 48:
    case 50:
    case 79:
    case 80:
    case 81: return 'f';
    case 38:
    case 39:
    case 41:
    case 42:
    case 44:
    case 45: return 'i';
    default: return -1;
  }
}

// The first type, of the result and the operands, for which `is` holds; none if there is no such
// type.
template <class F>
Id findType(const Context& c, const Instruction& i, F&& is) {
  Id found;
  if (i.type && is(i.type)) return i.type;
  c.m.forEachUse(i, [&](Id id) {
    const Id type = c.m.typeOf(id);
    if (!found && type && is(type)) found = type;
  });
  return found;
}

bool holdsSmall(const Context& c, Id t) {
  return (c.holds(t) & (kHoldsSmallFloat | kHoldsSmallComponents)) != 0;
}

void checkMatrix(Context& c, const Instruction& i, Id matrixType) {
  const std::string name(spirv::opName(i.opcode));
  if (i.op() == Op::OpMatrixTimesScalar) {
    const op::MatrixTimesScalar product(c.m, i);
    const auto result = c.matrix(i.type);
    const Id scalar = c.m.typeOf(product.scalar()), factor = c.m.typeOf(product.matrix());
    if (!result.has_value() || factor != i.type) {
      c.report(Rule::MatrixTimesScalar, &i,
               "the matrix is a " + c.describe(factor) + ", the result a " + c.describe(i.type));
    } else if (!c.sameType(scalar, result->component)) {
      c.report(Rule::MatrixTimesScalar, &i,
               "the scalar is " + c.describe(scalar) + ", the matrix has components of " +
                   c.describe(result->component));
    }
    return;
  }
  const int components = matrixComponents(i.op());
  if (components < 0) {
    return c.report(Rule::MatrixArithmetic, &i, name + " does not take a cooperative matrix");
  }
  const IdRange operands = op::Value(c.m, i).operands();
  for (uint32_t n = 0; n < operands.size(); ++n) {
    if (const Id type = c.m.typeOf(operands[n]); type != i.type) {
      return c.report(Rule::MatrixArithmeticTypes, &i,
                      "operand " + std::to_string(n) + " is a " + c.describe(type) + ", the result a " +
                          c.describe(i.type));
    }
  }
  const Id component = c.matrix(matrixType)->component;
  if (components == 'f' ? !c.isFloat(component) : !c.isInt(component)) {
    c.report(Rule::MatrixArithmeticComponent, &i, name + " on components of " + c.describe(component));
  }
}

void checkVector(Context& c, const Instruction& i, int components, IdRange operands, Id vectorType,
                 const std::string& name) {
  if (components < 0)
    return c.report(Rule::CoopVecArithmetic, &i, name + " does not take a cooperative vector");
  for (uint32_t n = 0; n < operands.size(); ++n) {
    if (const Id type = c.m.typeOf(operands[n]); type != i.type) {
      return c.report(
          Rule::CoopVecArithmetic, &i,
          "operand " + std::to_string(n) + " is " + c.describe(type) + ", the result " + c.describe(i.type));
    }
  }
  const Id component = c.coopVec(vectorType)->component;
  if (components == 'f' ? !c.isFloat(component) : !c.isInt(component)) {
    c.report(Rule::CoopVecArithmetic, &i, name + " on components of " + c.describe(component));
  }
}

}  // namespace

void checkArithmetic(Context& c, const Instruction& i) {
  const auto extended = as<op::ExtInst>(c.m, i);
  if (extended) {
    if (as<op::ExtInstImport>(c.m, extended.set()).name() != "GLSL.std.450") return;
  } else if (i.op() == Op::OpVectorShuffle) {
    if (!c.declares(spirv::enums::CapabilityLongVectorEXT) &&
        findType(c, i, [&](Id t) { return c.coopVec(t).has_value(); })) {
      c.report(Rule::CoopVecShuffle, &i, "OpVectorShuffle on a cooperative vector");
    }
    return;
  } else if (convertsOthers(i.op())) {
    const bool vectors = !c.declares(spirv::enums::CapabilityLongVectorEXT);
    const Id type = findType(
        c, i, [&](Id t) { return c.matrix(t).has_value() || (vectors && c.coopVec(t).has_value()); });
    if (type) {
      c.report(Rule::ConversionInstruction, &i,
               std::string(spirv::opName(i.opcode)) + " does not take a " + c.describe(type));
    }
    return;
  } else if (!computes(i.op())) {
    return;
  }
  const Id interesting = findType(c, i, [&](Id t) { return c.holds(t) != 0 || c.matrix(t) || c.coopVec(t); });
  if (!interesting) return;

  // checkSmallFloats() reports arithmetic on bfloat16 and 8-bit floats.
  if (!extended && findType(c, i, [&](Id t) { return holdsSmall(c, t); })) return;
  const Id matrix = findType(c, i, [&](Id t) { return c.matrix(t).has_value(); });
  if (matrix) {
    if (extended) {
      return c.report(Rule::MatrixArithmetic, &i,
                      "instructions of GLSL.std.450 do not take a cooperative matrix");
    }
    return checkMatrix(c, i, matrix);
  }
  if (c.declares(spirv::enums::CapabilityLongVectorEXT)) return;
  const Id vector = findType(c, i, [&](Id t) { return c.coopVec(t).has_value(); });
  if (!vector) return;
  if (extended) {
    const spirv::ExtInstInfo* info = spirv::glslStd450Info(extended.instruction());
    return checkVector(c, i, extendedComponents(extended.instruction()), extended.operands(), vector,
                       info == nullptr ? "the instruction" : std::string(spirv::name(*info)));
  }
  if (const auto product = as<op::VectorTimesScalar>(c.m, i)) {
    const auto result = c.coopVec(i.type);
    if (!result.has_value() || c.m.typeOf(product.vector()) != i.type || !c.isFloat(result->component) ||
        !c.sameType(c.m.typeOf(product.scalar()), result->component)) {
      c.report(Rule::CoopVecArithmetic, &i,
               "OpVectorTimesScalar takes a vector of floats and a scalar of their type");
    }
    return;
  }
  checkVector(c, i, vectorComponents(i.op()), op::Value(c.m, i).operands(), vector,
              std::string(spirv::opName(i.opcode)));
}

// The extension is about numbers and vectors of up to four components; it does not mention matrices.
bool isBfloat16Arithmetic(const Context& c, const Instruction& i) {
  const bool listed = i.op() == Op::OpVectorTimesScalar ||
                      (matrixComponents(i.op()) == 'f' || i.op() == Op::OpFRem || i.op() == Op::OpFMod) ||
                      isBetween(i.op(), Op::OpIsNan, Op::OpUnordered) ||
                      isBetween(i.op(), Op::OpFOrdEqual, Op::OpFUnordGreaterThanEqual);
  if (!listed) return false;
  return bool(findType(c, i, [&](Id t) {
    return c.isBfloat16(t) || c.isBfloat16(as<op::TypeVector>(c.m, t).componentType());
  }));
}

void checkSmallFloats(Context& c) {
  if (!c.anyHolds(kHoldsSmallFloat)) return;
  const bool arithmetic = c.declares(spirv::enums::CapabilityBFloat16ArithmeticEXT);
  for (const Instruction& i : c.m.instructions) {
    if (!forbidsSmallFloats(i.op()) || (arithmetic && isBfloat16Arithmetic(c, i))) continue;
    const Id type = findType(c, i, [&](Id t) { return holdsSmall(c, t); });
    if (!type) continue;
    if (const auto dot = as<op::Dot>(c.m, i)) {
      if (c.isBfloat16(as<op::TypeVector>(c.m, c.m.typeOf(dot.vector1())).componentType())) {
        if (!c.declares(spirv::enums::CapabilityBFloat16DotProductKHR)) {
          c.report(Rule::Bfloat16DotCapability, &i, "capability BFloat16DotProductKHR is not declared");
        }
        continue;
      }
    }
    if (i.op() == spirv::enums::OpCooperativeMatrixReduceEXT) {
      c.report(Rule::ReduceSmallFloats, &i, "components of " + c.describe(type) + " are reduced");
      continue;
    }
    c.report(Rule::FloatEncodingInstruction, &i,
             std::string(spirv::opName(i.opcode)) + " on " + c.describe(type));
  }
}

namespace {

// One scalar constituent per component. OpCompositeConstruct also takes vectors of them.
void checkVectorConstruct(Context& c, const Instruction& i, const VectorType& vector, bool replicate) {
  const bool parts = i.op() == Op::OpCompositeConstruct;
  const Value wanted = c.value(vector.count);
  uint64_t given = 0;
  Defaults byDefault = wanted.byDefault;
  bool known = wanted.known;
  for (const Id constituent : op::AnyComposite(c.m, i).constituents()) {
    const Id type = c.m.typeOf(constituent);
    const auto smaller = as<op::TypeVector>(c.m, type);
    if (c.sameType(type, vector.component)) {
      ++given;
    } else if (parts && c.sameType(smaller.componentType(), vector.component)) {
      given += smaller.componentCount();
    } else if (const auto part = parts ? c.coopVec(type) : std::nullopt;
               part.has_value() && c.sameType(part->component, vector.component)) {
      const Value count = c.value(part->count);
      known = known && count.known;
      byDefault |= count.byDefault;
      given += count.bits;
    } else {
      return c.report(Rule::CoopVecConstruct, &i,
                      "a constituent is " + c.describe(type) + ", the vector has components of " +
                          c.describe(vector.component));
    }
  }
  if (replicate ? given != 1 : known && given != wanted.bits) {
    c.report(Rule::CoopVecConstruct, &i,
             std::to_string(given) + " components are given for " + (replicate ? "1" : c.describe(wanted)),
             byDefault);
  }
}

}  // namespace

void checkComposite(Context& c, const Instruction& i) {
  const Op op = i.op();
  const auto constant = as<op::SpecConstantOp>(c.m, i);
  if (constant && constant.opcode() != Op::OpCooperativeMatrixLengthKHR) return;
  const auto length = as<op::CooperativeMatrixLengthKHR>(c.m, i);
  if (constant || length) {
    if (!c.isInt32(i.type) || c.isSigned(i.type)) {
      c.report(Rule::MatrixLength, &i, "the result type is " + c.describe(i.type) + ", not uint32_t");
    } else if (!c.matrix(constant ? constant.operands()[0] : length.type()).has_value()) {
      c.report(Rule::MatrixLength, &i, "the operand is not a cooperative matrix type");
    }
    return;
  }
  const bool replicate =
      isBetween(op, Op::OpConstantCompositeReplicateEXT, Op::OpCompositeConstructReplicateEXT);
  const bool construct = replicate || op == Op::OpCompositeConstruct || op == Op::OpConstantComposite ||
                         op == Op::OpSpecConstantComposite;
  if (!construct) return;
  if (const auto vector = c.coopVec(i.type)) return checkVectorConstruct(c, i, *vector, replicate);
  const auto matrix = c.matrix(i.type);
  if (!matrix.has_value()) return;
  const IdRange constituents = op::AnyComposite(c.m, i).constituents();
  if (constituents.size() != 1) {
    return c.report(
        Rule::MatrixConstruct, &i,
        std::to_string(constituents.size()) + " constituents are given, but a cooperative matrix takes one");
  }
  const Id constituent = c.m.typeOf(constituents[0]);
  if (!c.sameType(constituent, matrix->component)) {
    c.report(Rule::MatrixConstruct, &i,
             "the constituent is " + c.describe(constituent) + ", the matrix has components of " +
                 c.describe(matrix->component));
  }
}

}  // namespace coopc::validator
