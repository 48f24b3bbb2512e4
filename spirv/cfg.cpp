// The control flow of one function: blocks, reachability, dominators, dominance frontiers. Everything is
// iterative, so that deeply nested input cannot overflow the stack.
#include "spirv/cfg.hpp"

#include <algorithm>
#include <cassert>

#include "spirv/instructions.hpp"

namespace coopc::spirv {

namespace {

// Calls label(n), merge(n) and terminator(n) for the labels, merge instructions and terminators of a
// function. Returns the index after its OpFunctionEnd.
template <class Label, class Merge, class Terminator>
uint32_t forEachOfBlocks(const Module& module, uint32_t function, Label&& label, Merge&& merge,
                         Terminator&& terminator) {
  const Instruction* const instructions = module.instructions.data();
  for (uint32_t n = function;; ++n) {
    const spv::Op op = instructions[n].op();
    // Most instructions are none of these.
    static_assert(spv::Op::OpFunctionEnd < spv::Op::OpLoopMerge && spv::Op::OpLabel > spv::Op::OpLoopMerge &&
                  spv::Op::OpSelectionMerge > spv::Op::OpLoopMerge &&
                  spv::Op::OpBranch > spv::Op::OpLoopMerge);
    if (op < spv::Op::OpLoopMerge && op != spv::Op::OpFunctionEnd) continue;
    switch (op) {
      case spv::Op::OpFunctionEnd: return n + 1;
      case spv::Op::OpLabel: label(n); break;
      case spv::Op::OpSelectionMerge:
      case spv::Op::OpLoopMerge: merge(n); break;
      default:
        if (isTerminator(op)) terminator(n);
        break;
    }
  }
}

}  // namespace

bool Cfg::build(const Module& module, uint32_t function) {
  blocks.clear();
  haveFrontier_ = false;
  haveEnclosing_ = false;
  functionBegin = function;
  blocks.reserve(8);
  if (shared_->blockOf.size() < module.bound) shared_->blockOf.resize(module.bound, kNone);
  functionEnd = forEachOfBlocks(
      module, function,
      [&](uint32_t n) {
        Block block;
        block.label = module.instructions[n].result;
        block.first = n;
        shared_->blockOf[block.label.index()] = uint32_t(blocks.size());
        blocks.push_back(block);
      },
      [&](uint32_t n) { blocks.back().merge = n; }, [&](uint32_t n) { blocks.back().last = n; });
  return connect(module);
}

bool Cfg::relocate(const Module& module, uint32_t function) {
  functionBegin = function;
  Block* const first = blocks.data();
  Block* const end = first + blocks.size();
  Block* next = first;
  Block* block = first;
  bool same = true;
  functionEnd = forEachOfBlocks(
      module, function,
      [&](uint32_t n) {
        same = same && next != end && next->label == module.instructions[n].result;
        if (!same) return;
        block = next++;
        block->first = n;
      },
      [&](uint32_t n) { block->merge = n; }, [&](uint32_t n) { block->last = n; });
  return same && next == end;
}

bool Cfg::rebuild(const Module& module) {
  haveFrontier_ = false;
  haveEnclosing_ = false;
  uint32_t kept = 0;
  for (const Block& old : blocks) {
    const Instruction& label = module.instructions[old.first];
    if (label.op() != spv::Op::OpLabel) continue;
    Block block;
    block.label = label.result;
    block.first = old.first;
    block.last = old.last;
    if (old.merge != kNone && module.instructions[old.merge].op() != spv::Op::OpNop) block.merge = old.merge;
    shared_->blockOf[block.label.index()] = kept;
    blocks[kept++] = block;
  }
  blocks.resize(kept);
  return connect(module);
}

// Makes the edges, the order and the dominators from the blocks. False if the graph must not be used.
bool Cfg::connect(const Module& module) {
  if (blocks.empty()) return false;
  const uint32_t count = uint32_t(blocks.size());
  std::vector<uint32_t>& scratch = shared_->scratch;
  succAt_.assign(count + 1, 0);
  succ_.clear();
  succ_.reserve(2 * size_t(count));
  scratch.assign(count, kNone);  // per block, the last block that named it as a target
  bool ok = true;
  for (uint32_t b = 0; b < count; ++b) {
    succAt_[b] = uint32_t(succ_.size());
    forEachTarget(module, module.instructions[blocks[b].last], [&](Id target) {
      const uint32_t to = blockOf(target);
      if (to == kNone || to == 0) {
        ok = false;  // the entry block must not be a target (SPIR-V 2.16.1)
        return;
      }
      // A block counts once as a successor, even if several cases of a switch name it.
      if (scratch[to] == b) return;
      scratch[to] = b;
      succ_.push_back(to);
    });
    if (blocks[b].merge != kNone) {
      const Instruction& merge = module.instructions[blocks[b].merge];
      const auto loop = as<op::LoopMerge>(module, merge);
      blocks[b].mergeBlock =
          blockOf(loop ? loop.mergeBlock() : op::SelectionMerge(module, merge).mergeBlock());
      if (blocks[b].mergeBlock == kNone) ok = false;
      if (loop) {
        blocks[b].continueBlock = blockOf(loop.continueTarget());
        if (blocks[b].continueBlock == kNone) ok = false;
      }
    }
  }
  if (!ok) return false;
  succAt_[count] = uint32_t(succ_.size());

  predAt_.assign(count + 1, 0);
  for (uint32_t to : succ_) ++predAt_[to + 1];
  for (uint32_t b = 0; b < count; ++b) predAt_[b + 1] += predAt_[b];
  pred_.resize(succ_.size());
  scratch.assign(predAt_.begin(), predAt_.end());
  for (uint32_t b = 0; b < count; ++b) {
    for (uint32_t to : successors(b)) pred_[scratch[to]++] = b;
  }
  computeOrder();
  return computeDominators();
}

void Cfg::computeOrder() {
  const size_t count = blocks.size();
  std::vector<uint32_t>&path = shared_->scratch, &taken = shared_->scratch2;
  rpo_.clear();
  rpo_.reserve(count);
  nodes_.assign(count, {});
  // Depth-first search with an explicit stack: blocks, and how many of their successors were taken. A node's
  // order marks visited blocks.
  path.clear();
  path.reserve(count);
  taken.clear();
  taken.reserve(count);
  path.push_back(0);
  taken.push_back(0);
  nodes_[0].order = 0;
  while (!path.empty()) {
    const uint32_t b = path.back();
    const auto next = successors(b);
    if (taken.back() < next.size()) {
      // In reverse, so that the first successor comes first in the reverse post order.
      const uint32_t to = next[next.size() - 1 - taken.back()++];
      if (nodes_[to].order == kNone) {
        nodes_[to].order = 0;
        path.push_back(to);
        taken.push_back(0);
      }
    } else {
      rpo_.push_back(b);
      path.pop_back();
      taken.pop_back();
    }
  }
  std::reverse(rpo_.begin(), rpo_.end());
  for (uint32_t n = 0; n < rpo_.size(); ++n) nodes_[rpo_[n]].order = n;
}

bool Cfg::computeDominators() {
  const size_t count = blocks.size();
  nodes_[0].idom = 0;
  bool changed = true;
  for (int round = 0; changed; ++round) {
    if (round == 32) return false;
    if (round == 1 && isReducible()) break;
    changed = false;
    for (size_t n = 1; n < rpo_.size(); ++n) {
      const uint32_t b = rpo_[n];
      uint32_t dom = kNone;
      // In reverse: in structured code the later predecessors, which are deeper in the tree, then come first,
      // and `dom` only moves up. Starting from a shallow one, each of the others would climb the whole path,
      // which is quadratic if many blocks leave one construct.
      const auto from = predecessors(b);
      for (size_t k = from.size(); k-- > 0;) {
        const uint32_t p = from[k];
        if (nodes_[p].order == kNone || nodes_[p].idom == kNone) continue;
        if (dom == kNone) {
          dom = p;
          continue;
        }
        uint32_t other = p;
        while (other != dom) {
          while (nodes_[other].order > nodes_[dom].order) other = nodes_[other].idom;
          while (nodes_[dom].order > nodes_[other].order) dom = nodes_[dom].idom;
        }
      }
      if (nodes_[b].idom != dom) {
        nodes_[b].idom = dom;
        changed = true;
      }
    }
  }
  nodes_[0].idom = kNone;

  std::vector<uint32_t>&childrenAt = shared_->scratch, &children = shared_->scratch2;
  // Children in reverse post order, then a preorder walk.
  childrenAt.assign(count + 1, 0);
  for (size_t n = 1; n < rpo_.size(); ++n) ++childrenAt[nodes_[rpo_[n]].idom + 1];
  for (size_t b = 0; b < count; ++b) childrenAt[b + 1] += childrenAt[b];
  children.resize(rpo_.size());
  for (size_t b = 0; b < count; ++b) nodes_[b].in = childrenAt[b];  // where its next child goes
  for (size_t n = 1; n < rpo_.size(); ++n) children[nodes_[nodes_[rpo_[n]].idom].in++] = rpo_[n];
  domOrder_.clear();
  domOrder_.reserve(rpo_.size());
  std::vector<uint32_t>& stack = shared_->scratch3;
  stack.assign(1, 0);
  while (!stack.empty()) {
    const uint32_t b = stack.back();
    stack.pop_back();
    nodes_[b].in = uint32_t(domOrder_.size());
    domOrder_.push_back(b);
    for (uint32_t k = childrenAt[b + 1]; k > childrenAt[b]; --k) {
      const uint32_t child = children[k - 1];
      nodes_[child].depth = nodes_[b].depth + 1;
      stack.push_back(child);
    }
  }
  // The subtree of b ends at the next block whose depth is not greater.
  for (size_t n = domOrder_.size(); n-- > 0;) {
    const uint32_t b = domOrder_[n];
    if (nodes_[b].out < n + 1) nodes_[b].out = uint32_t(n + 1);
    if (nodes_[b].idom != kNone && nodes_[nodes_[b].idom].out < nodes_[b].out)
      nodes_[nodes_[b].idom].out = nodes_[b].out;
  }
  return true;
}

// Whether the target of each backward edge dominates its source. Such edges do not change any dominator, so
// the first round in reverse post order has found all of them.
bool Cfg::isReducible() const {
  for (uint32_t p : rpo_) {
    for (uint32_t to : successors(p)) {
      if (nodes_[to].order > nodes_[p].order) continue;
      uint32_t above = p;
      while (nodes_[above].order > nodes_[to].order) above = nodes_[above].idom;
      if (above != to) return false;
    }
  }
  return true;
}

std::span<const uint32_t> Cfg::frontier(uint32_t block) {
  if (!haveFrontier_) {
    haveFrontier_ = true;
    // For each join, walk up from its predecessors to its dominator. Twice: count, then fill. `last` keeps
    // one join from entering a frontier twice.
    const size_t count = blocks.size();
    std::vector<uint32_t>&last = shared_->scratch2, &fill = shared_->scratch;
    last.resize(count);
    frontierAt_.assign(count + 1, 0);
    for (int pass = 0; pass < 2; ++pass) {
      std::fill(last.begin(), last.end(), kNone);
      for (uint32_t b : rpo_) {
        const auto preds = predecessors(b);
        if (preds.size() < 2) continue;
        for (uint32_t p : preds) {
          if (!reachable(p)) continue;
          for (uint32_t runner = p; runner != nodes_[b].idom && runner != kNone;
               runner = nodes_[runner].idom) {
            if (last[runner] == b) break;
            last[runner] = b;
            if (pass == 0) {
              ++frontierAt_[runner + 1];
            } else {
              frontier_[fill[runner]++] = b;
            }
          }
        }
      }
      if (pass == 0) {
        for (size_t b = 0; b < count; ++b) frontierAt_[b + 1] += frontierAt_[b];
        frontier_.resize(frontierAt_[count]);
        fill.assign(frontierAt_.begin(), frontierAt_.end());
      }
    }
  }
  return {frontier_.data() + frontierAt_[block], frontierAt_[block + 1] - frontierAt_[block]};
}

uint32_t Cfg::enclosingHeader(uint32_t block) {
  if (!haveEnclosing_) {
    haveEnclosing_ = true;
    const size_t count = blocks.size();
    enclosing_.assign(count, kNone);
    std::vector<uint32_t>&mergeOf = shared_->scratch, &continueOf = shared_->scratch2;
    mergeOf.assign(count, kNone);
    continueOf.assign(count, kNone);
    for (uint32_t b : rpo_) {
      if (blocks[b].merge == kNone) continue;
      mergeOf[blocks[b].mergeBlock] = b;
      if (blocks[b].continueBlock != kNone && blocks[b].continueBlock != b)
        continueOf[blocks[b].continueBlock] = b;
    }
    for (uint32_t b : domOrder_) {
      const uint32_t parent = nodes_[b].idom;
      if (parent == kNone) continue;
      if (mergeOf[b] != kNone && dominates(mergeOf[b], b)) {
        enclosing_[b] = enclosing_[mergeOf[b]];
      } else if (continueOf[b] != kNone && dominates(continueOf[b], b)) {
        enclosing_[b] = continueOf[b];
      } else {
        enclosing_[b] = blocks[parent].merge != kNone ? parent : enclosing_[parent];
      }
    }
  }
  return enclosing_[block];
}

namespace {

// Whether every pass has said what it changed.
[[maybe_unused]] bool isCurrent(const Cfg& cfg, const Module& module, uint32_t function) {
  Cfg now;
  if (!now.build(module, function) || now.blocks.size() != cfg.blocks.size()) return false;
  for (uint32_t b = 0; b < now.blocks.size(); ++b) {
    const Block &is = now.blocks[b], &was = cfg.blocks[b];
    const auto edges = now.successors(b), known = cfg.successors(b);
    if (is.first != was.first || is.last != was.last || is.merge != was.merge ||
        is.mergeBlock != was.mergeBlock || is.continueBlock != was.continueBlock ||
        !std::equal(edges.begin(), edges.end(), known.begin(), known.end()))
      return false;
  }
  return true;
}

}  // namespace

Cfg* Graphs::of(const Module& module, uint32_t function) {
  const Id id = module.instructions[function].result;
  if (graphOf_.size() <= id.index()) graphOf_.resize(module.bound, kNone);
  if (graphOf_[id.index()] == kNone) {
    graphOf_[id.index()] = uint32_t(graphs_.size());
    graphs_.emplace_back(id, &shared_);
  }
  Graph& graph = graphs_[graphOf_[id.index()]];
  using State = Graph::State;
  if (graph.state == State::Usable && graph.moves != moves_ && !graph.cfg.relocate(module, function))
    graph.state = State::Stale;
  if (graph.state == State::Stale)
    graph.state = graph.cfg.build(module, function) ? State::Usable : State::Unusable;
  graph.moves = moves_;
  assert(graph.state != State::Usable || isCurrent(graph.cfg, module, function));
  return graph.state == State::Usable ? &graph.cfg : nullptr;
}

void Graphs::noteChange(Id function) {
  if (function.index() < graphOf_.size() && graphOf_[function.index()] != kNone)
    graphs_[graphOf_[function.index()]].state = Graph::State::Stale;
}

void Graphs::clear() {
  for (Graph& graph : graphs_) graph.state = Graph::State::Stale;
}

void Graphs::forget() {
  graphs_.clear();
  graphOf_.clear();
}

}  // namespace coopc::spirv
