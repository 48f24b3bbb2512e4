// Modules with instructions that the grammar lacks: one walk over the words, which requires nothing but
// correct lengths.
#include "spirv/unknown_module.hpp"

#include "spirv/instruction_walk.hpp"
#include "spirv/operands.hpp"

namespace coopc::spirv {

namespace {

constexpr uint16_t kNoOpcode = 0xFFFF;  // for an instruction whose words do not match its grammar

}  // namespace

std::optional<Module> readUnknownModule(std::span<const uint32_t> words) {
  if (words.size() < kHeaderWords || words[0] != spv::MagicNumber || words[kHeaderBound] > kMaxIdBound)
    return std::nullopt;
  std::optional<Module> read(std::in_place);
  Module& module = *read;
  module.version = words[kHeaderVersion];
  module.generator = words[kHeaderGenerator];
  module.bound = words[kHeaderBound];
  module.words.append(words.data(), words.size());
  module.definitions.assign(module.bound, kNone);
  InstructionWalk walk(words);
  while (walk.next()) {
    const uint32_t length = walk.length();
    Instruction i;
    i.at = uint32_t(walk.at());
    i.length = uint16_t(length);
    const OpInfo* info = opInfo(walk.op());
    const uint32_t lead = info == nullptr ? 0 : uint32_t(info->hasType()) + uint32_t(info->hasResult());
    bool fits =
        info != nullptr && length > lead && (info->opcode != uint32_t(spv::Op::OpSwitch) || length > 2);
    if (fits) {
      i.opcode = uint16_t(walk.op());
      if (info->hasType()) i.type = Id(walk.words()[1]);
      if (info->hasResult()) i.result = Id(walk.words()[lead]);
      bool inRange = true;
      const uint32_t* w = walk.words().data();
      fits =
          visitOperands(*info, w, length, module.switchWords(i), [&](OperandKind kind, uint32_t n, uint32_t) {
            inRange = inRange && (!isIdKind(kind) || w[n] < module.bound);
          });
      fits = fits && inRange && (!i.result || module.definitions[i.result.index()] == kNone);
    }
    if (fits) {
      if (i.result) module.definitions[i.result.index()] = uint32_t(module.instructions.size());
    } else {
      i.type = i.result = {};
      i.opcode = kNoOpcode;
    }
    module.instructions.push_back(i);
  }
  if (walk.fault() != InstructionWalk::Fault::None) return std::nullopt;
  module.functionsAt = uint32_t(module.instructions.size());
  return read;
}

}  // namespace coopc::spirv
