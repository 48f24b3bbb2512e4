// Constant folding and common subexpressions in one walk.
//
// Blocks are visited in dominator-tree order with a table of the values available so far: what was computed
// in a dominating block may be used again. Leaving a subtree takes its values back out of the table (they are
// found in a log). In an instruction, operands are first replaced, then it is folded, then looked up.
// Operands of phis from back edges come later and have not been rewritten yet, which only means that fewer
// phis are folded; the operands of phis are updated once more at the end.
//
// Loads from memory that nothing writes (push constants, uniform blocks, inputs) count as pure.
#include <cstring>

#include "spirv/cfg.hpp"
#include "spirv/constant_pool.hpp"
#include "spirv/instructions.hpp"
#include "spirv/memory_operands.hpp"
#include "spirv/opt/fold.hpp"
#include "spirv/opt/passes.hpp"
#include "spirv/replacements.hpp"
#include "spirv/traits.hpp"

namespace coopc::spirv {
namespace {

bool isCommutative(spv::Op op) {
  switch (op) {
    case spv::Op::OpIAdd:
    case spv::Op::OpFAdd:
    case spv::Op::OpIMul:
    case spv::Op::OpFMul:
    case spv::Op::OpBitwiseAnd:
    case spv::Op::OpBitwiseOr:
    case spv::Op::OpBitwiseXor:
    case spv::Op::OpLogicalAnd:
    case spv::Op::OpLogicalOr:
    case spv::Op::OpLogicalEqual:
    case spv::Op::OpLogicalNotEqual:
    case spv::Op::OpIEqual:
    case spv::Op::OpINotEqual: return true;
    default: return false;
  }
}

class Simplifier {
 public:
  // `replacements`: those whose uses are still to be replaced.
  Simplifier(Module& module, const SimplifyOptions& options, Replacements& replacements, Graphs& graphs)
      : m_(module),
        options_(options),
        constants_(module),
        folder_(module, constants_),
        decorations_(decorationFlags(module)),
        glsl_(glslImport(module)),
        replacements_(replacements),
        graphs_(graphs) {}

  bool run() {
    table_.assign(256, {});
    for (uint32_t n = m_.functionsAt; n < m_.instructions.size();) {
      Cfg* cfg = m_.instructions[n].op() == spv::Op::OpFunction ? graphs_.of(m_, n) : nullptr;
      if (cfg != nullptr) {
        function(*cfg);
        n = cfg->functionEnd;
      } else {
        allVisited_ = false;
        ++n;
      }
    }
    replaceRest();
    changed_ = changed_ || replacements_.any();
    if (changed_) {
      constants_.flushAndCompact();
      graphs_.noteMoves();
    } else if (constants_.flush()) {
      graphs_.noteMoves();
    }
    return changed_;
  }

 private:
  struct Entry {
    uint32_t hash = 0;
    uint32_t instruction = kNone;
  };

  uint8_t decoration(Id id) const {
    return id.index() < decorations_.size() ? decorations_[id.index()] : uint8_t(0);
  }

  void function(const Cfg& cfg) {
    scopes_.clear();
    log_.clear();
    allVisited_ = allVisited_ && cfg.coversFunction(m_);
    for (uint32_t b : cfg.dominatorPreorder()) {
      // Leaves the subtrees that do not contain this block; one scope is open per ancestor.
      while (scopes_.size() > cfg.depth(b)) leave();
      scopes_.push_back(uint32_t(log_.size()));
      block(cfg.blocks[b]);
    }
    while (!scopes_.empty()) leave();
  }

  // In the visited blocks, only operands of phis are not final yet.
  void replaceRest() {
    if (!replacements_.any()) return;
    if (!allVisited_) {
      // The words of an OpSwitch are read by the type of its selector, which may be a new constant.
      constants_.flush();
      return replacements_.apply(m_);
    }
    for (uint32_t n : phis_) {
      const Instruction& i = m_.instructions[n];
      if (i.op() != spv::Op::OpPhi) continue;
      uint32_t* w = m_.at(i);
      for (uint32_t k = 3; k + 1 < i.length; k += 2) w[k] = replacements_.resolve(Id(w[k])).index();
    }
  }

