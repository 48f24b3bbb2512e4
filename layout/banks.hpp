// Conflicts of a subgroup's accesses to shared memory: 32 banks of 4 bytes each, successive words in successive banks.
#pragma once

#include <cstdint>
#include <span>

#include "rule.hpp"

namespace coopc::layout {

inline constexpr uint32_t kBanks = 32;
inline constexpr uint32_t kBankBytes = 4;

/// How an access of all work-items together is served.
struct BankReport {
  /// Parts that are served one after the other even without conflicts: accesses of 4 bytes go by 32 work-items at once, those of 8
  /// bytes by 16, those of 16 bytes by 8, so that a part touches 128 bytes at most.
  uint32_t parts = 0;
  /// Passes over the banks: for each part, the most different words that any bank has to give. Without conflicts, `parts`.
  uint32_t passes = 0;
  /// The worst part's passes: 1 without conflicts.
  uint32_t worst = 0;
  constexpr uint32_t conflicts() const { return passes - parts; }
  constexpr bool operator==(const BankReport&) const = default;
};

/// `byteAddresses`: one for each work-item, in order; each a multiple of `accessBytes`, which is 4, 8 or 16. Work-items that read
/// the same word share it.
Answer<BankReport> bankConflicts(std::span<const uint64_t> byteAddresses, uint32_t accessBytes);

}  // namespace coopc::layout
