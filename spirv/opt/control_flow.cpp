// Control flow, kept structured (SPIR-V 2.11):
// - branches on constants lose the ways not taken; the selection's merge instruction goes with them, unless
//   some block inside leaves by it (a break out of a switch);
// - unreachable blocks are removed; those that a merge instruction names stay, empty: a merge block as
//   OpUnreachable, a continue target as a branch back to its header;
// - a selection whose ways are empty becomes a branch, its phis become OpSelect;
// - a block that only follows another one, and that nothing names, is joined to it.
#include <algorithm>
#include <compare>
#include <span>
#include <vector>

#include "base/spirv_version.hpp"
#include "spirv/cfg.hpp"
#include "spirv/constant_pool.hpp"
#include "spirv/instruction_walk.hpp"
#include "spirv/instructions.hpp"
#include "spirv/opt/passes.hpp"
#include "spirv/replacements.hpp"

namespace coopc::spirv {
namespace {

// The levels of simplification: each includes those before it.
enum class Steps : uint8_t { Unreachable, Branches, All };

class ControlFlow {
 public:
  ControlFlow(Module& module, Graphs& graphs) : m_(module), constants_(module), graphs_(graphs) {}

  bool run(Steps steps) {
    replacements_.reset(m_.bound);
    bool changed = false;
    for (uint32_t n = m_.functionsAt; n < m_.instructions.size(); ++n) {
      if (m_.instructions[n].op() != spv::Op::OpFunction) continue;
      cfg_ = graphs_.of(m_, n);
      if (cfg_ == nullptr) continue;
      const uint32_t end = cfg_->functionEnd;
      changed_ = false;
      switch (steps) {
        case Steps::Unreachable: dropUnreachable(); break;
        case Steps::Branches: branches(n); break;
        case Steps::All: function(n); break;
      }
      if (changed_) graphs_.noteChange(m_.instructions[n].result);
      changed = changed || changed_;
      n = end - 1;
    }
    replacements_.apply(m_);
    changed = changed || replacements_.any();
    if (changed) {
      constants_.flushAndCompact();
      graphs_.noteMoves();
    } else if (constants_.flush()) {
      graphs_.noteMoves();
    }
    return changed;
  }

 private:
  // If the graph of what a step leaves cannot be built, the other steps are skipped.
  void function(uint32_t n) {
    const bool folded = foldBranches();
    if (folded && !cfg_->rebuild(m_)) return;
    if (unwrapSwitches() && !cfg_->rebuild(m_)) return;
    if (dropUnreachable() && !cfg_->rebuild(m_)) return;
    // Each removed selection may make the one around it empty, so inner ones come first and one round
    // suffices.
    if (emptySelections() && (!cfg_->rebuild(m_) || (dropUnreachable() && !cfg_->rebuild(m_)))) return;
    joinBlocks();
    if (folded && cfg_->build(m_, n)) orderBlocks();
  }

  void branches(uint32_t n) {
    if (!foldBranches()) return;
    if (cfg_->rebuild(m_) && (!dropUnreachable() || cfg_->build(m_, n))) orderBlocks();
  }

  Instruction& at(uint32_t n) { return m_.instructions[n]; }
  void erase(uint32_t n) { at(n).opcode = uint16_t(spv::Op::OpNop); }

  // Removes the phi entries of `block` for predecessors whose labels are `lost`.
  template <class Lost>
  void dropPhiEntries(const Block& block, Lost&& lost) {
    for (uint32_t n = block.first + 1; n < block.last; ++n) {
      Instruction& i = at(n);
      if (i.op() == spv::Op::OpLine || i.op() == spv::Op::OpNoLine || i.op() == spv::Op::OpNop) continue;
      if (i.op() != spv::Op::OpPhi) return;
      uint32_t* w = m_.at(i);
      uint32_t kept = 3;
      for (uint32_t k = 3; k + 1 < i.length; k += 2) {
        if (lost(Id(w[k + 1]))) continue;
        w[kept] = w[k];
        w[kept + 1] = w[k + 1];
        kept += 2;
      }
      setLength(i, kept);
    }
  }

  void setLength(Instruction& i, uint32_t length) {
    i.length = uint16_t(length);
    m_.at(i)[0] = instructionHead(i.op(), length);
  }

