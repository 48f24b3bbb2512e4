// Local variables to values.
//
// Each Function variable is seen as a tree of parts. A struct or array that is accessed by constant index is
// split into its members; what is left at the leaves is either a value (only loaded, stored, and for vectors
// and matrices accessed by component) or memory (accessed by an index that is not constant, volatile, or
// handed on as a pointer). Memory leaves stay variables of their own type, value leaves ("slots") go into SSA
// form: phis where phi_placement.hpp says, and a walk over the dominator tree that knows each slot's current
// value.
//
// Tensor layouts and views never go through a phi: where one would be needed they stay variables.
#include <algorithm>
#include <cstring>
#include <span>

#include "spirv/cfg.hpp"
#include "spirv/composites.hpp"
#include "spirv/constant_pool.hpp"
#include "spirv/instructions.hpp"
#include "spirv/memory_operands.hpp"
#include "spirv/opt/passes.hpp"
#include "spirv/opt/phi_placement.hpp"
#include "spirv/replacements.hpp"

namespace coopc::spirv {
namespace {

constexpr uint32_t kMaxParts = 128;      // in one split
constexpr uint32_t kMaxTreeNodes = 512;  // of one variable
constexpr uint32_t kMaxDepth = 16;
constexpr uint32_t kMaxTail = 8;
constexpr size_t kMaxGrowth = size_t(1)
                              << 23;  // limit on the instructions of one function; beyond it nothing is
                                      // changed

struct Node {
  Id type;
  uint32_t parent = kNone;
  uint32_t index = 0;  // which part of the parent
  uint32_t children = kNone;
  uint32_t childCount = 0;
  uint32_t depth = 0;
  uint32_t variable = 0;
  bool memory = false;
  uint32_t slot = kNone;
  Id storage;  // of a memory leaf: its new variable
};

struct Variable {
  uint32_t instruction = 0;
  uint32_t root = 0;
  uint32_t nodes = 0;
  Id initializer;
};

// A pointer into a variable.
struct Access {
  uint32_t node = kNone;
  uint32_t tailLength = 0;
  uint32_t tail[kMaxTail] = {};  // ids of the indices below the node
};

class Promoter {
 public:
  Promoter(Module& module, Replacements& replacements, Graphs& graphs)
      : m_(module),
        constants_(module, ConstantPool::Types::Stay),
        replacements_(replacements),
        graphs_(graphs) {}

