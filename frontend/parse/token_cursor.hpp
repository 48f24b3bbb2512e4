// A place in the preprocessed text: the current token, kept by value, and its index in the flat token array.
// Events among the tokens, of #extension and #pragma, take effect as the cursor passes them.
#pragma once

#include <bitset>
#include <string>
#include <vector>

#include "frontend/check/checker.hpp"
#include "frontend/preprocess/preprocessor.hpp"

namespace coopc::frontend {

struct TokenCursor {
  const PreprocessedSource& source;
  Checker& c;

  Token tok;         ///< the current token; keywords that are not enabled here are Tok::Identifier
  uint32_t pos = 0;  ///< its index in source.tokens
  /// Keywords that a declaration took for a name, which was reported.
  std::bitset<static_cast<size_t>(Tok::Count)> takenAsNames;
  std::vector<uint32_t> lostPlaces;  ///< where the preprocessor dropped tokens, in the order of the text

  TokenCursor(const PreprocessedSource& s, Checker& checker) : source(s), c(checker) {}

  void start();
  void advance();
  void goTo(uint32_t index);
  void skipToken();  ///< also notes a skipped name, which the skipped text may have declared
  bool at(Tok kind) const { return tok.kind == kind; }
  bool atEnd() const { return tok.kind == Tok::End; }
  /// The n-th token after the current one, as the lexer gave it, without events; the last one if there are
  /// fewer.
  const Token& peekToken(uint32_t n = 1) const;
  Tok peek(uint32_t n = 1) const;  ///< its kind at this place
  /// The kind of the token at an index of source.tokens, with the version and extensions of this place.
  Tok classify(uint32_t at) const;
  const Token* previousToken() const;  ///< nullptr: there is none
  bool isOnLaterLine(const Token& first, const Token& second) const;
  bool onLaterLine() const;  ///< whether the current token is on a later line than the previous one
  std::string tokenText(const Token& t) const;  ///< for messages, quoted
  NameId nameOf(const Token& t) const { return t.name(); }
  /// Whether the preprocessor, after an error, dropped tokens between the previous token and the current one.
  bool isAfterLostToken() const;
  SourceLoc afterPrevious() const;  ///< the place for a token that is missing before the current one

 private:
  void readByPlace();  ///< passes events at the current token, and classifies the token after them
  void handleEvent(const Token& t);
};

}  // namespace coopc::frontend
