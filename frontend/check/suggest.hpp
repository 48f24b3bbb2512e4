// The nearest known name to a misspelt one, for the diagnostics that say "did you mean".
#pragma once

#include <string_view>

#include "frontend/check/checker.hpp"

namespace coopc::frontend {

/// The name in scope, built-in or keyword that is closest to `wrong` by edit distance (a transposition counts one), or
/// "" where none is close enough (a third of the length) or many errors were reported already.
std::string_view suggestName(const Checker& c, std::string_view wrong);

/// The closest of a list that the caller offers one by one: members of a struct, layout qualifiers.
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
