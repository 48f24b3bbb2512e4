// Missing semicolons. If nothing else is missing, the text that follows is checked. If the text may continue
// the same statement (with a missing operator or comma), it is not, because errors could come from misreading
// it.
#include "frontend/parse/parse.hpp"

namespace coopc::frontend {

namespace {

bool isAssignment(Tok kind) {
  switch (kind) {
    case Tok::Equal:
    case Tok::AddAssign:
    case Tok::SubAssign:
    case Tok::MulAssign:
    case Tok::DivAssign:
    case Tok::ModAssign:
    case Tok::LeftAssign:
    case Tok::RightAssign:
    case Tok::AndAssign:
    case Tok::XorAssign:
    case Tok::OrAssign:
    case Tok::IncOp:
    case Tok::DecOp: return true;
    default: return false;
  }
}

std::string_view spelling(After what) {
  switch (what) {
    case After::Statement: return "the next statement";
    case After::Declaration: return "the next declaration";
    case After::Member: return "the next member";
    case After::LoopStart: return "the loop's condition";
    case After::LoopCondition: return "the loop's step";
  }
  return {};
}

}  // namespace

// Words that can neither continue an expression or a declaration nor be part of one.
bool GlslParser::onlyStartsStatement(Tok kind) {
  switch (kind) {
    case Tok::KwIf:
    case Tok::KwElse:
    case Tok::KwSwitch:
    case Tok::KwCase:
    case Tok::KwDefault:
    case Tok::KwFor:
    case Tok::KwWhile:
    case Tok::KwDo:
    case Tok::KwPrecision: return true;
    default: return isJump(kind);
  }
}

// Whether `layout(...) in` or `out` ends here, because another declaration begins and its layout qualifiers
// include one that only a default may have (4.4.1.3 to 4.4.1.5, 4.4.2).
bool GlslParser::endsDefaults(const Qualifiers& q) const {
  if ((q.storage != StorageWord::In && q.storage != StorageWord::Out) || at(Tok::Semicolon)) return false;
  constexpr uint32_t kDefaults = 1u << static_cast<unsigned>(LayoutPlace::DefaultIn) |
                                 1u << static_cast<unsigned>(LayoutPlace::DefaultOut);
  bool only = false;
  q.layout.present().forEach([&](LayoutId id) { only |= (q.layout.entry(id).places & ~kDefaults) == 0; });
  if (!only) return false;
  if (at(Tok::KwLayout)) {  // maybe more qualifiers of the same default
    bool call = false;
    const Tok next = peekAfterOperand(call);
    return next != Tok::Semicolon && next != Tok::KwLayout;
  }
  if (onLaterLine()) return true;
  switch (tok.kind) {
    case Tok::KwIn:
    case Tok::KwOut:
    case Tok::KwUniform:
    case Tok::KwBuffer:
    case Tok::KwShared:
    case Tok::KwConst:
    case Tok::KwStruct:
    case Tok::KwVoid:
    case Tok::KwPrecision: return true;
    default: return false;
  }
}

// Reports a missing semicolon after the `}` of a structure if the tokens that follow declare nothing of its
// type.
bool GlslParser::endsStructure() {
  if (previousToken()->kind != Tok::RightBrace || at(Tok::Semicolon)) return false;
  if (at(Tok::Identifier) && peek() != Tok::Identifier) return false;
  if (atQualifier() && !onLaterLine() && !at(Tok::KwLayout) && peek() != Tok::TypeName) return false;
  expectSemicolon(After::Declaration);
  return true;
}

// The token after the current name and the `.NAME`, `[...]` and `(...)` that follow it; `call`: whether
// `(...)` is the last of them. Stops at tokens that no expression contains, so that all look-aheads of a text
// together take linear time.
Tok GlslParser::peekAfterOperand(bool& call, bool* newLine) const {
  call = false;
  uint32_t last = pos;
  uint32_t depth = 0;
  for (uint32_t i = pos + 1; i < source.tokens.size(); ++i) {
    const Tok kind = source.tokens[i].kind;
    switch (kind) {
      case Tok::ExtensionEvent:
      case Tok::PragmaEvent: break;
      case Tok::LeftParen:
      case Tok::LeftBracket: ++depth; break;
      case Tok::RightParen:
      case Tok::RightBracket:
        if (depth == 0) return kind;
        call = --depth == 0 && kind == Tok::RightParen;
        break;
      case Tok::Semicolon:
      case Tok::LeftBrace:
      case Tok::RightBrace:
      case Tok::End: return depth == 0 ? kind : Tok::End;
      case Tok::Dot:
        if (depth == 0) {
          ++i;  // the member's name
          call = false;
        }
        break;
      default:
        if (depth == 0) {
          if (newLine != nullptr) *newLine = isOnLaterLine(source.tokens[last], source.tokens[i]);
          return kind;
        }
        if (onlyStartsStatement(kind)) return Tok::End;  // where recover() continues
    }
    last = i;
  }
  return Tok::End;
}

// Whether the current name begins an assignment, `++` or `--`, or a call that is a statement by itself. The
// call may also lack its semicolon if the next statement is on a later line.
bool GlslParser::atChange(Tok end) const {
  bool call = false, newLine = false;
  const Tok next = peekAfterOperand(call, &newLine);
  if (isAssignment(next)) return true;
  if (!call) return false;
  if (next == end || next == Tok::RightBrace) return true;
  return end == Tok::Semicolon && newLine &&
         (next == Tok::Identifier || next == Tok::TypeName || onlyStartsStatement(next));
}

// Whether `++NAME` or `--NAME` begins after an operand. No name follows a postfix_expression, so something is
// missing. The spaces tell which operand the operator belongs to.
bool GlslParser::atPrefixStep() const {
  if ((!at(Tok::IncOp) && !at(Tok::DecOp)) || peek() != Tok::Identifier) return false;
  const Token* previous = previousToken();
  return previous != nullptr && previous->loc.raw + previous->length != tok.loc.raw &&
         tok.loc.raw + tok.length == peekToken().loc.raw;
}

bool GlslParser::expectSemicolon(After what) {
  if (panic) return false;
  if (accept(Tok::Semicolon)) return true;
  if (loopStart && what != After::Member) what = After::LoopStart;
  expected("`;` before " + std::string(spelling(what)), afterPrevious());
  if (!onlySemicolonIsMissing(what)) return false;
  panic = false;
  return true;
}

bool GlslParser::onlySemicolonIsMissing(After what) {
  switch (what) {
    case After::LoopStart: {
      if (!at(Tok::Identifier)) return false;
      bool call = false;
      const Tok next = peekAfterOperand(call);
      return next == Tok::LeftAngle || next == Tok::RightAngle || next == Tok::LessEqual ||
             next == Tok::GreaterEqual || next == Tok::EqualEqual || next == Tok::NotEqual;
    }
    case After::LoopCondition: return atPrefixStep() || (at(Tok::Identifier) && atChange(Tok::RightParen));
    case After::Member:
      return at(Tok::RightBrace) || atQualifier() || atTypeStart() ||
             (at(Tok::Identifier) && peek() == Tok::Identifier);
    case After::Statement:
    case After::Declaration: break;
  }
  const bool global = c.scopes.depth() == 0;
  if (at(Tok::RightBrace) || at(Tok::KwPrecision)) return true;
  if (onlyStartsStatement(tok.kind)) return !global;
  if (atQualifier()) return true;
  if (atTypeStart()) {
    const Tok next = peek();
    return (next != Tok::LeftParen && next != Tok::LeftBracket) || (!global && atChange(Tok::Semicolon));
  }
  // `vec2 {` may be meant as an initializer list of another language, `whlie (x) {` as a loop.
  if (at(Tok::LeftBrace)) return !global && onLaterLine() && previousToken()->kind != Tok::RightParen;
  if (atPrefixStep()) return !global;
  if (!at(Tok::Identifier)) return false;
  if (global) return onLaterLine();
  if (peek() == Tok::Identifier) {
    // TYPE NAME with an undeclared type, and not an operator of another language (`a and b`).
    if (c.scopes.find(nameOf(tok)) != nullptr) return false;
    const Tok next = peek(2);
    return next == Tok::Equal ||
           (onLaterLine() && (next == Tok::Semicolon || next == Tok::Comma || next == Tok::LeftBracket));
  }
  return atChange(Tok::Semicolon) || (onLaterLine() && peek() == Tok::Semicolon);
}

bool GlslParser::operandFollows() {
  if (at(Tok::Semicolon) || panic) return false;
  if (!at(Tok::Identifier) && !isNumberLiteral(tok.kind) && !(atTypeStart() && peek() == Tok::LeftParen))
    return false;
  return !onLaterLine();
}

// After a declarator: NAME or NAME = INITIALIZER, with no comma or semicolon before it. It is an assignment
// if the name is a variable that this declaration cannot hide. If not, it may be a further declarator: only
// the initializer is checked, by itself, and the name is accepted as either.
bool GlslParser::skipDeclarator() {
  if (panic || !at(Tok::Identifier)) return false;
  const Tok next = peek();
  if (next != Tok::Equal && next != Tok::Comma && next != Tok::Semicolon) return false;
  const NameId name = nameOf(tok);
  if (const Symbol* s = c.scopes.find(name)) {
    if (s->depth == c.scopes.depth() || onLaterLine() || next != Tok::Equal) return false;
  }
  expected("`;` before the next declaration", afterPrevious());
  panic = false;
  c.skipName(name);
  advance();
  if (accept(Tok::Equal)) {
    bool nullInit = false;
    parseInitializer(kErrorType, nullInit, "initializer");
  }
  return true;
}

}  // namespace coopc::frontend
