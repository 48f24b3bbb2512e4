// Matrices in memory: loads and stores granule by granule, and variables that hold matrices.
#pragma once

#include <vector>

#include "spirv/lower/granules/placement.hpp"
#include "spirv/lower/granules/values.hpp"

namespace coopc::spirv::lower {

class MatrixMemory : public GranulePart {
 public:
  MatrixMemory(const GranuleContext& c, GranuleValues& values, Placement& placement)
      : GranulePart(c), values_(values), placement_(placement) {}

  void loadWhole(const Instruction& i);
  void storeWhole(const Instruction& i);
  void loadMatrix(const Instruction& i);
  void storeMatrix(const Instruction& i);
  /// A pointer to a component of a matrix. Returns whether the instruction was one.
  bool rewriteElementPointer(const Instruction& i);
  Id componentPointer(Id pointer, Id index, const PlannedMatrix& type, spv::StorageClass storage);

 private:
  spv::StorageClass storageOf(Id pointer) const;
  /// A pointer that is moved by `row` and `column` elements, as a load or store with that layout and stride
  /// counts them.
  Id movePointer(Id pointer, const PlannedMatrix& type, NamedUInt row, NamedUInt column, bool byColumns,
                 Id stride);
  std::vector<Word> memoryOperands(const Instruction& i, const PlannedMatrix& type);

  GranuleValues& values_;
  Placement& placement_;
};

}  // namespace coopc::spirv::lower
