// Matrices in variables that some path has set, and that are no longer set. Mesa's compilers merge the values
// of such a variable as pairs of components, and put the pairs together into a matrix at each load. So the
// pairs stay in registers for the last load, beside the matrices that were made of them for the loads before:
//
//   %merge:    (the last store to %variable has been passed, or left out)
//   %loop:     %a = OpLoad %matrix %variable
//   %later:    %b = OpLoad %matrix %variable
//
// A variable that is set once has no values to merge. Its matrices are put together where it is set:
//
//   %merge:    %value = OpLoad %matrix %variable
//              OpStore %settled %value
//   %loop:     %a = OpLoad %matrix %settled
//   %later:    %b = OpLoad %matrix %settled
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "spirv/cfg.hpp"
#include "spirv/instructions.hpp"
#include "spirv/lower/code.hpp"
#include "spirv/lower/passes.hpp"
#include "spirv/opt/passes.hpp"
#include "spirv/traits.hpp"

namespace coopc::spirv::lower {
namespace {

// A load or store of a variable or of one of its elements.
struct Access {
  uint32_t at = 0;     // the index of the instruction
  uint32_t block = 0;  // and its block
  Id chain;            // the access chain, or none
};

// A variable whose later loads use a copy.
struct Settled {
  Id variable, type;
  Id from;  // the label of the block that makes the copy
  std::vector<Access> loads;
};

class SettledMatrices {
 public:
  explicit SettledMatrices(const Module& module) : m_(module) {}

  std::vector<Settled> found;

  void find() {
    for (uint32_t n = m_.functionsAt; n < m_.instructions.size(); ++n) {
      Cfg cfg;
      if (m_.instructions[n].op() == spv::Op::OpFunction && cfg.build(m_, n)) findIn(cfg);
    }
  }

 private:
  struct Variable {
    Id type;
    std::vector<Access> loads, stores;
    bool kept = false;  // it is used in another way
  };

  void findIn(Cfg& cfg) {
    variables_.clear();
    chains_.clear();
    inLoop_.clear();
    for (uint32_t b = 0; b < cfg.blocks.size(); ++b) {
      for (uint32_t n = cfg.blocks[b].first; n <= cfg.blocks[b].last; ++n) visit(cfg, b, n);
    }
    for (const auto& [variable, v] : variables_) {
      if (!v.kept && isMerged(cfg, v)) settle(cfg, variable, v);
    }
  }

  // Whether a type is a matrix or an array of matrices, of known length.
  bool isOfMatrices(Id type) const {
    while (const auto array = as<op::TypeArray>(m_, *m_.def(type))) {
      if (m_.opOf(array.length()) != spv::Op::OpConstant) return false;
      type = array.elementType();
    }
    return m_.opOf(type) == spv::Op::OpTypeCooperativeMatrixKHR;
  }

  void visit(Cfg& cfg, uint32_t block, uint32_t n) {
    const Instruction& i = m_.instructions[n];
    if (i.op() == spv::Op::OpVariable) {
      const op::TypePointer pointer(m_, *m_.def(i.type));
      // An initializer would be one more store.
      if (isOfMatrices(pointer.type()) && i.length == 4) variables_[i.result].type = pointer.type();
      return;
    }
    if (const auto load = as<op::Load>(m_, i)) return access(n, block, load.pointer(), false);
    if (const auto store = as<op::Store>(m_, i)) {
      keep(store.object());
      return access(n, block, store.pointer(), true);
    }
    if (i.op() == spv::Op::OpAccessChain || i.op() == spv::Op::OpInBoundsAccessChain) {
      const Id base = op::AccessChain(m_, i).base();
      if (variables_.contains(base) && isOfMatrices(op::TypePointer(m_, *m_.def(i.type)).type()) &&
          staysInRegisters(cfg, block, i)) {
        chains_[i.result] = base;
        return;
      }
    }
    m_.forEachUse(i, [&](Id used) { keep(used); });
  }

  // Neither its address nor an element's may be used in other ways.
  void keep(Id used) {
    const auto chain = chains_.find(used);
    const auto v = variables_.find(chain == chains_.end() ? used : chain->second);
    if (v != variables_.end()) v->second.kept = true;
  }

