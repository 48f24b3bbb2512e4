// Counts the low bits that are known to be 0. A phi that is met again counts as all zeros: every operation
// that is followed keeps at least as many zeros as the operand with the fewest has, so what holds for the
// value on entry holds after each iteration.
#include "spirv/lower/known_bits.hpp"

#include <algorithm>
#include <bit>
#include <map>

#include "spirv/instructions.hpp"

namespace coopc::spirv::lower {

namespace {

constexpr uint32_t kMostNesting = 64;
constexpr uint32_t kMostValues = 512;

class ZeroBits {
 public:
  explicit ZeroBits(const Module& module) : m_(module) {}
  void setZeros(Id value, uint32_t zeros) { known_[value] = zeros; }

  uint32_t of(Id id, uint32_t depth = 0) {
    if (const auto known = known_.find(id); known != known_.end()) return known->second;
    const Instruction* i = m_.def(id);
    if (i == nullptr || depth > kMostNesting || ++seen_ > kMostValues) return 0;
    const auto operand = [&](uint32_t n) { return of(op::Value(m_, *i).operands()[n], depth + 1); };
    switch (i->op()) {
      case spv::Op::OpConstant: {
        const uint32_t value = op::Constant(m_, *i).value();
        return value == 0 ? 32 : uint32_t(std::countr_zero(value));
      }
      case spv::Op::OpConstantNull: return 32;
      case spv::Op::OpCopyObject: return operand(0);
      case spv::Op::OpUConvert:
      case spv::Op::OpSConvert: return operand(0);
      case spv::Op::OpBitcast:
        return sameWidth(i->type, m_.typeOf(op::Bitcast(m_, *i).operand())) ? operand(0) : 0;
      case spv::Op::OpIAdd:
      case spv::Op::OpISub:
      case spv::Op::OpBitwiseOr:
      case spv::Op::OpBitwiseXor: return std::min(operand(0), operand(1));
      // A remainder is the number minus multiples of the divisor.
      case spv::Op::OpUMod: return std::min(operand(0), operand(1));
      case spv::Op::OpIMul: return std::min(32u, operand(0) + operand(1));
      case spv::Op::OpBitwiseAnd: return std::max(operand(0), operand(1));
      case spv::Op::OpShiftLeftLogical: {
        const auto by = as<op::Constant>(m_, op::ShiftLeftLogical(m_, *i).shift());
        return std::min(32u, operand(0) + std::min(32u, by.value()));
      }
      case spv::Op::OpSelect: return std::min(operand(1), operand(2));
      case spv::Op::OpPhi: {
        known_[id] = 32;
        uint32_t zeros = 32;
        for (const auto& [value, parent] : op::Phi(m_, *i).incoming())
          zeros = std::min(zeros, of(value, depth + 1));
        known_.erase(id);
        return zeros;
      }
      default: return 0;
    }
  }

 private:
  bool sameWidth(Id a, Id b) const {
    const Instruction *x = m_.def(a), *y = m_.def(b);
    return x != nullptr && y != nullptr && x->op() == spv::Op::OpTypeInt && y->op() == spv::Op::OpTypeInt;
  }

  const Module& m_;
  std::map<Id, uint32_t> known_;
  uint32_t seen_ = 0;
};

}  // namespace

uint32_t lowZeroBits(const Module& module, Id value) { return ZeroBits(module).of(value); }

bool returnsTrue(const Module& module, Id function, const std::vector<Id>& arguments,
                 const std::vector<std::pair<Id, uint32_t>>& promised) {
  const Instruction* f = module.def(function);
  if (f == nullptr || f->op() != spv::Op::OpFunction) return false;
  ZeroBits bits(module);
  std::vector<Id> conditions;
  uint32_t parameter = 0;
  for (uint32_t n = module.definitions[function.index()] + 1; n < module.instructions.size(); ++n) {
    const Instruction& i = module.instructions[n];
    if (i.op() == spv::Op::OpFunctionParameter && parameter < arguments.size()) {
      ZeroBits ofArgument(module);
      for (const auto& [value, zeros] : promised) ofArgument.setZeros(value, zeros);
      bits.setZeros(i.result, ofArgument.of(arguments[parameter++]));
    }
    if (i.op() == spv::Op::OpReturnValue) conditions.push_back(op::ReturnValue(module, i).value());
    if (i.op() == spv::Op::OpFunctionEnd) break;
    if (i.op() == spv::Op::OpBranch || i.op() == spv::Op::OpBranchConditional) return false;
  }
  if (conditions.size() != 1) return false;
  while (!conditions.empty()) {
    const Instruction* i = module.def(conditions.back());
    conditions.pop_back();
    if (i == nullptr) return false;
    switch (i->op()) {
      case spv::Op::OpConstantTrue: continue;
      case spv::Op::OpLogicalAnd:
        conditions.push_back(op::LogicalAnd(module, *i).operand1());
        conditions.push_back(op::LogicalAnd(module, *i).operand2());
        if (conditions.size() > kMostValues) return false;
        continue;
      case spv::Op::OpIEqual: {
        const op::IEqual equal(module, *i);
        const auto masked = as<op::BitwiseAnd>(module, equal.operand1());
        const auto zero = as<op::Constant>(module, equal.operand2());
        if (!masked || !zero || zero.value() != 0) return false;
        const auto mask = as<op::Constant>(module, masked.operand2());
        if (!mask) return false;
        if (bits.of(masked.operand1()) < 32u - uint32_t(std::countl_zero(mask.value()))) return false;
        continue;
      }
      default: return false;
    }
  }
  return true;
}

}  // namespace coopc::spirv::lower
