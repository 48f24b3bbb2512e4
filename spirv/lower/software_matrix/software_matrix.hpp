// The walk of the pass over a module: each instruction on matrices goes to the part for its kind. plan.hpp
// describes the distribution of elements.
#pragma once

#include <vector>

#include "spirv/lower/software_matrix/elements.hpp"
#include "spirv/lower/software_matrix/memory.hpp"
#include "spirv/lower/software_matrix/move.hpp"
#include "spirv/lower/software_matrix/multiply.hpp"

namespace coopc::spirv::lower {

/// Writes the code. One object per module.
class SoftwareMatrices : public SoftwarePart {
 public:
  explicit SoftwareMatrices(const SoftwareContext& c);

  /// Changes scopes in place. Call it before FunctionWriter::rewrite().
  void widenScopes();
  /// For FunctionWriter::rewrite().
  bool rewrite(const Instruction& i);
  /// Changes types and constants in place.
  void changeGlobals();

 private:
  void changeSpecOp(uint32_t n);
  Instruction constantMatrix(const Instruction& i, const SoftwareLayout& l);

  ComponentWalk walk_;
  StagingBuffer buffer_;
  Moves moves_;
  ElementOperations elements_;
  MatrixAccess access_;
  SumArithmetic sums_;
  ProductStaging staging_;
  PieceOperands pieces_;
  Products products_;
  std::vector<uint32_t> computed_;  ///< decorations of values with matrix types
};

}  // namespace coopc::spirv::lower