  void leave() {
    while (log_.size() > scopes_.back()) {
      // Removed in the reverse order of insertion, so that open addressing needs no tombstones.
      table_[log_.back()] = {};
      log_.pop_back();
      --used_;
    }
    scopes_.pop_back();
  }

  void block(const Block& block) {
    for (uint32_t n = block.first + 1; n <= block.last; ++n) {
      Instruction& i = m_.instructions[n];
      if (i.op() == spv::Op::OpNop) continue;
      replacements_.applyToOperands(m_, i);
      if (i.op() == spv::Op::OpPhi) {
        phis_.push_back(n);
        phi(i);
        continue;
      }
      if (!i.result) continue;
      if (options_.fold && i.op() == spv::Op::OpCooperativeMatrixLoadTensorNV) dropLoadObject(i);
      const uint8_t t = traits(m_, i, glsl_);
      if ((t & kPure) == 0 && !isConstantLoad(i)) continue;
      if ((decoration(i.result) & kDecoOther) != 0) continue;
      if (options_.fold && (t & kPure) != 0) {
        if (const Id by = folder_.fold(i, changed_)) {
          drop(i, by);
          continue;
        }
      }
      if (options_.shareCommon && (t & kRemovable) != 0) share(i, n);
    }
  }

  void drop(Instruction& i, Id by) {
    if (!replacements_.replace(i.result, by)) return;
    i.opcode = uint16_t(spv::Op::OpNop);
    changed_ = true;
  }

  void phi(Instruction& i) {
    if (!options_.fold || (decoration(i.result) & kDecoOther) != 0) return;
    Id same;
    for (const auto [value, parent] : op::Phi(m_, i).incoming()) {
      if (value == i.result || value == same) continue;
      if (same) return;
      same = value;
    }
    // The single value dominates every predecessor, and therefore the phi.
    if (same) drop(i, same);
  }

  // The object of a tensor load gives the elements that are clipped (SPV_NV_cooperative_matrix2,
  // OpCooperativeMatrixLoadTensorNV); without a view nothing is clipped. If the object were kept, a matrix
  // that is declared in a loop would needlessly be carried through a phi.
  void dropLoadObject(const Instruction& i) {
    const TensorAddressingOperands addressing = tensorAddressingOperandsOf(m_.wordsOf(i));
    if (addressing.at == 0 || addressing.has(spv::TensorAddressingOperandsMask::TensorView)) return;
    const op::CooperativeMatrixLoadTensorNV load(m_, i);
    const spv::Op object = m_.opOf(load.object());
    if (object == spv::Op::OpUndef || isConstantOp(object)) return;
    const Id undef = constants_.undef(i.type);
    if (!undef || undef == load.object()) return;
    m_.setIdAt(i, op::CooperativeMatrixLoadTensorNV::At::object, undef);
    changed_ = true;
  }

  // Whether an instruction loads from storage that no shader writes, and the load is not volatile.
  bool isConstantLoad(const Instruction& i) {
    const auto load = as<op::Load>(m_, i);
    if (!load || !load.memoryOperands().only(spv::MemoryAccessMask::Aligned)) return false;
    const Instruction* pointer = m_.def(load.pointer());
    if (pointer == nullptr) return false;
    const auto type = as<op::TypePointer>(m_, pointer->type);
    if (!type) return false;
    switch (type.storageClass()) {
      case spv::StorageClass::UniformConstant:
      case spv::StorageClass::PushConstant:
        return (decoration(pointer->result) & kDecoOther) == 0 || isVariable(*pointer);
      case spv::StorageClass::Input: return !anyVolatile();
      case spv::StorageClass::Uniform: return !anyBufferBlock();
      default: return false;
    }
  }

  static bool isVariable(const Instruction& i) { return i.op() == spv::Op::OpVariable; }

  bool anyVolatile() { return scan().volatileSeen; }
  bool anyBufferBlock() { return scan().bufferBlock || scan().volatileSeen; }

