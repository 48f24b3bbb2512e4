// SPIR-V 3.52.14 defines shifts, whose operands may differ in width and signedness, and 3.52.11 OpBitcast.
#include "translate/integers.hpp"

#include "spirv/literal_string.hpp"
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

bool isDotProduct(const Instruction& i) {
  return spirv::isBetween(i.op(), spv::Op::OpSDot, spv::Op::OpSUDotAccSat);
}

// The last step of OpSDotAccSat and its like, in place of `i`: the addition of the accumulator, which saturates.
void addSaturating(spirv::Module& m, Insertion& insertion, Instruction& i, bool isSigned, Id sum,
                   Id accumulator) {
  const Id type = i.type, boolean = insertion.type(spv::Op::OpTypeBool, {});
  const Id total = insertion.op(spv::Op::OpIAdd, type, {sum, accumulator});
  if (!isSigned) {
    const Id wrapped = insertion.op(spv::Op::OpULessThan, boolean, {total, accumulator});
    const Id most = insertion.number(type, 0xFFFFFFFF);
    i = m.make(spv::Op::OpSelect, type, i.result, {wrapped, most, total});
    return;
  }
  // Both addends have the same sign, and the total has the other one.
  const Id zero = insertion.number(type, 0);
  const Id a = insertion.op(spv::Op::OpBitwiseXor, type, {sum, total});
  const Id b = insertion.op(spv::Op::OpBitwiseXor, type, {accumulator, total});
  const Id both = insertion.op(spv::Op::OpBitwiseAnd, type, {a, b});
  const Id over = insertion.op(spv::Op::OpSLessThan, boolean, {both, zero});
  const Id negative = insertion.op(spv::Op::OpSLessThan, boolean, {accumulator, zero});
  const Id least = insertion.number(type, 0x80000000), most = insertion.number(type, 0x7FFFFFFF);
  const Id limit = insertion.op(spv::Op::OpSelect, type, {negative, least, most});
  i = m.make(spv::Op::OpSelect, type, i.result, {over, limit, total});
}

// Whether it was rewritten.
bool expandDotProduct(spirv::Module& m, Insertion& insertion, Instruction& i) {
  const Integers first = integers(m, m.typeOf(m.idAt(i, 3))), second = integers(m, m.typeOf(m.idAt(i, 4)));
  const bool accumulates = i.op() >= spv::Op::OpSDotAccSat;
  if (i.length != (accumulates ? 7 : 6) || first.count != 1 || second.count != 1 ||
      integers(m, i.type).bits != 32)
    return false;
  const bool isUnsigned = i.op() == spv::Op::OpUDot || i.op() == spv::Op::OpUDotAccSat;
  const bool isSigned[] = {!isUnsigned, i.op() == spv::Op::OpSDot || i.op() == spv::Op::OpSDotAccSat};
  Id sum;
  for (uint32_t n = 0; n < 4; ++n) {
    Id factors[2];
    for (uint32_t k = 0; k < 2; ++k) {
      Id word = m.idAt(i, 3 + k);
      if (m.typeOf(word) != i.type) word = insertion.op(spv::Op::OpBitcast, i.type, {word});
      const Id offset = insertion.u32(8 * n), width = insertion.u32(8);
      const spv::Op extract = isSigned[k] ? spv::Op::OpBitFieldSExtract : spv::Op::OpBitFieldUExtract;
      factors[k] = insertion.op(extract, i.type, {word, offset, width});
    }
    if (n == 3 && !accumulates) {
      const Id product = insertion.op(spv::Op::OpIMul, i.type, {factors[0], factors[1]});
      i = m.make(spv::Op::OpIAdd, i.type, i.result, {sum, product});
      break;
    }
    const Id product = insertion.op(spv::Op::OpIMul, i.type, {factors[0], factors[1]});
    sum = n == 0 ? product : insertion.op(spv::Op::OpIAdd, i.type, {sum, product});
  }
  if (accumulates) addSaturating(m, insertion, i, !isUnsigned, sum, m.idAt(i, 5));
  return true;
}

void dropDotProductCapabilities(spirv::Module& m) {
  for (uint32_t n = 0; n < m.functionsAt; ++n) {
    Instruction& i = m.instructions[n];
    const bool capability = i.op() == spv::Op::OpCapability &&
                            (m.word(i, 1) == uint32_t(spv::Capability::DotProduct) ||
                             m.word(i, 1) == uint32_t(spv::Capability::DotProductInput4x8BitPacked));
    const bool extension = i.op() == spv::Op::OpExtension &&
                           spirv::literalText(m.wordsOf(i).subspan(1)) == "SPV_KHR_integer_dot_product";
    if (capability || extension) i = m.make(spv::Op::OpNop, {});
  }
  m.compact();
}

}  // namespace

void matchIntegers(spirv::Module& module) {
  Insertion insertion(module);
  bool expanded = false, left = false;
  insertion.walk([&](Instruction& i) {
    switch (i.op()) {
      case spv::Op::OpShiftLeftLogical:
      case spv::Op::OpShiftRightLogical:
      case spv::Op::OpShiftRightArithmetic: matchShift(module, insertion, i); break;
      case spv::Op::OpBitcast: matchBitcast(module, insertion, i); break;
      default:
        if (isDotProduct(i)) (expandDotProduct(module, insertion, i) ? expanded : left) = true;
        break;
    }
  });
  if (expanded && !left) dropDotProductCapabilities(module);
}

}  // namespace coopc::translating
