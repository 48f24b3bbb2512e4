// Makes wrong programs from correct ones: small changes to the text of a shader, to find crashes, hangs and
// invalid modules. Deterministic: the same seed gives the same programs on every machine.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace coopc::tests {

/// xorshift64*: sufficient for random choices, and the same on all platforms.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 0x2545f4914f6cdd1du) {}
  uint64_t next();
  /// In [0, count); 0 for a count of 0.
  size_t below(size_t count);

 private:
  uint64_t state_;
};

/// Splits the text into words, numbers, single punctuation characters, line ends and runs of other white
/// space. Concatenated, the tokens are the text.
std::vector<std::string_view> cutTokens(std::string_view text);

/// The text with one to four changes: tokens deleted, doubled, exchanged, replaced by one of `vocabulary` or
/// by a number at a limit; lines deleted, doubled or moved; the end removed; a byte changed.
std::string mutate(const std::string& text, const std::vector<std::string>& vocabulary, Random& random);

}  // namespace coopc::tests
