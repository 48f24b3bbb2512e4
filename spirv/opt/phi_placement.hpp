// Where a variable needs phis when it becomes values in SSA form.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "spirv/cfg.hpp"

namespace coopc::spirv {

struct SlotBlock {
  uint32_t slot;
  uint32_t block;
};

/// For each of several variables ("slots"), a list of blocks: all are collected first, then sorted by slot.
struct BlocksBySlot {
  std::vector<SlotBlock> entries;

  void sort(size_t slots);
  /// The blocks of a slot, in the order of collection. Call sort() first.
  std::span<const uint32_t> of(uint32_t slot) const {
    return {blocks.data() + startOf[slot], startOf[slot + 1] - startOf[slot]};
  }

 private:
  std::vector<uint32_t> blocks, startOf;
};

/// The pruned SSA form of Cytron et al., "Efficiently Computing Static Single Assignment Form and the Control
/// Dependence Graph": phis at the iterated dominance frontier of a variable's stores, without those that no
/// use reads. A variable that is live in few blocks is followed back from its uses through them. For one that
/// is live in many, that would take quadratic time in a long function with many variables; there the store or
/// phi that each use and each operand of a phi sees is found instead: the nearest one among its dominators.
class PhiPlacement {
 public:
  explicit PhiPlacement(Cfg& cfg);

  /// The blocks that need a phi for the variable, in no particular order. `stores`: the blocks that store it,
  /// each once; `uses`: the blocks that load it before they store it. All are reachable. Valid until the next
  /// call.
  std::span<const uint32_t> place(std::span<const uint32_t> stores, std::span<const uint32_t> uses);

 private:
  /// An access to the variable at a place of the function, in the order of the dominator tree.
  struct Event {
    /// In their order within a block.
    enum Kind : uint32_t { Phi, Use, Store, End };
    uint32_t at;  ///< the block's number in the order of the dominator tree, times 4, plus the kind
    uint32_t block;
    uint32_t phi;  ///< its index in candidates_; for End: the index of the phi that takes the value
  };
  /// The value of `of` is an operand of the phi `by`; both are indices into candidates_.
  struct Operand {
    uint32_t by, of;
  };

  bool reachesAll(uint32_t store, std::span<const uint32_t> uses) const;
  bool findLive(std::span<const uint32_t> uses, size_t most);
  void findCandidates(std::span<const uint32_t> stores, bool liveOnly);
  void listEvents(std::span<const uint32_t> stores, std::span<const uint32_t> uses);
  void resolve();
  void keepRead();
  void addEvent(Event::Kind kind, uint32_t block, uint32_t phi = kNone) {
    events_.push_back({cfg_.preorder(block) * 4 + kind, block, phi});
  }
  void read(uint32_t phi);

  Cfg& cfg_;
  std::vector<uint32_t> isStore_, isLive_, isCandidate_;  ///< by block: the call that marked it
  uint32_t call_ = 0;
  std::vector<uint32_t> candidates_;  ///< blocks in the iterated dominance frontier
  std::vector<Event> events_;
  /// A store, or the phi of a block.
  struct Value {
    uint32_t end;  ///< of the part of the dominator tree that it dominates
    uint32_t phi;  ///< kNone: a store
  };
  std::vector<Value> visible_;  ///< from the root of the dominator tree to the place that is looked at
  std::vector<Operand> operands_;
  std::vector<uint8_t> isRead_;  ///< by candidate
  std::vector<uint32_t> work_, result_;
};

}  // namespace coopc::spirv
