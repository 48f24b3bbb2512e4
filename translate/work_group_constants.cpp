// A second constant for each size of a workgroup that is an operand, too.
#include "translate/work_group_constants.hpp"

#include <map>
#include <span>
#include <utility>
#include <vector>

#include "spirv/instructions.hpp"

namespace coopc::translating {

namespace {

namespace op = spirv::op;
using spirv::as;
using spirv::Id;
using spirv::Instruction;

class Repetition {
 public:
  explicit Repetition(spirv::Module& module) : m_(module) {}

  void run() {
    for (uint32_t n = 0; n < m_.functionsAt; ++n) findSizes(m_.instructions[n]);
    if (second_.empty()) return;
    bool used = false;
    for (const Instruction& i : m_.instructions) used = findUses(i) || used;
    if (!used) return;
    std::vector<Instruction> out;
    out.reserve(m_.instructions.size() + 2 * second_.size());
    for (const Instruction& i : m_.instructions) {
      replace(i);
      out.push_back(i);
      repeat(i, out);
    }
    m_.instructions.swap(out);
    m_.reindex();
  }

 private:
  // The constant with the built-in WorkgroupSize, and the operands of LocalSizeId.
  void findSizes(const Instruction& i) {
    if (const auto decorate = as<op::Decorate>(m_, i)) {
      if (decorate.decoration() != spv::Decoration::BuiltIn || decorate.parameters().empty() ||
          spv::BuiltIn(decorate.parameters().front()) != spv::BuiltIn::WorkgroupSize)
        return;
      composite_ = decorate.target();
      if (const Instruction* size = m_.def(composite_)) addOperands(*size);
    } else if (isLocalSizeId(i)) {
      addOperands(i);
    }
  }
  bool isLocalSizeId(const Instruction& i) const {
    return i.op() == spv::Op::OpExecutionModeId &&
           as<op::AnyExecutionMode>(m_, i).mode() == spv::ExecutionMode::LocalSizeId;
  }
  void addOperands(const Instruction& i) {
    std::as_const(m_).forEachOperandId(i, [&](Id id) {
      if (m_.opOf(id) == spv::Op::OpSpecConstant) second_.try_emplace(id);
    });
  }

  // Whether the instruction's operands keep the first constants.
  bool keeps(const Instruction& i) const {
    return (composite_ && i.result == composite_) || isLocalSizeId(i) || i.op() == spv::Op::OpName ||
           i.op() == spv::Op::OpDecorate;
  }
  bool findUses(const Instruction& i) {
    bool found = false;
    if (keeps(i)) return found;
    std::as_const(m_).forEachOperandId(i, [&](Id id) {
      const auto at = second_.find(id);
      if (at == second_.end()) return;
      if (!at->second) at->second = m_.newId();
      found = true;
    });
    return found;
  }
  void replace(const Instruction& i) {
    if (keeps(i)) return;
    m_.forEachOperandId(i, [&](spirv::IdWord id) {
      if (const Id other = secondOf(id)) id = other;
    });
  }
  Id secondOf(Id id) const {
    const auto at = second_.find(id);
    return at == second_.end() ? Id() : at->second;
  }
  // Writes the second constant, or its SpecId, after the first.
  void repeat(const Instruction& i, std::vector<Instruction>& out) {
    if (const auto decorate = as<op::Decorate>(m_, i)) {
      const Id other = secondOf(decorate.target());
      if (!other || decorate.decoration() != spv::Decoration::SpecId || decorate.parameters().empty()) return;
      const uint32_t number = decorate.parameters().front();
      out.push_back(m_.make(spv::Op::OpDecorate, {other, spv::Decoration::SpecId, number}));
    } else if (const Id other = i.result ? secondOf(i.result) : Id()) {
      const std::span<const uint32_t> words = m_.wordsOf(i).subspan(m_.operandsAt(i));
      const std::vector<spirv::Word> value(words.begin(), words.end());
      out.push_back(m_.make(i.op(), i.type, other, value));
    }
  }

  spirv::Module& m_;
  Id composite_;
  std::map<Id, Id> second_;  // none until a use is found
};

}  // namespace

void repeatWorkGroupConstants(spirv::Module& module) { Repetition(module).run(); }

}  // namespace coopc::translating
