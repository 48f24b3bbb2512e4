// Comparison of a device's results with a reference.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "harness/cases/case.hpp"
#include "harness/reference/reference.hpp"

namespace coopc::harness {

struct Comparison {
  uint64_t total = 0;  ///< components in the target
  uint64_t checked = 0;
  uint64_t wrong = 0;
  uint64_t largestUlp = 0;            ///< among the checked components that have a reference
  double largestError = 0;            ///< absolute
  std::vector<std::string> examples;  ///< the first few wrong ones

  bool hasPassed() const { return wrong == 0 && checked != 0; }
};

/// `after` and `before` are arrays of `type`. Components that the reference calls untouched must have the
/// bits of `before`.
Comparison compare(const Reference& reference, NumberType type, std::span<const uint8_t> after,
                   std::span<const uint8_t> before, const Tolerance& tolerance, uint64_t samples);

}  // namespace coopc::harness