  // Whether `merge` is the target of a branch in a nested construct, or at the header of another construct.
  // Such a branch is a break, which is only legal with the merge instruction.
  bool hasNestedExit(uint32_t header, uint32_t merge) {
    for (uint32_t p : cfg_->predecessors(merge)) {
      if (!cfg_->reachable(p) || p == header) continue;
      // The branch of a header leaves the header's own construct too.
      if (cfg_->enclosingHeader(p) != header || cfg_->blocks[p].merge != kNone) return true;
    }
    return false;
  }

  // Whether the branches that are not taken include a loop's only back edge, which its header must keep
  // (SPIR-V 2.11.1).
  bool losesBackEdge(uint32_t b, uint32_t to) {
    for (uint32_t other : cfg_->successors(b))
      if (other != to && cfg_->blocks[other].continueBlock != kNone && cfg_->dominates(other, b)) return true;
    return false;
  }

  bool foldBranches() {
    bool any = false;
    for (uint32_t b = 0; b < cfg_->blocks.size(); ++b) {
      const Block& block = cfg_->blocks[b];
      if (!cfg_->reachable(b)) continue;
      Instruction& terminator = at(block.last);
      Id taken;
      if (const auto branch = as<op::BranchConditional>(m_, terminator)) {
        const spv::Op condition = m_.opOf(branch.condition());
        if (condition == spv::Op::OpConstantTrue) taken = branch.trueLabel();
        if (condition == spv::Op::OpConstantFalse || condition == spv::Op::OpConstantNull) {
          taken = branch.falseLabel();
        }
        if (branch.trueLabel() == branch.falseLabel() && block.merge == kNone) taken = branch.trueLabel();
      } else if (terminator.op() == spv::Op::OpSwitch) {
        taken = switchTarget(terminator);
      }
      if (!taken) continue;
      const uint32_t to = cfg_->blockOf(taken);
      if (losesBackEdge(b, to)) continue;
      const bool selection = block.merge != kNone && at(block.merge).op() == spv::Op::OpSelectionMerge;
      if (selection && hasNestedExit(b, block.mergeBlock)) {
        // Keep the construct, as a switch with a single target.
        if (terminator.op() == spv::Op::OpSwitch && terminator.length == 3) continue;
        if (terminator.op() != spv::Op::OpSwitch) continue;
        leaveOthers(b, to);
        m_.at(terminator)[2] = taken.index();
        setLength(terminator, 3);
        any = changed_ = true;
        continue;
      }
      leaveOthers(b, to);
      if (selection) erase(block.merge);
      terminator = m_.make<op::Branch>({taken});
      any = changed_ = true;
    }
    return any;
  }

  // inline.cpp wraps functions with early returns in a switch with a single target, which the returns leave.
  // If the switch contains just a selection, and one branch leaves while the other goes on, the selection can
  // take its place.
  bool unwrapSwitches() {
    bool any = false;
    for (uint32_t s : cfg_->reversePostOrder()) {
      const Block& frame = cfg_->blocks[s];
      Instruction& terminator = at(frame.last);
      if (frame.merge == kNone || at(frame.merge).op() != spv::Op::OpSelectionMerge ||
          terminator.op() != spv::Op::OpSwitch || terminator.length != 3) {
        continue;
      }
      const uint32_t b = cfg_->blockOf(op::Switch(m_, terminator).defaultLabel());
      const Block& block = cfg_->blocks[b];
      if (b == frame.mergeBlock || block.merge == kNone || cfg_->predecessors(b).size() != 1 ||
          at(block.merge).op() != spv::Op::OpSelectionMerge ||
          at(block.last).op() != spv::Op::OpBranchConditional) {
        continue;
      }
      const auto rest = cfg_->predecessors(block.mergeBlock);
      if (rest.size() != 1 || rest[0] != b) continue;
      bool nested = false;
      for (uint32_t p : cfg_->predecessors(frame.mergeBlock)) {
        if (!cfg_->reachable(p)) {
          nested = true;
          continue;
        }
        const uint32_t header = cfg_->enclosingHeader(p);
        nested = nested || (header != b && header != s) || (p != b && cfg_->blocks[p].merge != kNone);
      }
      if (nested) continue;
      m_.at(at(block.merge))[1] = cfg_->blocks[frame.mergeBlock].label.index();
      erase(frame.merge);
      terminator = m_.make<op::Branch>({block.label});
      any = changed_ = true;
    }
    return any;
  }

