// How well a load or store of a whole subgroup suits memory: which components go together, and how many transactions it takes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace coopc::layout {

/// A transaction moves an aligned part of memory of so many bytes.
inline constexpr uint32_t kTransactionBytes = 32;
/// The most that one work-item moves at once.
inline constexpr uint32_t kVectorBytes = 16;

struct AccessReport {
  /// Components that each work-item can move at once: the largest power of two for which all groups of so many neighbouring
  /// components are neighbours in memory, in order and aligned to their size; 1 where nothing can be joined.
  uint32_t vectorLength = 1;
  /// Instructions of the whole subgroup: components / vectorLength.
  uint32_t instructions = 0;
  /// The sum over the instructions of the aligned parts of 32 bytes that each touches.
  uint64_t transactions = 0;
  /// What the same bytes would take without gaps.
  uint64_t leastTransactions = 0;
  /// In each instruction, the work-items in order move one gapless range (coalesced in the narrow sense).
  bool contiguous = false;
  bool operator==(const AccessReport&) const = default;
};

/// `addresses`: of component v of work-item p at [p * components + v], in bytes; nothing where no memory is touched.
AccessReport accessReport(std::span<const std::optional<uint64_t>> addresses, uint32_t components,
                          uint32_t componentBytes);

}  // namespace coopc::layout
