// Shared by the parts of a function that accesses one element: the writer, the access, and the caller's
// numbers as parameters.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "spirv/lower/code.hpp"
#include "spirv/lower/tensor_addressing/access.hpp"

namespace coopc::spirv::lower::tensor {

/// The caller's ids in the function that is being written. Each becomes a parameter when it is first asked
/// for.
class CallerNumbers {
 public:
  /// `operands`: the caller's ids that are not global.
  CallerNumbers(Code& c, const std::vector<Id>& operands)
      : c_(c), operands_(operands), parameters_(operands.size()) {}

  Id of(Id outer) {
    const auto at = std::find(operands_.begin(), operands_.end(), outer);
    if (!outer || at == operands_.end()) return outer;
    const auto n = size_t(at - operands_.begin());
    if (!parameters_[n]) {
      const Id type = c_.globals.typeOf(outer);
      parameters_[n] = c_.writer.parameter(type);
      order_.push_back(uint32_t(n));
    }
    return parameters_[n];
  }
  /// The indices of the operands that became parameters, in the parameters' order.
  const std::vector<uint32_t>& order() const { return order_; }
  std::vector<Id> types() const {
    std::vector<Id> types;
    for (const uint32_t n : order_) types.push_back(c_.globals.typeOf(operands_[n]));
    return types;
  }
  /// Another function with the same parameters begins: they are `given` from `first` on.
  void bind(const std::vector<Id>& given, size_t first) {
    for (size_t k = 0; k < order_.size(); ++k) parameters_[order_[k]] = given[first + k];
  }

 private:
  Code& c_;
  const std::vector<Id>& operands_;
  std::vector<Id> parameters_;
  std::vector<uint32_t> order_;
};

struct FunctionBody {
  Code& c;
  Pointers& pointers;
  const Access& a;
  CallerNumbers caller;

  Id in(Id outer) { return caller.of(outer); }
  UInt number(Id outer) { return {c, caller.of(outer)}; }
  Id pointerAt(NamedUInt index) {
    return pointers.element(a.memory, index, [&](Id id) { return in(id); });
  }
};

}  // namespace coopc::spirv::lower::tensor
