// Multiply-adds of granules.
#pragma once

#include "spirv/lower/granules/prefetch.hpp"

namespace coopc::spirv::lower {

class Multiplier : public GranulePart {
 public:
  Multiplier(const GranuleContext& c, GranuleValues& values, Placement& placement, StagingArea& area,
             OperandStream& stream, Prefetch& prefetch)
      : GranulePart(c),
        values_(values),
        placement_(placement),
        area_(area),
        stream_(stream),
        prefetch_(prefetch) {}

  void multiply(const Instruction& i);

 private:
  using OperandsMask = std::optional<spv::CooperativeMatrixOperandsMask>;

  /// A step along K: counted from the beginning of its chunk, as code sees it, and from that of the operands.
  struct Step {
    UInt inChunk;
    uint32_t ofAll = 0;  ///< only where operands are not streamed
  };
  Id loadOperandGranule(const MultiplyOperand& operand, const Step& step, uint32_t n);
  void multiplyStep(const PlannedMatrix& d, const std::vector<MultiplyOperand>& operands, const Step& step,
                    OperandsMask mask, GranuleList& sums);
  void multiplyChunk(const PlannedMultiply& planned, const PlannedMatrix& d,
                     const std::vector<MultiplyOperand>& operands, uint32_t first, OperandsMask mask,
                     GranuleList& sums);

  GranuleValues& values_;
  Placement& placement_;
  StagingArea& area_;
  OperandStream& stream_;
  Prefetch& prefetch_;
};

}  // namespace coopc::spirv::lower