  // Whether the driver's compiler knows an access chain's indices: they are constants, or loops are unrolled.
  // An array that is indexed at run time is in memory, where a copy would take time.
  bool staysInRegisters(Cfg& cfg, uint32_t block, const Instruction& chain) const {
    const IdRange indexes = op::AccessChain(m_, chain).indexes();
    if (std::all_of(indexes.begin(), indexes.end(), [&](Id index) { return isConstantOp(m_.opOf(index)); }))
      return true;
    while (block != kNone) {
      const uint32_t merge = cfg.blocks[block].merge;
      if (merge != kNone && cfg.blocks[block].continueBlock != kNone)
        return (uint32_t(op::LoopMerge(m_, m_.instructions[merge]).loopControl()) &
                uint32_t(spv::LoopControlMask::Unroll)) != 0;
      block = cfg.enclosingHeader(block);
    }
    return false;
  }

  void access(uint32_t n, uint32_t block, Id pointer, bool stores) {
    const auto chain = chains_.find(pointer);
    const bool isElement = chain != chains_.end();
    const auto v = variables_.find(isElement ? chain->second : pointer);
    if (v == variables_.end()) return;
    // With memory operands, it may be volatile.
    if (m_.instructions[n].length != (stores ? 3 : 4)) v->second.kept = true;
    (stores ? v->second.stores : v->second.loads).push_back({n, block, isElement ? pointer : Id()});
  }

  // Whether some path to a load leaves out a store. Without one there is nothing to copy, which holds for
  // most variables.
  static bool isMerged(const Cfg& cfg, const Variable& v) {
    uint32_t first = kNone, last = 0;  // of the blocks that load, in the order of the dominator tree
    for (const Access& load : v.loads) {
      if (!cfg.reachable(load.block)) continue;
      first = std::min(first, cfg.preorder(load.block));
      last = std::max(last, cfg.preorder(load.block));
    }
    return first != kNone && std::any_of(v.stores.begin(), v.stores.end(), [&](const Access& store) {
             return !cfg.reachable(store.block) || first < cfg.preorder(store.block) ||
                    last >= cfg.subtreeEnd(store.block);
           });
  }

  // The blocks that can run again, because they are on a way from a loop's header to the end of an iteration.
  static std::vector<bool> blocksInLoops(const Cfg& cfg) {
    std::vector<bool> in(cfg.blocks.size());
    std::vector<uint32_t> open;
    std::vector<uint32_t> seenFor(cfg.blocks.size(), kNone);  // the block that ended the latest iteration
    for (const uint32_t end : cfg.reversePostOrder()) {
      for (const uint32_t header : cfg.successors(end)) {
        if (!cfg.dominates(header, end)) continue;
        const auto add = [&](uint32_t block) {
          if (seenFor[block] == end || !cfg.reachable(block)) return;
          seenFor[block] = end;
          in[block] = true;
          if (block != header) open.push_back(block);
        };
        add(header);
        add(end);
        while (!open.empty()) {
          const uint32_t block = open.back();
          open.pop_back();
          for (const uint32_t predecessor : cfg.predecessors(block)) add(predecessor);
        }
      }
    }
    return in;
  }

  // The blocks that store, and those from which they can be reached.
  static std::vector<bool> blocksBeforeStores(const Cfg& cfg, const Variable& v) {
    std::vector<bool> before(cfg.blocks.size());
    std::vector<uint32_t> open;
    const auto add = [&](uint32_t block) {
      if (before[block]) return;
      before[block] = true;
      open.push_back(block);
    };
    for (const Access& store : v.stores) add(store.block);
    while (!open.empty()) {
      const uint32_t block = open.back();
      open.pop_back();
      for (const uint32_t predecessor : cfg.predecessors(block)) add(predecessor);
    }
    return before;
  }

  // For each block the first one on the way to it that runs once and that no store follows; kNone: none.
  static std::vector<uint32_t> settledSince(const Cfg& cfg, const std::vector<bool>& beforeStores,
                                            const std::vector<bool>& inLoop) {
    std::vector<uint32_t> since(cfg.blocks.size(), kNone);
    for (const uint32_t block : cfg.dominatorPreorder()) {
      if (beforeStores[block]) continue;
      if (const uint32_t parent = cfg.idom(block); parent != kNone) since[block] = since[parent];
      if (since[block] == kNone && !inLoop[block]) since[block] = block;
    }
    return since;
  }

