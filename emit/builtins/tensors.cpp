// Functions of GL_ARM_tensors (8.X "Tensor Functions") as the instructions of SPV_ARM_tensors.
#include "spirv/tensors.hpp"

#include "emit/builtins/call.hpp"

namespace coopc::emit {

using namespace frontend;
namespace en = spirv::enums;

namespace {

// Tensor operands: the mask, then the operands of its bits in their order. The mask combines the value of
// `tensorOperands` and the bits that the memory model requires.
void tensorOperands(const BuiltinCall& c, OperandWords& words, const MemoryOperands& memory) {
  uint32_t mask = memory.count != 0 ? uint32_t{memory.words[0]} : 0;
  int64_t given = 0;
  if (c.count() > 3 && c.e.literalInt(c.args[3], given)) mask |= static_cast<uint32_t>(given);
  if (mask == 0) return;
  words.push(mask);
  if ((mask & en::TensorOperandsOutOfBoundsValueARM) != 0) words.push(c.arg(4));
  for (uint32_t i = 1; i < memory.count; ++i) words.push(memory.words[i]);
}

}  // namespace

Id emitTensorBuiltin(Emitter& e, ExprId call) {
  const BuiltinCall c(e, call);
  Place tensor;
  c.place(0, tensor);
  const Id object = e.memory.load(tensor);
  switch (c.o) {
    case BuiltinOp::TensorSize: return c.op(en::OpTensorQuerySizeARM, {object, c.arg(1)});
    case BuiltinOp::TensorRead: {
      const Id coordinates = c.arg(1);
      Place data;
      c.place(2, data);
      OperandWords words(e, {object, coordinates});
      tensorOperands(c, words, e.memory.tensorMemoryOperands(tensor, true));
      e.memory.store(data, e.op(en::OpTensorReadARM, c.argType(2), words.span()));
      return {};
    }
    default: {
      const Id coordinates = c.arg(1);
      OperandWords words(e, {object, coordinates, c.arg(2)});
      tensorOperands(c, words, e.memory.tensorMemoryOperands(tensor, false));
      e.opVoid(en::OpTensorWriteARM, words.span());
      return {};
    }
  }
}

}  // namespace coopc::emit
