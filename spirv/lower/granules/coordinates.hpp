// The row and column of a component, for OpCooperativeMatrixGetCoordinateEXT.
#pragma once

#include <vector>

#include "spirv/lower/granules/components.hpp"

namespace coopc::spirv::lower {

class CoordinateQueries : public GranulePart {
 public:
  CoordinateQueries(const GranuleContext& c, GranuleValues& values, Placement& placement, StagingArea& area,
                    HeldComponents& held)
      : GranulePart(c), values_(values), placement_(placement), area_(area), held_(held) {}

  bool any() const { return !asked_.empty(); }
  /// Whether an instruction is a query that the device cannot answer.
  bool asks(const Instruction& i) const;
  /// Finds the functions with queries, the matrix types concerned, and the slices that they need.
  void find();
  /// Called at the head of a function, after its variables.
  void prepare(Id function);
  /// Writes the answer to a query in the function.
  void answer(const Instruction& i, Id function);

 private:
  /// The numbers of the rows and of the columns of a granule's elements, as variables of a function.
  struct Coordinates {
    Id function;
    const PlannedMatrix* type = nullptr;
    Id rows, columns;
  };

  GranuleValues& values_;
  Placement& placement_;
  StagingArea& area_;
  HeldComponents& held_;
  std::vector<Coordinates> asked_;
};

}  // namespace coopc::spirv::lower
