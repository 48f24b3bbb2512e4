// Loads ahead: which operands of a multiply-add can be on their way from memory while the multiply-add before it is computed. In a
// block, the next one's; in a loop without aliasing stores, those of the next iteration. Part of the matrix plan: what is found here is
// written by granules_multiply.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "spirv/module.hpp"

namespace coopc::spirv::lower {

class Code;
class MatrixPlan;

/// A loop whose blocks follow each other without a choice but that of leaving it, and that writes no memory.
struct AheadLoop {
  Id header;
  Id before, turn;  ///< the blocks that branch to the header: from outside, and at the end of an iteration
  std::vector<std::pair<uint32_t, uint32_t>>
      blocks;                            ///< instructions, from the label to behind the terminator
  uint32_t first = kNone, last = kNone;  ///< of MatrixPlan::multiplies, that load operands
  Id condition;                          ///< of leaving it
  bool stays = true;                     ///< the condition's value with which it goes on
  bool atTop = true;                     ///< it is tested before the first multiply-add
  std::vector<Id> phis;                  ///< of the header, on which the loads and the condition depend

  bool contains(uint32_t instruction) const;
};

/// What a phi of two ways is by way of a block.
Id turned(const Module& module, const Instruction& phi, Id block);

/// Finds what can be loaded ahead, and enters it into the plan.
void planLoadsAhead(const Module& module, MatrixPlan& plan);

/// Whether an instruction's value depends on nothing but its operands, or on memory that no shader writes, and costs little.
bool isRecomputable(const Module& module, const Instruction& i);

/// Values written again, as they are at another time: those that `again` names by the index of their instruction, down to
/// `known`, which have ids there already.
class Recomputed {
 public:
  Recomputed(Code& code, std::function<bool(uint32_t)> again) : code_(code), again_(std::move(again)) {}
  void know(Id value, Id there) { known_[value] = there; }
  /// planLoadsAhead() has found out that it can be.
  Id value(Id value);

 private:
  Code& code_;
  std::function<bool(uint32_t)> again_;
  std::map<Id, Id> known_;
};

}  // namespace coopc::spirv::lower
