// Tokens, as the preprocessor passes them to the parser. Directives that the language sees (#extension,
// #pragma) stay in the stream as event tokens, so that preprocessing and parsing are separate passes over
// flat arrays, and each token is read with the extension state of its line.
#pragma once

#include <cstdint>

#include "frontend/base/source.hpp"
#include "frontend/language/names.hpp"

namespace coopc::frontend {

using LiteralId = uint32_t;

/// A converted numeric literal. Integers: the value's bits; floats: the bits of a double, correctly rounded
/// from the text (FloatLiteral: rounded to float first, then widened).
struct Literal {
  uint64_t bits;
};

struct Token {
  Tok kind = Tok::End;
  uint8_t flags = 0;    ///< TokenFlags
  uint16_t length = 0;  ///< spelled bytes, saturated
  SourceLoc loc;
  uint32_t payload = 0;  ///< by the kind (token_kind.hpp)

  NameId name() const { return NameId(payload); }  ///< of kinds whose payload is one
};
/// Whether the token is a word: an identifier, a keyword or a type's name. Its payload is a NameId.
constexpr bool isName(const Token& token) {
  return token.kind == Tok::Identifier || token.kind >= Tok::TypeName;
}
/// Whether what the token is depends on its place: events, and words that only some versions and extensions
/// have.
constexpr bool dependsOnPlace(Tok kind) { return kind >= Tok::ExtensionEvent; }
constexpr bool isNumberLiteral(Tok kind) { return kind >= Tok::IntLiteral && kind <= Tok::MxInt8Literal; }
enum TokenFlags : uint8_t { kTokenSpaceBefore = 1, kTokenLineStart = 2, kTokenNoExpand = 4 };

}  // namespace coopc::frontend
