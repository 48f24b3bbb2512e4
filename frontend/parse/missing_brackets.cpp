// Missing brackets. Reading continues as if the bracket were there if what follows makes sense only then.
#include <algorithm>
#include <utility>

#include "frontend/parse/parse.hpp"

namespace coopc::frontend {

namespace {

// Whether a token continues an expression, so that no statement begins with it.
bool onlyContinues(Tok kind) {
  switch (kind) {
    case Tok::EqualEqual:
    case Tok::NotEqual:
    case Tok::LeftAngle:
    case Tok::RightAngle:
    case Tok::LessEqual:
    case Tok::GreaterEqual:
    case Tok::AndAnd:
    case Tok::OrOr:
    case Tok::XorXor:
    case Tok::Star:
    case Tok::Slash:
    case Tok::Percent:
    case Tok::LeftOp:
    case Tok::RightOp:
    case Tok::Ampersand:
    case Tok::VerticalBar:
    case Tok::Caret:
    case Tok::Question:
    case Tok::Dot:
    case Tok::Comma:
    case Tok::RightParen:
    case Tok::RightBracket: return true;
    default: return false;
  }
}

}  // namespace

// Reports a missing `{` if the text lacks one and `what` begins here.
bool GlslParser::insertLeftBrace(std::string_view what) {
  if (panic || !brackets.leftBraceMissing()) return false;
  expected("`{` before " + std::string(what));
  brackets.insertLeftBrace();
  panic = false;
  return true;
}

bool GlslParser::insertRightBrace(std::string_view what) {
  if (panic || !brackets.rightBraceMissing()) return false;
  expected("`}` before " + std::string(what));
  brackets.insertRightBrace();
  panic = false;
  return true;
}

// Whether the `{` here, in skipped text, is superfluous and would swallow the rest of the text. The `{` of a
// function's body is not superfluous.
bool GlslParser::isLeftBraceTooMany() {
  const Token* previous = previousToken();
  return (previous == nullptr || previous->kind != Tok::RightParen) && brackets.takeUnmatched(pos);
}

bool GlslParser::openBrace(std::string_view before) {
  if (accept(Tok::LeftBrace) || (!at(Tok::Semicolon) && insertLeftBrace(before))) return true;
  return expect(Tok::LeftBrace, before);
}

// Whether the `{` of a body is missing here: before a declaration, which would be useless as a whole body, or
// where the layout of the lines shows that another statement or the `}` belongs to the body:
//     for (...)              for (...)
//       a = b;                 a = b;
//       c = d;               }
bool GlslParser::lacksBraceOfBody() {
  if (panic || !brackets.leftBraceMissing() || at(Tok::Semicolon)) return false;
  if (atTypeStart() && peek() == Tok::Identifier) return true;
  if (!onLaterLine()) return false;
  const SourceManager& sources = c.diagnostics.sources();
  const auto placeOf = [&](const Token& t) { return sources.resolve(sources.fileLoc(t.loc)); };
  const ResolvedLoc body = placeOf(tok);
  const ResolvedLoc header = placeOf(*previousToken());
  const uint32_t indent = static_cast<uint32_t>(header.lineText.find_first_not_of(" \t")) + 1;
  if (body.column <= indent) return false;
  uint32_t line = body.physicalLine;
  // The next statement is near. This is asked for every body of the text, so the search is bounded.
  constexpr uint32_t kMostTokens = 256;
  const auto end = uint32_t(std::min<size_t>(source.tokens.size(), size_t(pos) + kMostTokens));
  for (uint32_t i = pos + 1; i < end; ++i) {
    const Token& t = source.tokens[i];
    if (t.kind == Tok::ExtensionEvent || t.kind == Tok::PragmaEvent) continue;
    if (t.kind == Tok::End) return false;
    const ResolvedLoc place = placeOf(t);
    if (place.file != body.file) return false;
    if (std::exchange(line, place.physicalLine) == place.physicalLine || place.column > body.column) continue;
    if (t.kind == Tok::RightBrace) return place.column == indent;
    const Tok previous = source.tokens[i - 1].kind;
    return place.column == body.column && t.kind != Tok::KwElse &&
           (previous == Tok::Semicolon || previous == Tok::RightBrace);
  }
  return false;
}

GlslParser::Header GlslParser::openHeader(std::string_view before, Tok end) {
  Header header{pos, tok.loc, true, end};
  if (expect(Tok::LeftParen, before)) return header;
  header.opened = false;
  if (!atEnd() && !at(Tok::LeftBrace) && !at(Tok::RightBrace) && !at(Tok::Semicolon)) panic = false;
  return header;
}

void GlslParser::closeHeader(const Header& header, std::string_view before) {
  if (unwinding) return;
  if (!panic && at(Tok::RightParen)) {
    advance();
    if (!onlyContinues(tok.kind)) return;
    expected("the statement", {}, header.loc);  // `(a & b) == 0)` lacks its first `(`
    recoverParen({pos, {}, false, header.end});
    return;
  }
  // `if a {` lacks both parentheses, which is one error.
  if (!panic && !header.opened) return;
  if (!panic) {
    expect(Tok::RightParen, before);
    if (at(header.end) || onlySemicolonIsMissing(After::Statement)) {
      panic = false;
      return;
    }
  }
  recoverParen(header);
}

void GlslParser::recoverParen(const Header& header) {
  uint32_t depth =
      brackets.countOpen(Tok::LeftParen, Tok::RightParen, header.begin, pos, header.opened ? 0 : 1);
  while (depth > 0 && !atEnd() && !at(Tok::LeftBrace) && !at(Tok::RightBrace) && !at(header.end)) {
    if (at(Tok::LeftParen)) ++depth;
    if (at(Tok::RightParen)) --depth;
    advance();
  }
  panic = false;
}

// Skips to the end of the list of initializers that begins at token `begin`.
void GlslParser::recoverInitializer(uint32_t begin) {
  uint32_t depth = brackets.countOpen(Tok::LeftBrace, Tok::RightBrace, begin, pos, 0);
  while (depth > 0 && !atEnd() && !at(Tok::Semicolon)) {
    if (at(Tok::LeftBrace)) ++depth;
    if (at(Tok::RightBrace)) --depth;
    advance();
  }
  if (depth == 0) panic = false;
}

// A global declaration inside a function whose `}` is missing: all open blocks end before it.
bool GlslParser::endFunctionBefore(uint32_t begin, std::string_view what) {
  if (loopStart) return false;
  if (!insertRightBrace(what)) return false;
  goTo(begin);
  unwinding = panic = true;
  return true;
}

// Whether the text here cannot be a declaration because a `{` is missing and a function ended early. The text
// is then the rest of that function, which defines no other function.
bool GlslParser::isAfterEarlyEnd() {
  if (c.scopes.depth() != 0 || !afterFunction || !brackets.leftBraceMissing()) return false;
  if (pos < definitionAhead) return false;
  uint32_t depth = 1;
  for (uint32_t i = pos; i + 2 < source.tokens.size() && depth > 0; ++i) {
    const Tok kind = source.tokens[i].kind;
    if (kind == Tok::LeftBrace) ++depth;
    if (kind == Tok::RightBrace) --depth;
    if (depth != 1) continue;
    const bool type = kind == Tok::TypeName || kind == Tok::Identifier || kind == Tok::KwVoid;
    const bool global =
        kind == Tok::KwLayout || kind == Tok::KwUniform || kind == Tok::KwBuffer || kind == Tok::KwShared;
    if (global || (type && source.tokens[i + 1].kind == Tok::Identifier &&
                   source.tokens[i + 2].kind == Tok::LeftParen)) {
      definitionAhead = i;
      return false;
    }
  }
  return true;
}

void GlslParser::skipRestOfFunction() {
  brackets.insertLeftBrace();
  uint32_t depth = 1;
  while (depth > 0 && !atEnd()) {
    if (at(Tok::LeftBrace)) ++depth;
    if (at(Tok::RightBrace)) --depth;
    skipToken();
  }
  earlyEnd = panic = false;
}

// Whether the name here is that of a function.
bool GlslParser::atFunctionName() const {
  if (!at(Tok::Identifier)) return false;
  if (const Symbol* s = c.scopes.find(nameOf(tok))) return s->kind == SymbolKind::Function;
  return c.names[nameOf(tok)].builtinName != 0;
}

// Whether NAME NAME here is an incomplete expression and not a declaration: the first is a variable or a
// function, and the tokens after the second do not continue a declaration.
bool GlslParser::beginsExpression() const {
  const Tok next = peek(2);
  if (next == Tok::Equal || next == Tok::Semicolon || next == Tok::LeftBracket) return false;
  if (atFunctionName()) return true;
  const Symbol* s = c.scopes.find(nameOf(tok));
  const bool value = s != nullptr && (s->kind == SymbolKind::Variable || s->kind == SymbolKind::BlockMember);
  return value && next != Tok::Comma;
}

}  // namespace coopc::frontend
