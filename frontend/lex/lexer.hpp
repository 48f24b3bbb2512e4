// The raw lexer: characters of one file to tokens, before macros and directives.
//
// Line continuations may occur anywhere, even inside tokens; the common paths test for a backslash only where
// a token ends, and continue in a slow path that joins the pieces. Comments are blanks. Numbers are kept as
// spelled (kRawNumber with the spelling's NameId): the preprocessor pastes and prints them, and converts them
// when they reach the parser.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "frontend/base/diagnostics.hpp"
#include "frontend/language/names.hpp"
#include "frontend/lex/token.hpp"

namespace coopc::frontend {

/// Kinds that only exist before the parser.
constexpr Tok kRawNumber = Tok::IntLiteral;  ///< payload: NameId of the spelling
constexpr Tok kOtherChar = Tok::Backtick;    ///< belongs to no token; payload: NameId of its bytes

/// The name after #include.
struct HeaderName {
  std::string_view text;  ///< without its quotes
  bool angled = false;
  SourceLoc loc;
  uint32_t length = 0;  ///< with its quotes
};

class Lexer {
 public:
  /// `text` must be followed by a NUL (not part of it); `base` is the raw position of its first character; 0
  /// if it has none.
  Lexer(Names& names, Diagnostics& diagnostics, std::string_view text, uint32_t base);

  /// The next token; Tok::End at the end, and at the end of the line while in a directive.
  void lex(Token& token);

  /// From the `#` until endDirective(), the end of the line is an end.
  void beginDirective() { directive_ = true; }
  /// Skips the part of the line that has not been read.
  void endDirective();

  /// Whether the next token is `(`; nothing is consumed, and directives are not skipped.
  bool nextIsLeftParen() const;
  /// Reads `"name"` or `<name>` (#include); none if neither comes next.
  std::optional<HeaderName> lexHeaderName();
  /// The rest of the line, trimmed, with comments and continuations replaced by blanks. `loc` is the place of
  /// its first character.
  std::string restOfLine(SourceLoc& loc);
  /// From inside an inactive group to after the `#` of the next directive; false at the end of the text.
  bool skipToDirective();

  bool atEnd() const { return cursor_ == end_; }
  SourceLoc here() const { return locOf(cursor_); }
  const char* cursor() const { return cursor_; }

 private:
  SourceLoc locOf(const char* at) const {
    return {base_ == 0 ? 0 : base_ + static_cast<uint32_t>(at - begin_)};
  }
  /// the position after any line continuations that start at `at`
  const char* skipEachSplice(const char* at) const;
  const char* skipSplices(const char* at) const { return *at == '\\' ? skipEachSplice(at) : at; }
  const char* skipLineComment(const char* at) const;  ///< `at`: after the //; returns the end of the line
  const char* skipBlockComment(const char* at, bool& ended) const;  ///< `at`: after the /*
  bool startsLine(const char* at, const char* clean) const;
  bool skipComment(Token& token);
  void finish(Token& token, const char* start, Tok kind, uint32_t payload);
  void lexWord(Token& token);
  void lexNumber(Token& token);
  void lexJoined(Token& token, const char* start, bool number);
  void lexString(Token& token);
  void lexOther(Token& token);
  void lexPunctuation(Token& token);

  Names& names_;
  Diagnostics& diagnostics_;
  const char* begin_;
  const char* end_;
  const char* cursor_;
  uint32_t base_;
  bool directive_ = false;
  bool lineStart_ = true;
  bool hasCarriageReturns_;
};

/// The length of the number that `text` starts with; `text` must start with a digit, or a dot and a digit.
size_t scanNumber(std::string_view text);

}  // namespace coopc::frontend
