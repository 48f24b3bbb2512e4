// Tries vector lengths in descending order, then counts the memory segments that each instruction touches.
#include "layout/access.hpp"

#include <algorithm>
#include <vector>

namespace coopc::layout {
namespace {

using Addresses = std::span<const std::optional<uint64_t>>;

bool joins(Addresses addresses, uint32_t length, uint32_t bytes) {
  for (size_t first = 0; first < addresses.size(); first += length) {
    const std::optional<uint64_t> start = addresses[first];
    if (length > 1 && (!start || *start % (uint64_t{length} * bytes) != 0)) return false;
    for (uint32_t i = 1; i < length; ++i) {
      if (addresses[first + i] != *start + uint64_t{i} * bytes) return false;
    }
  }
  return true;
}

}  // namespace

AccessReport accessReport(Addresses addresses, uint32_t components, uint32_t componentBytes) {
  AccessReport report;
  if (components == 0 || componentBytes == 0) return report;
  for (uint32_t length = kVectorBytes / std::min(componentBytes, kVectorBytes); length > 1; length /= 2) {
    // A work-item's components are contiguous in the list, so a length that divides their number never joins
    // components of two work-items.
    if (components % length != 0 || !joins(addresses, length, componentBytes)) continue;
    report.vectorLength = length;
    break;
  }
  report.instructions = components / report.vectorLength;
  report.contiguous = true;
  const uint64_t bytes = uint64_t{report.vectorLength} * componentBytes;
  uint64_t moved = 0;
  std::vector<uint64_t> touched;
  for (uint32_t v = 0; v < components; v += report.vectorLength) {
    touched.clear();
    std::optional<uint64_t> next;
    for (size_t first = v; first < addresses.size(); first += components) {
      const std::optional<uint64_t> start = addresses[first];
      if (!start) continue;
      report.contiguous = report.contiguous && (!next || *next == *start);
      next = *start + bytes;
      moved += bytes;
      for (uint64_t part = *start / kTransactionBytes; part <= (*start + bytes - 1) / kTransactionBytes;
           ++part)
        touched.push_back(part);
    }
    std::sort(touched.begin(), touched.end());
    report.transactions +=
        static_cast<uint64_t>(std::unique(touched.begin(), touched.end()) - touched.begin());
  }
  report.leastTransactions = (moved + kTransactionBytes - 1) / kTransactionBytes;
  return report;
}

}  // namespace coopc::layout
