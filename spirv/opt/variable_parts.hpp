// The local variables of a function as trees of parts. A struct or array that is accessed by constant index
// is split into its members. A leaf is a slot, which becomes values (it is only loaded, stored, and, if it is
// a vector or matrix, accessed by component), or memory (it is accessed by an index that is not constant,
// volatile, or handed on as a pointer).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "spirv/module.hpp"

namespace coopc::spirv {

/// A variable, or a part of one.
struct VariableNode {
  Id type;
  uint32_t parent = kNone;
  uint32_t index = 0;  ///< which part of the parent
  uint32_t children = kNone;
  uint32_t childCount = 0;
  uint32_t depth = 0;
  uint32_t variable = 0;
  bool memory = false;
  uint32_t slot = kNone;
  Id storage;  ///< of a memory leaf: its new variable
};

struct LocalVariable {
  uint32_t instruction = 0;
  uint32_t root = 0;
  uint32_t nodes = 0;
  Id initializer;
};

/// A pointer into a variable.
struct VariableAccess {
  static constexpr uint32_t kMaxTail = 8;
  uint32_t node = kNone;
  uint32_t tailLength = 0;
  uint32_t tail[kMaxTail] = {};  ///< ids of the indices below the node
};

class VariableParts {
 public:
  static constexpr uint32_t kMaxDepth = 16;

  explicit VariableParts(const Module& module) : m_(module), accessOf_(module.bound, kNone) {}

  /// Reads an instruction, which is number `n` of the module, for the function's variables and their uses.
  void analyze(const Instruction& i, uint32_t n);
  /// Decides which leaves are slots, after all instructions of the function were read; again after
  /// makeMemory().
  void assignLeaves();
  /// Call it before the next function.
  void forget();

  const std::vector<LocalVariable>& variables() const { return variables_; }
  /// The nodes of the slots.
  const std::vector<uint32_t>& slots() const { return slots_; }
  /// Whether a variable can be replaced: as a value, or by its parts.
  bool anyReplaced() const { return !slots_.empty() || anySplit_; }

  const VariableNode& node(uint32_t n) const { return nodes_[n]; }
  const VariableNode& ofSlot(uint32_t slot) const { return nodes_[slots_[slot]]; }
  void makeMemory(uint32_t node) { nodes_[node].memory = true; }
  void setStorage(uint32_t node, Id variable) { nodes_[node].storage = variable; }

  /// The access of a pointer; nullptr if it does not point into one of the variables.
  const VariableAccess* accessTo(Id pointer) const {
    return pointer.index() < accessOf_.size() && accessOf_[pointer.index()] != kNone
               ? &accesses_[accessOf_[pointer.index()]]
               : nullptr;
  }
  /// The node that an access reaches once all uses are known: a part of memory belongs to the memory above
  /// it.
  uint32_t effective(uint32_t node) const {
    uint32_t result = node;
    for (uint32_t up = node; up != kNone; up = nodes_[up].parent) {
      if (nodes_[up].memory) result = up;
    }
    return result;
  }
  bool isInMemory(const VariableAccess& access) const { return nodes_[effective(access.node)].memory; }
  /// The value of a constant index.
  std::optional<uint32_t> constantIndex(Id id) const;

  /// Calls f(slot) for each slot of a node.
  template <class F>
  void forEachSlot(uint32_t node, F&& f) const {
    if (nodes_[node].memory) return;
    if (nodes_[node].children == kNone) {
      f(nodes_[node].slot);
      return;
    }
    for (uint32_t k = 0; k < nodes_[node].childCount; ++k) forEachSlot(nodes_[node].children + k, f);
  }

 private:
  uint32_t addAccess(Id pointer, const VariableAccess& access);
  void pin(const Instruction& i);
  void pinId(Id id);
  uint32_t partCount(Id type) const;
  void chain(const Instruction& i);
  bool tailIsValue(const VariableAccess& access) const;
  bool split(uint32_t node);
  Id typeOf(const VariableAccess& access) const;
  bool hasMemory(uint32_t node) const;
  void addSlots(uint32_t node);

  const Module& m_;
  std::vector<LocalVariable> variables_;
  std::vector<VariableNode> nodes_;
  std::vector<VariableAccess> accesses_;
  std::vector<uint32_t> accessOf_;  ///< pointer id -> access
  std::vector<Id> chainIds_;
  std::vector<uint32_t> slots_;  ///< slot -> node
  bool anySplit_ = false;
};

}  // namespace coopc::spirv
