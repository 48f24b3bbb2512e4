// Renumbers ids without gaps, in the order of their first appearance in the module.
#include "spirv/instructions.hpp"
#include "spirv/opt/passes.hpp"

namespace coopc::spirv {
namespace {

class Renumbering {
 public:
  explicit Renumbering(Module& module) : m_(module), to_(module.bound), definitions_(module.bound, kNone) {}

  bool run() {
    findSwitchWords();
    const uint32_t count = uint32_t(m_.instructions.size());
    for (uint32_t n = 0; n < count; ++n) {
      Instruction& i = m_.instructions[n];
      if (i.op() == spv::Op::OpSwitch) {
        switchOperands(i);
        continue;
      }
      uint32_t* w = m_.at(i);
      const IdOperands operands = idOperands(i.opcode);
      const uint32_t end = Module::idsEnd(i, operands);
      renumber(w + 1, w + end);
      uint32_t at = 1;
      if (i.type) i.type = Id(w[at++]);
      if (i.result) i.result = Id(w[at]);
      // Instructions without a result write the entry of the id 0.
      definitions_[i.result.index()] = n;
      if (end < i.length && operands.rest == IdOperands::Rest::Grammar) later(i, end);
    }
    definitions_[0] = kNone;
    definitions_.resize(next_);
    m_.definitions.swap(definitions_);
    const bool changed = differences_ != 0 || next_ != m_.bound;
    m_.bound = next_;
    return changed;
  }

 private:
  // The reader's grammar determines the literal width of an OpSwitch from the selector's type, which it finds
  // by id, so all widths are looked up before any id is renumbered.
  void findSwitchWords() {
    bool anyWide = false;
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      const Instruction& i = m_.instructions[n];
      anyWide = anyWide || as<op::TypeInt>(m_, i).width() > 32;
    }
    if (!anyWide) return;
    for (const Instruction& i : m_.instructions)
      if (i.op() == spv::Op::OpSwitch) switchWords_.push_back(m_.switchWords(i));
  }

  [[gnu::noinline]] void switchOperands(const Instruction& i) {
    uint32_t* w = m_.at(i);
    visitOperands(*opInfo(i.opcode), w, i.length, switchWords_.empty() ? 1 : switchWords_[switches_++],
                  [&](OperandKind kind, uint32_t at, uint32_t) {
                    if (isIdKind(kind)) renumber(w + at, w + at + 1);
                  });
  }

  [[gnu::noinline]] void later(const Instruction& i, uint32_t first) {
    m_.forEachLaterId(i, first, [&](IdWord word) {
      uint32_t id = word.index();
      renumber(&id, &id + 1);
      word = Id(id);
    });
  }

  // Consecutive words that are ids.
  void renumber(uint32_t* word, const uint32_t* end) {
    Id* const to = to_.data();
    uint32_t next = next_, differences = differences_;
    for (; word != end; ++word) {
      const uint32_t before = *word;
      Id now = to[before];
      if (!now) {
        if (before == 0) continue;  // an operand of a non-semantic instruction
        to[before] = now = Id(next++);
      }
      differences |= now.index() ^ before;
      *word = now.index();
    }
    next_ = next;
    differences_ = differences;
  }

  Module& m_;
  std::vector<Id> to_;  // old id -> new id
  std::vector<uint32_t> definitions_;
  uint32_t next_ = 1;
  uint32_t differences_ = 0;           // bits in which new ids differ from old ones
  std::vector<uint32_t> switchWords_;  // of each OpSwitch; empty if they are 1 for all
  size_t switches_ = 0;
};

}  // namespace

bool compactIds(Module& module) { return Renumbering(module).run(); }

}  // namespace coopc::spirv
