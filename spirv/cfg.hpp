// The control flow graph of one function: blocks, predecessors, reverse post order, dominators (Cooper,
// Harvey and Kennedy, "A Simple, Fast Dominance Algorithm"), dominance frontiers, and the nesting of
// structured constructs.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "spirv/module.hpp"

namespace coopc::spirv {

struct Block {
  Id label;
  uint32_t first = 0;           ///< index of its OpLabel
  uint32_t last = 0;            ///< index of its terminator
  uint32_t merge = kNone;       ///< index of its OpSelectionMerge or OpLoopMerge
  uint32_t mergeBlock = kNone;  ///< block numbers of the blocks that it names
  uint32_t continueBlock = kNone;
};

class Cfg {
 public:
  /// State that several graphs of a module may share: the table of labels, and memory that is only used
  /// within a call.
  struct Shared {
    /// label id -> block; entries of other functions remain, and are checked on use
    std::vector<uint32_t> blockOf;
    std::vector<uint32_t> scratch, scratch2, scratch3;
  };

  Cfg() : Cfg(nullptr) {}
  /// nullptr: the graph has its own.
  explicit Cfg(Shared* shared) : shared_(shared == nullptr ? &own_ : shared) {}
  Cfg(const Cfg&) = delete;
  Cfg& operator=(const Cfg&) = delete;

  /// Reads the function whose OpFunction is instruction `function`. Returns false, and the graph must not be
  /// used, if a branch leaves the function or the dominators do not settle (not a structured program).
  bool build(const Module& module, uint32_t function);

  /// The same for a function whose graph was built, and whose instructions have since been changed in place:
  /// blocks were removed, and merge instructions and targets of branches removed or changed, but nothing was
  /// moved.
  bool rebuild(const Module& module);

  /// The same for a function whose graph was built, and whose instructions have since been moved, without a
  /// change of blocks, merge instructions and branches. False, and the graph must be built again, if it has
  /// other blocks.
  bool relocate(const Module& module, uint32_t function);

  uint32_t functionBegin = 0;  ///< index of OpFunction
  uint32_t functionEnd = 0;    ///< index after OpFunctionEnd
  std::vector<Block> blocks;   ///< in module order; block 0 is the entry

  std::span<const uint32_t> successors(uint32_t block) const {
    return {succ_.data() + succAt_[block], succAt_[block + 1] - succAt_[block]};
  }
  /// In ascending order.
  std::span<const uint32_t> predecessors(uint32_t block) const {
    return {pred_.data() + predAt_[block], predAt_[block + 1] - predAt_[block]};
  }
  /// Reachable blocks only.
  const std::vector<uint32_t>& reversePostOrder() const { return rpo_; }
  bool reachable(uint32_t block) const { return nodes_[block].order != kNone; }
  /// kNone for the entry and for unreachable blocks.
  uint32_t idom(uint32_t block) const { return nodes_[block].idom; }
  /// Reachable blocks, each after its dominator, with subtrees contiguous; and their depths in the tree.
  const std::vector<uint32_t>& dominatorPreorder() const { return domOrder_; }
  uint32_t depth(uint32_t block) const { return nodes_[block].depth; }
  /// A reachable block's index in dominatorPreorder(), and the index after the last block that it dominates.
  uint32_t preorder(uint32_t block) const { return nodes_[block].in; }
  uint32_t subtreeEnd(uint32_t block) const { return nodes_[block].out; }
  bool dominates(uint32_t a, uint32_t b) const {
    return reachable(a) && reachable(b) && nodes_[a].in <= nodes_[b].in && nodes_[b].in < nodes_[a].out;
  }
  /// Computed at the first call.
  std::span<const uint32_t> frontier(uint32_t block);

