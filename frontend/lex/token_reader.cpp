// Returns tokens from the lexer, or from a text that has been lexed before, with the diagnostics that belong
// to them.
#include "frontend/lex/token_reader.hpp"

#include <algorithm>

namespace coopc::frontend {

TokenReader::TokenReader(Names& names, Diagnostics& diagnostics, std::string_view text, uint32_t base,
                         const LexedText* lexed)
    : lexed_(lexed), names_(names), text_(text), base_(base), here_(base) {
  if (lexed == nullptr)
    lexer_.emplace(names, diagnostics, text, base);
  else
    known_.resize(lexed->names().size());
}

NameId TokenReader::nameOf(NameId id) {
  NameId& known = known_[id.index()];
  if (!known && id) known = names_.adopt(lexed_->names()[id]);
  return known;
}

void TokenReader::take(Token& token) {
  token = next();
  token.loc.raw += base_ - 1;
  if (token.payload != 0) token.payload = nameOf(token.name()).index();
  if (token.kind == Tok::End)
    here_ = token.loc.raw;
  else
    ++next_;
}

void TokenReader::endDirective() {
  if (lexed_ == nullptr) return lexer_->endDirective();
  while (next().kind != Tok::End) ++next_;
  here_ = next().loc.raw + base_ - 1;
  if (next_ + 1 < lexed_->tokens().size()) ++next_;  // the file's own End is not passed
}

bool TokenReader::nextIsLeftParen() const {
  return lexed_ == nullptr ? lexer_->nextIsLeftParen() : next().kind == Tok::LeftParen;
}

bool TokenReader::isFunctionLike(const Token& name) const {
  if (lexed_ == nullptr) return *lexer_->cursor() == '(';
  return next().kind == Tok::LeftParen && next().loc.raw + base_ - 1 == name.loc.raw + name.length;
}

std::optional<HeaderName> TokenReader::lexHeaderName() {
  if (lexed_ == nullptr) return lexer_->lexHeaderName();
  const Token& token = next();
  if (token.kind != kHeaderName) return std::nullopt;
  const size_t offset = token.loc.raw - 1;
  ++next_;
  return HeaderName{text_.substr(offset + 1, token.length - 2u),
                    text_[offset] == '<',
                    {token.loc.raw + base_ - 1},
                    token.length};
}

std::string TokenReader::restOfLine(SourceLoc& loc) {
  if (lexed_ == nullptr) return lexer_->restOfLine(loc);
  const Token& token = next();
  loc = {token.loc.raw + base_ - 1};
  ++next_;
  return std::string(lexed_->names().text(token.name()));
}

bool TokenReader::skipToDirective() {
  if (lexed_ == nullptr) return lexer_->skipToDirective();
  const std::vector<uint32_t>& directives = lexed_->directives();
  const auto found = std::upper_bound(directives.begin(), directives.end(), next_);
  next_ = found != directives.end() ? *found : lexed_->tokens().size() - 1;
  return found != directives.end();
}

SourceLoc TokenReader::here() const { return lexed_ == nullptr ? lexer_->here() : SourceLoc{here_}; }

}  // namespace coopc::frontend
