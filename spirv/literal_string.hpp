// Literal strings in modules (SPIR-V 2.2.1): UTF-8, ended by a zero byte, padded with zeros to whole words.
// The first character is in the low byte of a word, whatever the host's byte order is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace coopc::spirv {

/// The text of a literal string at the start of `words`; all of them if no zero byte ends it.
inline std::string_view literalText(std::span<const uint32_t> words) {
  if (words.empty()) return {};
  const char* text = reinterpret_cast<const char*>(words.data());
  return {text, strnlen(text, words.size() * sizeof(uint32_t))};
}

/// The part of a text that a literal string can hold. A zero byte within it would end the string for readers,
/// which would take the rest for the next operands.
inline std::string_view untilZero(std::string_view text) { return text.substr(0, text.find('\0')); }

/// The number of words that `text` takes, with the zero byte that ends it.
constexpr size_t literalTextWords(std::string_view text) { return text.size() / 4 + 1; }

/// Writes `text`, which has no zero byte, to the literalTextWords(text) words at `at`.
inline void packLiteralText(uint32_t* at, std::string_view text) {
  const size_t full = text.size() / 4;
  for (size_t i = 0; i < full; ++i) {
    const auto* b = reinterpret_cast<const unsigned char*>(text.data()) + i * 4;
    at[i] = uint32_t(b[0]) | uint32_t(b[1]) << 8 | uint32_t(b[2]) << 16 | uint32_t(b[3]) << 24;
  }
  uint32_t last = 0;
  for (size_t i = full * 4; i < text.size(); ++i) {
    last |= uint32_t(static_cast<unsigned char>(text[i])) << (i % 4 * 8);
  }
  at[full] = last;
}

}  // namespace coopc::spirv