  /// Whether all instructions with operands after the parameters are in reachable blocks. Unreachable ones
  /// may be empty.
  bool coversFunction(const Module& module) const {
    const auto isEmpty = [&](const Block& block) {
      const spv::Op end = module.instructions[block.last].op();
      return block.last == block.first + 1 && (end == spv::Op::OpUnreachable || end == spv::Op::OpBranch);
    };
    uint32_t next = blocks.front().first;
    for (uint32_t b = 0; b < blocks.size(); ++b) {
      const Block& block = blocks[b];
      if (block.first != next || (!reachable(b) && !isEmpty(block))) return false;
      next = block.last + 1;
    }
    return next == functionEnd - 1;
  }

  /// The block with this label, or kNone.
  uint32_t blockOf(Id label) const {
    if (label.index() >= shared_->blockOf.size()) return kNone;
    const uint32_t block = shared_->blockOf[label.index()];
    return block < blocks.size() && blocks[block].label == label ? block : kNone;
  }

  /// The header of the innermost construct that contains a block, or kNone. A merge block is outside its
  /// header's construct, and so is the header itself. Computed at the first call.
  uint32_t enclosingHeader(uint32_t block);

 private:
  bool connect(const Module& module);
  void computeOrder();
  bool computeDominators();
  bool isReducible() const;

  Shared own_;
  Shared* shared_;
  std::vector<uint32_t> succAt_, succ_, predAt_, pred_;
  /// A block in the dominator tree.
  struct Node {
    uint32_t order = kNone;  ///< its index in rpo_; kNone: unreachable
    uint32_t idom = kNone;
    uint32_t depth = 0;
    uint32_t in = 0, out = 0;  ///< its subtree in domOrder_
  };
  std::vector<Node> nodes_;
  std::vector<uint32_t> rpo_, domOrder_;
  std::vector<uint32_t> frontierAt_, frontier_;
  std::vector<uint32_t> enclosing_;
  bool haveFrontier_ = false;
  bool haveEnclosing_ = false;
};

/// The graphs of a module's functions. Passes hand them on to each other, because most passes leave the edges
/// unchanged. Each pass that is given them reports what it has changed.
class Graphs {
 public:
  /// The graph of the function whose OpFunction is instruction `function`; nullptr if it has none
  /// (Cfg::build). Valid until the next call of a member.
  Cfg* of(const Module& module, uint32_t function);
  /// Instructions were moved, inserted or removed, but no blocks, merge instructions or branches.
  void noteMoves() { ++moves_; }
  /// Blocks, merge instructions or branches of this function were changed.
  void noteChange(Id function);
  /// Blocks, merge instructions or branches of any function may have changed.
  void clear();
  /// Functions may have other ids.
  void forget();

 private:
  struct Graph {
    Graph(Id id, Cfg::Shared* shared) : function(id), cfg(shared) {}
    enum class State : uint8_t { Stale, Usable, Unusable };
    Id function;
    State state = State::Stale;
    uint32_t moves = 0;  ///< of the module, when it was read
    Cfg cfg;
  };

  Cfg::Shared shared_;
  std::deque<Graph> graphs_;
  std::vector<uint32_t> graphOf_;  ///< id of a function -> index into graphs_
  uint32_t moves_ = 0;
};

/// Calls f(IdWord target) for every block label in a terminator, in order, including repetitions.
template <class F>
void forEachTarget(Module& module, const Instruction& terminator, F&& f) {
  uint32_t* w = module.at(terminator);
  switch (terminator.op()) {
    case spv::Op::OpBranch: f(IdWord(w[1])); break;
    case spv::Op::OpBranchConditional:
      f(IdWord(w[2]));
      f(IdWord(w[3]));
      break;
    case spv::Op::OpSwitch: {
      f(IdWord(w[2]));
      const uint32_t step = module.switchWords(terminator) + 1;
      for (uint32_t n = 2 + step; n < terminator.length; n += step) f(IdWord(w[n]));
      break;
    }
    default: break;
  }
}
template <class F>
void forEachTarget(const Module& module, const Instruction& terminator, F&& f) {
  forEachTarget(const_cast<Module&>(module), terminator, [&](IdWord id) { f(Id(id)); });
}

}  // namespace coopc::spirv
