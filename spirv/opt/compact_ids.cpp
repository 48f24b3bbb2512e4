// Renumbers ids without gaps, in the order of their first appearance in the module.
#include "spirv/opt/passes.hpp"

namespace coopc::spirv {

bool compactIds(Module& module) {
  std::vector<Id> to(module.bound);
  uint32_t next = 1;
  bool changed = false;
  const auto number = [&](IdWord word) {
    const Id id = word;
    if (!id) return;  // a 0 operand of a non-semantic instruction
    Id& now = to[id.index()];
    if (!now) now = Id(next++);
    changed = changed || now != id;
    word = now;
  };
  // The reader's grammar determines the literal width of an OpSwitch from the selector's type, which it finds
  // by id, so all words are renumbered before any definition is looked up by a new id.
  std::vector<uint32_t> switchWords;
  for (const Instruction& i : module.instructions) {
    if (i.op() == spv::Op::OpSwitch) switchWords.push_back(module.switchWords(i));
  }
  size_t switches = 0;
  for (Instruction& i : module.instructions) {
    uint32_t* w = module.at(i);
    if (i.op() == spv::Op::OpSwitch) {
      visitOperands(*opInfo(i.opcode), w, i.length, switchWords[switches++],
                    [&](OperandKind kind, uint32_t at, uint32_t) {
                      if (isIdKind(kind)) number(IdWord(w[at]));
                    });
      continue;
    }
    // The type and the result come first; the uses begin with the type.
    bool numbered = bool(i.type);
    if (i.type) {
      number(IdWord(w[1]));
      i.type = Id(w[1]);
    }
    if (i.result) {
      const uint32_t at = i.type ? 2 : 1;
      number(IdWord(w[at]));
      i.result = Id(w[at]);
    }
    module.forEachUse(i, [&](IdWord word) {
      if (!numbered) number(word);
      numbered = false;
    });
  }
  changed = changed || next != module.bound;
  module.bound = next;
  module.reindex();
  return changed;
}

}  // namespace coopc::spirv
