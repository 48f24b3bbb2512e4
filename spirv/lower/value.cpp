// Writes the operations of values: unsigned arithmetic is folded.
#include "spirv/lower/value.hpp"

#include <optional>

#include "spirv/instructions.hpp"
#include "spirv/lower/code.hpp"

namespace coopc::spirv::lower {

namespace {

Id fold(Code& code, spv::Op op, NamedId a, NamedId b) {
  const std::optional<uint32_t> x = code.globals.constantValue(a), y = code.globals.constantValue(b);
  if (x && y) {
    switch (op) {
      case spv::Op::OpIAdd: return code.u32(*x + *y);
      case spv::Op::OpISub: return code.u32(*x - *y);
      case spv::Op::OpIMul: return code.u32(*x * *y);
      case spv::Op::OpUDiv:
        if (*y != 0) return code.u32(*x / *y);
        break;
      case spv::Op::OpUMod:
        if (*y != 0) return code.u32(*x % *y);
        break;
      default: break;
    }
  }
  // An unknown operand equals no number.
  const bool neutral = op == spv::Op::OpIAdd || op == spv::Op::OpISub   ? y == 0u
                       : op == spv::Op::OpIMul || op == spv::Op::OpUDiv ? y == 1u
                                                                        : false;
  if (neutral) return a;
  if ((op == spv::Op::OpIAdd && x == 0u) || (op == spv::Op::OpIMul && x == 1u)) return b;
  if (op == spv::Op::OpIMul && (x == 0u || y == 0u)) return code.u32(0);
  if (op == spv::Op::OpUMod && y == 1u) return code.u32(0);
  const Id type = code.globals.typeU32();
  return code.make<op::Binary>(op, type, {a, b});
}

}  // namespace

namespace value {

void Leaf::makeConstants(Code& code) {
  if (isNumber_) id_ = code.u32(number_);
}

Id writeOperation(Code& code, spv::Op op, bool ofBool, Operands operands) {
  switch (op) {
    case spv::Op::OpIAdd:
    case spv::Op::OpISub:
    case spv::Op::OpIMul:
    case spv::Op::OpUDiv:
    case spv::Op::OpUMod: {
      const Id a = operands[0].id(), b = operands[1].id();
      return fold(code, op, a, b);
    }
    default: {
      const Id type = ofBool ? code.globals.typeBool() : code.globals.typeU32();
      return code.op(op, type, operands);
    }
  }
}

}  // namespace value

UInt add(Code& code, NamedId a, NamedId b) { return UInt(code, fold(code, spv::Op::OpIAdd, a, b)); }
UInt mul(Code& code, NamedId a, NamedId b) { return UInt(code, fold(code, spv::Op::OpIMul, a, b)); }
UInt div(Code& code, NamedId a, NamedId b) { return UInt(code, fold(code, spv::Op::OpUDiv, a, b)); }
UInt mod(Code& code, NamedId a, NamedId b) { return UInt(code, fold(code, spv::Op::OpUMod, a, b)); }
Bool less(Code& code, NamedId a, NamedId b) {
  const Id type = code.globals.typeBool();
  return Bool(code, code.make<op::ULessThan>(type, {a, b}));
}

Id Pointer::load() const {
  return storage_ == spv::StorageClass::Workgroup ? code_->shared.load(pointee_, id_)
                                                  : code_->load(pointee_, id_);
}

void Pointer::store(Id value) const {
  if (storage_ == spv::StorageClass::Workgroup)
    code_->shared.store(id_, value);
  else
    code_->store(id_, value);
}

}  // namespace coopc::spirv::lower
