// Lexes a text once for many compiles. Lines of directives are read as the preprocessor reads them in active
// groups.
#include "frontend/lex/lexed_text.hpp"

#include "frontend/base/diagnostics.hpp"
#include "frontend/lex/lexer.hpp"

namespace coopc::frontend {
namespace {

constexpr uint16_t kLongest = 0xfffe;  // Token::length saturates above
constexpr size_t kFewNames = 64;

// Whether a comment would start in `text` in another context; a line continuation may come between the two
// characters.
bool mayStartComment(std::string_view text) {
  for (size_t at = text.find('/'); at != std::string_view::npos && at + 1 < text.size();
       at = text.find('/', at + 1))
    if (text[at + 1] == '/' || text[at + 1] == '*' || text[at + 1] == '\\') return true;
  return false;
}

}  // namespace

LexedText::LexedText() : names_(kFewNames) {}

std::shared_ptr<const LexedText> LexedText::make(std::string_view text) {
  std::shared_ptr<LexedText> lexed(new LexedText);
  return lexed->lex(text) ? lexed : nullptr;
}

bool LexedText::lex(std::string_view text) {
  const SourceManager sources;
  Diagnostics diagnostics(sources);
  Lexer lexer(names_, diagnostics, text, 1);
  tokens_.reserve(text.size() / 6 + 16);
  bool inDirective = false;
  for (;;) {
    Token& token = tokens_.emplace_back();
    lexer.lex(token);
    if (token.length > kLongest) return false;
    if (token.kind == Tok::End) {
      if (!inDirective) break;
      lexer.endDirective();
      inDirective = false;
    } else if (token.kind == Tok::Hash && (token.flags & kTokenLineStart) != 0) {
      lexer.beginDirective();
      inDirective = true;
      directives_.push_back(static_cast<uint32_t>(tokens_.size()));
    } else if (inDirective && directives_.back() + 1 == tokens_.size()) {
      if (!lexAfterDirectiveName(lexer, text, names_.text(token.name()))) return false;
    } else if (token.kind == Tok::HashHash && (token.flags & kTokenLineStart) != 0) {
      return false;  // in inactive groups it is read as two signs
    } else if (token.kind == Tok::StringLiteral) {
      if (mayStartComment(text.substr(token.loc.raw - 1, token.length))) return false;
    }
  }
  tokens_.shrink_to_fit();
  return diagnostics.all().empty();
}

// The preprocessor reads the name of a header and the rest of #error and #pragma as text: each becomes one
// token of a special kind.
bool LexedText::lexAfterDirectiveName(Lexer& lexer, std::string_view text, std::string_view directive) {
  Token token;
  if (directive == "include") {
    const std::optional<HeaderName> name = lexer.lexHeaderName();
    if (!name) return true;
    if (name->length > kLongest || mayStartComment(name->text)) return false;
    token.kind = kHeaderName;
    token.loc = name->loc;
    token.length = static_cast<uint16_t>(name->length);
    tokens_.push_back(token);
  } else if (directive == "error" || directive == "pragma") {
    const uint32_t from = lexer.here().raw;
    token.kind = kRestOfLine;
    token.payload = names_.intern(lexer.restOfLine(token.loc)).index();
    tokens_.push_back(token);
    const std::string_view line = text.substr(from - 1, lexer.here().raw - from);
    return line.find('"') == std::string_view::npos || !mayStartComment(line);
  }
  return true;
}

size_t LexedText::bytes() const {
  return tokens_.capacity() * sizeof(Token) + directives_.capacity() * sizeof(uint32_t) + names_.bytes();
}

}  // namespace coopc::frontend
