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

  Id loadOperandGranule(const MultiplyOperand& operand, uint32_t firstStep, uint32_t step, uint32_t n);
  void multiplyStep(const PlannedMatrix& d, const std::vector<MultiplyOperand>& operands, uint32_t first,
                    uint32_t step, OperandsMask mask, GranuleList& sums);

  GranuleValues& values_;
  Placement& placement_;
  StagingArea& area_;
  OperandStream& stream_;
  Prefetch& prefetch_;
};

}  // namespace coopc::spirv::lower
