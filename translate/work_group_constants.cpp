// Repeats the specialization constants that are both a size of the workgroup and an operand.
#include "translate/work_group_constants.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
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

  std::string run() {
    findConstants();
    for (const auto& [number, constants] : bySpecId_) chooseOther(number, constants);
    if (m_.overflow()) return "the module has too many ids";
    if (other_.empty()) return {};
    std::vector<Instruction> out;
    out.reserve(m_.instructions.size() + 2 * added_.size());
    for (const Instruction& i : m_.instructions) {
      if (i.result && moved_.contains(i.result)) continue;
      replace(i);
      out.push_back(i);
      add(i, out);
    }
    m_.instructions.swap(out);
    m_.reindex();
    return {};
  }

 private:
  // The scalar specialization constants that have the same SpecId.
  struct Constants {
    std::vector<Id> sizes;  // operands of the composite with the built-in WorkgroupSize
    std::vector<Id> others;
  };

  void findConstants() {
    std::map<Id, uint32_t> specIds;
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      const auto decorate = as<op::Decorate>(m_, m_.instructions[n]);
      if (!decorate || decorate.parameters().empty()) continue;
      const uint32_t parameter = decorate.parameters().front();
      if (decorate.decoration() == spv::Decoration::SpecId &&
          m_.opOf(decorate.target()) == spv::Op::OpSpecConstant)
        specIds.emplace(decorate.target(), parameter);
      else if (decorate.decoration() == spv::Decoration::BuiltIn &&
               spv::BuiltIn(parameter) == spv::BuiltIn::WorkgroupSize)
        composite_ = decorate.target();
    }
    std::set<Id> sizes;
    if (const Instruction* composite = composite_ ? m_.def(composite_) : nullptr)
      std::as_const(m_).forEachOperandId(*composite, [&](Id id) { sizes.insert(id); });
    for (const auto& [id, number] : specIds) {
      Constants& constants = bySpecId_[number];
      (sizes.contains(id) ? constants.sizes : constants.others).push_back(id);
    }
    std::erase_if(bySpecId_, [](const auto& entry) { return entry.second.sizes.empty(); });
    for (const auto& [number, constants] : bySpecId_)
      isSize_.insert(constants.sizes.begin(), constants.sizes.end());
    for (const Instruction& i : m_.instructions)
      if (!keeps(i))
        std::as_const(m_).forEachOperandId(i, [&](Id id) {
          if (isSize_.contains(id)) operands_.insert(id);
        });
  }

  // Whether the instruction's operands stay as they are.
  bool keeps(const Instruction& i) const {
    return (composite_ && i.result == composite_) || i.op() == spv::Op::OpName ||
           i.op() == spv::Op::OpDecorate || i.op() == spv::Op::OpExecutionModeId;
  }

  // Chooses the constant that stands for sizes as operands. It is added after the first of them.
  void chooseOther(uint32_t number, const Constants& constants) {
    const std::vector<Id>&sizes = constants.sizes, &others = constants.others;
    const bool areEqual = std::ranges::all_of(sizes, [&](Id id) { return isEqual(id, sizes.front()); }) &&
                          std::ranges::all_of(others, [&](Id id) { return isEqual(id, sizes.front()); });
    if (!areEqual || std::ranges::none_of(sizes, [&](Id id) { return operands_.contains(id); })) return;
    const Id first = *std::ranges::min_element(sizes, {}, [&](Id id) { return m_.definitions[id.index()]; });
    Added added;
    if (others.empty()) {
      added.id = m_.newId();
      added.specId = number;
    } else {
      added.id = others.front();
      moved_.insert(added.id);
    }
    added_.emplace(first, added);
    for (const Id id : sizes) other_.emplace(id, added.id);
  }
  // Whether two constants have the same type and default.
  bool isEqual(Id a, Id b) const {
    const auto value = [&](const Instruction& i) {
      return std::as_const(m_).wordsOf(i).subspan(m_.operandsAt(i));
    };
    const Instruction &first = *m_.def(a), &second = *m_.def(b);
    return first.type == second.type && std::ranges::equal(value(first), value(second));
  }

  void replace(const Instruction& i) {
    if (keeps(i)) return;
    m_.forEachOperandId(i, [&](spirv::IdWord id) {
      if (const auto found = other_.find(id); found != other_.end()) id = found->second;
    });
  }
  // Writes the constant after the first size, and the constant's SpecId after that of the size.
  void add(const Instruction& i, std::vector<Instruction>& out) {
    if (const auto decorate = as<op::Decorate>(m_, i)) {
      const auto found = added_.find(decorate.target());
      if (found != added_.end() && found->second.specId && decorate.decoration() == spv::Decoration::SpecId)
        out.push_back(
            m_.make(spv::Op::OpDecorate, {found->second.id, spv::Decoration::SpecId, *found->second.specId}));
    } else if (const auto found = i.result ? added_.find(i.result) : added_.end(); found != added_.end()) {
      const std::span<const uint32_t> words = std::as_const(m_).wordsOf(i).subspan(m_.operandsAt(i));
      const std::vector<spirv::Word> value(words.begin(), words.end());
      out.push_back(m_.make(i.op(), i.type, found->second.id, value));
    }
  }

  struct Added {
    Id id;
    std::optional<uint32_t> specId;  // none: the module has the constant, which only moves
  };

  spirv::Module& m_;
  Id composite_;
  std::map<uint32_t, Constants> bySpecId_;  // only if one of them is a size
  std::set<Id> isSize_, operands_;          // all sizes; the sizes that are operands elsewhere
  std::map<Id, Added> added_;               // by the size that it is written after
  std::map<Id, Id> other_;                  // size -> the constant as operand
  std::set<Id> moved_;
};

}  // namespace

std::string repeatWorkGroupConstants(spirv::Module& module) { return Repetition(module).run(); }

}  // namespace coopc::translating
