// Reductions of granules: rows, columns, both, and 2x2 neighbourhoods.
#pragma once

#include "spirv/lower/granules/exchange.hpp"

namespace coopc::spirv::lower {

class Reduction : public GranulePart {
 public:
  Reduction(const GranuleContext& c, GranuleValues& values, Placement& placement, StagingArea& area,
            HeldComponents& held, LayoutExchange& exchange)
      : GranulePart(c),
        values_(values),
        placement_(placement),
        area_(area),
        held_(held),
        exchange_(exchange) {}

  void reduce(const Instruction& i);
  /// How much memory a reduction needs: bytes of a slice if memory is saved, and bytes for one group.
  uint32_t reductionSlice(const Instruction& i, const PlannedMatrix& from) const;
  uint32_t scratchBytes(const Instruction& i, const PlannedMatrix& from) const;

 private:
  void reduceSquares(const Instruction& i, const PlannedMatrix& from, const PlannedMatrix& to);
  void reduceSquaresInStrips(const Instruction& i, const PlannedMatrix& from, const PlannedMatrix& to);
  void reduceLines(const Instruction& i, const PlannedMatrix& from, const PlannedMatrix& to, bool alongRows);
  void foldGranules(const PlannedMatrix& from, const GranuleList& parts, Id combine, const SharedRows& sums,
                    bool alongRows);
  Id combineValues(Id combine, Id component, Id a, Id b);
  Id combineSquare(Id combine, const SharedRows& from, const UInt (&rows)[2], const UInt (&columns)[2]);

  GranuleValues& values_;
  Placement& placement_;
  StagingArea& area_;
  HeldComponents& held_;
  LayoutExchange& exchange_;
};

}  // namespace coopc::spirv::lower
