// Operations on the components of cooperative vectors within an invocation: arithmetic, conversions,
// functions of GLSL.std.450, single components.
#pragma once

#include <string_view>

#include "spirv/instructions.hpp"
#include "spirv/lower/cooperative_vector/vectors.hpp"

namespace coopc::spirv::lower::vectors {

/// Each returns whether it has replaced the instruction.
class ElementOperations : public VectorPart {
 public:
  explicit ElementOperations(const Context& c) : VectorPart(c) {}

  bool lowerComponentwise(const Instruction& i);
  bool lowerExtended(const Instruction& i);
  bool lowerExtractDynamic(const Instruction& i);
  bool insertDynamic(const Instruction& i);
  bool replicate(const Instruction& i);

 private:
  /// The operation on each component, with `first` before the operands; `scaled`: the operands after the
  /// first one are scalars. `what` names the instruction, if it is refused.
  bool write(const Instruction& i, const VectorType& to, spv::Op op, Operands first, IdRange operands,
             bool scaled, std::string_view what);
};

}  // namespace coopc::spirv::lower::vectors
