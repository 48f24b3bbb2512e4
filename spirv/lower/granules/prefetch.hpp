// Loads ahead: the operands of a multiply-add are loaded while the previous one is computed (load_ahead.hpp
// plans them).
#pragma once

#include <map>
#include <vector>

#include "spirv/lower/granules/operand_stream.hpp"

namespace coopc::spirv::lower {

class Prefetch : public GranulePart {
 public:
  Prefetch(const GranuleContext& c, OperandStream& stream) : GranulePart(c), stream_(stream) {}

  /// Called before anything is written.
  void begin() { carried_.assign(plan_.loops.size(), {}); }
  /// Called in a new block, and after the loaded operands were used: nothing is loaded ahead now.
  void forget() { ahead_ = kNone; }
  /// Whether fetchNext() loads anything.
  bool fetchesNext(const PlannedMultiply& p);
  /// Loads the operands of the next multiply-add while multiply-add `n` is computed.
  void fetchNext(uint32_t n);
  /// Called at the end of a block before a loop: loads the first operands of the loop if it loads one
  /// iteration ahead.
  void fetchFirst(Id block);
  /// Called at a load that a multiply-add streams: loads the operand if it stays in registers until then.
  void fetchEarly(const Instruction& load);
  std::vector<Pieces> takeFirstPieces(uint32_t n, const std::vector<MultiplyOperand>& operands);

 private:
  OperandStream& stream_;
  uint32_t ahead_ = kNone;  ///< the multiply-add to which the operands in `fetched_` belong
  std::vector<Pieces> fetched_;
  std::map<Id, Pieces> early_;                ///< by the value that is loaded
  std::vector<std::vector<Pieces>> carried_;  ///< variables, by loop of the plan, operand and piece
};

}  // namespace coopc::spirv::lower