  void settle(const Cfg& cfg, Id variable, const Variable& v) {
    if (inLoop_.empty()) inLoop_ = blocksInLoops(cfg);
    const std::vector<uint32_t> since = settledSince(cfg, blocksBeforeStores(cfg, v), inLoop_);
    std::map<uint32_t, std::vector<Access>> loads;  // by the block that makes the copy
    for (const Access& load : v.loads) {
      if (cfg.reachable(load.block) && since[load.block] != kNone) loads[since[load.block]].push_back(load);
    }
    for (auto& [from, list] : loads) {
      const uint32_t block = from;
      const bool merges = std::any_of(v.stores.begin(), v.stores.end(), [&](const Access& store) {
        return !cfg.dominates(store.block, block);
      });
      const bool isLater =
          std::any_of(list.begin(), list.end(), [&](const Access& load) { return load.block != block; });
      if (merges && isLater) found.push_back({variable, v.type, cfg.blocks[block].label, std::move(list)});
    }
  }

  const Module& m_;
  std::map<Id, Variable> variables_;  // of the current function
  std::map<Id, Id> chains_;           // the variable of each access chain
  std::vector<bool> inLoop_;          // blocksInLoops(), as soon as they are needed
};

class Writer {
 public:
  Writer(Code& code, const Module& module, const std::vector<Settled>& settled)
      : code_(code), m_(module), settled_(settled) {
    for (const Settled& s : settled) {
      for (const Access& load : s.loads) loads_[m_.instructions[load.at].result] = {&s, load.chain};
    }
  }

  bool handle(const Instruction& i) {
    switch (i.op()) {
      case spv::Op::OpLabel: block_ = i.result; return false;
      case spv::Op::OpPhi:
      case spv::Op::OpVariable:
      case spv::Op::OpLine:
      case spv::Op::OpNoLine: return false;
      default: break;
    }
    copy();
    const auto load = loads_.find(i.result);
    if (load == loads_.end() || i.op() != spv::Op::OpLoad) return false;
    code_.makeAs<op::Load>(i.type, i.result, {.pointer = pointerTo(load->second)});
    return true;
  }

 private:
  struct Load {
    const Settled* of = nullptr;
    Id chain;
  };

  // At the beginning of a block, after its phis.
  void copy() {
    if (!block_) return;
    for (const Settled& s : settled_) {
      if (s.from != block_) continue;
      const Pointer to = code_.localVariable(s.type);
      copies_[&s] = to;
      copyParts(s.type, s.variable, to);
    }
    block_ = Id();
  }

  // The last part first. In the other order the copy has no effect on RADV (measured), probably because Mesa
  // takes it for the copy of an array, so that the loads become loads of the first variable again.
  void copyParts(Id type, Id from, Id to) {
    const auto array = as<op::TypeArray>(m_, *m_.def(type));
    if (!array) {
      const Id value = code_.load(type, from);
      return code_.store(to, value);
    }
    const Id part = array.elementType();
    for (uint32_t n = code_.globals.constantValue(array.length()).value_or(0); n-- > 0;) {
      const Id index = code_.u32(n);
      const Id source = code_.access(spv::StorageClass::Function, part, from, {index});
      const Id target = code_.access(spv::StorageClass::Function, part, to, {index});
      copyParts(part, source, target);
    }
  }

  Id pointerTo(const Load& load) {
    const Id copy = copies_.at(load.of);
    if (!load.chain) return copy;
    const Instruction& chain = *m_.def(load.chain);
    std::vector<Word> words{copy};
    for (const Id index : op::AccessChain(m_, chain).indexes()) words.push_back(index);
    return code_.op(chain.op(), chain.type, Operands(words));
  }

  Code& code_;
  const Module& m_;
  const std::vector<Settled>& settled_;
  std::map<Id, Load> loads_;
  std::map<const Settled*, Id> copies_;
  Id block_;  // the block, until its phis have been passed
};

}  // namespace

void settleMatrices(Module& module, Report& report) {
  SettledMatrices matrices(module);
  matrices.find();
  if (matrices.found.empty()) return;
  const size_t count = matrices.found.size();
  report.rewrites.push_back({std::to_string(count) +
                                 (count == 1 ? " variable of matrices" : " variables of matrices") +
                                 ", which some paths set before they are loaded",
                             "a copy that is set once"});
  Code code(module);
  Writer writer(code, module, matrices.found);
  code.writer.rewrite([&](const Instruction& i) { return writer.handle(i); });
  code.finish();
  // The access chains of loads that use the copy.
  eliminateDeadCode(module, true);
}

}  // namespace coopc::spirv::lower
