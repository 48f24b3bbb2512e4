// Assumes that every value that might have equal columns has them, and withdraws assumptions that do not
// follow from others, until nothing changes. A loop's phi therefore has equal columns if the value that
// enters the loop has them, and so does the value that an iteration makes from it. Granules side by side are
// then one granule, which an invocation holds once.
#include "spirv/lower/analysis/equal_columns.hpp"

#include <algorithm>
#include <unordered_map>

#include "spirv/instructions.hpp"
#include "spirv/lower/analysis/elementwise.hpp"
#include "spirv/matrix_type.hpp"
#include "spirv/traits.hpp"

namespace coopc::spirv::lower {

namespace {

class EqualColumns {
 public:
  EqualColumns(const Module& module, const CalledFunctions& functions)
      : m_(module), functions_(functions), equal_(module.bound) {}

  std::vector<bool> find() {
    std::vector<uint32_t> open;  // instructions to look at
    for (uint32_t n = 0; n < m_.instructions.size(); ++n) {
      const Instruction& i = m_.instructions[n];
      if (!i.result || m_.opOf(i.type) != spv::Op::OpTypeCooperativeMatrixKHR) continue;
      equal_[i.result.index()] = true;
      open.push_back(n);
    }
    std::unordered_map<uint32_t, std::vector<uint32_t>> users;  // of candidates, by id
    for (const uint32_t n : open) {
      m_.forEachUse(m_.instructions[n], [&](Id used) {
        if (isEqual(used)) users[used.index()].push_back(n);
      });
    }
    while (!open.empty()) {
      const Instruction& i = m_.instructions[open.back()];
      open.pop_back();
      if (!isEqual(i.result) || follows(i)) continue;
      equal_[i.result.index()] = false;
      const std::vector<uint32_t>& again = users[i.result.index()];
      open.insert(open.end(), again.begin(), again.end());
    }
    return std::move(equal_);
  }

 private:
  bool isMatrix(Id value) const { return m_.opOf(m_.typeOf(value)) == spv::Op::OpTypeCooperativeMatrixKHR; }
  bool isEqual(Id value) const { return value.index() < equal_.size() && equal_[value.index()]; }
  // Numbers and conditions are the same for all columns.
  bool areEqual(IdRange operands) const {
    return std::all_of(operands.begin(), operands.end(),
                       [&](Id operand) { return !isMatrix(operand) || isEqual(operand); });
  }
  bool hasUseOf(const Instruction& i, Id other) const {
    const auto a = as<op::TypeCooperativeMatrixKHR>(m_, i.type),
               b = as<op::TypeCooperativeMatrixKHR>(m_, m_.typeOf(other));
    return a && b && a.use() == b.use();
  }

  bool follows(const Instruction& i) const {
    switch (i.op()) {
      case spv::Op::OpPhi: {
        for (const auto [value, parent] : op::Phi(m_, i).incoming()) {
          if (!isEqual(value)) return false;
        }
        return true;
      }
      case spv::Op::OpUndef:
      case spv::Op::OpCompositeConstruct:
      case spv::Op::OpCompositeConstructReplicateEXT: return true;
      case spv::Op::OpCooperativeMatrixReduceNV: {
        const uint32_t mask = uint32_t(op::CooperativeMatrixReduceNV(m_, i).reduce());
        return mask == kReduceRow || mask == kReduceRowAndColumn;
      }
      case spv::Op::OpCooperativeMatrixMulAddKHR: {
        const op::CooperativeMatrixMulAddKHR product(m_, i);
        return isEqual(product.b()) && isEqual(product.c());
      }
      case spv::Op::OpCooperativeMatrixPerElementOpNV: {
        const op::CooperativeMatrixPerElementOpNV call(m_, i);
        const CalledFunction& f = functions_[call.func()];
        return !f.calls && !f.hasEffects && !f.readsColumn && (!f.readsElement || isEqual(call.matrix())) &&
               areEqual(call.operands());
      }
      default: break;
    }
    if (isConstantOp(i.op())) return true;
    if (!isElementwise(i.op())) return false;
    const IdRange operands = op::Value(m_, i).operands();
    return areEqual(operands) && (!isMatrix(operands.front()) || hasUseOf(i, operands.front()));
  }

  const Module& m_;
  const CalledFunctions& functions_;
  std::vector<bool> equal_;
};

}  // namespace

std::vector<bool> findEqualColumns(const Module& module, const CalledFunctions& functions) {
  return EqualColumns(module, functions).find();
}

}  // namespace coopc::spirv::lower
