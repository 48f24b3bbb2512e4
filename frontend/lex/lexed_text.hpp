// A file's tokens, made once for all compiles that read it.
//
// The result of the lexer depends on the text alone: versions, extensions and macros are considered later.
// Therefore the tokens can be made before any compile, and be read by many at once. The parts of a text that
// the preprocessor does not read as tokens (the name after #include, the line after #error and #pragma) are
// one token each. Places are offsets in the file; names are ids of a separate table, whose entries a compile
// takes over when it first meets them (lex/token_reader).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "frontend/language/names.hpp"
#include "frontend/lex/token.hpp"

namespace coopc::frontend {

/// Kinds of tokens that only exist here.
/// `"name"` or `<name>` after #include, with its delimiters
constexpr Tok kHeaderName = Tok::ExtensionEvent;
constexpr Tok kRestOfLine = Tok::PragmaEvent;  ///< after #error and #pragma; payload: NameId of the text

class Lexer;

class LexedText {
 public:
  /// `text` must be followed by a NUL (not part of it). Null for texts that cannot be lexed until their
  /// directives are known: texts with lexical errors (which are reported only where they are active), with
  /// `##` at the start of a line, or with something that starts a comment in a string or the name of a header
  /// (which are not recognized in inactive groups or messages). Also null if a token is too long for
  /// Token::length.
  static std::shared_ptr<const LexedText> make(std::string_view text);

  /// In order: `loc` is 1 + the offset, `payload` an id of names(). Each directive's line ends with a
  /// Tok::End, and so does the file.
  const std::vector<Token>& tokens() const { return tokens_; }
  /// For each directive, in order, the index of the token after its `#`.
  const std::vector<uint32_t>& directives() const { return directives_; }
  const Names& names() const { return names_; }
  /// The approximate memory use.
  size_t bytes() const;

 private:
  LexedText();
  bool lex(std::string_view text);
  bool lexAfterDirectiveName(Lexer& lexer, std::string_view text, std::string_view directive);

  std::vector<Token> tokens_;
  std::vector<uint32_t> directives_;
  Names names_;
};

}  // namespace coopc::frontend
