// The nearest known name to a misspelt one, for the diagnostics that say "did you mean".
#pragma once

#include <cstdint>
#include <string_view>

namespace coopc::frontend {

/// The closest by edit distance (a transposition counts one), within a third of the length, of a list that the caller offers one by one: members of a struct, layout qualifiers.
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
