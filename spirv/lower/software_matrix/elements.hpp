// Operations within an invocation. Each returns whether the instruction is replaced, or the module refused.
#pragma once

#include <vector>

#include "spirv/lower/software_matrix/move.hpp"

namespace coopc::spirv::lower {

class ElementOperations : public SoftwarePart {
 public:
  ElementOperations(const SoftwareContext& c, ComponentWalk& walk, Moves& moves)
      : SoftwarePart(c), walk_(walk), moves_(moves) {}

  bool lowerElementwise(const Instruction& i);
  bool lowerPerElement(const Instruction& i);
  /// Writes no code for an operand that is loaded as it is staged.
  bool leaveToStaging(const Instruction& i);
  /// The components of such an operand. Each is made by a call.
  ComponentSource lateSource(Id operand);
  bool lowerCoordinate(const Instruction& i);
  bool lowerConstruct(const Instruction& i);
  bool lowerComponentAccess(const Instruction& i);
  bool lowerAccessChain(const Instruction& i);

 private:
  bool isCallOfElements(const Instruction& i);
  IdRange parametersOf(const Instruction& function) const;
  Id callForElement(const Instruction& i, const ComponentPlace& place, Id element,
                    const std::vector<Id>& extra);

  ComponentWalk& walk_;
  Moves& moves_;
};

}  // namespace coopc::spirv::lower
