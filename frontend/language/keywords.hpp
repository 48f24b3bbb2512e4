// The words of the language in a constexpr hash table, so that nothing is built at start-up. The names of
// built-in types are not in it (tables/). The words of extensions are rows of extensions.def; the parser
// decides whether a word is a keyword at its place (keywordGate).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "frontend/language/extension.hpp"
#include "frontend/language/stages.hpp"
#include "frontend/language/token_kind.hpp"

namespace coopc::frontend {

/// The keyword `text`; Tok::Identifier if it is not a keyword. `hash` is hashName(text).
Tok findKeyword(std::string_view text, uint32_t hash);

/// Whether a word is a keyword only if an extension is enabled, and which one: kAllExtensions if no
/// implemented extension enables it, which makes it a plain name.
struct KeywordGate {
  bool gated = false;
  ExtensionId extension = kAllExtensions;
};
constexpr std::array<KeywordGate, static_cast<size_t>(Tok::Count)> makeKeywordGates() {
  std::array<KeywordGate, static_cast<size_t>(Tok::Count)> gates{};
#define KEYWORD(name, word, token, stages) gates[static_cast<size_t>(Tok::token)] = {true, ExtensionId::name};
#include "frontend/language/extensions.def"
  return gates;
}
inline constexpr std::array<KeywordGate, static_cast<size_t>(Tok::Count)> kKeywordGates = makeKeywordGates();
constexpr KeywordGate keywordGate(Tok keyword) { return kKeywordGates[static_cast<size_t>(keyword)]; }

/// The stages whose language has the word.
StageMask keywordStages(Tok keyword);

/// The spelling of punctuation and keywords; "" for tokens without a fixed spelling.
std::string_view tokenSpelling(Tok kind);

}  // namespace coopc::frontend
