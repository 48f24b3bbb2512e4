// Literal strings as words that instructions are made of.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "spirv/id.hpp"
#include "spirv/literal_string.hpp"

namespace coopc::spirv {

/// Appends `text`, which has no zero byte, to words: numbers, or operands (Word).
template <class W>
void appendLiteralText(std::vector<W>& words, std::string_view text) {
  std::vector<uint32_t> packed(literalTextWords(text));
  packLiteralText(packed.data(), text);
  words.insert(words.end(), packed.begin(), packed.end());
}

/// The words of `text`, which has no zero byte, as operands.
inline std::vector<Word> literalOperands(std::string_view text) {
  std::vector<Word> words;
  appendLiteralText(words, text);
  return words;
}

}  // namespace coopc::spirv
