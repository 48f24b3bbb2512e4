// Replacement of ids by other ids, collected first and applied together.
#pragma once

#include <cstdint>
#include <vector>

#include "spirv/module.hpp"

namespace coopc::spirv {

/// Replacements of ids by other ids. Chains are followed. Cycles cannot arise, because an id is only replaced
/// by one that is not replaced itself.
class Replacements {
 public:
  void reset(uint32_t bound) {
    to_.assign(bound, Id());
    any_ = false;
  }
  bool any() const { return any_; }

  /// Replaces the id in a word.
  void applyTo(IdWord word) {
    if (replaces(word)) word = resolve(word);
  }

  /// A view of the table at this moment, for loops over many ids: few of them are replaced.
  struct Table {
    const Id* to;
    size_t size;
    bool replaces(Id id) const { return id.index() < size && to[id.index()]; }
  };
  Table table() const { return {to_.data(), any_ ? to_.size() : 0}; }

  /// Replaces the operands of an instruction, but not its type, which no pass that folds or removes values
  /// replaces.
  void applyToOperands(Module& module, const Instruction& i) {
    if (!any_) return;
    module.forEachOperandId(i, [this, now = table()](IdWord id) {
      if (now.replaces(id)) id = resolve(id);
    });
  }

  Id resolve(Id id) {
    if (!any_ || !replaces(id)) return id;
    Id end = id;
    while (replaces(end)) end = to_[end.index()];
    // Shortens the path for the next look-up.
    while (to_[id.index()] != end) {
      const Id next = to_[id.index()];
      to_[id.index()] = end;
      id = next;
    }
    return end;
  }

  /// Returns false, without any change, if that would replace an id by itself.
  bool replace(Id id, Id by) {
    by = resolve(by);
    if (by == id) return false;
    if (id.index() >= to_.size()) to_.resize(id.index() + 1);
    to_[id.index()] = by;
    any_ = true;
    return true;
  }
  bool replaces(Id id) const { return id.index() < to_.size() && to_[id.index()]; }

  /// Rewrites every use in the module.
  void apply(Module& module);

 private:
  std::vector<Id> to_;
  bool any_ = false;
};

}  // namespace coopc::spirv
