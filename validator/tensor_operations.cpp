// OpCreateTensorLayoutNV, OpTensorLayoutSet...NV, OpTensorLayoutSliceNV, OpCreateTensorViewNV,
// OpTensorViewSet...NV: the types and numbers of operands. tensor_state.cpp checks their values.
#include "validator/context.hpp"

namespace coopc::validator {

using spv::Op;

void checkTensorOperation(Context& c, const Instruction& i) {
  bool view = false;
  uint32_t perDimension = 1, fixed = 0;  // operands after the layout or view: per dimension, and in addition
  bool create = false;
  switch (i.op()) {
    case Op::OpCreateTensorViewNV: view = true; [[fallthrough]];
    case Op::OpCreateTensorLayoutNV: create = true; break;
    case Op::OpTensorLayoutSetBlockSizeNV:
    case Op::OpTensorLayoutSetDimensionNV:
    case Op::OpTensorLayoutSetStrideNV: break;
    case Op::OpTensorLayoutSliceNV: perDimension = 2; break;
    case Op::OpTensorLayoutSetClampValueNV: fixed = 1; break;
    case Op::OpTensorViewSetDimensionNV:
    case Op::OpTensorViewSetStrideNV: view = true; break;
    case Op::OpTensorViewSetClipNV:
      view = true;
      fixed = 4;
      break;
    default: return;
  }
  const auto type = view ? c.view(i.type) : c.layout(i.type);
  if (!type.has_value()) {
    return c.report(Rule::TensorResultType, &i,
                    std::string("the result type is ") + c.describe(i.type) + ", not a tensor " +
                        (view ? "view" : "layout"));
  }
  if (create) return;
  const op::TensorOperation operation(c.m, i);
  if (const Id given = c.m.typeOf(operation.tensor()); given != i.type) {
    return c.report(Rule::TensorOperandType, &i,
                    "the operand's type is " + c.describe(given) +
                        (given && c.typeOp(given) == c.typeOp(i.type) ? " of another type" : "") +
                        ", not the result type");
  }
  const IdRange operands = operation.operands();
  const uint32_t count = operands.size();
  if (fixed == 0 && type->dimensions.known && count != perDimension * type->dimensions.bits) {
    return c.report(Rule::TensorOperandCount, &i,
                    std::to_string(count) + " operands are given, but " + c.describe(type->dimensions) +
                        " dimensions need " + std::to_string(perDimension * type->dimensions.bits),
                    type->dimensions.byDefault);
  }
  for (uint32_t n = 0; n < count; ++n) {
    if (const Id given = c.m.typeOf(operands[n]); !c.isInt32(given)) {
      return c.report(Rule::TensorOperandInteger, &i,
                      "operand " + std::to_string(n) + " is " + c.describe(given) + ", not a 32-bit integer");
    }
  }
}

void checkTensorInstructions(Context& c) {
  if (!c.anyHolds(kHoldsTensor)) return;
  for (const Instruction& i : c.m.instructions) {
    const uint32_t n = i.opcode;
    // Conversions, arithmetic, logic and bits, derivatives; OpCompositeConstruct may build arrays and structs
    // of them.
    const bool computes = (n >= 109 && n <= 124) || (n >= 126 && n <= 152) || (n >= 154 && n <= 191) ||
                          (n >= 194 && n <= 205) || (n >= 207 && n <= 215) || i.op() == Op::OpConstantNull;
    if (!computes) continue;
    Id type = (c.holds(i.type) & kHoldsTensor) != 0 ? i.type : Id();
    c.m.forEachUse(i, [&](Id id) {
      const Id t = c.m.typeOf(id);
      if (!type && (c.holds(t) & kHoldsTensor) != 0) type = t;
    });
    if (!type) continue;
    c.report(Rule::TensorInstruction, &i,
             std::string(spirv::opName(n)) + " does not take a " + c.describe(type));
  }
}

}  // namespace coopc::validator
