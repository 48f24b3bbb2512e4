// Reductions of granules: rows, columns, both, and 2x2 neighborhoods.
#pragma once

#include <span>

#include "spirv/lower/granules/exchange.hpp"
#include "spirv/lower/granules/layout_checks.hpp"

namespace coopc::spirv::lower {

class Reduction : public GranulePart {
 public:
  Reduction(const GranuleContext& c, GranuleValues& values, Placement& placement, StagingArea& area,
            HeldComponents& held, LayoutExchange& exchange, LayoutChecks& checks)
      : GranulePart(c),
        values_(values),
        placement_(placement),
        area_(area),
        held_(held),
        exchange_(exchange),
        checks_(checks) {}
  /// Called at the beginning of each function.
  void enter(Id function) { function_ = function; }

  void reduce(const Instruction& i);
  /// Before anything is written: asks what a reduction needs to know about the places of components.
  void askForRows(Id function, const Instruction& i);
  /// How much memory a reduction needs: bytes of a slice, and bytes for one group.
  uint32_t reductionSlice(const Instruction& i, const PlannedMatrix& from) const;
  uint32_t scratchBytes(const Instruction& i, const PlannedMatrix& from) const;

 private:
  bool staysInSubgroup(const Instruction& i, const PlannedMatrix& from) const;
  uint32_t sliceInSubgroup(const PlannedMatrix& from, bool alongRows) const;
  uint32_t together(const PlannedMatrix& from, bool alongRows) const;
  static GranuleList granulesOfLine(const PlannedMatrix& type, const GranuleList& parts, uint32_t line,
                                    bool alongRows);
  UInt partAlong(const PlannedMatrix& type, bool alongRows);
  Id combineGranules(const PlannedMatrix& type, std::span<const Id> granules, Id combine);
  Id reduceByShuffles(const PlannedMatrix& type, Id granule, Id combine);
  GranuleList reduceInSlice(const PlannedMatrix& from, Id type, const GranuleList& folded, Id combine,
                            bool alongRows);
  void reduceInSubgroup(const Instruction& i, const PlannedMatrix& from, const PlannedMatrix& to,
                        bool alongRows);
  void reduceSquares(const Instruction& i, const PlannedMatrix& from, const PlannedMatrix& to);
  void reduceSquaresInStrips(const Instruction& i, const PlannedMatrix& from, const PlannedMatrix& to);
  template <class Element>
  Id combineElements(Id combine, Id component, uint32_t count, Unroll unroll, Element&& element);
  SharedRows reduceParts(const PlannedMatrix& from, const GranuleList& values, Id combine, bool alongRows);
  SharedRows reduceWholeLines(const PlannedMatrix& from, const GranuleList& values, Id combine,
                              bool alongRows);
  uint32_t partsOf(const PlannedMatrix& type) const;
  uint32_t heldOnce(const PlannedMatrix& type) const;
  Id totalByShuffles(const PlannedMatrix& type, const GranuleList& values, Id combine);
  void reduceEverything(const Instruction& i, const PlannedMatrix& from, const PlannedMatrix& to);
  void reduceLines(const Instruction& i, const PlannedMatrix& from, const PlannedMatrix& to, bool alongRows);
  void foldGranules(const PlannedMatrix& from, const GranuleList& parts, Id combine,
                    const SharedRows& partial, bool alongRows);
  void foldInStrips(const PlannedMatrix& from, const GranuleList& parts, Id combine,
                    const SharedRows& partial, bool alongRows);
  Id combineValues(Id combine, Id component, Id a, Id b);
  Id combineSquare(Id combine, const SharedRows& from, const UInt (&rows)[2], const UInt (&columns)[2]);

  GranuleValues& values_;
  Placement& placement_;
  StagingArea& area_;
  HeldComponents& held_;
  LayoutExchange& exchange_;
  LayoutChecks& checks_;
  Id function_;
};

}  // namespace coopc::spirv::lower
