// A table with open lists: each slot names the newest result, and each result the one before it with the same
// slot.
#include "spirv/lower/known_results.hpp"

#include <algorithm>
#include <utility>

#include "spirv/constant_pool.hpp"

namespace coopc::spirv::lower {

// Pure operations that are exact, so that no decoration of one use can be wrong for another.
bool KnownResults::mayBeShared(spv::Op op) {
  switch (op) {
    case spv::Op::OpIAdd:
    case spv::Op::OpISub:
    case spv::Op::OpIMul:
    case spv::Op::OpUDiv:
    case spv::Op::OpUMod:
    case spv::Op::OpULessThan:
    case spv::Op::OpBitwiseAnd:
    case spv::Op::OpBitwiseOr:
    case spv::Op::OpShiftLeftLogical:
    case spv::Op::OpShiftRightLogical:
    case spv::Op::OpBitcast:
    case spv::Op::OpCompositeExtract:
    case spv::Op::OpAccessChain: return true;
    default: return false;
  }
}

uint32_t KnownResults::hashOf(spv::Op op, NamedId type, Operands operands) {
  uint32_t hash = hashWord(uint32_t(op), Id(type).index());
  for (const Word word : operands) hash = hashWord(hash, word);
  return hash;
}

Id KnownResults::find(const Module& m, uint32_t hash, spv::Op op, NamedId type, Operands operands) const {
  if (slots_.empty()) return {};
  for (uint32_t n = slots_[hash % slots_.size()]; n != 0; n = known_[n - 1].before) {
    const Known& k = known_[n - 1];
    const Instruction& i = k.instruction;
    if (k.hash != hash || i.op() != op || i.type != Id(type) || i.length != 3 + operands.size()) continue;
    if (std::equal(operands.begin(), operands.end(), m.words.data() + i.at + 3)) return i.result;
  }
  return {};
}

void KnownResults::add(const Instruction& i, uint32_t hash) {
  known_.push_back({i, hash, 0});
  const auto enter = [&](size_t n) {
    uint32_t& slot = slots_[known_[n].hash % slots_.size()];
    known_[n].before = std::exchange(slot, uint32_t(n + 1));
  };
  if (known_.size() <= slots_.size()) return enter(known_.size() - 1);
  slots_.assign(std::max<size_t>(64, 2 * slots_.size()), 0);
  for (size_t n = 0; n < known_.size(); ++n) enter(n);
}

void KnownResults::forgetFrom(size_t known) {
  while (known_.size() > known) {
    slots_[known_.back().hash % slots_.size()] = known_.back().before;
    known_.pop_back();
  }
}

}  // namespace coopc::spirv::lower