  // The target of a switch if it has no cases or its selector is constant, otherwise none.
  Id switchTarget(const Instruction& i) {
    const op::Switch choice(m_, i);
    const Id defaultTarget = choice.defaultLabel();
    if (choice.targets().empty()) return defaultTarget;
    const Instruction* selector = m_.def(choice.selector());
    if (selector == nullptr ||
        (selector->op() != spv::Op::OpConstant && selector->op() != spv::Op::OpConstantNull)) {
      return {};
    }
    const uint32_t n = m_.switchWords(i);
    const uint64_t wanted = as<op::Constant>(m_, *selector).value64();
    const LiteralRange targets = choice.targets();
    for (uint32_t k = 0; k + n < targets.size(); k += n + 1) {
      bool same = true;
      for (uint32_t w = 0; w < n; ++w) same = same && targets[k + w] == uint32_t(wanted >> (32 * w));
      if (same) return Id(targets[k + n]);
    }
    return defaultTarget;
  }

  void leaveOthers(uint32_t block, uint32_t to) {
    for (uint32_t other : cfg_->successors(block)) {
      if (other != to)
        dropPhiEntries(cfg_->blocks[other], [&](Id label) { return label == cfg_->blocks[block].label; });
    }
  }

  // A continue construct's blocks are structurally post-dominated by the back-edge block (SPIR-V, 2.11.2), so
  // a merge block without predecessors cannot end in OpUnreachable there. Returns the merge block to which
  // the unreachable one of header `h` may branch instead; kNone outside of continue constructs.
  uint32_t exitWithinContinue(uint32_t h) {
    const uint32_t around = cfg_->enclosingHeader(h);
    for (uint32_t e = around; e != kNone; e = cfg_->enclosingHeader(e)) {
      const Block& loop = cfg_->blocks[e];
      if (e != around && loop.continueBlock != kNone && cfg_->dominates(loop.continueBlock, h))
        return cfg_->blocks[around].mergeBlock;
    }
    return kNone;
  }

  bool dropUnreachable() {
    bool any = false;
    std::vector<uint32_t>& role = scratch_;
    // For unreachable blocks: 0: nothing refers to it; 1: a merge block; otherwise it has to branch to a
    // block, and the number is that block plus 2: a continue target to its loop header, a merge block in a
    // continue construct to a block that leaves the construct around it.
    role.assign(cfg_->blocks.size(), 0);
    for (uint32_t b : cfg_->reversePostOrder()) {
      const Block& block = cfg_->blocks[b];
      if (block.merge == kNone) continue;
      if (!cfg_->reachable(block.mergeBlock) && role[block.mergeBlock] == 0) {
        const uint32_t exit = exitWithinContinue(b);
        role[block.mergeBlock] = exit == kNone ? 1 : exit + 2;
      }
      if (block.continueBlock != kNone && !cfg_->reachable(block.continueBlock))
        role[block.continueBlock] = b + 2;
    }
    lostEdges_.clear();
    for (uint32_t b = 0; b < cfg_->blocks.size(); ++b) {
      if (cfg_->reachable(b)) continue;
      const Block& block = cfg_->blocks[b];
      const uint32_t target = role[b] > 1 ? role[b] - 2 : kNone;
      // The block already has the form that it must have.
      const Instruction& terminator = at(block.last);
      bool empty = true;
      for (uint32_t n = block.first + 1; n < block.last; ++n) empty = empty && at(n).op() == spv::Op::OpNop;
      if (role[b] == 1 && empty && terminator.op() == spv::Op::OpUnreachable) continue;
      if (target != kNone && empty && terminator.op() == spv::Op::OpBranch &&
          op::Branch(m_, terminator).targetLabel() == cfg_->blocks[target].label) {
        // The values that it passes to phis may come from blocks that are being removed.
        undefinePhiEntries(cfg_->blocks[target], block.label);
        continue;
      }
      any = changed_ = true;
      bool staysPredecessor = false;
      for (uint32_t to : cfg_->successors(b)) {
        if (to == target) {
          staysPredecessor = true;
        } else {
          lostEdges_.push_back({to, block.label});
        }
      }
      for (uint32_t n = block.first + 1; n < block.last; ++n) erase(n);
      if (role[b] == 0) {
        erase(block.first);
        erase(block.last);
      } else if (role[b] == 1) {
        at(block.last) = m_.make<op::Unreachable>();
      } else {
        at(block.last) = m_.make<op::Branch>({cfg_->blocks[target].label});
        if (!staysPredecessor) addUndefinedPhiEntries(cfg_->blocks[target], block.label);
        undefinePhiEntries(cfg_->blocks[target], block.label);
      }
    }
    dropLostPhiEntries();
    return any;
  }

