// Encoding of new instructions, indexing of definitions, and compaction of a module after passes have changed
// it.
#include "spirv/module.hpp"

#include <algorithm>

#include "spirv/enums_supplement.hpp"
#include "spirv/instruction_walk.hpp"
#include "spirv/instructions.hpp"

namespace coopc::spirv {

Instruction Module::make(spv::Op opcode, NamedId type, NamedId result, Operands operands) {
  Instruction i;
  i.at = uint32_t(words.size());
  const size_t n = 1 + (type ? 1u : 0u) + (result ? 1u : 0u) + operands.size();
  if (n > kMaxInstructionWords) {
    overflow_ = true;
    return i;  // OpNop
  }
  i.opcode = uint16_t(opcode);
  i.length = uint16_t(n);
  i.type = type;
  i.result = result;
  uint32_t* at = words.extend(n);
  *at++ = instructionHead(opcode, n);
  if (type) *at++ = type.index();
  if (result) *at++ = result.index();
  for (const Word word : operands) *at++ = word;
  return i;
}

void Module::reindex() {
  definitions.assign(bound, kNone);
  const auto count = uint32_t(instructions.size());
  functionsAt = 0;
  while (functionsAt < count && instructions[functionsAt].op() != spv::Op::OpFunction) ++functionsAt;
  // Instructions without a result write the entry of the id 0.
  for (uint32_t n = 0; n < count; ++n) definitions[instructions[n].result.index()] = n;
  definitions[0] = kNone;
}

namespace {

// Moves instructions other than OpNop to the front, and indexes them in the same walk. Instructions before
// the first OpNop stay in place.
void dropNops(Module& m) {
  m.definitions.assign(m.bound, kNone);
  uint32_t* const definitions = m.definitions.data();
  Instruction* const instructions = m.instructions.data();
  const uint32_t count = uint32_t(m.instructions.size());
  uint32_t kept = 0, n = 0;
  const auto keep = [=](const Instruction& i, uint32_t to) {
    if (i.op() == spv::Op::OpNop) return to;
    // Instructions without a result write the entry of the id 0, which is cleared at the end: cheaper than a
    // branch.
    definitions[i.result.index()] = to;
    instructions[to] = i;
    return to + 1;
  };
  for (; n < count && instructions[n].op() != spv::Op::OpFunction && instructions[n].op() != spv::Op::OpNop;
       ++n)
    definitions[instructions[n].result.index()] = n;
  kept = n;
  for (; n < count && instructions[n].op() != spv::Op::OpFunction; ++n) kept = keep(instructions[n], kept);
  m.functionsAt = kept;
  if (kept == n) {
    for (; n < count && instructions[n].op() != spv::Op::OpNop; ++n)
      definitions[instructions[n].result.index()] = n;
    kept = n;
  }
  for (; n < count; ++n) kept = keep(instructions[n], kept);
  definitions[0] = kNone;
  m.instructions.resize(kept);
}

}  // namespace

void Module::compact() {
  dropNops(*this);

  // Also drops names and decorations of removed ids.
  bool dangling = false;
  for (uint32_t n = 0; n < functionsAt; ++n) {
    Instruction& i = instructions[n];
    switch (i.op()) {
      case spv::Op::OpName:
      case spv::Op::OpMemberName:
      case spv::Op::OpDecorate:
      case spv::Op::OpDecorateId:
      case spv::Op::OpDecorateString:
      case spv::Op::OpMemberDecorate:
      case spv::Op::OpMemberDecorateString:
      case enums::OpMemberDecorateIdEXT:
        if (def(op::Annotation(*this, i).target()) == nullptr) {
          i.opcode = uint16_t(spv::Op::OpNop);
          dangling = true;
        }
        break;
      case spv::Op::OpGroupDecorate:
      case spv::Op::OpGroupMemberDecorate: {
        const uint32_t step = i.op() == spv::Op::OpGroupDecorate ? 1 : 2;
        uint32_t* w = at(i);
        uint32_t length = 2;
        for (uint32_t k = 2; k + step <= i.length; k += step) {
          if (def(Id(w[k])) == nullptr) continue;
          for (uint32_t part = 0; part < step; ++part) w[length++] = w[k + part];
        }
        i.length = uint16_t(length);
        w[0] = instructionHead(i.op(), length);
        break;
      }
      default: break;
    }
  }
  if (dangling) dropNops(*this);
}

bool Module::declares(spv::Capability capability) const {
  return std::any_of(instructions.begin(), instructions.begin() + functionsAt, [&](const Instruction& i) {
    const auto declaration = as<op::Capability>(*this, i);
    return declaration && declaration.capability() == capability;
  });
}

uint32_t Module::switchWords(const Instruction& i) const {
  if (i.op() != spv::Op::OpSwitch) return 1;
  return as<op::TypeInt>(*this, typeOf(op::Switch(*this, i).selector())).width() > 32 ? 2 : 1;
}

}  // namespace coopc::spirv
