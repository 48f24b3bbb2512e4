// Loading ahead: which operands of a multiply-add can be loaded while the previous multiply-add is computed.
// Within a block, these are the operands of the next multiply-add; in a loop without aliasing stores, those
// of the next iteration. The result is a part of the granule plan, and prefetch.cpp writes the code.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "spirv/module.hpp"

namespace coopc::spirv::lower {

class Code;
class GranulePlan;

/// A loop whose blocks form a single path, apart from the exit, and that does not write memory.
struct AheadLoop {
  Id header;
  Id before, turn;  ///< the predecessors of the header: from outside the loop, and at the end of an iteration
  std::vector<std::pair<uint32_t, uint32_t>>
      blocks;                            ///< instruction ranges, each from the label up to and including the
                                         ///< terminator
  uint32_t first = kNone, last = kNone;  ///< the first and last of GranulePlan::multiplies that load operands
  Id condition;                          ///< of the branch that leaves the loop
  bool stays = true;                     ///< the condition's value for which the loop continues
  bool atTop = true;                     ///< the condition is tested before the first multiply-add
  std::vector<Id> phis;                  ///< the header's phis on which the loads and the condition depend

  bool contains(uint32_t instruction) const;
};

/// The value that a phi with two predecessors receives from `block`.
Id turned(const Module& module, const Instruction& phi, Id block);

/// Finds the loads that can be moved ahead, and records them in the plan.
void planLoadsAhead(const Module& module, GranulePlan& plan);

/// Whether an instruction is cheap and depends only on its operands, or on memory that no shader writes.
bool isRecomputable(const Module& module, const Instruction& i);

/// Writes values again for another point in time. `again` selects, by their index, the instructions to write
/// again; the recursion ends at known values, which have ids there already.
class Recomputed {
 public:
  Recomputed(Code& code, std::function<bool(uint32_t)> again) : code_(code), again_(std::move(again)) {}
  void know(Id value, Id there) { known_[value] = there; }
  /// planLoadsAhead() has made sure that this is possible.
  Id value(Id value);

 private:
  Code& code_;
  std::function<bool(uint32_t)> again_;
  std::map<Id, Id> known_;
};

}  // namespace coopc::spirv::lower
