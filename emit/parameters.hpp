// The parameters of one instance of a function. `in` parameters are passed as values; `out` and `inout`
// parameters are pointers to the caller's copies; opaque parameters are pointers to the resource itself.
#pragma once

#include "emit/declarations.hpp"
#include "emit/functions.hpp"

namespace coopc::emit {

class Parameters : public Part {
 public:
  /// `instance` outlives the object.
  Parameters(ModuleState& m, Declarations& declarations, const FunctionInstance& instance)
      : Part(m), declared_(declarations), instance_(instance) {}

  /// Adds the types of all parameters to the list of operands (ModuleState::scratch).
  void pushTypes();
  /// Declares parameter `i`. Returns its id if the value must be stored in a variable, and none if it is used
  /// directly.
  Id declare(uint32_t i, Id typeId);

 private:
  uint32_t formatOf(uint32_t i) const;
  bool isFromHeap(uint32_t i) const;
  spv::StorageClass storageOf(uint32_t i) const;

  Declarations& declared_;
  const FunctionInstance& instance_;
};

}  // namespace coopc::emit
