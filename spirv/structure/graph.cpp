// Checks that need a function's control flow graph: see graph.hpp.
#include "spirv/structure/graph.hpp"

#include "spirv/instruction_walk.hpp"
#include "spirv/instructions.hpp"
#include "spirv/traits.hpp"

namespace coopc::spirv {

void GraphChecks::check(uint32_t function, std::span<const Look> looks) {
  begin_ = function;
  types_.enter(function);
  cfg_ = graphs_.of(m_, function);
  if (cfg_ == nullptr) return fault_.report(m_.instructions[function], "has branches that make no graph");
  const uint32_t count = uint32_t(cfg_->blocks.size());
  for (uint32_t b = 0; b < count; ++b) {
    if (cfg_->reachable(b) && cfg_->idom(b) != kNone && cfg_->idom(b) > b)
      fault_.report(m_.instructions[cfg_->blocks[b].first], "comes before the block that dominates it");
  }
  checkLoops();
  precedes_.assign(count, kNone);
  markedFor_ = kNone;
  uint32_t b = 0, last = cfg_->blocks[0].last;
  for (const Look& next : looks) {
    if (fault_.isFound()) return;
    while (last < next.instruction && b + 1 < count) last = cfg_->blocks[++b].last;
    lookAt(b, next);
  }
}

// "All branches into a construct from reachable blocks outside the construct must be to the header block"
// (SPIR-V 2.11.2), for loops. A block that the header dominates is outside of the loop if the merge block
// dominates it.
void GraphChecks::checkLoops() {
  const uint32_t count = uint32_t(cfg_->blocks.size());
  std::vector<uint32_t> headerOf(count, kNone);  // by the loop's merge block
  bool hasLoops = false;
  for (uint32_t b = 0; b < count; ++b) {
    const Block& block = cfg_->blocks[b];
    if (block.continueBlock == kNone || !cfg_->dominates(b, block.mergeBlock) || b == block.mergeBlock)
      continue;
    headerOf[block.mergeBlock] = b;
    hasLoops = true;
  }
  if (!hasLoops) return;
  // By block: the nearest merge block of a loop on the way up the dominator tree, the block included.
  std::vector<uint32_t> nearest(count, kNone), seenFor(count, kNone);
  for (const uint32_t b : cfg_->dominatorPreorder()) {
    const uint32_t above = cfg_->idom(b);
    nearest[b] = headerOf[b] != kNone ? b : above != kNone ? nearest[above] : kNone;
  }
  for (uint32_t to = 0; to < count; ++to) {
    const uint32_t above = cfg_->idom(to);
    if (above == kNone) continue;
    for (const uint32_t from : cfg_->predecessors(to)) {
      if (!cfg_->reachable(from)) continue;
      // Visits the loops whose merge blocks dominate `from` but not `to`.
      for (uint32_t merge = nearest[from];
           merge != kNone && cfg_->depth(merge) > cfg_->depth(above) && seenFor[merge] != to;
           merge = nearest[headerOf[merge]]) {
        seenFor[merge] = to;
        if (merge != to && cfg_->depth(headerOf[merge]) <= cfg_->depth(above))
          return fault_.report(m_.instructions[cfg_->blocks[from].last],
                               "branches into the loop of " +
                                   Fault::name(cfg_->blocks[headerOf[merge]].label) +
                                   " from outside, but not to its header");
      }
    }
  }
}

void GraphChecks::lookAt(uint32_t b, const Look& look) {
  const Instruction& i = m_.instructions[look.instruction];
  if (!cfg_->reachable(b)) {
    if (look.far) staysInFunction(i);
  } else if (i.op() == spv::Op::OpPhi) {
    checkPhi(b, i);
  } else {
    if (look.far) checkUses(b, look.instruction);
    types_.check(i);
  }
}

// Checks what also holds in unreachable blocks, where a value need not dominate its uses.
void GraphChecks::staysInFunction(const Instruction& i) {
  m_.forEachUse(i, [&](Id used) {
    if (precedesFunctions(used)) return;
    if (m_.opOf(used) == spv::Op::OpFunction) return functionAsOperand(i, used);
    if (!isOfFunction(m_.definitions[used.index()]))
      fault_.report(i, "uses " + Fault::name(used) + " of another function");
  });
}

void GraphChecks::functionAsOperand(const Instruction& user, Id function) {
  if (!mayNameFunction(user.op()))
    fault_.report(user, "uses the function " + Fault::name(function) + " as a value");
}

void GraphChecks::checkPhi(uint32_t b, const Instruction& i) {
  const auto predecessors = cfg_->predecessors(b);
  if ((i.length - 3u) != predecessors.size() * 2)
    return fault_.report(i, "has " + std::to_string((i.length - 3u) / 2) + " values for " +
                                std::to_string(predecessors.size()) + " predecessors");
  if (markedFor_ != b) {
    for (uint32_t p : predecessors) precedes_[p] = b;
    markedFor_ = b;
  }
  for (const auto [value, parent] : op::Phi(m_, i).incoming()) {
    const uint32_t from = cfg_->blockOf(parent);
    if (from == kNone || precedes_[from] != b)
      return fault_.report(i, "names " + Fault::name(parent) + ", which is not a predecessor");
    if (m_.opOf(value) == spv::Op::OpFunction) return functionAsOperand(i, value);
    if (m_.typeOf(value) != i.type)
      return fault_.report(i, "takes " + Fault::name(value) + " of another type");
    if (cfg_->reachable(from)) checkDominance(i, value, from, cfg_->blocks[from].last + 1);
  }
}

// Checks the operands only. The type comes before the functions: the check of types established that.
void GraphChecks::checkUses(uint32_t b, uint32_t n) {
  const Instruction& i = m_.instructions[n];
  const uint32_t first = cfg_->blocks[b].first;
  const uint32_t* const definitions = m_.definitions.data();
  const uint32_t bound = m_.bound, functionsAt = m_.functionsAt;
  m_.forEachOperandId(i, [=, this](Id used) {
    if (used.index() >= bound) return;
    const uint32_t at = definitions[used.index()];
    // Before the functions, nowhere, or in the same block.
    if (at < functionsAt || at == kNone || (at > first && at < n)) return;
    useOfElsewhere(b, n, used);
  });
}

void GraphChecks::useOfElsewhere(uint32_t b, uint32_t n, Id used) {
  const Instruction& i = m_.instructions[n];
  const spv::Op op = m_.opOf(used);
  if (op == spv::Op::OpFunction) return functionAsOperand(i, used);
  if (op != spv::Op::OpLabel) return checkDominance(i, used, b, n);
  if (!isTerminator(i.op()) && i.op() != spv::Op::OpSelectionMerge && i.op() != spv::Op::OpLoopMerge)
    fault_.report(i, "uses the label " + Fault::name(used) + " as a value");
}

// `user` is in block `b`, before instruction `n`.
void GraphChecks::checkDominance(const Instruction& user, Id value, uint32_t b, uint32_t n) {
  if (precedesFunctions(value)) return;
  const uint32_t at = m_.definitions[value.index()];
  if (!isOfFunction(at)) return fault_.report(user, "uses " + Fault::name(value) + " of another function");
  if (at < cfg_->blocks.front().first) return;  // a parameter
  const uint32_t definedIn = blockOf_[value.index()];
  const bool good = definedIn == b ? at < n : cfg_->dominates(definedIn, b);
  if (!good) fault_.report(user, "uses " + Fault::name(value) + ", which does not dominate it");
}

}  // namespace coopc::spirv