  // Removes the phi entries of lostEdges_, all entries of a block in one walk: a merge block can lose an edge
  // for each case of a switch, and its phis have as many entries.
  void dropLostPhiEntries() {
    std::ranges::sort(lostEdges_);
    for (size_t first = 0, end = 0; first < lostEdges_.size(); first = end) {
      while (end < lostEdges_.size() && lostEdges_[end].to == lostEdges_[first].to) ++end;
      const std::span<const LostEdge> lost = std::span(lostEdges_).subspan(first, end - first);
      dropPhiEntries(cfg_->blocks[lost.front().to],
                     [&](Id label) { return std::ranges::binary_search(lost, label, {}, &LostEdge::label); });
    }
  }

  void addUndefinedPhiEntries(const Block& block, Id label) {
    for (uint32_t n = block.first + 1; n < block.last; ++n) {
      Instruction& i = at(n);
      if (i.op() == spv::Op::OpLine || i.op() == spv::Op::OpNoLine || i.op() == spv::Op::OpNop) continue;
      if (i.op() != spv::Op::OpPhi) return;
      const Id undef = constants_.undef(i.type);
      if (!undef || i.length + 2u > kMaxInstructionWords) continue;
      operands_.assign(m_.at(i) + op::Phi::At::incoming, m_.at(i) + i.length);
      operands_.push_back(undef);
      operands_.push_back(label);
      i = m_.make<op::Phi>(i.type, i.result, {.incoming = operands_});
    }
  }

  // The values that an emptied block passed to phis were computed in removed blocks.
  void undefinePhiEntries(const Block& block, Id label) {
    for (uint32_t n = block.first + 1; n < block.last; ++n) {
      Instruction& i = at(n);
      if (i.op() == spv::Op::OpLine || i.op() == spv::Op::OpNoLine || i.op() == spv::Op::OpNop) continue;
      if (i.op() != spv::Op::OpPhi) return;
      uint32_t at = op::Phi::At::incoming - 2;
      for (const auto [from, parent] : op::Phi(m_, i).incoming()) {
        at += 2;
        if (parent != label) continue;
        const Instruction* value = m_.def(from);
        // Global values remain; a removed value no longer has a definition.
        if (value != nullptr && value < &m_.instructions[m_.functionsAt]) continue;
        const Id undef = constants_.undef(i.type);
        if (!undef) continue;
        m_.setIdAt(i, at, undef);
        changed_ = true;
      }
    }
  }

  // Whether nothing happens on the way from `header` through block `b` to `merge`: `b` is `merge` itself, or
  // has no instructions but its label and a branch to it, and no other predecessor than `header`.
  bool isEmptyWay(uint32_t b, uint32_t header, uint32_t merge) {
    if (b == merge) return true;
    const Block& block = cfg_->blocks[b];
    if (block.merge != kNone || at(block.last).op() != spv::Op::OpBranch) return false;
    if (cfg_->predecessors(b).size() != 1 || cfg_->predecessors(b)[0] != header) return false;
    if (cfg_->blockOf(op::Branch(m_, at(block.last)).targetLabel()) != merge) return false;
    for (uint32_t n = block.first + 1; n < block.last; ++n) {
      const spv::Op op = at(n).op();
      if (op != spv::Op::OpLine && op != spv::Op::OpNoLine && op != spv::Op::OpNop) return false;
    }
    return true;
  }

