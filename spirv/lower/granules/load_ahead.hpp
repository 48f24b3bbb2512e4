// Loading ahead: which operands of a multiply-add can be loaded while the previous multiply-add is computed.
// Within a block, these are the operands of the next multiply-add; in a loop without aliasing stores, those
// of the next iteration. The result is a part of the granule plan, and prefetch.cpp writes the code.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <utility>

#include "spirv/lower/granules/plan.hpp"
#include "spirv/module.hpp"

namespace coopc::spirv::lower {

class Code;

/// The value that a phi with two predecessors receives from `block`.
Id incomingFrom(const Module& module, const Instruction& phi, Id block);

/// Finds the loads that can be moved ahead, and records them in the plan. If registers must be saved, a chunk
/// has no more steps than fit into registers while they are loaded ahead.
void planLoadsAhead(const Module& module, const GranuleOptions& options, GranulePlan& plan);

/// Whether an instruction is cheap and depends only on its operands, or on memory that no shader writes.
bool isRecomputable(const Module& module, const Instruction& i);

/// Writes values again for another point in time. `again` selects, by their index, the instructions to write
/// again; the recursion ends at known values, which have ids there already.
class Recomputation {
 public:
  Recomputation(Code& code, std::function<bool(uint32_t)> again) : code_(code), again_(std::move(again)) {}
  void setValue(Id value, Id there) { known_[value] = there; }
  /// planLoadsAhead() has made sure that this is possible.
  Id recompute(Id value);

 private:
  Code& code_;
  std::function<bool(uint32_t)> again_;
  std::map<Id, Id> known_;
};

}  // namespace coopc::spirv::lower
