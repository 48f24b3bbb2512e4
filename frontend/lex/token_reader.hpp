// The tokens of one file of a compile, for the preprocessor: from its characters, or from a text in a cache
// that has been lexed before.
//
// Both give the same tokens, places and (for texts that can be lexed in advance) diagnostics.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/lex/lexed_text.hpp"
#include "frontend/lex/lexer.hpp"

namespace coopc::frontend {

class TokenReader {
 public:
  /// `text` and `base` as for Lexer; `lexed`: the text's tokens, or null. All must live as long as the
  /// reader.
  TokenReader(Names& names, Diagnostics& diagnostics, std::string_view text, uint32_t base,
              const LexedText* lexed);

  /// These members do what those of Lexer do.
  void lex(Token& token) {
    if (lexed_ == nullptr)
      lexer_->lex(token);
    else
      take(token);
  }
  void beginDirective() {
    if (lexed_ == nullptr) lexer_->beginDirective();
  }
  void endDirective();
  bool nextIsLeftParen() const;
  /// Whether `(` directly follows `name`, the token that was read last.
  bool isFunctionLike(const Token& name) const;
  std::optional<HeaderName> lexHeaderName();
  std::string restOfLine(SourceLoc& loc);
  bool skipToDirective();
  SourceLoc here() const;

 private:
  void take(Token& token);
  const Token& next() const { return lexed_->tokens()[next_]; }
  NameId nameOf(NameId id);

  std::optional<Lexer> lexer_;  ///< used if there is no lexed_
  // --- Used if the text was lexed before
  const LexedText* lexed_;
  Names& names_;
  std::string_view text_;
  uint32_t base_;
  uint32_t here_;              ///< the place after the last token read; exact only at the ends of lines
  size_t next_ = 0;            ///< index of the next token; an End is not passed before its directive ends
  std::vector<NameId> known_;  ///< the compile's ids of the names in the lexed text; 0 if not met yet
};

}  // namespace coopc::frontend
