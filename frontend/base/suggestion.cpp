// Optimal string alignment distance, bounded: three rows of a small matrix on the stack. Names longer than
// the rows get no suggestion.
#include "frontend/base/suggestion.hpp"

#include <algorithm>

#include "frontend/base/characters.hpp"

namespace coopc::frontend {
namespace {

constexpr size_t kMaxLength = 64;

// Costs of edits. A change of case costs less than another letter. A missing or extra `u` costs more, because
// it changes the signedness. A missing letter is more likely than an extra one (`cros` is `cross`, not
// `cos`), and digits tell functions apart (`float16BitsToInt` is not `floatBitsToInt`).
constexpr uint32_t kEdit = 20;
constexpr uint32_t substitutionCost(char a, char b) {
  return a == b ? 0 : lowerChar(a) == lowerChar(b) ? kEdit / 2 : kEdit;
}
constexpr uint32_t insertionCost(char c) { return lowerChar(c) == 'u' ? kEdit + kEdit / 2 : kEdit; }
constexpr uint32_t removalCost(char c) { return insertionCost(c) + 1; }

// The distance between a and b in these costs, but at most `limit`.
uint32_t distance(std::string_view a, std::string_view b, uint32_t limit) {
  const size_t gap = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
  if (a.size() > kMaxLength || b.size() > kMaxLength || gap * kEdit >= limit) return limit;
  uint32_t rows[3][kMaxLength + 1];
  uint32_t* before = rows[0];  // the row above the previous one, for transpositions
  uint32_t* previous = rows[1];
  uint32_t* current = rows[2];
  for (size_t j = 0; j <= b.size(); ++j) {
    before[j] = 0;
    previous[j] = j == 0 ? 0 : previous[j - 1] + insertionCost(b[j - 1]);
  }
  for (size_t i = 1; i <= a.size(); ++i) {
    const uint32_t removal = removalCost(a[i - 1]);
    current[0] = previous[0] + removal;
    uint32_t least = current[0];
    for (size_t j = 1; j <= b.size(); ++j) {
      const uint32_t substitution = previous[j - 1] + substitutionCost(a[i - 1], b[j - 1]);
      uint32_t d = std::min({previous[j] + removal, current[j - 1] + insertionCost(b[j - 1]), substitution});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d = std::min(d, before[j - 2] + kEdit);
      current[j] = d;
      least = std::min(least, d);
    }
    if (least >= limit) return limit;
    std::swap(before, previous);
    std::swap(previous, current);
  }
  return std::min(previous[b.size()], limit);
}

}  // namespace

Suggestion::Suggestion(std::string_view wrong)
    : wrong_(wrong), distance_(kEdit * static_cast<uint32_t>(wrong.size() / 3 + 1)) {}

void Suggestion::offer(std::string_view candidate) {
  if (candidate == wrong_) return;
  const uint32_t d = distance(wrong_, candidate, distance_);
  if (d >= distance_) return;
  distance_ = d;
  best_ = candidate;
}

}  // namespace coopc::frontend
