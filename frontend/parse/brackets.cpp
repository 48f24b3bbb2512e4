// Missing brackets: reading goes on as if the bracket were there if what follows can only be meant so.
// Whether a brace is missing somewhere is told by the braces of the whole text, which are counted once.
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

// The number of `{` less the number of `}`, until one of them was reported.
int32_t GlslParser::missingBraces() {
  if (!bracesCounted) {
    bracesCounted = true;
    for (const Token& t : source.tokens) {
      if (t.kind == Tok::LeftBrace) ++braceBalance;
      if (t.kind == Tok::RightBrace) --braceBalance;
    }
  }
  return braceBalance;
}

// Reports a missing `{` if the text lacks one and `what` begins here.
bool GlslParser::insertLeftBrace(std::string_view what) {
  if (panic || missingBraces() >= 0) return false;
  expected("`{` before " + std::string(what));
  ++braceBalance;
  panic = false;
  return true;
}

bool GlslParser::insertRightBrace(std::string_view what) {
  if (panic || missingBraces() <= 0) return false;
  expected("`}` before " + std::string(what));
  --braceBalance;
  panic = false;
  return true;
}

GlslParser::Header GlslParser::openHeader(std::string_view before) {
  Header header{pos, tok.loc, true};
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
    expected("the statement", {}, header.loc);  // of `(a & b) == 0)` the first `(` is missing
    recoverParen({pos, {}, false});
    return;
  }
  // Of `if a {` both are missing, which is one error.
  if (!panic && !header.opened) return;
  if (!panic) {
    expect(Tok::RightParen, before);
    if (at(Tok::LeftBrace) || onlySemicolonIsMissing(Behind::Statement)) {
      panic = false;
      return;
    }
  }
  recoverParen(header);
}

// How many brackets are open at the current token, of which `depth` were open at token `begin`.
uint32_t GlslParser::countOpen(Tok open, Tok close, uint32_t begin, uint32_t depth) const {
  for (uint32_t i = begin; i < pos; ++i) {
    const Tok kind = source.tokens[i].kind;
    if (kind == open) ++depth;
    if (kind == close && depth > 0) --depth;
  }
  return depth;
}

void GlslParser::recoverParen(const Header& header) {
  uint32_t depth = countOpen(Tok::LeftParen, Tok::RightParen, header.begin, header.opened ? 0 : 1);
  while (depth > 0 && !atEnd() && !at(Tok::LeftBrace) && !at(Tok::RightBrace)) {
    if (at(Tok::LeftParen)) ++depth;
    if (at(Tok::RightParen)) --depth;
    advance();
  }
  panic = false;
}

// Skips to the end of the list of initializers that begins at token `begin`.
void GlslParser::recoverInitializer(uint32_t begin) {
  uint32_t depth = countOpen(Tok::LeftBrace, Tok::RightBrace, begin, 0);
  while (depth > 0 && !atEnd() && !at(Tok::Semicolon)) {
    if (at(Tok::LeftBrace)) ++depth;
    if (at(Tok::RightBrace)) --depth;
    advance();
  }
  if (depth == 0) panic = false;
}

// A global declaration inside of a function whose `}` is missing: all open blocks end in front of it.
bool GlslParser::endFunctionBefore(uint32_t begin, std::string_view what) {
  if (loopStart) return false;
  if (!insertRightBrace(what)) return false;
  pos = begin;  // extensions that are enabled in between are enabled twice
  tok = source.tokens[pos];
  tok.kind = classify(tok);
  unwinding = panic = true;
  return true;
}

// Whether what is here cannot begin a declaration because a `{` is missing and a function ended early.
bool GlslParser::isBehindEarlyEnd() { return c.scopes.depth() == 0 && behindFunction && missingBraces() < 0; }

void GlslParser::skipRestOfFunction() {
  ++braceBalance;
  uint32_t depth = 1;
  while (depth > 0 && !atEnd()) {
    if (at(Tok::LeftBrace)) ++depth;
    if (at(Tok::RightBrace)) --depth;
    skipToken();
  }
  earlyEnd = panic = false;
}

// Whether the name here is a function's.
bool GlslParser::atFunctionName() const {
  if (!at(Tok::Identifier)) return false;
  if (const Symbol* s = c.scopes.find(nameOf(tok))) return s->kind == SymbolKind::Function;
  return c.names[nameOf(tok)].builtinName != 0;
}

// Whether NAME NAME here is an expression that lacks something, and not a declaration: the first is a
// variable or a function, and the second is not declared as declarations do it.
bool GlslParser::beginsExpression() const {
  const Tok next = peek(2);
  if (next == Tok::Equal || next == Tok::Semicolon || next == Tok::LeftBracket) return false;
  if (atFunctionName()) return true;
  const Symbol* s = c.scopes.find(nameOf(tok));
  const bool value = s != nullptr && (s->kind == SymbolKind::Variable || s->kind == SymbolKind::BlockMember);
  return value && next != Tok::Comma;
}

void GlslParser::countBrackets() {
  int32_t parentheses = 0, brackets = 0;
  for (const Token& t : source.tokens) {
    parentheses += int32_t(t.kind == Tok::LeftParen) - int32_t(t.kind == Tok::RightParen);
    brackets += int32_t(t.kind == Tok::LeftBracket) - int32_t(t.kind == Tok::RightBracket);
  }
  bracketsMissing = parentheses != 0 || brackets != 0;
}

// Whether a parenthesis or a bracket is missing in what begins here, up to the next semicolon or brace. What
// begins in the tokens of the last answer has the same one, so that each token is looked at once.
bool GlslParser::lacksBracket() {
  if (pos >= scannedBegin && pos < scannedEnd) return scannedLacks;
  scannedBegin = pos;
  scannedLacks = scanForBracket();
  return scannedLacks;
}

bool GlslParser::scanForBracket() {
  int32_t parentheses = 0, brackets = 0;
  uint32_t inHeader = at(Tok::KwFor) ? 2 : 0;  // semicolons
  for (uint32_t i = pos; i < source.tokens.size(); ++i) {
    scannedEnd = i + 1;
    switch (source.tokens[i].kind) {
      case Tok::LeftParen: ++parentheses; break;
      case Tok::LeftBracket: ++brackets; break;
      case Tok::RightParen:
        if (--parentheses < 0) return true;
        break;
      case Tok::RightBracket:
        if (--brackets < 0) return true;
        break;
      case Tok::Semicolon:
        if (inHeader-- != 0) break;
        return parentheses != 0 || brackets != 0;
      case Tok::LeftBrace:
      case Tok::RightBrace:
      case Tok::End: return parentheses != 0 || brackets != 0;
      default: break;
    }
  }
  return false;
}

void GlslParser::beginDoubt() {
  doubt = Doubt::Possible;
  doubtfulSince = c.diagnostics.mark();
  doubtfulNames = reportedNames.size();
}

void GlslParser::endDoubt() {
  if (doubt == Doubt::Reported) --c.diagnostics.suppress;
  doubt = Doubt::None;
}

void GlslParser::takeBackDoubtful() {
  if (doubt != Doubt::Possible) return;
  c.diagnostics.takeBack(doubtfulSince);
  reportedNames.resize(doubtfulNames);
}

}  // namespace coopc::frontend
