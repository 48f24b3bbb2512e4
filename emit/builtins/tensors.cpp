// Functions of GL_ARM_tensors (8.X "Tensor Functions") as the instructions of SPV_ARM_tensors.
#include "spirv/tensors.hpp"

#include "emit/builtins/call.hpp"

namespace coopc::emit {

using namespace frontend;
namespace en = spirv::enums;

namespace {

// The value of `tensorOperands` and what the memory model requires (`operands`).
spirv::TensorOperandWords tensorOperands(const BuiltinCall& c, spirv::TensorOperands operands) {
  if (c.count() > 3) operands.flags |= static_cast<uint32_t>(c.e.literalInt(c.args[3]).value_or(0));
  if ((operands.flags & en::TensorOperandsOutOfBoundsValueARM) != 0) operands.outOfBoundsValue = c.arg(4);
  return spirv::TensorOperandWords(operands);
}

}  // namespace

Id emitTensorBuiltin(Emitter& e, ExprId call) {
  const BuiltinCall c(e, call);
  Place tensor;
  c.place(0, tensor);
  const Id object = e.memory.load(tensor);
  switch (c.o) {
    case BuiltinOp::TensorSize:
      return c.make<op::TensorQuerySizeARM>({.tensor = object, .dimension = c.arg(1)});
    case BuiltinOp::TensorRead: {
      const Id coordinates = c.arg(1);
      Place data;
      c.place(2, data);
      const auto operands = tensorOperands(c, e.memory.tensorMemoryOperands(tensor, true));
      const Id read = e.make<op::TensorReadARM>(c.argType(2), {.tensor = object,
                                                               .coordinates = coordinates,
                                                               .tensorOperands = operands.mask(),
                                                               .parameters = operands.parameters()});
      e.memory.store(data, read);
      return {};
    }
    default: {
      const Id coordinates = c.arg(1);
      const Id written = c.arg(2);
      const auto operands = tensorOperands(c, e.memory.tensorMemoryOperands(tensor, false));
      e.make<op::TensorWriteARM>({.tensor = object,
                                  .coordinates = coordinates,
                                  .object = written,
                                  .tensorOperands = operands.mask(),
                                  .parameters = operands.parameters()});
      return {};
    }
  }
}

}  // namespace coopc::emit
