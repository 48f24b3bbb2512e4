// Counts passes over the banks, part by part.
#include "layout/banks.hpp"

#include <algorithm>
#include <array>

namespace coopc::layout {
namespace {

// The largest number of different words in any one bank. `words` is sorted and has no duplicates.
uint32_t mostInOneBank(std::span<const uint64_t> words) {
  std::array<uint32_t, kBanks> counts{};
  for (const uint64_t word : words) ++counts[word % kBanks];
  return *std::max_element(counts.begin(), counts.end());
}

}  // namespace

Answer<BankReport> bankConflicts(std::span<const uint64_t> byteAddresses, uint32_t accessBytes) {
  if (accessBytes != 4 && accessBytes != 8 && accessBytes != 16) return {Rule::AccessBytes, {accessBytes}};
  const uint32_t wordsEach = accessBytes / kBankBytes;
  const size_t together = kBanks / wordsEach;
  BankReport report;
  std::array<uint64_t, kBanks> words{};
  for (size_t start = 0; start < byteAddresses.size(); start += together) {
    size_t count = 0;
    for (const uint64_t address :
         byteAddresses.subspan(start, std::min(together, byteAddresses.size() - start))) {
      if (address % accessBytes != 0)
        return {Rule::AccessAlignment, {static_cast<int64_t>(address), accessBytes}};
      for (uint32_t i = 0; i < wordsEach; ++i) words[count++] = address / kBankBytes + i;
    }
    std::sort(words.begin(), words.begin() + count);
    const auto end = std::unique(words.begin(), words.begin() + count);
    const uint32_t passes = mostInOneBank({words.begin(), end});
    ++report.parts;
    report.passes += passes;
    report.worst = std::max(report.worst, passes);
  }
  return report;
}

}  // namespace coopc::layout
