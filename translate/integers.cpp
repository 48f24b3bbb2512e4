// SPIR-V 3.52.14 defines shifts, whose operands may differ in width and signedness, and 3.52.11 OpBitcast.
#include "translate/integers.hpp"

#include "translate/insertion.hpp"

namespace coopc::translating {

namespace {

using spirv::Id;
using spirv::Instruction;

// An integer type or a vector of integers; count 0: neither.
struct Integers {
  uint32_t bits = 0, count = 0;
  bool isSigned = false;
};

Integers integers(const spirv::Module& m, Id type) {
  Integers found;
  const Instruction* i = m.def(type);
  if (i == nullptr) return {};
  found.count = 1;
  if (i->op() == spv::Op::OpTypeVector) {
    found.count = m.word(*i, 3);
    i = m.def(m.idAt(*i, 2));
  }
  if (i == nullptr || i->op() != spv::Op::OpTypeInt) return {};
  found.bits = m.word(*i, 2);
  found.isSigned = m.word(*i, 3) != 0;
  return found;
}

// A shift by the width of the base or more is undefined, so truncating the count loses nothing.
void matchShift(spirv::Module& m, Insertion& insertion, const Instruction& i) {
  const Integers base = integers(m, m.typeOf(m.idAt(i, 3))), by = integers(m, m.typeOf(m.idAt(i, 4)));
  if (base.count == 0 || by.count != base.count || by.bits == base.bits) return;
  Id number = m.idAt(i, 4);
  if (by.isSigned) {
    const Id type = insertion.typeUnsigned(by.bits, by.count);
    number = insertion.op(spv::Op::OpBitcast, type, {number});
  }
  const Id type = insertion.typeUnsigned(base.bits, base.count);
  m.setIdAt(i, 4, insertion.op(spv::Op::OpUConvert, type, {number}));
}

void matchBitcast(spirv::Module& m, Insertion& insertion, Instruction& i) {
  const Integers from = integers(m, m.typeOf(m.idAt(i, 3))), to = integers(m, i.type);
  if (from.count == 0 || to.count == 0 || from.isSigned == to.isSigned) return;
  if (from.count == 1 && to.count > 1 && to.bits <= 16) {
    const Id type = insertion.typeInteger(from.bits, to.isSigned);
    m.setIdAt(i, 3, insertion.op(spv::Op::OpBitcast, type, {m.idAt(i, 3)}));
  } else if (to.count == 1 && from.count > 1 && from.bits <= 16) {
    const Id type = insertion.typeInteger(to.bits, from.isSigned);
    m.setIdAt(i, 3, insertion.op(spv::Op::OpBitcast, type, {m.idAt(i, 3)}));
  }
}

}  // namespace

void matchIntegers(spirv::Module& module) {
  Insertion insertion(module);
  insertion.walk([&](Instruction& i) {
    switch (i.op()) {
      case spv::Op::OpShiftLeftLogical:
      case spv::Op::OpShiftRightLogical:
      case spv::Op::OpShiftRightArithmetic: matchShift(module, insertion, i); break;
      case spv::Op::OpBitcast: matchBitcast(module, insertion, i); break;
      default: break;
    }
  });
}

}  // namespace coopc::translating
