// Local variables to values.
//
// The variables are trees of parts (variable_parts.hpp). Memory leaves become separate variables. Slots are
// put into SSA form: phis where phi_placement.hpp says, and a walk over the dominator tree that tracks the
// current value of each slot.
//
// Tensor layouts and views never go through a phi: where one would be needed they stay variables.
#include <algorithm>
#include <span>

#include "spirv/cfg.hpp"
#include "spirv/constant_pool.hpp"
#include "spirv/instructions.hpp"
#include "spirv/opt/passes.hpp"
#include "spirv/opt/phi_placement.hpp"
#include "spirv/opt/variable_parts.hpp"
#include "spirv/replacements.hpp"

namespace coopc::spirv {
namespace {

// A limit on the instructions of one function; beyond it nothing is changed.
constexpr size_t kMaxGrowth = size_t(1) << 23;

// The phis of a function's slots.
class SlotPhis {
 public:
  // Places them. Returns the nodes of slots that would need phis, but whose types cannot have any: they have
  // to become memory.
  std::vector<uint32_t> place(const Module& m, Cfg& cfg, const VariableParts& parts) {
    std::vector<uint32_t> needsMemory;
    phis_.clear();
    BlocksBySlot defs, uses;
    findDefsAndUses(m, cfg, parts, defs, uses);
    PhiPlacement placement(cfg);
    for (uint32_t s = 0; s < parts.slots().size(); ++s) {
      const std::span<const uint32_t> blocks = placement.place(defs.of(s), uses.of(s));
      for (const uint32_t b : blocks) phis_.push_back({s, b});
      if (!blocks.empty() && isTensorAddress(m, parts.ofSlot(s).type))
        needsMemory.push_back(parts.slots()[s]);
    }
    sortByBlock(cfg.blocks.size());
    return needsMemory;
  }

  std::span<const SlotBlock> all() const { return phis_; }
  // The phis of a block are numbers begin(block) to begin(block + 1), their slots in ascending order.
  uint32_t begin(uint32_t block) const { return phiAt_[block]; }

 private:
  // The blocks that store a slot, and those that use it before they store it.
  static void findDefsAndUses(const Module& m, const Cfg& cfg, const VariableParts& parts, BlocksBySlot& defs,
                              BlocksBySlot& uses) {
    const size_t slotCount = parts.slots().size();
    std::vector<uint32_t> defStamp(slotCount, kNone), useStamp(slotCount, kNone);
    const auto use = [&](uint32_t slot, uint32_t b) {
      if (defStamp[slot] == b || useStamp[slot] == b) return;
      useStamp[slot] = b;
      uses.entries.push_back({slot, b});
    };
    const auto define = [&](uint32_t slot, uint32_t b) {
      if (defStamp[slot] == b) return;
      defStamp[slot] = b;
      defs.entries.push_back({slot, b});
    };
    for (uint32_t s = 0; s < slotCount; ++s) {
      if (parts.variables()[parts.ofSlot(s).variable].initializer) define(s, 0);
    }
    for (uint32_t b = 0; b < cfg.blocks.size(); ++b) {
      if (!cfg.reachable(b)) continue;
      const Block& block = cfg.blocks[b];
      for (uint32_t n = block.first + 1; n < block.last; ++n) {
        const Instruction& i = m.instructions[n];
        if (i.op() == spv::Op::OpLoad) {
          const VariableAccess* a = parts.accessTo(op::Load(m, i).pointer());
          if (a == nullptr || parts.isInMemory(*a)) continue;
          parts.forEachSlot(a->node, [&](uint32_t slot) { use(slot, b); });
        } else if (i.op() == spv::Op::OpStore) {
          const VariableAccess* a = parts.accessTo(op::Store(m, i).pointer());
          if (a == nullptr || parts.isInMemory(*a)) continue;
          parts.forEachSlot(a->node, [&](uint32_t slot) {
            if (a->tailLength != 0) use(slot, b);
            define(slot, b);
          });
        }
      }
    }
    defs.sort(slotCount);
    uses.sort(slotCount);
  }

