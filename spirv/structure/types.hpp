// Checks that the types of an instruction's operands and result fit each other.
#pragma once

#include "spirv/structure/fault.hpp"

namespace coopc::spirv {

class TypeChecks {
 public:
  TypeChecks(const Module& module, Fault& fault) : m_(module), fault_(fault) {}

  /// `function` is the index of the OpFunction to which the instructions belong that are checked next.
  void enter(uint32_t function) { function_ = function; }
  void check(const Instruction& i);
  /// Checks a variable; one before the functions too, because passes move variables into functions.
  void checkVariable(const Instruction& i);
  /// Passes remove what debug information used alone, to which the type of a function must not refer.
  void checkFunctionType(const Instruction& i);

 private:
  Id pointee(Id pointer) const;
  void requireSame(const Instruction& i, Id type, Id other, const char* what);
  void checkChain(const Instruction& i, Id type);
  void checkCall(const Instruction& i);

  const Module& m_;
  Fault& fault_;
  uint32_t function_ = 0;
};

}  // namespace coopc::spirv
