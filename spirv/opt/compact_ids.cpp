// Ids renumbered without gaps, in the order of their first appearance in the module.
#include "spirv/opt/passes.hpp"

namespace coopc::spirv {

bool compactIds(Module& module) {
  std::vector<Id> to(module.bound);
  uint32_t next = 1;
  bool changed = false;
  const auto number = [&](IdWord word) {
    const Id id = word;
    if (!id) return;  // an operand of a non-semantic instruction that stands for nothing
    Id& now = to[id.index()];
    if (!now) now = Id(next++);
    changed = changed || now != id;
    word = now;
  };
  // The reader's grammar gives an OpSwitch its literal width by the selector's type, found by id: all words are
  // renumbered before any definition is looked up by a new id.
  std::vector<uint32_t> switchWords;
  for (const Instruction& i : module.instructions) {
    if (i.op() == spv::Op::OpSwitch) switchWords.push_back(module.switchWords(i));
  }
  size_t switches = 0;
  for (Instruction& i : module.instructions) {
    const OpInfo* info = opInfo(i.opcode);
    if (info == nullptr) continue;
    uint32_t* w = module.at(i);
    if (info->onlyIds()) {
      for (uint32_t n = 1; n < i.length; ++n) number(IdWord(w[n]));
    } else {
      const uint32_t literal = i.op() == spv::Op::OpSwitch ? switchWords[switches++] : 1;
      visitOperands(*info, w, i.length, literal, [&](OperandKind kind, uint32_t at, uint32_t) {
        if (isIdKind(kind)) number(IdWord(w[at]));
      });
    }
    if (i.type) i.type = Id(w[1]);
    if (i.result) i.result = Id(w[i.type ? 2 : 1]);
  }
  changed = changed || next != module.bound;
  module.bound = next;
  module.reindex();
  return changed;
}

}  // namespace coopc::spirv