  // Sorts the phis by block, and by slot within a block.
  void sortByBlock(size_t blockCount) {
    phiAt_.assign(blockCount + 1, 0);
    for (const SlotBlock& e : phis_) ++phiAt_[e.block + 1];
    for (size_t b = 0; b < blockCount; ++b) phiAt_[b + 1] += phiAt_[b];
    std::vector<SlotBlock> sorted(phis_.size());
    std::vector<uint32_t> fill(phiAt_.begin(), phiAt_.end());
    for (const SlotBlock& e : phis_) sorted[fill[e.block]++] = e;
    phis_.swap(sorted);
  }

  static bool isTensorAddress(const Module& m, Id type) {
    const spv::Op op = m.opOf(type);
    return op == spv::Op::OpTypeTensorLayoutNV || op == spv::Op::OpTypeTensorViewNV;
  }

  std::vector<SlotBlock> phis_;  // by block
  std::vector<uint32_t> phiAt_;
};

// The value of each slot at the place of the walk over the dominator tree.
class SlotValues {
 public:
  void begin(size_t slots) {
    current_.assign(slots, Id());
    log_.clear();
    scopes_.clear();
  }
  // Enters a block of the dominator tree, and takes back what blocks that do not dominate it have set.
  void enter(uint32_t depth) {
    while (scopes_.size() > depth) {
      while (log_.size() > scopes_.back()) {
        current_[log_.back().slot] = log_.back().value;
        log_.pop_back();
      }
      scopes_.pop_back();
    }
    scopes_.push_back(uint32_t(log_.size()));
  }
  Id of(uint32_t slot) const { return current_[slot]; }  // none: undefined
  void set(uint32_t slot, Id value) {
    log_.push_back({slot, current_[slot]});
    current_[slot] = value;
  }

 private:
  struct Previous {
    uint32_t slot;
    Id value;
  };
  std::vector<Id> current_;
  std::vector<Previous> log_;
  std::vector<uint32_t> scopes_;  // by depth: the length of the log at the block's start
};

class Promoter {
 public:
  Promoter(Module& module, Replacements& replacements, Graphs& graphs)
      : m_(module),
        constants_(module, ConstantPool::Types::Stay),
        replacements_(replacements),
        graphs_(graphs),
        parts_(module) {}

  bool run() {
    replacements_.reset(m_.bound);
    for (uint32_t n = m_.functionsAt; n < m_.instructions.size();) {
      uint32_t end = n + 1;
      while (end < m_.instructions.size() && m_.instructions[end - 1].op() != spv::Op::OpFunctionEnd) ++end;
      const bool wanted = m_.instructions[n].op() == spv::Op::OpFunction && hasVariables(n, end);
      cfg_ = wanted ? graphs_.of(m_, n) : nullptr;
      if (cfg_ != nullptr && function()) {
        rewritten_ = true;
      } else if (rewritten_) {
        out_.insert(out_.end(), m_.instructions.begin() + n, m_.instructions.begin() + end);
      }
      n = end;
    }
    if (!rewritten_ || failed_ || m_.overflow()) {
      replacements_.reset(m_.bound);
      return false;
    }
    m_.instructions.swap(out_);
    constants_.flushAndCompact();
    graphs_.noteMoves();
    return true;
  }

 private:
  bool hasVariables(uint32_t begin, uint32_t end) const {
    for (uint32_t n = begin; n < end; ++n) {
      if (m_.instructions[n].op() == spv::Op::OpVariable) return true;
    }
    return false;
  }

  bool function() {
    for (const Block& block : cfg_->blocks) {
      for (uint32_t n = block.first + 1; n <= block.last; ++n) parts_.analyze(m_.instructions[n], n);
    }
    const bool worked = !parts_.variables().empty() && replaceVariables();
    parts_.forget();
    return worked;
  }

  bool replaceVariables() {
    parts_.assignLeaves();
    if (!parts_.anyReplaced()) return false;
    if (const std::vector<uint32_t> memory = phis_.place(m_, *cfg_, parts_); !memory.empty()) {
      for (const uint32_t node : memory) parts_.makeMemory(node);
      parts_.assignLeaves();
      phis_.place(m_, *cfg_, parts_);
    }
    if (!parts_.anyReplaced()) return false;
    rewrite();
    return true;
  }

