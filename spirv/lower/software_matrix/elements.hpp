// Operations within an invocation. Each returns whether the instruction is replaced, or the module refused.
#pragma once

#include "spirv/lower/software_matrix/move.hpp"

namespace coopc::spirv::lower {

class ElementOperations : public SoftwarePart {
 public:
  ElementOperations(const SoftwareContext& c, ComponentWalk& walk, Moves& moves)
      : SoftwarePart(c), walk_(walk), moves_(moves) {}

  bool lowerElementwise(const Instruction& i);
  bool lowerPerElement(const Instruction& i);
  bool lowerCoordinate(const Instruction& i);
  bool lowerConstruct(const Instruction& i);
  bool lowerComponentAccess(const Instruction& i);
  bool lowerAccessChain(const Instruction& i);

 private:
  ComponentWalk& walk_;
  Moves& moves_;
};

}  // namespace coopc::spirv::lower