  struct ModuleFacts {
    bool done = false;
    bool volatileSeen = false;
    bool bufferBlock = false;
  };
  const ModuleFacts& scan() {
    if (facts_.done) return facts_;
    facts_.done = true;
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      const Instruction& i = m_.instructions[n];
      const uint32_t at = i.op() == spv::Op::OpDecorate ? 2 : i.op() == spv::Op::OpMemberDecorate ? 3 : 0;
      if (at == 0) continue;
      const auto decoration = spv::Decoration(m_.word(i, at));
      if (decoration == spv::Decoration::Volatile) facts_.volatileSeen = true;
      if (decoration == spv::Decoration::BufferBlock) facts_.bufferBlock = true;
    }
    return facts_;
  }

  bool equal(const Instruction& a, const Instruction& b) const {
    if (a.opcode != b.opcode || a.length != b.length || a.type != b.type) return false;
    if (((decoration(a.result) ^ decoration(b.result)) & (kDecoNoContraction | kDecoRelaxedPrecision)) != 0)
      return false;
    return a.length <= 3 || std::memcmp(m_.at(a) + 3, m_.at(b) + 3, (a.length - 3u) * 4) == 0;
  }

  void share(Instruction& i, uint32_t n) {
    // Each OpUndef may have another value.
    if (i.op() == spv::Op::OpUndef) return;
    uint32_t* w = m_.at(i);
    if (i.length == 5 && w[3] > w[4] && isCommutative(i.op()) && (decoration(i.result) & kDecoOther) == 0) {
      const uint32_t swap = w[3];
      w[3] = w[4];
      w[4] = swap;
    }
    // Ids and small numbers, which need less mixing for each word than hashWord() does.
    uint32_t hash = hashWord(uint32_t(i.opcode) << 16 | i.length, i.type.index());
    for (uint32_t k = 3; k < i.length; ++k) hash = (hash ^ w[k]) * 0x9E3779B1u;
    hash ^= hash >> 15;
    if ((used_ + 1) * 2 > table_.size()) grow();
    Entry* const table = table_.data();
    const size_t mask = table_.size() - 1;
    size_t k = hash & mask;
    for (; table[k].instruction != kNone; k = (k + 1) & mask) {
      if (table[k].hash != hash) continue;
      const Instruction& other = m_.instructions[table[k].instruction];
      if (equal(other, i)) return drop(i, other.result);
    }
    table[k] = {hash, n};
    log_.push_back(uint32_t(k));
    ++used_;
  }

  // Reinserts in the order of the log, so that leave() still removes the last one first.
  void grow() {
    std::vector<Entry> old(table_.size() * 2);
    old.swap(table_);
    for (uint32_t& slot : log_) {
      const Entry entry = old[slot];
      size_t k = entry.hash & (table_.size() - 1);
      while (table_[k].instruction != kNone) k = (k + 1) & (table_.size() - 1);
      table_[k] = entry;
      slot = uint32_t(k);
    }
  }

  Module& m_;
  const SimplifyOptions& options_;
  ConstantPool constants_;
  Folder folder_;
  std::vector<uint8_t> decorations_;
  Id glsl_;
  Replacements& replacements_;
  Graphs& graphs_;
  ModuleFacts facts_;
  std::vector<Entry> table_;
  size_t used_ = 0;
  std::vector<uint32_t> log_;     // slots in the order in which they were filled
  std::vector<uint32_t> scopes_;  // where in the log each open block began
  std::vector<uint32_t> phis_;    // instructions
  bool allVisited_ = true;        // no instruction with operands stands outside of reachable blocks
  bool changed_ = false;
};

}  // namespace

bool simplify(Module& module, const SimplifyOptions& options) {
  Graphs graphs;
  Replacements none;
  none.reset(module.bound);
  return Simplifier(module, options, none, graphs).run();
}

bool simplifyVariables(Module& module, Graphs& graphs, const SimplifyOptions& options) {
  Replacements loads;
  const bool promoted = variablesToValues(module, loads, graphs);
  return Simplifier(module, options, loads, graphs).run() || promoted;
}

}  // namespace coopc::spirv
