// The known name that is closest to a misspelled one, for diagnostics that say "did you mean".
#pragma once

#include <cstdint>
#include <string_view>

namespace coopc::frontend {

/// Finds the candidate with the smallest edit distance. A transposition counts as one edit, a change of case
/// as half of one, and a missing or extra `u` as one and a half (`halfBitsToUInt16` is not
/// `halfBitsToInt16`). A distance up to a third of the length counts as near. The caller offers the
/// candidates (members of a struct, layout qualifiers) one by one.
class Suggestion {
 public:
  explicit Suggestion(std::string_view wrong);
  void offer(std::string_view candidate);
  std::string_view best() const { return best_; }

 private:
  std::string_view wrong_;
  std::string_view best_;
  uint32_t distance_;
};

}  // namespace coopc::frontend