  // --- Rewriting -------------------------------------------------------------------------------------------
  Id undef(Id type) { return constants_.undef(type); }

  Id current(uint32_t slot) {
    if (const Id value = values_.of(slot)) return value;
    const Id nothing = undef(parts_.ofSlot(slot).type);
    values_.set(slot, nothing);
    return nothing;
  }

  Id emit(spv::Op op, Id type, Operands operands) {
    const Id id = m_.newId();
    if (!id || segment_.size() > kMaxGrowth) {
      failed_ = true;
      return {};
    }
    segment_.push_back(m_.make(op, type, id, operands));
    return id;
  }

  void rewrite() {
    values_.begin(parts_.slots().size());
    segment_.clear();
    segment_.reserve(cfg_->functionEnd - cfg_->functionBegin + phis_.all().size());
    segmentAt_.assign(cfg_->blocks.size(), {0, 0});
    makePhis();
    if (failed_) return;
    for (uint32_t b : cfg_->dominatorPreorder()) {
      values_.enter(cfg_->depth(b));
      block(b);
    }
    // Writes the function again in the old order; into a new list from the first rewritten function on.
    if (!rewritten_) {
      out_.reserve(m_.instructions.size());
      out_.assign(m_.instructions.begin(), m_.instructions.begin() + cfg_->functionBegin);
    }
    for (uint32_t n = cfg_->functionBegin; n < cfg_->blocks.front().first; ++n)
      out_.push_back(m_.instructions[n]);
    for (uint32_t b = 0; b < cfg_->blocks.size(); ++b) {
      const Block& block = cfg_->blocks[b];
      if (cfg_->reachable(b)) {
        out_.insert(out_.end(), segment_.begin() + segmentAt_[b].slot,
                    segment_.begin() + segmentAt_[b].block);
      } else {
        // Values need not dominate their uses here.
        for (uint32_t n = block.first; n <= block.last; ++n) out_.push_back(keep(m_.instructions[n]));
      }
    }
    out_.push_back(m_.instructions[cfg_->functionEnd - 1]);
  }

  // Phis with room for their operands, which are undefined at first; those for unreachable predecessors stay
  // so.
  void makePhis() {
    phiMade_.clear();
    for (const SlotBlock& e : phis_.all()) {
      const Id type = parts_.ofSlot(e.slot).type;
      operands_.clear();
      for (uint32_t p : cfg_->predecessors(e.block)) {
        operands_.push_back(undef(type));
        operands_.push_back(cfg_->blocks[p].label);
      }
      const Id id = m_.newId();
      if (!id || operands_.size() + 3 > kMaxInstructionWords) {
        failed_ = true;
        return;
      }
      phiMade_.push_back(m_.make<op::Phi>(type, id, {.incoming = operands_}));
    }
  }

  void block(uint32_t b) {
    const Block& block = cfg_->blocks[b];
    segmentAt_[b].slot = uint32_t(segment_.size());
    segment_.push_back(m_.instructions[block.first]);
    for (uint32_t k = phis_.begin(b); k < phis_.begin(b + 1); ++k) {
      segment_.push_back(phiMade_[k]);
      values_.set(phis_.all()[k].slot, phiMade_[k].result);
    }
    uint32_t n = block.first + 1;
    if (b == 0) n = entry(n, block.last);
    for (; n <= block.last; ++n) instruction(m_.instructions[n]);
    segmentAt_[b].block = uint32_t(segment_.size());

    for (uint32_t to : cfg_->successors(b)) {
      if (phis_.begin(to) == phis_.begin(to + 1)) continue;
      const auto preds = cfg_->predecessors(to);
      const auto position = uint32_t(std::lower_bound(preds.begin(), preds.end(), b) - preds.begin());
      for (uint32_t k = phis_.begin(to); k < phis_.begin(to + 1); ++k) {
        const Id value = current(phis_.all()[k].slot);
        m_.at(phiMade_[k])[3 + position * 2] = value.index();
      }
    }
  }

