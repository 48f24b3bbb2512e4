// Operations within an invocation. Each returns whether the instruction is replaced, or the module refused.
#pragma once

#include "spirv/lower/software_matrix/move.hpp"

namespace coopc::spirv::lower {

class ElementOperations : public SoftwarePart {
 public:
  ElementOperations(const SoftwareContext& c, ComponentWalk& walk, Moves& moves)
      : SoftwarePart(c), walk_(walk), moves_(moves) {}

  bool elementWise(const Instruction& i);
  bool perElement(const Instruction& i);
  bool coordinate(const Instruction& i);
  bool construct(const Instruction& i);
  bool componentAccess(const Instruction& i);
  bool accessChain(const Instruction& i);

 private:
  ComponentWalk& walk_;
  Moves& moves_;
};

}  // namespace coopc::spirv::lower
