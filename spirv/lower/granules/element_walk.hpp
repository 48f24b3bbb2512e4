// Per-element operations: the walk over a matrix's elements that calls a function for each.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "spirv/lower/granules/components.hpp"

namespace coopc::spirv::lower {

class ElementWalk : public GranulePart {
 public:
  ElementWalk(const GranuleContext& c, GranuleValues& values, Placement& placement, StagingArea& area,
              HeldComponents& held)
      : GranulePart(c), values_(values), placement_(placement), area_(area), held_(held) {}

  void rewritePerElement(const Instruction& i);
  /// Makes granule `n` of a load's result, which is late in the plan. Called for each granule once.
  Id loadLate(const Instruction& i, uint32_t n);
  /// The slices that the operation uses, if the slices of all its matrices have this many bytes.
  Slices slicesOf(const Instruction& i, uint32_t bytes) const;
  /// T f(row, column, element, extras...)
  Id callForElement(Id function, NamedUInt row, NamedUInt column, Id element, const std::vector<Id>& extras);

 private:
  /// Input::extra for the matrix itself.
  static constexpr uint32_t kElement = kNone;
  /// A per-element operation whose function is called in a loop over a granule's elements.
  struct ElementLoop {
    const PlannedMatrix* type = nullptr;
    Id function;
    bool used = false;  ///< its result, which is written to slice 0
    struct Input {
      uint32_t extra = 0;  ///< which operand after the function; kElement: the matrix itself
      Id component;
    };
    std::vector<Input> inputs;  ///< the matrices whose elements the function gets; input n is in slice n
  };
  /// The same for all granules of an operation.
  struct GranuleLoop {
    ElementLoop loop;
    std::vector<GranuleList> values;          ///< of the inputs, as values hold them
    std::vector<const PlannedMatrix*> types;  ///< of the inputs
    std::vector<Id> extras;
    Id type, zero, none;  ///< of granules; the number 0; the type of no result
    Id made;  ///< calls the function for all elements of a granule; none if there is only one granule
    bool hasEffects = false;
  };
  GranuleLoop begin(const Instruction& i);
  Id makeGranule(const GranuleLoop& loop, uint32_t n);
  void callInTurns(const GranuleLoop& loop);
  bool callsNatively(const Instruction& i) const;
  bool worksOnComponents(const Instruction& i) const;
  bool ignoresPositions(const Instruction& i) const;
  bool callsOnComponents(const Instruction& i) const;
  void callForElements(const ElementLoop& loop, NamedUInt firstRow, NamedUInt firstColumn,
                       const std::vector<Id>& extras);
  bool isPassed(Id extra) const { return extra && !code_.globals.has(extra); }
  Id elementsFunction(const ElementLoop& loop, const std::vector<Id>& extras);
  Id offsetFunction(Id function, uint32_t extras);
  void callOnGranules(const Instruction& i, const PlannedMatrix& type);
  void callOnComponents(const Instruction& i, const PlannedMatrix& type);

  GranuleValues& values_;
  Placement& placement_;
  StagingArea& area_;
  HeldComponents& held_;
  std::vector<std::pair<Id, Id>> offsetFunctions_;  ///< by the function from which they were made
  std::map<Id, GranuleLoop> late_;                  ///< by the load's result
};

}  // namespace coopc::spirv::lower
