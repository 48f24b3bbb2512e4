// GL_NV_cooperative_vector's and GL_NV_cooperative_matrix's instructions. Arrays are passed as pointers to
// the whole array (vectors) or to the element where the matrix starts (matrices).
#include "emit/cooperative_matrix.hpp"
#include "emit/operand_words.hpp"
#include "spirv/enums_supplement.hpp"

namespace coopc::emit {

using frontend::BuiltinOp;
using spv::Op;

namespace {

Id arrayPointer(Emitter& e, ExprId buffer, Place& p) {
  e.placeOrSpill(buffer, p);
  return e.memory.pointer(p);
}

// Which of input and result are signed (SPV_NV_cooperative_vector, OpCooperativeVectorMatrixMulAddNV).
uint32_t signedness(Emitter& e, TypeId input, TypeId result) {
  using Mask = spv::CooperativeMatrixOperandsMask;
  uint32_t operands = 0;
  if (frontend::isSignedScalar(e.scalarOf(input))) operands |= uint32_t(Mask::MatrixBSignedComponentsKHR);
  if (frontend::isSignedScalar(e.scalarOf(result)))
    operands |= uint32_t(Mask::MatrixResultSignedComponentsKHR);
  return operands;
}

// (result, input, inputInterpretation, matrix, matrixOffset, matrixInterpretation
//  [, bias, biasOffset, biasInterpretation], M, K, matrixLayout, transpose, matrixStride)
void matrixMultiply(Emitter& e, std::span<const ExprId> args, bool bias) {
  Place target;
  e.placeOrSpill(args[0], target);
  OperandWords w(e);
  Place buffer;
  for (uint32_t i = 1; i < args.size(); ++i) {
    const bool isArray = i == 3 || (bias && i == 6);
    w.push(isArray ? arrayPointer(e, args[i], buffer) : e.value(args[i]));
  }
  const uint32_t operands = signedness(e, e.typeOf(args[1]), e.typeOf(args[0]));
  if (operands != 0) w.push(operands);
  const Op opcode = bias ? Op::OpCooperativeVectorMatrixMulAddNV : Op::OpCooperativeVectorMatrixMulNV;
  e.memory.store(target, e.op(opcode, e.typeOf(args[0]), w.span()));
}

void vectorAccess(Emitter& e, std::span<const ExprId> args, bool isLoad) {
  Place target;
  Id object;
  if (isLoad) {
    e.placeOrSpill(args[0], target);
  } else {
    object = e.value(args[0]);
  }
  Place buffer;
  OperandWords w(e);
  w.push(arrayPointer(e, args[1], buffer));
  w.push(e.value(args[2]));
  if (!isLoad) w.push(object);
  // The accessed memory starts at a multiple of 16 bytes from the pointer.
  if (buffer.storage == spv::StorageClass::PhysicalStorageBuffer) buffer.align |= 16;
  w.append(e.memory.memoryOperands(buffer, isLoad).span());
  if (isLoad) {
    e.memory.store(target, e.op(Op::OpCooperativeVectorLoadNV, e.typeOf(args[0]), w.span()));
  } else {
    e.opVoid(Op::OpCooperativeVectorStoreNV, w.span());
  }
}

// (v1, v2, buf, offset, stride, matrixLayout, matrixInterpretation)
void outerProduct(Emitter& e, std::span<const ExprId> args) {
  e.capability(spv::Capability::CooperativeVectorTrainingNV);
  const Id a = e.value(args[0]);
  const Id b = e.value(args[1]);
  Place buffer;
  const Id pointer = arrayPointer(e, args[2], buffer);
  const Id offset = e.value(args[3]);
  const Id stride = e.value(args[4]);
  const Id layout = e.value(args[5]);
  const Id interpretation = e.value(args[6]);
  e.opVoid(Op::OpCooperativeVectorOuterProductAccumulateNV,
           {pointer, offset, a, b, layout, interpretation, stride});
}

void reduceSum(Emitter& e, std::span<const ExprId> args) {
  e.capability(spv::Capability::CooperativeVectorTrainingNV);
  const Id v = e.value(args[0]);
  Place buffer;
  const Id pointer = arrayPointer(e, args[1], buffer);
  e.opVoid(Op::OpCooperativeVectorReduceSumAccumulateNV, {pointer, e.value(args[2]), v});
}

// (m, buf, element, stride, colMajor)
void matrixAccess(Emitter& e, std::span<const ExprId> args, bool isLoad) {
  Place target;
  Id object;
  if (isLoad) {
    e.placeOrSpill(args[0], target);
  } else {
    object = e.value(args[0]);
  }
  Place element;
  e.placeOrSpill(args[1], element);
  int64_t literal = 0;
  const bool isLiteral = e.literalInt(args[2], literal);
  e.memory.stepIndex(element, e.value(args[2]), isLiteral, static_cast<uint32_t>(literal));
  const Id stride = e.value(args[3]);
  const Id columnMajor = e.value(args[4]);
  OperandWords w(e);
  w.push(e.memory.pointer(element));
  if (!isLoad) w.push(object);
  w.push(stride);
  w.push(columnMajor);
  w.append(e.memory.memoryOperands(element, isLoad).span());
  if (isLoad) {
    e.memory.store(target, e.op(Op::OpCooperativeMatrixLoadNV, e.typeOf(args[0]), w.span()));
  } else {
    e.opVoid(Op::OpCooperativeMatrixStoreNV, w.span());
  }
}

}  // namespace

Id emitVectorBuiltin(Emitter& e, const Expr& call) {
  const auto args = e.program.builtinArguments(call);
  // 64-bit offsets need SPV_EXT_shader_64bit_indexing.
  for (const ExprId a : args) {
    if (e.typeOf(a) == frontend::basicType(Scalar::Uint64))
      e.module.declareExtensionOf(spirv::enums::CapabilityShader64BitIndexingEXT);
  }
  switch (call.builtin()) {
    case BuiltinOp::CoopVecMatMul: matrixMultiply(e, args, false); break;
    case BuiltinOp::CoopVecMatMulAdd: matrixMultiply(e, args, true); break;
    case BuiltinOp::CoopVecLoad: vectorAccess(e, args, true); break;
    case BuiltinOp::CoopVecStore: vectorAccess(e, args, false); break;
    case BuiltinOp::CoopVecOuterProductAccumulate: outerProduct(e, args); break;
    case BuiltinOp::CoopVecReduceSumAccumulate: reduceSum(e, args); break;
    case BuiltinOp::CoopMatLoadNV: matrixAccess(e, args, true); break;
    case BuiltinOp::CoopMatStoreNV: matrixAccess(e, args, false); break;
    case BuiltinOp::CoopMatMulAddNV: {
      const Id a = e.value(args[0]);
      const Id b = e.value(args[1]);
      const Id c = e.value(args[2]);
      return e.op(Op::OpCooperativeMatrixMulAddNV, call.type, {a, b, c});
    }
    default: break;
  }
  return {};
}

}  // namespace coopc::emit