  bool run() {
    replacements_.reset(m_.bound);
    accessOf_.assign(m_.bound, kNone);
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

  // --- Analysis --------------------------------------------------------------------------------------------
  bool function() {
    variables_.clear();
    nodes_.clear();
    accesses_.clear();
    for (const Block& block : cfg_->blocks) {
      for (uint32_t n = block.first + 1; n <= block.last; ++n) analyze(m_.instructions[n], n);
    }
    bool worked = false;
    if (!variables_.empty()) {
      assignLeaves();
      if (!slots_.empty() || anySplit_) {
        findPhis();
        if (!needsMemory_.empty()) {
          for (uint32_t node : needsMemory_) nodes_[node].memory = true;
          assignLeaves();
          findPhis();
        }
        if (!slots_.empty() || anySplit_) {
          rewrite();
          worked = true;
        }
      }
    }
    for (const Variable& v : variables_) accessOf_[m_.instructions[v.instruction].result.index()] = kNone;
    for (Id id : chainIds_) accessOf_[id.index()] = kNone;
    chainIds_.clear();
    return worked;
  }

  uint32_t addAccess(Id pointer, const Access& access) {
    accessOf_[pointer.index()] = uint32_t(accesses_.size());
    accesses_.push_back(access);
    return accessOf_[pointer.index()];
  }

  const Access* accessTo(Id pointer) const {
    return pointer.index() < accessOf_.size() && accessOf_[pointer.index()] != kNone
               ? &accesses_[accessOf_[pointer.index()]]
               : nullptr;
  }

  void analyze(const Instruction& i, uint32_t n) {
    switch (i.op()) {
      case spv::Op::OpVariable: {
        const op::Variable variable(m_, i);
        const auto pointer = as<op::TypePointer>(m_, i.type);
        if (variable.storageClass() != spv::StorageClass::Function || !pointer) {
          return pin(i);
        }
        Variable v;
        v.instruction = n;
        v.root = uint32_t(nodes_.size());
        v.nodes = 1;
        v.initializer = variable.initializer();
        Node root;
        root.type = pointer.type();
        root.variable = uint32_t(variables_.size());
        nodes_.push_back(root);
        variables_.push_back(v);
        Access access;
        access.node = v.root;
        addAccess(i.result, access);
        return;
      }
      case spv::Op::OpAccessChain:
      case spv::Op::OpInBoundsAccessChain:
        if (accessTo(op::AnyAccessChain(m_, i).base()) != nullptr) return chain(i);
        return pin(i);
      case spv::Op::OpLoad:
        if (const Access* a = accessTo(op::Load(m_, i).pointer())) {
          if (isVolatile(i) || typeOf(*a) != i.type) nodes_[a->node].memory = true;
          return;
        }
        return;
      case spv::Op::OpStore: {
        const op::Store store(m_, i);
        pinId(store.object());
        if (const Access* a = accessTo(store.pointer())) {
          if (isVolatile(i) || typeOf(*a) != m_.typeOf(store.object())) nodes_[a->node].memory = true;
        }
        return;
      }
      default: return pin(i);
    }
  }

  bool isVolatile(const Instruction& i) const { return memoryOperandsOf(m_.wordsOf(i)).isVolatile(); }

  // Any other use needs a real pointer: the variable stays in memory.
  void pin(const Instruction& i) {
    // Arithmetic, which is frequent and whose operands are ids; numbers in a valid module.
    if (isBetween(i.op(), spv::Op::OpSNegate, spv::Op::OpNot)) {
      for (const Id operand : op::Value(m_, i).operands()) pinId(operand);
      return;
    }
    m_.forEachUse(i, [&](IdWord id) { pinId(id); });
  }
  void pinId(Id id) {
    if (const Access* a = accessTo(id)) nodes_[a->node].memory = true;
  }

  bool constantIndex(Id id, uint32_t& value) const {
    const Instruction* i = m_.def(id);
    if (i == nullptr) return false;
    if (i->op() == spv::Op::OpConstantNull) {
      value = 0;
      return true;
    }
    const auto constant = as<op::Constant>(m_, *i);
    if (!constant) return false;
    value = constant.value();
    return constant.value64() == value;
  }

  // The number of parts into which a type can be split; 0 if it cannot be.
  uint32_t partCount(Id type) const {
    const Instruction* t = m_.def(type);
    if (t == nullptr) return 0;
    if (const auto structure = as<op::TypeStruct>(m_, *t)) return structure.memberTypes().size();
    if (const auto array = as<op::TypeArray>(m_, *t)) {
      uint32_t count = 0;
      return constantIndex(array.length(), count) ? count : 0;
    }
    return 0;
  }

  void chain(const Instruction& i) {
    Access access = *accessTo(op::AnyAccessChain(m_, i).base());
    bool whole = access.tailLength == 0;
    for (const Id id : op::AnyAccessChain(m_, i).indexes()) {
      pinId(id);
      uint32_t index = 0;
      if (whole && constantIndex(id, index) && split(access.node) && index < nodes_[access.node].childCount) {
        access.node = nodes_[access.node].children + index;
        continue;
      }
      whole = false;
      if (access.tailLength == kMaxTail) {
        nodes_[access.node].memory = true;
        break;
      }
      access.tail[access.tailLength++] = id.index();
    }
    if (!whole && !tailIsValue(access)) nodes_[access.node].memory = true;
    addAccess(i.result, access);
    chainIds_.push_back(i.result);
  }

  // Components of vectors by any index, columns and components of matrices by constant ones.
  bool tailIsValue(const Access& access) const {
    const Instruction* t = m_.def(nodes_[access.node].type);
    if (t == nullptr) return false;
    uint32_t index = 0;
    if (const auto vector = as<op::TypeVector>(m_, *t)) {
      if (access.tailLength != 1) return false;
      return !constantIndex(Id(access.tail[0]), index) || index < vector.componentCount();
    }
    const auto matrix = as<op::TypeMatrix>(m_, *t);
    if (!matrix || access.tailLength > 2) return false;
    if (!constantIndex(Id(access.tail[0]), index) || index >= matrix.columnCount()) return false;
    if (access.tailLength == 1) return true;
    const auto column = as<op::TypeVector>(m_, matrix.columnType());
    return constantIndex(Id(access.tail[1]), index) && index < column.componentCount();
  }

  // Makes a node's parts; false if it has none or too many.
  bool split(uint32_t node) {
    if (nodes_[node].children != kNone) return true;
    Variable& v = variables_[nodes_[node].variable];
    const uint32_t count = partCount(nodes_[node].type);
    if (count == 0 || count > kMaxParts || v.nodes + count > kMaxTreeNodes ||
        nodes_[node].depth >= kMaxDepth) {
      return false;
    }
    v.nodes += count;
    const uint32_t first = uint32_t(nodes_.size());
    for (uint32_t k = 0; k < count; ++k) {
      Node child;
      child.type = partType(m_, m_.def(nodes_[node].type), k);
      child.parent = node;
      child.index = k;
      child.depth = nodes_[node].depth + 1;
      child.variable = nodes_[node].variable;
      nodes_.push_back(child);
    }
    nodes_[node].children = first;
    nodes_[node].childCount = count;
    return true;
  }

  // The type to which an access points.
  Id typeOf(const Access& access) const {
    Id type = nodes_[access.node].type;
    for (uint32_t k = 0; k < access.tailLength; ++k) {
      uint32_t index = 0;
      const bool isKnown = constantIndex(Id(access.tail[k]), index);
      type = partType(m_, m_.def(type), isKnown ? std::optional(index) : std::nullopt);
      if (!type) return {};
    }
    return type;
  }

  // --- Leaves ----------------------------------------------------------------------------------------------
  // The node that an access is to after all is known: a part of memory belongs to the memory above it.
  uint32_t effective(uint32_t node) const {
    uint32_t result = node;
    for (uint32_t up = node; up != kNone; up = nodes_[up].parent) {
      if (nodes_[up].memory) result = up;
    }
    return result;
  }

  void assignLeaves() {
    slots_.clear();
    needsMemory_.clear();
    anySplit_ = false;
    for (Node& node : nodes_) node.slot = kNone;
    for (const Variable& v : variables_) {
      Node& root = nodes_[v.root];
      if (v.initializer && !root.memory && hasMemory(v.root)) root.memory = true;
      if (root.memory) continue;
      if (root.children != kNone) anySplit_ = true;
      leaves(v.root);
    }
  }

  bool hasMemory(uint32_t node) const {
    if (nodes_[node].memory) return true;
    for (uint32_t k = 0; k < nodes_[node].childCount; ++k) {
      if (hasMemory(nodes_[node].children + k)) return true;
    }
    return false;
  }

  // Depth is bounded by kMaxDepth.
  void leaves(uint32_t node) {
    if (nodes_[node].memory) return;
    if (nodes_[node].children == kNone) {
      nodes_[node].slot = uint32_t(slots_.size());
      slots_.push_back(node);
      return;
    }
    for (uint32_t k = 0; k < nodes_[node].childCount; ++k) leaves(nodes_[node].children + k);
  }

  template <class F>
  void forEachSlot(uint32_t node, F&& f) const {
    if (nodes_[node].memory) return;
    if (nodes_[node].children == kNone) {
      f(nodes_[node].slot);
      return;
    }
    for (uint32_t k = 0; k < nodes_[node].childCount; ++k) forEachSlot(nodes_[node].children + k, f);
  }

  // --- Phis ------------------------------------------------------------------------------------------------
  struct SlotValue {  // the previous value of a slot
    uint32_t slot;
    Id value;
  };

  void findPhis() {
    phis_.clear();
    BlocksBySlot defs, uses;
    findDefsAndUses(defs, uses);
    PhiPlacement placement(*cfg_);
    for (uint32_t s = 0; s < slots_.size(); ++s) {
      const std::span<const uint32_t> blocks = placement.place(defs.of(s), uses.of(s));
      for (const uint32_t b : blocks) phis_.push_back({s, b});
      if (!blocks.empty() && isTensorAddress(nodes_[slots_[s]].type)) needsMemory_.push_back(slots_[s]);
    }
    sortPhisByBlock();
  }

  // The blocks that store a slot, and those that use it before they store it.
  void findDefsAndUses(BlocksBySlot& defs, BlocksBySlot& uses) const {
    std::vector<uint32_t> defStamp(slots_.size(), kNone), useStamp(slots_.size(), kNone);
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
    for (uint32_t s = 0; s < slots_.size(); ++s) {
      if (variables_[nodes_[slots_[s]].variable].initializer) define(s, 0);
    }
    for (uint32_t b = 0; b < cfg_->blocks.size(); ++b) {
      if (!cfg_->reachable(b)) continue;
      const Block& block = cfg_->blocks[b];
      for (uint32_t n = block.first + 1; n < block.last; ++n) {
        const Instruction& i = m_.instructions[n];
        if (i.op() == spv::Op::OpLoad) {
          const Access* a = accessTo(op::Load(m_, i).pointer());
          if (a == nullptr || effectiveMemory(*a)) continue;
          forEachSlot(a->node, [&](uint32_t slot) { use(slot, b); });
        } else if (i.op() == spv::Op::OpStore) {
          const Access* a = accessTo(op::Store(m_, i).pointer());
          if (a == nullptr || effectiveMemory(*a)) continue;
          forEachSlot(a->node, [&](uint32_t slot) {
            if (a->tailLength != 0) use(slot, b);
            define(slot, b);
          });
        }
      }
    }
    defs.sort(slots_.size());
    uses.sort(slots_.size());
  }

  // By block, slots ascending within it.
  void sortPhisByBlock() {
    const size_t blockCount = cfg_->blocks.size();
    phiAt_.assign(blockCount + 1, 0);
    for (const SlotBlock& e : phis_) ++phiAt_[e.block + 1];
    for (size_t b = 0; b < blockCount; ++b) phiAt_[b + 1] += phiAt_[b];
    std::vector<SlotBlock> sorted(phis_.size());
    std::vector<uint32_t> fill(phiAt_.begin(), phiAt_.end());
    for (const SlotBlock& e : phis_) sorted[fill[e.block]++] = e;
    phis_.swap(sorted);
  }

  bool isTensorAddress(Id type) const {
    const spv::Op op = m_.opOf(type);
    return op == spv::Op::OpTypeTensorLayoutNV || op == spv::Op::OpTypeTensorViewNV;
  }

  bool effectiveMemory(const Access& access) const { return nodes_[effective(access.node)].memory; }

  // --- Rewriting -------------------------------------------------------------------------------------------
  Id undef(Id type) { return constants_.undef(type); }

  Id current(uint32_t slot) {
    if (!current_[slot]) {
      log_.push_back({slot, {}});
      current_[slot] = undef(nodes_[slots_[slot]].type);
    }
    return current_[slot];
  }
  void set(uint32_t slot, Id value) {
    log_.push_back({slot, current_[slot]});
    current_[slot] = value;
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
    current_.assign(slots_.size(), Id());
    log_.clear();
    segment_.clear();
    segment_.reserve(cfg_->functionEnd - cfg_->functionBegin + phis_.size());
    segmentAt_.assign(cfg_->blocks.size(), {0, 0});
    scopeLog_.clear();
    makePhis();
    if (failed_) return;
    for (uint32_t b : cfg_->dominatorPreorder()) {
      while (scopeLog_.size() > cfg_->depth(b)) {
        while (log_.size() > scopeLog_.back()) {
          current_[log_.back().slot] = log_.back().value;
          log_.pop_back();
        }
        scopeLog_.pop_back();
      }
      scopeLog_.push_back(uint32_t(log_.size()));
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
    for (const SlotBlock& e : phis_) {
      const Id type = nodes_[slots_[e.slot]].type;
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
    for (uint32_t k = phiAt_[b]; k < phiAt_[b + 1]; ++k) {
      segment_.push_back(phiMade_[k]);
      set(phis_[k].slot, phiMade_[k].result);
    }
    uint32_t n = block.first + 1;
    if (b == 0) n = entry(n, block.last);
    for (; n <= block.last; ++n) instruction(m_.instructions[n]);
    segmentAt_[b].block = uint32_t(segment_.size());

    for (uint32_t to : cfg_->successors(b)) {
      if (phiAt_[to] == phiAt_[to + 1]) continue;
      const auto preds = cfg_->predecessors(to);
      const auto position = uint32_t(std::lower_bound(preds.begin(), preds.end(), b) - preds.begin());
      for (uint32_t k = phiAt_[to]; k < phiAt_[to + 1]; ++k) {
        const Id value = current(phis_[k].slot);
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
      const Access* a = op == spv::Op::OpVariable ? accessTo(i.result) : nullptr;
      if (a == nullptr || nodes_[a->node].memory) {
        segment_.push_back(i);
      } else {
        storage(a->node);
      }
    }
    for (const Variable& v : variables_) {
      if (v.initializer && !nodes_[v.root].memory) store(v.root, v.initializer);
    }
    return end;
  }

  // New variables for the memory leaves of a split variable.
  void storage(uint32_t node) {
    if (nodes_[node].memory) {
      const Id pointer = constants_.typePointer(spv::StorageClass::Function, nodes_[node].type);
      const Word operand[] = {spv::StorageClass::Function};
      nodes_[node].storage = emit(spv::Op::OpVariable, pointer, operand);
      return;
    }
    for (uint32_t k = 0; k < nodes_[node].childCount; ++k) storage(nodes_[node].children + k);
  }

  void instruction(const Instruction& i) {
    switch (i.op()) {
      case spv::Op::OpVariable: {
        const Access* a = accessTo(i.result);
        if (a == nullptr || nodes_[a->node].memory) break;
        storage(a->node);
        return;
      }
      case spv::Op::OpAccessChain:
      case spv::Op::OpInBoundsAccessChain: {
        const Access* a = accessTo(i.result);
        if (a == nullptr) break;
        const uint32_t node = effective(a->node);
        if (!nodes_[node].memory) return;
        if (nodes_[node].parent == kNone) break;  // the variable was not split
        // The chain now begins at the leaf's own variable, so the indices that lead to the leaf are dropped.
        // Chains on chains are all made from the root, with the indices of the whole path.
        operands_.clear();
        operands_.push_back(nodes_[node].storage);
        pathBelow(a->node, node);
        for (uint32_t k = 0; k < a->tailLength; ++k)
          operands_.push_back(replacements_.resolve(Id(a->tail[k])));
        if (operands_.size() == 1) {
          replacements_.replace(i.result, nodes_[node].storage);
        } else {
          segment_.push_back(m_.make(i.op(), i.type, i.result, operands_));
        }
        return;
      }
      case spv::Op::OpLoad: {
        const Access* a = accessTo(op::Load(m_, i).pointer());
        if (a == nullptr || effectiveMemory(*a)) break;
        load(i, *a);
        return;
      }
      case spv::Op::OpStore: {
        const Access* a = accessTo(op::Store(m_, i).pointer());
        if (a == nullptr || effectiveMemory(*a)) break;
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
  // width of the literals. The module's own words stay unchanged in case that the pass fails.
  Instruction keep(const Instruction& i) {
    if (i.op() != spv::Op::OpSwitch || !replacements_.replaces(op::Switch(m_, i).selector())) return i;
    operands_.assign(m_.at(i) + 1, m_.at(i) + i.length);
    operands_[0] = replacements_.resolve(op::Switch(m_, i).selector());
    return m_.make(i.op(), operands_);
  }

  // The indices from a memory leaf down to one of its parts, as constants.
  void pathBelow(uint32_t node, uint32_t leaf) {
    uint32_t indices[kMaxDepth + 1];
    uint32_t count = 0;
    for (; node != leaf && count <= kMaxDepth; node = nodes_[node].parent)
      indices[count++] = nodes_[node].index;
    while (count != 0) {
      operands_.push_back(constants_.scalar(indexType(), indices[--count]));
    }
  }
  Id indexType() {
    if (!uint_) uint_ = constants_.typeUint();
    return uint_;
  }

  void load(const Instruction& i, const Access& a) {
    const Node& node = nodes_[a.node];
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
  spv::Op tailOperands(const Access& a) {
    uint32_t index = 0;
    if (a.tailLength == 1 && !constantIndex(Id(a.tail[0]), index)) {
      operands_.push_back(replacements_.resolve(Id(a.tail[0])));
      return spv::Op::OpVectorExtractDynamic;
    }
    for (uint32_t k = 0; k < a.tailLength; ++k) {
      constantIndex(Id(a.tail[k]), index);
      operands_.push_back(index);
    }
    return spv::Op::OpCompositeExtract;
  }

  Id materialize(uint32_t node) {
    if (nodes_[node].memory) {
      const Word operand[] = {nodes_[node].storage};
      return emit(spv::Op::OpLoad, nodes_[node].type, operand);
    }
    if (nodes_[node].children == kNone) return current(nodes_[node].slot);
    std::vector<Word> parts;
    for (uint32_t k = 0; k < nodes_[node].childCount; ++k)
      parts.push_back(materialize(nodes_[node].children + k));
    return emit(spv::Op::OpCompositeConstruct, nodes_[node].type, parts);
  }

  void store(uint32_t node, Id value) {
    if (nodes_[node].memory) {
      segment_.push_back(m_.make<op::Store>({.pointer = nodes_[node].storage, .object = value}));
      return;
    }
    if (nodes_[node].children == kNone) {
      set(nodes_[node].slot, value);
      return;
    }
    for (uint32_t k = 0; k < nodes_[node].childCount; ++k) {
      const uint32_t child = nodes_[node].children + k;
      const Word operands[] = {value, k};
      store(child, emit(spv::Op::OpCompositeExtract, nodes_[child].type, operands));
    }
  }

  void storeComponent(const Access& a, Id value) {
    const Node& node = nodes_[a.node];
    operands_.clear();
    uint32_t index = 0;
    const bool dynamic = a.tailLength == 1 && !constantIndex(Id(a.tail[0]), index);
    if (dynamic) {
      operands_.push_back(current(node.slot));
      operands_.push_back(value);
    } else {
      operands_.push_back(value);
      operands_.push_back(current(node.slot));
    }
    tailOperands(a);
    set(node.slot,
        emit(dynamic ? spv::Op::OpVectorInsertDynamic : spv::Op::OpCompositeInsert, node.type, operands_));
  }

  Module& m_;
  ConstantPool constants_;
  Replacements& replacements_;
  Graphs& graphs_;
  Cfg* cfg_ = nullptr;  // of the function that is looked at
  std::vector<Variable> variables_;
  std::vector<Node> nodes_;
  std::vector<Access> accesses_;
  std::vector<uint32_t> accessOf_;  // pointer id -> access
  std::vector<Id> chainIds_;
  std::vector<uint32_t> slots_;  // slot -> node
  std::vector<uint32_t> needsMemory_;
  bool anySplit_ = false;
  std::vector<SlotBlock> phis_;  // by block
  std::vector<uint32_t> phiAt_;
  std::vector<Instruction> phiMade_;
  std::vector<Id> current_;
  std::vector<SlotValue> log_;
  std::vector<uint32_t> scopeLog_;
  std::vector<Instruction> segment_;
  std::vector<SlotBlock> segmentAt_;  // block -> its range in segment_
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