  // Variables that are kept come first, then the values of initializers.
  uint32_t entry(uint32_t n, uint32_t last) {
    uint32_t end = n;
    for (; end < last; ++end) {
      const Instruction& i = m_.instructions[end];
      const spv::Op op = i.op();
      if (op != spv::Op::OpVariable && op != spv::Op::OpLine && op != spv::Op::OpNoLine &&
          op != spv::Op::OpNop)
        break;
      const VariableAccess* a = op == spv::Op::OpVariable ? parts_.accessTo(i.result) : nullptr;
      if (a == nullptr || parts_.node(a->node).memory) {
        segment_.push_back(i);
      } else {
        storage(a->node);
      }
    }
    for (const LocalVariable& v : parts_.variables()) {
      if (v.initializer && !parts_.node(v.root).memory) store(v.root, v.initializer);
    }
    return end;
  }

  // Declares variables for the memory leaves of a split variable.
  void storage(uint32_t node) {
    if (parts_.node(node).memory) {
      const Id pointer = constants_.typePointer(spv::StorageClass::Function, parts_.node(node).type);
      const Word operand[] = {spv::StorageClass::Function};
      parts_.setStorage(node, emit(spv::Op::OpVariable, pointer, operand));
      return;
    }
    for (uint32_t k = 0; k < parts_.node(node).childCount; ++k) storage(parts_.node(node).children + k);
  }

  void instruction(const Instruction& i) {
    switch (i.op()) {
      case spv::Op::OpVariable: {
        const VariableAccess* a = parts_.accessTo(i.result);
        if (a == nullptr || parts_.node(a->node).memory) break;
        storage(a->node);
        return;
      }
      case spv::Op::OpAccessChain:
      case spv::Op::OpInBoundsAccessChain: {
        const VariableAccess* a = parts_.accessTo(i.result);
        if (a == nullptr) break;
        const uint32_t node = parts_.effective(a->node);
        if (!parts_.node(node).memory) return;
        if (parts_.node(node).parent == kNone) break;  // the variable was not split
        // The chain now begins at the leaf's own variable, so the indices that lead to the leaf are dropped.
        // Chains on chains are all made from the root, with the indices of the whole path.
        operands_.clear();
        operands_.push_back(parts_.node(node).storage);
        pathBelow(a->node, node);
        for (uint32_t k = 0; k < a->tailLength; ++k)
          operands_.push_back(replacements_.resolve(Id(a->tail[k])));
        if (operands_.size() == 1) {
          replacements_.replace(i.result, parts_.node(node).storage);
        } else {
          segment_.push_back(m_.make(i.op(), i.type, i.result, operands_));
        }
        return;
      }
      case spv::Op::OpLoad: {
        const VariableAccess* a = parts_.accessTo(op::Load(m_, i).pointer());
        if (a == nullptr || parts_.isInMemory(*a)) break;
        load(i, *a);
        return;
      }
      case spv::Op::OpStore: {
        const VariableAccess* a = parts_.accessTo(op::Store(m_, i).pointer());
        if (a == nullptr || parts_.isInMemory(*a)) break;
        const Id value = replacements_.resolve(op::Store(m_, i).object());
        if (a->tailLength == 0) {
          store(a->node, value);
        } else {
          storeComponent(*a, value);
        }
        return;
      }
      default: break;
    }
    segment_.push_back(keep(i));
  }

  // An instruction whose operands are left to be replaced later, except for a selector: its type gives the
  // width of the literals. The module's own words stay unchanged in case the pass fails.
  Instruction keep(const Instruction& i) {
    if (i.op() != spv::Op::OpSwitch || !replacements_.replaces(op::Switch(m_, i).selector())) return i;
    operands_.assign(m_.at(i) + 1, m_.at(i) + i.length);
    operands_[0] = replacements_.resolve(op::Switch(m_, i).selector());
    return m_.make(i.op(), operands_);
  }

  // The indices from a memory leaf down to one of its parts, as constants.
  void pathBelow(uint32_t node, uint32_t leaf) {
    uint32_t indices[VariableParts::kMaxDepth + 1];
    uint32_t count = 0;
    for (; node != leaf && count <= VariableParts::kMaxDepth; node = parts_.node(node).parent)
      indices[count++] = parts_.node(node).index;
    while (count != 0) {
      operands_.push_back(constants_.scalar(indexType(), indices[--count]));
    }
  }
  Id indexType() {
    if (!uint_) uint_ = constants_.typeUint();
    return uint_;
  }

