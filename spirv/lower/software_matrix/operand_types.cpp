// Finds operands in types, and in what instructions take and make.
#include "spirv/lower/software_matrix/operand_types.hpp"

#include <algorithm>

#include "spirv/instructions.hpp"

namespace coopc::spirv::lower {

OperandTypes::OperandTypes(const Module& module, const std::vector<SoftwareLayout>& layouts, spv::Scope scope)
    : m_(module), holds_(module.bound) {
  for (const SoftwareLayout& l : layouts) {
    if (l.of.scope == scope && l.of.use != spv::CooperativeMatrixUse::MatrixAccumulatorKHR)
      matrices_.push_back(l.of.type);
  }
  // A type's parts precede it (SPIR-V, 2.4), except those that pointers point to; members that are pointers
  // point to memory, which has no matrices.
  for (uint32_t n = 0; n < module.functionsAt; ++n) {
    const Instruction& i = module.instructions[n];
    if (const auto array = as<op::TypeArray>(module, i)) {
      holds_[i.result.index()] = isOrHolds(array.elementType());
    } else if (const auto structure = as<op::TypeStruct>(module, i)) {
      const IdRange members = structure.memberTypes();
      holds_[i.result.index()] =
          std::any_of(members.begin(), members.end(), [&](Id member) { return isOrHolds(member); });
    }
  }
}

bool OperandTypes::is(Id type) const { return std::ranges::find(matrices_, type) != matrices_.end(); }

Id OperandTypes::pointee(Id type) const { return as<op::TypePointer>(m_, type).type(); }

bool OperandTypes::componentIn(const Instruction& i) const {
  const auto isNumber = [&](Id type) {
    const spv::Op op = m_.opOf(type);
    return op == spv::Op::OpTypeInt || op == spv::Op::OpTypeFloat;
  };
  switch (i.op()) {
    case spv::Op::OpCompositeExtract:
      return isNumber(i.type) && isOrHolds(m_.typeOf(op::CompositeExtract(m_, i).composite()));
    case spv::Op::OpCompositeInsert:
      return isNumber(m_.typeOf(op::CompositeInsert(m_, i).object())) && isOrHolds(i.type);
    case spv::Op::OpAccessChain:
    case spv::Op::OpInBoundsAccessChain:
    case spv::Op::OpPtrAccessChain:
    case spv::Op::OpInBoundsPtrAccessChain:
      return isNumber(pointee(i.type)) && isOrHolds(pointee(m_.typeOf(op::AnyAccessChain(m_, i).base())));
    default: return false;
  }
}

bool OperandTypes::areIn(const Instruction& i) const {
  const auto isIn = [&](Id type) {
    const auto pointer = as<op::TypePointer>(m_, type);
    return isOrHolds(type) || (pointer && isOrHolds(pointer.type()));
  };
  if (isIn(i.type)) return true;
  bool used = false;
  m_.forEachUse(i, [&](Id id) { used = used || isIn(id) || isIn(m_.typeOf(id)); });
  return used;
}

}  // namespace coopc::spirv::lower
