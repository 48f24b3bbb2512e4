// Integer and boolean arithmetic on bits, and the evaluator of a module's constants that uses it.
//
// Evaluation is recursive, but only to a fixed depth, so that no module can exhaust the stack. A constant
// that lies deeper is evaluated first, from the top, and then the one that needs it is evaluated again. An
// answer therefore depends on the module alone, not on what was asked before.
#include "spirv/constants.hpp"

#include <algorithm>
#include <bit>

#include "spirv/enums_supplement.hpp"
#include "spirv/instructions.hpp"

namespace coopc::spirv {

std::optional<uint64_t> evaluateBooleans(spv::Op op, uint64_t a, uint64_t b) {
  switch (op) {
    case spv::Op::OpLogicalEqual: return a == b;
    case spv::Op::OpLogicalNotEqual: return a != b;
    case spv::Op::OpLogicalOr: return a | b;
    case spv::Op::OpLogicalAnd: return a & b;
    case spv::Op::OpLogicalNot: return a ^ 1;
    default: return std::nullopt;
  }
}

namespace {

std::optional<bool> compareIntegers(spv::Op op, uint32_t width, uint64_t a, uint64_t b) {
  const int64_t sa = signExtend(a, width), sb = signExtend(b, width);
  switch (op) {
    case spv::Op::OpIEqual: return a == b;
    case spv::Op::OpINotEqual: return a != b;
    case spv::Op::OpUGreaterThan: return a > b;
    case spv::Op::OpUGreaterThanEqual: return a >= b;
    case spv::Op::OpULessThan: return a < b;
    case spv::Op::OpULessThanEqual: return a <= b;
    case spv::Op::OpSGreaterThan: return sa > sb;
    case spv::Op::OpSGreaterThanEqual: return sa >= sb;
    case spv::Op::OpSLessThan: return sa < sb;
    case spv::Op::OpSLessThanEqual: return sa <= sb;
    default: return std::nullopt;
  }
}

// OpSDiv, OpSRem and OpSMod: "Behavior is undefined if Operand 2 is 0 or if Operand 2 is -1 and Operand 1 is
// the minimum representable value" (SPIR-V 3.56.13).
std::optional<uint64_t> divideSigned(spv::Op op, uint32_t width, uint64_t a, uint64_t b) {
  const int64_t sa = signExtend(a, width), sb = signExtend(b, width);
  const int64_t least = signExtend(uint64_t{1} << (width - 1), width);
  if (sb == 0 || (sb == -1 && sa == least)) return std::nullopt;
  if (op == spv::Op::OpSDiv) return uint64_t(sa / sb);
  int64_t rest = sa % sb;
  if (op == spv::Op::OpSMod && rest != 0 && (rest < 0) != (sb < 0)) rest += sb;
  return uint64_t(rest);
}

}  // namespace

std::optional<uint64_t> evaluateIntegers(spv::Op op, uint32_t width, uint32_t resultWidth, uint64_t a,
                                         uint64_t b) {
  if (width == 0 || width > 64) return std::nullopt;
  if (const std::optional<bool> holds = compareIntegers(op, width, a, b)) return *holds;
  uint64_t r = 0;
  switch (op) {
    case spv::Op::OpSNegate: r = 0 - a; break;
    case spv::Op::OpNot: r = ~a; break;
    case spv::Op::OpIAdd: r = a + b; break;
    case spv::Op::OpISub: r = a - b; break;
    case spv::Op::OpIMul: r = a * b; break;
    case spv::Op::OpUDiv:
      if (b == 0) return std::nullopt;
      r = a / b;
      break;
    case spv::Op::OpUMod:
      if (b == 0) return std::nullopt;
      r = a % b;
      break;
    case spv::Op::OpSDiv:
    case spv::Op::OpSRem:
    case spv::Op::OpSMod:
      if (const std::optional<uint64_t> quotient = divideSigned(op, width, a, b)) {
        r = *quotient;
        break;
      }
      return std::nullopt;
    case spv::Op::OpBitwiseOr: r = a | b; break;
    case spv::Op::OpBitwiseXor: r = a ^ b; break;
    case spv::Op::OpBitwiseAnd: r = a & b; break;
    case spv::Op::OpShiftLeftLogical:
      if (b >= width) return std::nullopt;
      r = a << b;
      break;
    case spv::Op::OpShiftRightLogical:
      if (b >= width) return std::nullopt;
      r = a >> b;
      break;
    case spv::Op::OpShiftRightArithmetic:
      if (b >= width) return std::nullopt;
      r = uint64_t(signExtend(a, width) >> b);
      break;
    case spv::Op::OpBitCount: r = uint64_t(std::popcount(a)); break;
    case spv::Op::OpUConvert: r = a; break;
    case spv::Op::OpSConvert: r = uint64_t(signExtend(a, width)); break;
    default: return std::nullopt;
  }
  return lowBits(r, resultWidth);
}

ConstantEvaluator::ConstantEvaluator(const Module& module, std::span<const SpecializationValue> given)
    : m_(module), given_(given.begin(), given.end()) {
  for (const Instruction& i : m_.instructions) {
    if (i.op() == spv::Op::OpFunction) break;
    const auto decorate = as<op::Decorate>(m_, i);
    const LiteralRange parameters = decorate.parameters();
    if (decorate && decorate.decoration() == spv::Decoration::SpecId && !parameters.empty())
      specIds_.emplace_back(decorate.target(), parameters.front());
  }
  std::stable_sort(specIds_.begin(), specIds_.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
}

Id ConstantEvaluator::scalarType(Id type) const {
  const auto vector = as<op::TypeVector>(m_, type);
  return vector ? vector.componentType() : type;
}

uint32_t ConstantEvaluator::components(Id type) const {
  const auto vector = as<op::TypeVector>(m_, type);
  return vector ? vector.componentCount() : 1;
}

// 1 for booleans, 0 for types that are neither boolean nor numerical.
uint32_t ConstantEvaluator::width(Id type) const {
  const Instruction* t = m_.def(type);
  if (t == nullptr) return 0;
  if (t->op() == spv::Op::OpTypeBool) return 1;
  return as<op::NumberType>(m_, *t).width();
}

ConstantValue ConstantEvaluator::specialize(const Instruction& i, uint64_t fallback, uint32_t bits) const {
  ConstantValue v{true, {}, fallback, bits == 1 ? 32 : bits};
  const auto at = std::lower_bound(specIds_.begin(), specIds_.end(), i.result,
                                   [](const auto& entry, Id id) { return entry.first < id; });
  if (at == specIds_.end() || at->first != i.result)
    return v;  // not specializable: no pipeline can give it
               // another value
  bool given = false;
  for (const SpecializationValue& s : given_) {
    if (s.specId != at->second) continue;
    v.bits = bits == 1 ? uint64_t(s.value != 0) : lowBits(s.value, bits);
    given = true;
  }
  if (!given) v.byDefault.add(i.result);
  return v;
}

ConstantValue ConstantEvaluator::component(Id id, uint32_t k) const {
  if (scalars_.empty()) scalars_.resize(m_.functionsAt);
  postponed_.push_back({id, k});
  for (;;) {
    const Question question = postponed_.back();
    const size_t pending = postponed_.size();
    const ConstantValue v = component(question.id, question.k, 0);
    if (postponed_.size() != pending) continue;
    postponed_.pop_back();
    if (postponed_.empty()) return v;
  }
}

ConstantValue ConstantEvaluator::scalar(Id id, uint32_t depth) const {
  return m_.opOf(m_.typeOf(id)) == spv::Op::OpTypeVector ? ConstantValue() : component(id, 0, depth);
}

ConstantValue ConstantEvaluator::component(Id id, uint32_t k, uint32_t depth) const {
  const Instruction* i = m_.def(id);
  if (i == nullptr) return {};
  const bool vector = m_.opOf(i->type) == spv::Op::OpTypeVector;
  if (k >= (vector ? components(i->type) : 1)) return {};
  const auto at = uint64_t(i - m_.instructions.data());
  Answer& answer = vector || at >= scalars_.size() ? others_[at << 32 | k] : scalars_[at];
  if (answer.state == Answer::State::Given) return answer.value;
  // A constant that is needed while it is evaluated depends on itself.
  if (answer.state == Answer::State::Asked && depth > 0) return {};
  if (depth > kMaxDepth) {
    postponed_.push_back({id, k});
    return {};
  }
  const size_t pending = postponed_.size();
  answer.state = Answer::State::Asked;
  answer.value = vector ? vectorComponent(*i, k, depth) : scalarValue(*i, depth);
  // Where the evaluation has to be repeated, only the question with which it starts still waits for its
  // answer.
  answer.state = postponed_.size() == pending ? Answer::State::Given
                 : depth == 0                 ? Answer::State::Asked
                                              : Answer::State::Unasked;
  return answer.value;
}

ConstantValue ConstantEvaluator::scalarValue(const Instruction& i, uint32_t depth) const {
  const uint32_t bits = width(i.type);
  ConstantValue v;
  if (bits > 1) v.width = bits;
  const auto number = as<op::AnyConstant>(m_, i);
  uint64_t literal = bits > 32 ? number.value64() : number.value();
  literal = lowBits(literal, v.width);
  const auto known = [&](uint64_t value) {
    v.known = true;
    v.bits = value;
    return v;
  };
  switch (i.op()) {
    case spv::Op::OpConstant: return known(literal);
    case spv::Op::OpConstantNull: return bits != 0 ? known(0) : v;
    case spv::Op::OpConstantTrue: return known(1);
    case spv::Op::OpConstantFalse: return known(0);
    case spv::Op::OpSpecConstant: return specialize(i, literal, v.width);
    case spv::Op::OpSpecConstantTrue: return specialize(i, 1, 1);
    case spv::Op::OpSpecConstantFalse: return specialize(i, 0, 1);
    case spv::Op::OpSpecConstantOp: return bits != 0 ? operation(i, 0, depth) : v;
    case enums::OpConstantSizeOfEXT: {
      const auto size = sizes_.find(i.result);
      return size != sizes_.end() && bits != 0 ? known(size->second) : v;
    }
    case spv::Op::OpCopyObject: return scalar(op::CopyObject(m_, i).operand(), depth + 1);
    case spv::Op::OpBitcast: {  // int to uint and back
      const Instruction* from = m_.def(op::Bitcast(m_, i).operand());
      const bool integers = from != nullptr && m_.opOf(i.type) == spv::Op::OpTypeInt &&
                            m_.opOf(from->type) == spv::Op::OpTypeInt;
      return integers && width(from->type) == bits ? scalar(from->result, depth + 1) : v;
    }
    default: return v;
  }
}

ConstantValue ConstantEvaluator::vectorComponent(const Instruction& i, uint32_t k, uint32_t depth) const {
  switch (i.op()) {
    case spv::Op::OpConstantComposite:
    case spv::Op::OpSpecConstantComposite: {
      const IdRange constituents = op::AnyComposite(m_, i).constituents();
      return k < constituents.size() ? scalar(constituents[k], depth + 1) : ConstantValue();
    }
    case spv::Op::OpConstantNull: {
      const uint32_t bits = width(scalarType(i.type));
      return {bits != 0, {}, 0, bits > 1 ? bits : 32};
    }
    case spv::Op::OpSpecConstantOp: return operation(i, k, depth);
    case spv::Op::OpCopyObject: return component(op::CopyObject(m_, i).operand(), k, depth + 1);
    default: return {};
  }
}

// Component `k` of an OpSpecConstantOp. Its operands that are literals are read as ids too.
ConstantValue ConstantEvaluator::operation(const Instruction& i, uint32_t k, uint32_t depth) const {
  const op::SpecConstantOp view(m_, i);
  const IdRange operands = view.operands();
  switch (view.opcode()) {
    case spv::Op::OpCompositeExtract: return extract(i, k, depth);
    case spv::Op::OpCompositeInsert:
      if (operands.size() != 3 || m_.opOf(i.type) != spv::Op::OpTypeVector) return {};
      return operands[2].index() == k ? scalar(operands[0], depth + 1) : component(operands[1], k, depth + 1);
    case spv::Op::OpVectorShuffle: {
      const uint32_t pick = 2 + k < operands.size() ? operands[2 + k].index() : kNone;
      const uint32_t size = components(m_.typeOf(operands[0]));
      if (pick == kNone) return {};
      return pick < size ? component(operands[0], pick, depth + 1)
                         : component(operands[1], pick - size, depth + 1);
    }
    case spv::Op::OpSelect: {
      if (operands.size() != 3) return {};
      const bool scalar = m_.opOf(m_.typeOf(operands[0])) != spv::Op::OpTypeVector;
      const ConstantValue condition = component(operands[0], scalar ? 0 : k, depth + 1);
      if (!condition.known) return {};
      ConstantValue v = component(operands[condition.bits != 0 ? 1 : 2], k, depth + 1);
      if (v.known) v.byDefault |= condition.byDefault;
      return v;
    }
    default: return arithmetic(i, k, depth);
  }
}

ConstantValue ConstantEvaluator::extract(const Instruction& i, uint32_t k, uint32_t depth) const {
  const IdRange operands = op::SpecConstantOp(m_, i).operands();
  Id from = operands.front();
  for (uint32_t n = 1; n < operands.size(); ++n) {
    const uint32_t index = operands[n].index();
    const Instruction* d = m_.def(from);
    if (d == nullptr) return {};
    if (m_.opOf(d->type) == spv::Op::OpTypeVector)
      return n + 1 == operands.size() ? component(from, index, depth + 1) : ConstantValue();
    if (d->op() != spv::Op::OpConstantComposite && d->op() != spv::Op::OpSpecConstantComposite) return {};
    const IdRange constituents = op::AnyComposite(m_, *d).constituents();
    if (index >= constituents.size()) return {};
    from = constituents[index];
  }
  return component(from, k, depth + 1);
}

ConstantValue ConstantEvaluator::arithmetic(const Instruction& i, uint32_t k, uint32_t depth) const {
  const op::SpecConstantOp view(m_, i);
  const IdRange ids = view.operands();
  const uint32_t count = ids.size();
  const Id type = scalarType(i.type);
  const uint32_t bits = width(type);
  if (count == 0 || count > 2 || bits == 0 || m_.opOf(type) == spv::Op::OpTypeFloat) return {};
  ConstantValue v;
  v.width = bits > 1 ? bits : 32;
  ConstantValue operands[2];
  Id types[2] = {};
  for (uint32_t n = 0; n < count; ++n) {
    operands[n] = component(ids[n], k, depth + 1);
    if (!operands[n].known) return v;
    v.byDefault |= operands[n].byDefault;
    types[n] = scalarType(m_.typeOf(ids[n]));
  }
  const spv::Op op = view.opcode();
  const uint64_t a = operands[0].bits, b = operands[1].bits;
  std::optional<uint64_t> result;
  if (m_.opOf(types[0]) == spv::Op::OpTypeBool) {
    result = evaluateBooleans(op, a, b);
  } else if (m_.opOf(types[0]) == spv::Op::OpTypeInt) {
    result = op == spv::Op::OpBitcast && width(types[0]) == bits
                 ? a
                 : evaluateIntegers(op, width(types[0]), bits, a, b);
  }
  v.known = result.has_value();
  v.bits = result.value_or(0);
  return v;
}

}  // namespace coopc::spirv
