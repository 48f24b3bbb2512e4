// Checks of the device's matrices, which code makes at the beginning of a function to choose between two ways
// later: one that relies on the places of components, and one that does not. A driver's next version may
// place components elsewhere, so nothing relies on them unchecked.
#pragma once

#include <vector>

#include "spirv/lower/granules/components.hpp"

namespace coopc::spirv::lower {

class LayoutChecks : public GranulePart {
 public:
  LayoutChecks(const GranuleContext& c, GranuleValues& values, StagingArea& area, HeldComponents& held)
      : GranulePart(c), values_(values), area_(area), held_(held) {}

  /// Before anything is written: asks whether each row of a matrix's granules is held by neighboring
  /// invocations, as many consecutive components in each. Without effect where that is not expected.
  void askForRows(Id function, const PlannedMatrix& type);
  bool any() const { return !checks_.empty(); }
  /// Writes the checks, at the head of a function.
  void prepare(Id function);
  /// The answer: a boolean, the same for the whole subgroup; none if nobody asked.
  Id hasRows(Id function, const PlannedMatrix& type) const;
  /// How many components of a row each invocation is expected to hold; 0: nothing is expected.
  uint32_t rowComponents(const PlannedMatrix& type) const;

 private:
  struct Check {
    Id function;
    const PlannedMatrix* type;
    Id answer;
  };
  Id checkRows(const PlannedMatrix& type);

  GranuleValues& values_;
  StagingArea& area_;
  HeldComponents& held_;
  std::vector<Check> checks_;
};

}  // namespace coopc::spirv::lower
