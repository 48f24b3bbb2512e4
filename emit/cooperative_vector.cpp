// GL_NV_cooperative_vector's and GL_NV_cooperative_matrix's instructions. Arrays are passed as pointers to
// the whole array (vectors) or to the element where the matrix starts (matrices).
#include <optional>

#include "emit/cooperative_matrix.hpp"
#include "spirv/enums_supplement.hpp"

namespace coopc::emit {

using frontend::BuiltinOp;

namespace {

Id arrayPointer(Emitter& e, ExprId buffer, Place& p) {
  e.placeOrSpill(buffer, p);
  return e.memory.pointer(p);
}

// The operand mask that says which of input and result are signed (SPV_NV_cooperative_vector,
// OpCooperativeVectorMatrixMulAddNV); no value if neither is.
std::optional<spv::CooperativeMatrixOperandsMask> signedness(Emitter& e, TypeId input, TypeId result) {
  using Mask = spv::CooperativeMatrixOperandsMask;
  Mask operands = Mask::MaskNone;
  if (frontend::isSignedScalar(e.scalarOf(input))) operands = operands | Mask::MatrixBSignedComponentsKHR;
  if (frontend::isSignedScalar(e.scalarOf(result)))
    operands = operands | Mask::MatrixResultSignedComponentsKHR;
  if (operands == Mask::MaskNone) return std::nullopt;
  return operands;
}

// (result, input, inputInterpretation, matrix, matrixOffset, matrixInterpretation
//  [, bias, biasOffset, biasInterpretation], M, K, matrixLayout, transpose, matrixStride)
void matrixMultiply(Emitter& e, std::span<const ExprId> args, bool bias) {
  Place target;
  e.placeOrSpill(args[0], target);
  const TypeId result = e.typeOf(args[0]);
  const auto operands = signedness(e, e.typeOf(args[1]), result);
  Place matrix, addend;
  const Id product =
      bias ? e.make<op::CooperativeVectorMatrixMulAddNV>(result, {.input = e.value(args[1]),
                                                                  .inputInterpretation = e.value(args[2]),
                                                                  .matrix = arrayPointer(e, args[3], matrix),
                                                                  .matrixOffset = e.value(args[4]),
                                                                  .matrixInterpretation = e.value(args[5]),
                                                                  .bias = arrayPointer(e, args[6], addend),
                                                                  .biasOffset = e.value(args[7]),
                                                                  .biasInterpretation = e.value(args[8]),
                                                                  .m = e.value(args[9]),
                                                                  .k = e.value(args[10]),
                                                                  .memoryLayout = e.value(args[11]),
                                                                  .transpose = e.value(args[12]),
                                                                  .matrixStride = e.value(args[13]),
                                                                  .cooperativeMatrixOperands = operands})
           : e.make<op::CooperativeVectorMatrixMulNV>(result, {.input = e.value(args[1]),
                                                               .inputInterpretation = e.value(args[2]),
                                                               .matrix = arrayPointer(e, args[3], matrix),
                                                               .matrixOffset = e.value(args[4]),
                                                               .matrixInterpretation = e.value(args[5]),
                                                               .m = e.value(args[6]),
                                                               .k = e.value(args[7]),
                                                               .memoryLayout = e.value(args[8]),
                                                               .transpose = e.value(args[9]),
                                                               .matrixStride = e.value(args[10]),
                                                               .cooperativeMatrixOperands = operands});
  e.memory.store(target, product);
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
  const Id pointer = arrayPointer(e, args[1], buffer);
  const Id offset = e.value(args[2]);
  // The accessed memory starts at a multiple of 16 bytes from the pointer.
  if (buffer.storage == spv::StorageClass::PhysicalStorageBuffer) buffer.align |= 16;
  const auto memory = spirv::MemoryOperandWords::ifAny(e.memory.memoryOperands(buffer, isLoad));
  if (isLoad) {
    const Id loaded = e.make<op::CooperativeVectorLoadNV>(
        e.typeOf(args[0]), {.pointer = pointer, .offset = offset, .memoryOperands = memory.words()});
    e.memory.store(target, loaded);
  } else {
    e.make<op::CooperativeVectorStoreNV>(
        {.pointer = pointer, .offset = offset, .object = object, .memoryOperands = memory.words()});
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
  e.make<op::CooperativeVectorOuterProductAccumulateNV>({.pointer = pointer,
                                                         .offset = offset,
                                                         .a = a,
                                                         .b = b,
                                                         .memoryLayout = layout,
                                                         .matrixInterpretation = interpretation,
                                                         .matrixStride = stride});
}

void reduceSum(Emitter& e, std::span<const ExprId> args) {
  e.capability(spv::Capability::CooperativeVectorTrainingNV);
  const Id v = e.value(args[0]);
  Place buffer;
  const Id pointer = arrayPointer(e, args[1], buffer);
  e.make<op::CooperativeVectorReduceSumAccumulateNV>(
      {.pointer = pointer, .offset = e.value(args[2]), .v = v});
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
  const std::optional<int64_t> literal = e.literalInt(args[2]);
  e.memory.stepIndex(element, e.value(args[2]), literal.has_value(),
                     static_cast<uint32_t>(literal.value_or(0)));
  const Id stride = e.value(args[3]);
  const Id columnMajor = e.value(args[4]);
  const Id pointer = e.memory.pointer(element);
  const auto memory = spirv::MemoryOperandWords::ifAny(e.memory.memoryOperands(element, isLoad));
  if (isLoad) {
    const Id loaded = e.make<op::CooperativeMatrixLoadNV>(
        e.typeOf(args[0]),
        {.pointer = pointer, .stride = stride, .columnMajor = columnMajor, .memoryOperands = memory.words()});
    e.memory.store(target, loaded);
  } else {
    e.make<op::CooperativeMatrixStoreNV>({.pointer = pointer,
                                          .object = object,
                                          .stride = stride,
                                          .columnMajor = columnMajor,
                                          .memoryOperands = memory.words()});
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
      return e.make<op::CooperativeMatrixMulAddNV>(call.type, {.a = a, .b = b, .c = c});
    }
    default: break;
  }
  return {};
}

}  // namespace coopc::emit