  bool emptySelections() {
    bool any = false;
    const auto& order = cfg_->reversePostOrder();
    for (size_t k = order.size(); k-- > 0;) {
      const uint32_t b = order[k];
      const Block& block = cfg_->blocks[b];
      Instruction& terminator = at(block.last);
      const auto branch = as<op::BranchConditional>(m_, terminator);
      if (block.merge == kNone || at(block.merge).op() != spv::Op::OpSelectionMerge || !branch) {
        continue;
      }
      const uint32_t merge = block.mergeBlock;
      const uint32_t yes = cfg_->blockOf(branch.trueLabel()), no = cfg_->blockOf(branch.falseLabel());
      if (!isEmptyWay(yes, b, merge) || !isEmptyWay(no, b, merge)) continue;
      // The merge block must not have other predecessors.
      bool others = false;
      for (uint32_t p : cfg_->predecessors(merge)) others = others || (p != b && p != yes && p != no);
      if (others) continue;
      const Id yesLabel = yes == merge ? block.label : cfg_->blocks[yes].label;
      const Id noLabel = no == merge ? block.label : cfg_->blocks[no].label;
      if (yes != no && yesLabel != noLabel &&
          !selectPhis(cfg_->blocks[merge], branch.condition(), yesLabel, noLabel)) {
        continue;
      }
      if (yes == no) {  // both are the merge block, whose phis have one entry for this block
        dropSingle(cfg_->blocks[merge]);
      }
      const Id target = cfg_->blocks[merge].label;
      erase(block.merge);
      terminator = m_.make<op::Branch>({target});
      any = changed_ = true;
    }
    return any;
  }

  void dropSingle(const Block& block) {
    for (uint32_t n = block.first + 1; n < block.last; ++n) {
      Instruction& i = at(n);
      if (i.op() == spv::Op::OpLine || i.op() == spv::Op::OpNoLine || i.op() == spv::Op::OpNop) continue;
      if (i.op() != spv::Op::OpPhi) return;
      const IdPairRange incoming = op::Phi(m_, i).incoming();
      if (incoming.size() == 1 && replacements_.replace(i.result, incoming[0].first)) erase(n);
    }
  }

  // Turns the phis of a merge block into selects. False, without any change, if one of them cannot be turned.
  bool selectPhis(const Block& block, Id condition, Id yes, Id no) {
    uint32_t phis = 0;
    for (uint32_t n = block.first + 1; n < block.last; ++n) {
      const Instruction& i = at(n);
      if (i.op() == spv::Op::OpLine || i.op() == spv::Op::OpNoLine || i.op() == spv::Op::OpNop) continue;
      if (i.op() != spv::Op::OpPhi) break;
      const IdPairRange incoming = op::Phi(m_, i).incoming();
      if (incoming.size() != 2 || !selectable(i.type)) return false;
      if (++phis > 8) return false;  // many selects cost more than a branch
      for (const auto& [value, parent] : incoming) {
        if (parent != yes && parent != no) return false;
      }
    }
    for (uint32_t n = block.first + 1; n < block.last; ++n) {
      Instruction& i = at(n);
      if (i.op() == spv::Op::OpLine || i.op() == spv::Op::OpNoLine || i.op() == spv::Op::OpNop) continue;
      if (i.op() != spv::Op::OpPhi) break;
      const IdPairRange incoming = op::Phi(m_, i).incoming();
      const bool yesFirst = incoming[0].second == yes;
      i = m_.make<op::Select>(i.type, i.result,
                              {.condition = condition,
                               .object1 = incoming[yesFirst ? 0 : 1].first,
                               .object2 = incoming[yesFirst ? 1 : 0].first});
    }
    return true;
  }

  // Whether OpSelect can choose between values of the type: scalars; from SPIR-V 1.4 on also vectors with a
  // scalar condition.
  bool selectable(Id type) const {
    const spv::Op op = m_.opOf(type);
    if (op == spv::Op::OpTypeBool || op == spv::Op::OpTypeInt || op == spv::Op::OpTypeFloat) return true;
    return op == spv::Op::OpTypeVector && m_.version >= kSpirv14;
  }

  // A block must come after its dominator (SPIR-V 2.16.1). If a switch lost the branch to a case into which
  // another case falls through, the order may be wrong, and is replaced by reverse post order.
  void orderBlocks() {
    bool inOrder = true;
    for (uint32_t b : cfg_->reversePostOrder())
      inOrder = inOrder && (cfg_->idom(b) == kNone || cfg_->idom(b) < b);
    if (inOrder) return;
    layout_.clear();
    for (uint32_t b : cfg_->reversePostOrder()) append(cfg_->blocks[b].first, cfg_->blocks[b].last + 1);
    for (uint32_t b = 0; b < cfg_->blocks.size(); ++b) {
      if (!cfg_->reachable(b)) append(cfg_->blocks[b].first, cfg_->blocks[b].last + 1);
    }
    place(cfg_->blocks.front().first);
  }