  void load(const Instruction& i, const VariableAccess& a) {
    const VariableNode& node = parts_.node(a.node);
    if (a.tailLength != 0) {
      operands_.clear();
      operands_.push_back(current(node.slot));
      const spv::Op op = tailOperands(a);
      segment_.push_back(m_.make(op, i.type, i.result, operands_));
      return;
    }
    const Id value = materialize(a.node);
    if (!replacements_.replace(i.result, value)) replacements_.replace(i.result, undef(i.type));
  }

  // Appends the component indices of an access to operands_, and returns the instruction for which they are.
  spv::Op tailOperands(const VariableAccess& a) {
    if (a.tailLength == 1 && !parts_.constantIndex(Id(a.tail[0]))) {
      operands_.push_back(replacements_.resolve(Id(a.tail[0])));
      return spv::Op::OpVectorExtractDynamic;
    }
    for (uint32_t k = 0; k < a.tailLength; ++k)
      operands_.push_back(parts_.constantIndex(Id(a.tail[k])).value_or(0));
    return spv::Op::OpCompositeExtract;
  }

  Id materialize(uint32_t node) {
    if (parts_.node(node).memory) {
      const Word operand[] = {parts_.node(node).storage};
      return emit(spv::Op::OpLoad, parts_.node(node).type, operand);
    }
    if (parts_.node(node).children == kNone) return current(parts_.node(node).slot);
    std::vector<Word> parts;
    for (uint32_t k = 0; k < parts_.node(node).childCount; ++k)
      parts.push_back(materialize(parts_.node(node).children + k));
    return emit(spv::Op::OpCompositeConstruct, parts_.node(node).type, parts);
  }

  void store(uint32_t node, Id value) {
    if (parts_.node(node).memory) {
      segment_.push_back(m_.make<op::Store>({.pointer = parts_.node(node).storage, .object = value}));
      return;
    }
    if (parts_.node(node).children == kNone) {
      values_.set(parts_.node(node).slot, value);
      return;
    }
    for (uint32_t k = 0; k < parts_.node(node).childCount; ++k) {
      const uint32_t child = parts_.node(node).children + k;
      const Word operands[] = {value, k};
      store(child, emit(spv::Op::OpCompositeExtract, parts_.node(child).type, operands));
    }
  }

  void storeComponent(const VariableAccess& a, Id value) {
    const VariableNode& node = parts_.node(a.node);
    operands_.clear();
    const bool dynamic = a.tailLength == 1 && !parts_.constantIndex(Id(a.tail[0]));
    if (dynamic) {
      operands_.push_back(current(node.slot));
      operands_.push_back(value);
    } else {
      operands_.push_back(value);
      operands_.push_back(current(node.slot));
    }
    tailOperands(a);
    values_.set(node.slot, emit(dynamic ? spv::Op::OpVectorInsertDynamic : spv::Op::OpCompositeInsert,
                                node.type, operands_));
  }

  Module& m_;
  ConstantPool constants_;
  Replacements& replacements_;
  Graphs& graphs_;
  Cfg* cfg_ = nullptr;  // of the current function
  VariableParts parts_;
  SlotPhis phis_;
  SlotValues values_;
  std::vector<Instruction> phiMade_;
  std::vector<Instruction> segment_;
  std::vector<SlotBlock> segmentAt_;  // by block: from where (`slot`) to where (`block`) it is in segment_
  std::vector<Word> operands_;
  std::vector<Instruction> out_;
  Id uint_;
  bool failed_ = false;     // a limit was exceeded: the module stays as it was
  bool rewritten_ = false;  // a function was rewritten: out_ has it and everything before it
};

}  // namespace

bool variablesToValues(Module& module, Replacements& replacements, Graphs& graphs) {
  return Promoter(module, replacements, graphs).run();
}

bool variablesToValues(Module& module) {
  Graphs graphs;
  return variablesToValues(module, graphs);
}

bool variablesToValues(Module& module, Graphs& graphs) {
  Replacements replacements;
  if (!variablesToValues(module, replacements, graphs)) return false;
  replacements.apply(module);
  return true;
}

}  // namespace coopc::spirv
