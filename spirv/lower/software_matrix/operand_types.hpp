// The operands of a scope among a module's matrix types, and the arrays and structures that hold them: for
// plans that depend on how a module uses its operands.
#pragma once

#include <vector>

#include "spirv/lower/software_matrix/plan.hpp"

namespace coopc::spirv::lower {

class OperandTypes {
 public:
  OperandTypes(const Module& module, const std::vector<SoftwareLayout>& layouts, spv::Scope scope);

  bool is(Id type) const;
  /// Whether a type is an operand's, or an array or structure that holds one.
  bool isOrHolds(Id type) const { return is(type) || (type.index() < holds_.size() && holds_[type.index()]); }
  /// Whether an instruction takes a single component, directly or by a pointer. A number next to matrices in
  /// a structure counts as one.
  bool componentIn(const Instruction& i) const;
  /// Whether an instruction makes or takes an operand, something that holds one, or a pointer to these.
  bool areIn(const Instruction& i) const;

 private:
  Id pointee(Id type) const;

  const Module& m_;
  std::vector<Id> matrices_;
  std::vector<bool> holds_;  ///< by type: an aggregate with operands
};

}  // namespace coopc::spirv::lower