  // Writes layout_ in place of the function's blocks from instruction `begin` on, and erases what remains.
  void place(uint32_t begin) {
    uint32_t n = begin;
    for (const Instruction& i : layout_) {
      if (i.op() != spv::Op::OpNop && i.result) m_.definitions[i.result.index()] = n;
      at(n++) = i;
    }
    for (; n < cfg_->functionEnd - 1; ++n) erase(n);
  }

  enum : uint8_t { kMerge = 1, kContinue = 2 };

  bool joinsContinue(uint32_t b, uint32_t target, uint8_t named) {
    if (named != 0 || cfg_->blocks[b].merge != kNone || !cfg_->reachable(b)) return false;
    const uint32_t header = cfg_->enclosingHeader(b);
    return header != kNone && cfg_->blocks[header].continueBlock == target;
  }

  void joinBlocks() {
    const size_t count = cfg_->blocks.size();
    std::vector<uint8_t> named(count, 0);
    for (const Block& block : cfg_->blocks) {
      if (block.merge == kNone) continue;
      named[block.mergeBlock] = kMerge;
      if (block.continueBlock != kNone && named[block.continueBlock] == 0)
        named[block.continueBlock] = kContinue;
    }
    // next[b]: the block that b absorbs. Computed from the back, so that the end of a chain is known.
    std::vector<uint32_t> next(count, kNone), chainEnd(count);
    std::vector<uint8_t> takesContinue(count, 0);  // a continue target is in the chain
    for (uint32_t b = 0; b < count; ++b) chainEnd[b] = b;
    const auto& order = cfg_->reversePostOrder();
    bool any = false;
    for (size_t k = order.size(); k-- > 0;) {
      const uint32_t b = order[k];
      const Block& block = cfg_->blocks[b];
      const Instruction& terminator = at(block.last);
      const auto branch = as<op::Branch>(m_, terminator);
      if (!branch) continue;
      const uint32_t to = cfg_->blockOf(branch.targetLabel());
      if (to == b || to == 0 || cfg_->predecessors(to).size() != 1) continue;
      // A merge block keeps its label. So does a continue target, unless its predecessor is directly in the
      // loop, and becomes the continue target.
      if (named[to] == kMerge || (named[to] == kContinue && !joinsContinue(b, to, named[b]))) continue;
      if (takesContinue[to] != 0 && (named[b] != 0 || block.merge != kNone)) continue;
      // A loop header that lost its back edge keeps its block, because its continue target refers to it.
      if (cfg_->blocks[to].continueBlock != kNone) continue;
      const Block& target = cfg_->blocks[chainEnd[to]];
      if (block.merge != kNone) {
        // A loop header can absorb the loop's first block if that has no merge instruction of its own.
        const spv::Op end = at(target.last).op();
        if (at(block.merge).op() != spv::Op::OpLoopMerge || target.merge != kNone ||
            (end != spv::Op::OpBranch && end != spv::Op::OpBranchConditional) || block.continueBlock == b) {
          continue;
        }
        // One branch of a conditional branch at a header must leave the loop; otherwise the selection needs a
        // merge instruction.
        if (end == spv::Op::OpBranchConditional) {
          const op::BranchConditional exits(m_, at(target.last));
          const uint32_t yes = cfg_->blockOf(exits.trueLabel()), no = cfg_->blockOf(exits.falseLabel());
          const auto leaves = [&](uint32_t x) { return x == block.mergeBlock || x == block.continueBlock; };
          if (!leaves(yes) && !leaves(no)) continue;
        }
      }
      next[b] = to;
      chainEnd[b] = chainEnd[to];
      takesContinue[b] = named[to] == kContinue || takesContinue[to] != 0;
      any = true;
    }
    if (!any) return;
    changed_ = true;
    join(next);
  }

  // Writes the blocks again, with each chain in the place of its first block. next[b]: the block that b
  // absorbs.
  void join(const std::vector<uint32_t>& next) {
    const uint32_t count = uint32_t(cfg_->blocks.size());
    std::vector<uint8_t> follows(count, 0);
    uint32_t first = count;  // blocks before it stay where they are
    for (uint32_t b = 0; b < count; ++b) {
      if (next[b] == kNone) continue;
      follows[next[b]] = 1;
      first = std::min({first, b, next[b]});
    }
    endLabel_.resize(m_.bound);
    for (uint32_t b = 0; b < count; ++b) {
      if (follows[b] != 0) continue;
      for (uint32_t part = b; part != kNone; part = next[part])
        endLabel_[cfg_->blocks[part].label.index()] = cfg_->blocks[b].label;
    }
    renamePredecessors();
    layout_.clear();
    layout_.reserve(cfg_->functionEnd - cfg_->blocks[first].first);
    for (uint32_t b = first; b < count; ++b) {
      if (follows[b] == 0) appendChain(b, next);
    }
    place(cfg_->blocks[first].first);
  }

