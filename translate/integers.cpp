// SPIR-V 3.52.14 defines shifts, whose operands may differ in width and signedness, and 3.52.11 OpBitcast.
#include "translate/integers.hpp"

#include <string>

#include "spirv/grammar.hpp"
#include "spirv/instructions.hpp"
#include "translate/insertion.hpp"

namespace coopc::translating {

namespace {

namespace op = spirv::op;
using spirv::as;
using spirv::Id;
using spirv::Instruction;

// An integer type or a vector of integers; count 0: neither.
struct Integers {
  uint32_t bits = 0, count = 0;
  bool isSigned = false;
};

Integers integers(const spirv::Module& m, Id type) {
  const auto vector = as<op::TypeVector>(m, type);
  const auto number = as<op::TypeInt>(m, vector ? vector.componentType() : type);
  if (!number) return {};
  return {number.width(), vector ? vector.componentCount() : 1, number.signedness() != 0};
}

// A shift by the width of the base or more is undefined, so truncating the count loses nothing.
void matchShift(spirv::Module& m, Insertion& insertion, Instruction& i) {
  const op::Shift shift(m, i);
  const Integers base = integers(m, m.typeOf(shift.base())), by = integers(m, m.typeOf(shift.shift()));
  if (base.count == 0 || by.count != base.count || by.bits == base.bits) return;
  Id number = shift.shift();
  if (by.isSigned) {
    const Id type = insertion.typeUnsigned(by.bits, by.count);
    number = insertion.make<op::Bitcast>(type, {number});
  }
  const Id type = insertion.typeUnsigned(base.bits, base.count);
  number = insertion.make<op::UConvert>(type, {number});
  i = m.make(i.op(), i.type, i.result, {shift.base(), number});
}

void matchBitcast(spirv::Module& m, Insertion& insertion, Instruction& i) {
  const Id operand = op::Bitcast(m, i).operand();
  const Integers from = integers(m, m.typeOf(operand)), to = integers(m, i.type);
  if (from.count == 0 || to.count == 0 || from.isSigned == to.isSigned) return;
  if (from.count == 1 && to.count > 1 && to.bits <= 16) {
    const Id type = insertion.typeInteger(from.bits, to.isSigned);
    const Id same = insertion.make<op::Bitcast>(type, {operand});
    i = m.make<op::Bitcast>(i.type, i.result, {same});
  } else if (to.count == 1 && from.count > 1 && from.bits <= 16) {
    const Id type = insertion.typeInteger(to.bits, from.isSigned);
    const Id same = insertion.make<op::Bitcast>(type, {operand});
    i = m.make<op::Bitcast>(i.type, i.result, {same});
  }
}

// Converts a number between 32-bit types.
Id reinterpret(Insertion& insertion, Id value, Id from, Id to) {
  return from == to ? value : insertion.make<op::Bitcast>(to, {value});
}

// The last step of OpSDotAccSat and similar instructions, in place of `i`: the saturating addition of the
// accumulator.
void addSaturating(spirv::Module& m, Insertion& insertion, Instruction& i, bool isSigned, Id sum,
                   Id accumulator) {
  const Id type = i.type, boolean = insertion.type<op::TypeBool>();
  // MSL leaves the overflow of signed numbers undefined, as C++ does.
  const Id wrapping = insertion.typeUnsigned(32);
  const Id first = reinterpret(insertion, sum, type, wrapping);
  const Id second = reinterpret(insertion, accumulator, type, wrapping);
  const Id added = insertion.make<op::IAdd>(wrapping, {first, second});
  const Id total = reinterpret(insertion, added, wrapping, type);
  if (!isSigned) {
    const Id wrapped = insertion.make<op::ULessThan>(boolean, {total, accumulator});
    const Id most = insertion.number(type, 0xFFFFFFFF);
    i = m.make<op::Select>(type, i.result, {.condition = wrapped, .object1 = most, .object2 = total});
    return;
  }
  // Both addends have the same sign, and the total has the other one.
  const Id zero = insertion.number(type, 0);
  const Id a = insertion.make<op::BitwiseXor>(type, {sum, total});
  const Id b = insertion.make<op::BitwiseXor>(type, {accumulator, total});
  const Id both = insertion.make<op::BitwiseAnd>(type, {a, b});
  const Id over = insertion.make<op::SLessThan>(boolean, {both, zero});
  const Id negative = insertion.make<op::SLessThan>(boolean, {accumulator, zero});
  const Id least = insertion.number(type, 0x80000000), most = insertion.number(type, 0x7FFFFFFF);
  const Id limit =
      insertion.make<op::Select>(type, {.condition = negative, .object1 = least, .object2 = most});
  i = m.make<op::Select>(type, i.result, {.condition = over, .object1 = limit, .object2 = total});
}

// Component n of an operand, as a number of type `to`, which has 32 bits: a component of a vector, or eight
// bits of a number.
Id factor(const spirv::Module& m, Insertion& insertion, Id operand, uint32_t n, bool isSigned, Id to) {
  const Id type = m.typeOf(operand);
  const Integers from = integers(m, type);
  if (from.count == 1) {
    const Id word = reinterpret(insertion, operand, type, to);
    const Id offset = insertion.u32(8 * n), width = insertion.u32(8);
    const spv::Op extract = isSigned ? spv::Op::OpBitFieldSExtract : spv::Op::OpBitFieldUExtract;
    return insertion.make<op::BitFieldSExtract>(extract, to,
                                                {.base = word, .offset = offset, .count = width});
  }
  Id numberType = as<op::TypeVector>(m, type).componentType();
  Id number = insertion.make<op::CompositeExtract>(numberType, {.composite = operand, .indexes = {n}});
  if (from.bits != 32) {
    numberType = insertion.typeInteger(32, isSigned);  // OpUConvert gives unsigned numbers only.
    number =
        insertion.make<op::Unary>(isSigned ? spv::Op::OpSConvert : spv::Op::OpUConvert, numberType, {number});
  }
  return reinterpret(insertion, number, numberType, to);
}

// Whether the sum of the products is exact in 32 bits if it is added with saturation afterwards; other sums
// wrap.
bool expands(const Integers& operand, const Integers& result, bool accumulates) {
  if (result.bits != 32 || result.count != 1) return false;
  if (operand.count == 1) return operand.bits == 32;
  return operand.bits == 8 || (!accumulates && (operand.bits == 16 || operand.bits == 32));
}

// Whether it was rewritten.
bool expandDotProduct(spirv::Module& m, Insertion& insertion, Instruction& i) {
  const op::IntegerDot dot(m, i);
  const Id vectors[] = {dot.vector1(), dot.vector2()}, accumulator = dot.accumulator();
  const Integers first = integers(m, m.typeOf(vectors[0])), second = integers(m, m.typeOf(vectors[1]));
  const bool accumulates = dot.accumulates(), packed = first.count == 1;
  if (dot.hasPackedVectorFormat() != packed || first.count != second.count || first.bits != second.bits ||
      !expands(first, integers(m, i.type), accumulates))
    return false;
  const bool isUnsigned = i.op() == spv::Op::OpUDot || i.op() == spv::Op::OpUDotAccSat;
  const bool isSigned[] = {!isUnsigned, i.op() == spv::Op::OpSDot || i.op() == spv::Op::OpSDotAccSat};
  const uint32_t count = packed ? 4 : first.count;
  Id sum;
  for (uint32_t n = 0; n < count; ++n) {
    Id factors[2];
    for (uint32_t k = 0; k < 2; ++k) factors[k] = factor(m, insertion, vectors[k], n, isSigned[k], i.type);
    const Id product = insertion.make<op::IMul>(i.type, {factors[0], factors[1]});
    if (n == count - 1 && !accumulates) {
      i = m.make<op::IAdd>(i.type, i.result, {sum, product});
      break;
    }
    sum = n == 0 ? product : insertion.make<op::IAdd>(i.type, {sum, product});
  }
  if (accumulates) addSaturating(m, insertion, i, !isUnsigned, sum, accumulator);
  return true;
}

std::string refusal(const spirv::Module& m, const Instruction& i) {
  const Integers operand = integers(m, m.typeOf(op::IntegerDot(m, i).vector1()));
  return std::string(spirv::opName(uint32_t(i.op()))) + " of " +
         (operand.count == 1 ? "" : "vectors of " + std::to_string(operand.count) + " ") +
         std::to_string(operand.bits) + "-bit integers is not translated: SPIRV-Cross does not support it";
}

bool isOfDotProducts(spv::Capability capability) {
  switch (capability) {
    case spv::Capability::DotProduct:
    case spv::Capability::DotProductInputAll:
    case spv::Capability::DotProductInput4x8Bit:
    case spv::Capability::DotProductInput4x8BitPacked: return true;
    default: return false;
  }
}

void dropDotProductCapabilities(spirv::Module& m) {
  for (uint32_t n = 0; n < m.functionsAt; ++n) {
    Instruction& i = m.instructions[n];
    const auto declaration = as<op::Capability>(m, i);
    const bool extension = as<op::Extension>(m, i).name() == "SPV_KHR_integer_dot_product";
    if ((declaration && isOfDotProducts(declaration.capability())) || extension) i = m.make<op::Nop>();
  }
  m.compact();
}

}  // namespace

std::string matchIntegers(spirv::Module& module) {
  Insertion insertion(module);
  bool expanded = false;
  std::string error;
  insertion.walk([&](Instruction& i) {
    switch (i.op()) {
      case spv::Op::OpShiftLeftLogical:
      case spv::Op::OpShiftRightLogical:
      case spv::Op::OpShiftRightArithmetic: matchShift(module, insertion, i); break;
      case spv::Op::OpBitcast: matchBitcast(module, insertion, i); break;
      default:
        if (!op::IntegerDot::is(i.op())) break;
        if (expandDotProduct(module, insertion, i))
          expanded = true;
        else if (error.empty())
          error = refusal(module, i);
        break;
    }
  });
  if (expanded) dropDotProductCapabilities(module);
  return error;
}

}  // namespace coopc::translating
