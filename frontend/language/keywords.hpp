// The words of the language: a constexpr hash table, so that nothing is built at start-up. Built-in types' names
// are not here (tables/). Whether a word is a keyword at its place - extensions, ES - is the parser's question.
#pragma once

#include <cstdint>
#include <string_view>

#include "frontend/language/token_kind.hpp"

namespace coopc::frontend {

/// The keyword that `text` is, Tok::Identifier where it is none. `hash` is hashName(text).
Tok findKeyword(std::string_view text, uint32_t hash);

/// The spelling of punctuation and keywords ("" for tokens without one of their own).
std::string_view tokenSpelling(Tok kind);

}  // namespace coopc::frontend