  static bool mayPrecedePhis(spv::Op op) {
    return op == spv::Op::OpPhi || op == spv::Op::OpLine || op == spv::Op::OpNoLine || op == spv::Op::OpNop;
  }

  // Phis and loops that name an absorbed block now name the block that has its end.
  void renamePredecessors() {
    const auto rename = [&](uint32_t& label) {
      if (label < endLabel_.size() && endLabel_[label]) label = endLabel_[label].index();
    };
    for (const Block& block : cfg_->blocks) {
      if (block.merge != kNone && at(block.merge).op() == spv::Op::OpLoopMerge)
        rename(m_.at(at(block.merge))[op::LoopMerge::At::continueTarget]);
      for (uint32_t n = block.first + 1; n < block.last && mayPrecedePhis(at(n).op()); ++n) {
        const Instruction& i = at(n);
        if (i.op() != spv::Op::OpPhi) continue;
        for (uint32_t k = op::Phi::At::incoming + 1; k < i.length; k += 2) rename(m_.at(i)[k]);
      }
    }
  }

  void append(uint32_t begin, uint32_t end) {
    layout_.insert(layout_.end(), m_.instructions.begin() + begin, m_.instructions.begin() + end);
  }

  // Appends block `b` and those that it absorbs.
  void appendChain(uint32_t b, const std::vector<uint32_t>& next) {
    uint32_t mergeAt = kNone;
    for (uint32_t part = b; part != kNone; part = next[part]) {
      const Block& block = cfg_->blocks[part];
      uint32_t n = block.first;
      if (part != b) {
        m_.definitions[at(n).result.index()] = kNone;
        for (++n; n < block.last && mayPrecedePhis(at(n).op()); ++n) {
          const Instruction& i = at(n);
          if (i.op() == spv::Op::OpPhi &&
              replacements_.replace(i.result, op::Phi(m_, i).incoming()[0].first)) {
            m_.definitions[i.result.index()] = kNone;
          } else {
            layout_.push_back(i);
          }
        }
      }
      if (next[part] != kNone && block.merge != kNone) {
        mergeAt = block.merge;  // of a loop header: goes before the last terminator of the chain
        append(n, block.merge);
        n = block.merge + 1;
      }
      append(n, block.last);
      if (next[part] != kNone) continue;
      if (mergeAt != kNone) layout_.push_back(at(mergeAt));
      layout_.push_back(at(block.last));
    }
  }

  Module& m_;
  ConstantPool constants_;
  Replacements replacements_;
  Graphs& graphs_;
  Cfg* cfg_ = nullptr;  // of the function that is looked at
  // An edge that a removed block had, by the number of the block that it entered.
  struct LostEdge {
    uint32_t to;
    Id label;
    auto operator<=>(const LostEdge&) const = default;
  };

  std::vector<uint32_t> scratch_;
  std::vector<LostEdge> lostEdges_;
  std::vector<Word> operands_;
  std::vector<Id> endLabel_;
  std::vector<Instruction> layout_;
  bool changed_ = false;  // that function
};

}  // namespace

bool simplifyControlFlow(Module& module) {
  Graphs graphs;
  return simplifyControlFlow(module, graphs);
}
bool simplifyControlFlow(Module& module, Graphs& graphs) {
  return ControlFlow(module, graphs).run(Steps::All);
}

bool foldBranches(Module& module) {
  Graphs graphs;
  return foldBranches(module, graphs);
}
bool foldBranches(Module& module, Graphs& graphs) { return ControlFlow(module, graphs).run(Steps::Branches); }

bool removeUnreachable(Module& module) {
  Graphs graphs;
  return removeUnreachable(module, graphs);
}
bool removeUnreachable(Module& module, Graphs& graphs) {
  return ControlFlow(module, graphs).run(Steps::Unreachable);
}

}  // namespace coopc::spirv
