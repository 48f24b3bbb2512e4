// Notes that say what GLSL has where a text has the syntax of C++, HLSL or WGSL, and the recovery from it, so
// that one habit causes one error.
#include "frontend/language/keywords.hpp"
#include "frontend/parse/parse.hpp"

namespace coopc::frontend {

// What to say of the current token where `what` was expected; "" if it is no habit of another language.
std::string_view GlslParser::habitNote(std::string_view what) const {
  const Token* previous = previousToken();
  const Tok before = previous == nullptr ? Tok::End : previous->kind;
  const bool parameter = what == "`)` before the end of the parameters";
  switch (tok.kind) {
    case Tok::Star: return parameter || what == "a name" ? "GLSL has no pointers" : "";
    case Tok::Ampersand:
      return parameter ? "GLSL has no references: a parameter that the function changes is `inout`" : "";
    case Tok::Colon:
      return parameter ? "GLSL has no semantics: it has built-in variables (`gl_Position`) and "
                         "`layout(location = N)`"
                       : "";
    case Tok::LeftParen:
      if (before == Tok::KwDiscard) return "`discard` is a statement: it has no parentheses";
      return what == "`;` before the next member" ? "GLSL has no functions in structures" : "";
    case Tok::LeftBrace:
      return what == "`;` before the next declaration" && before == Tok::Identifier
                 ? "GLSL initializes with `= TYPE(...)` or `= {...}`"
                 : "";
    case Tok::LeftBracket:
      return what == "an expression" && peek() == Tok::Identifier && peek(2) == Tok::RightBracket
                 ? "with `#extension GL_EXT_control_flow_attributes : require`, GLSL has `[[unroll]]` and "
                   "the like"
                 : "";
    case Tok::RightAngle:
      return what == "an expression" && before == Tok::Dash
                 ? "GLSL has no pointers: a member is selected with `.`"
                 : "";
    case Tok::Identifier: {
      const std::string_view name = c.names.text(nameOf(tok));
      return name == "and" ? "GLSL has `&&`" : name == "or" ? "GLSL has `||`" : "";
    }
    default: return "";
  }
}

// `<float, 4>` after a name that is no type of GLSL: skips it if `end` or, without one, a name follows.
bool GlslParser::skipAngles(Tok end) {
  if (!at(Tok::LeftAngle)) return false;
  uint32_t depth = 0;
  for (uint32_t n = 0; n < kMaxAngleTokens; ++n) {
    const Tok kind = n == 0 ? tok.kind : peek(n);
    if (kind == Tok::End || kind == Tok::Semicolon || kind == Tok::LeftBrace || kind == Tok::Equal)
      return false;
    if (kind == Tok::LeftAngle) ++depth;
    if (kind == Tok::RightAngle) depth -= depth != 0;
    if (kind == Tok::RightOp) depth -= depth < 2 ? depth : 2;
    if (depth != 0) continue;
    if (peek(n + 1) != end) return false;
    for (uint32_t i = 0; i <= n; ++i) advance();
    return true;
  }
  return false;
}

// Whether an undeclared name with type parameters begins a declaration: `vector<float, 4> v`.
bool GlslParser::atUnknownTemplate() {
  if (!at(Tok::Identifier) || peek() != Tok::LeftAngle || c.scopes.find(nameOf(tok)) != nullptr) return false;
  if (isTypeOfLanguage(nameOf(tok))) return false;
  uint32_t n = 2;
  while (n < kMaxAngleTokens && (isNumberLiteral(peek(n)) || peek(n) == Tok::TypeName ||
                                 peek(n) == Tok::Identifier || peek(n) == Tok::Comma))
    ++n;
  return peek(n) == Tok::RightAngle && peek(n + 1) == Tok::Identifier;
}

// Whether the current word stands where the name of a declaration does.
bool GlslParser::isUsedAsName() const {
  const Tok next = peek();
  return next == Tok::Equal || next == Tok::Semicolon || next == Tok::Comma || next == Tok::LeftBracket ||
         next == Tok::RightParen;
}

// Whether the current qualifier stands where a name belongs, as in `vec4 sample = ...;`. It is one from here
// on, so that its uses cause no further errors.
bool GlslParser::takeKeywordAsName() {
  if (panic || tok.kind < Tok::KwFirst || !atQualifier() || !isUsedAsName()) return false;
  c.report(DiagKind::KeywordAsName, tok.loc, {tokenSpelling(tok.kind)});
  takenAsNames.set(static_cast<size_t>(tok.kind));
  tok.kind = Tok::Identifier;
  return true;
}

}  // namespace coopc::frontend
