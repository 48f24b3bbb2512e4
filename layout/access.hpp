// How efficiently a subgroup's load or store uses memory: which components can be moved together, and how
// many transactions that takes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace coopc::layout {

/// A transaction moves an aligned segment of this many bytes.
inline constexpr uint32_t kTransactionBytes = 32;
/// The most that one work-item can move in one access.
inline constexpr uint32_t kVectorBytes = 16;

struct AccessReport {
  /// Components that each work-item can move at once: the largest power of two such that every group of that
  /// many consecutive components is contiguous in memory, in order, and aligned to its size. 1 if none can be
  /// joined.
  uint32_t vectorLength = 1;
  /// Instructions of the whole subgroup: components / vectorLength.
  uint32_t instructions = 0;
  /// The sum, over all instructions, of the aligned 32-byte segments that each one touches.
  uint64_t transactions = 0;
  /// The transactions for as many contiguous bytes.
  uint64_t leastTransactions = 0;
  /// In each instruction, the work-items access one contiguous range in their order (coalesced in the narrow
  /// sense).
  bool contiguous = false;
  bool operator==(const AccessReport&) const = default;
};

/// `addresses`: the byte address of component v of work-item p at [p * components + v]; no value where no
/// memory is accessed.
AccessReport accessReport(std::span<const std::optional<uint64_t>> addresses, uint32_t components,
                          uint32_t componentBytes);

}  // namespace coopc::layout
