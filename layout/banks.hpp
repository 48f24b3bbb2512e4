// Conflicts of a subgroup's accesses to shared memory: 32 banks of 4 bytes each, successive words in
// successive banks.
#pragma once

#include <cstdint>
#include <span>

#include "rule.hpp"

namespace coopc::layout {

inline constexpr uint32_t kBanks = 32;
inline constexpr uint32_t kBankBytes = 4;

/// How one access by all work-items is served.
struct BankReport {
  /// Parts of the access that are served one after the other even without conflicts: accesses of 4 bytes are
  /// served for 32 work-items at once, of 8 bytes for 16, and of 16 bytes for 8, so that a part touches at
  /// most 128 bytes.
  uint32_t parts = 0;
  /// Passes over the banks: the sum, over the parts, of the largest number of different words that any one
  /// bank must deliver. Equal to `parts` without conflicts.
  uint32_t passes = 0;
  /// The passes of the worst part; 1 without conflicts.
  uint32_t worst = 0;
  constexpr uint32_t conflicts() const { return passes - parts; }
  constexpr bool operator==(const BankReport&) const = default;
};

/// `byteAddresses`: one per work-item, in order. Each is a multiple of `accessBytes`, which is 4, 8 or 16.
/// Work-items that read the same word do not conflict.
Answer<BankReport> bankConflicts(std::span<const uint64_t> byteAddresses, uint32_t accessBytes);

}  // namespace coopc::layout
