// Conditional groups and the expressions of #if and #elif (GLSL 4.60, 3.3): 64-bit two's complement as in
// C++.
#include "frontend/language/keywords.hpp"
#include "frontend/lex/literals.hpp"
#include "frontend/preprocess/engine.hpp"

namespace coopc::frontend::preprocessing {
namespace {

constexpr uint32_t kMaxDepth = 256;

// From 1, the lowest (||), to 10 (* / %); 0 if it is not a binary operator.
int precedence(Tok kind) {
  switch (kind) {
    case Tok::OrOr: return 1;
    case Tok::AndAnd: return 2;
    case Tok::VerticalBar: return 3;
    case Tok::Caret: return 4;
    case Tok::Ampersand: return 5;
    case Tok::EqualEqual:
    case Tok::NotEqual: return 6;
    case Tok::LeftAngle:
    case Tok::RightAngle:
    case Tok::LessEqual:
    case Tok::GreaterEqual: return 7;
    case Tok::LeftOp:
    case Tok::RightOp: return 8;
    case Tok::Plus:
    case Tok::Dash: return 9;
    case Tok::Star:
    case Tok::Slash:
    case Tok::Percent: return 10;
    default: return 0;
  }
}

}  // namespace

void Engine::ifDirective(const Token& name, std::string_view word) {
  if (conditionals_.size() >= options_.limits.conditionalDepth) {
    diagnostics_.report(DiagKind::ConditionalsTooDeep, name.loc, {options_.limits.conditionalDepth});
    return;
  }
  bool active = false;
  if (word == "if") {
    active = evaluateCondition(word, name);
  } else {
    Token macro;
    lexPlain(macro);
    if (!isName(macro)) {
      diagnostics_.report(DiagKind::ConditionNameMissing, name.loc, {word});
    } else {
      active = (macroOf(macro.name()) != kNone) == (word == "ifdef");
      if (options_.observer != nullptr) noteMacro(macro);
      expectEnd(word);
    }
  }
  conditionals_.push_back({name.loc, word, active, false});
  if (!active) skipGroup();
}

// In an active group: the following groups are skipped.
void Engine::elseDirective(const Token& name, std::string_view word) {
  if (conditionals_.size() <= files_.back().firstConditional) {
    diagnostics_.report(DiagKind::ConditionWithoutIf, name.loc, {word});
    return;
  }
  Conditional& open = conditionals_.back();
  if (open.hadElse)
    diagnostics_.report(DiagKind::ConditionAfterElse, name.loc, {word})
        .note(open.loc, "the group starts here");
  if (word == "else") {
    open.hadElse = true;
    expectEnd(word);
  }
  skipGroup();
}

void Engine::endifDirective(const Token& name) {
  if (conditionals_.size() <= files_.back().firstConditional) {
    diagnostics_.report(DiagKind::ConditionWithoutIf, name.loc, {"endif"});
    return;
  }
  conditionals_.pop_back();
  expectEnd("endif");
}

// Skips to the #elif, #else or #endif that ends the inactive group of the innermost conditional. Called in a
// directive and returns in one.
void Engine::skipGroup() {
  if (options_.observer == nullptr) return skipTokens();
  const SourceLoc begin = reader().here();
  skipTokens();
  options_.observer->skip(begin, reader().here());
}

void Engine::skipTokens() {
  uint32_t depth = 0;
  reader().endDirective();
  while (reader().skipToDirective()) {
    reader().beginDirective();
    Token name;
    ++diagnostics_.suppress;
    lexPlain(name);
    // By 3.3 a directive has one sign. Shaders have `##else`, which the reference compiler takes for `#else`
    // in groups that are skipped (decision 69).
    bool signs = false;
    for (; name.kind == Tok::Hash || name.kind == Tok::HashHash; signs = true) lexPlain(name);
    --diagnostics_.suppress;
    const std::string_view word = isName(name) ? names_.text(name.name()) : std::string_view{};
    if (signs && (word.starts_with("if") || word.starts_with("el") || word == "endif"))
      diagnostics_.report(DiagKind::DirectiveSigns, name.loc, {word});
    if (word == "if" || word == "ifdef" || word == "ifndef") {
      if (++depth + conditionals_.size() > options_.limits.conditionalDepth) {
        diagnostics_.report(DiagKind::ConditionalsTooDeep, name.loc, {options_.limits.conditionalDepth});
        return;
      }
    } else if (word == "endif") {
      if (depth == 0) {
        conditionals_.pop_back();
        expectEnd("endif");
        return;
      }
      --depth;
    } else if (depth == 0 && (word == "else" || word == "elif")) {
      Conditional& open = conditionals_.back();
      if (open.hadElse)
        diagnostics_.report(DiagKind::ConditionAfterElse, name.loc, {word})
            .note(open.loc, "the group starts here");
      bool active = false;
      if (word == "else") {
        open.hadElse = true;
        active = !open.taken;
        expectEnd(word);
      } else if (!open.taken && !open.hadElse) {
        active = evaluateCondition(word, name);
      }
      if (active) {
        conditionals_.back().taken = true;
        return;
      }
    }
    reader().endDirective();
    if (isStopped()) break;
  }
  // The end of the file: reported there.
  reader().beginDirective();
}

// ----------------------------------------------------------------------------------------------- expressions

bool Engine::evaluateCondition(std::string_view word, const Token& name) {
  conditionEnd_ = false;
  unevaluated_ = 0;
  Value value;
  bool good = false;
  if (!nextConditionToken()) {
    if (!isStopped()) diagnostics_.report(DiagKind::ConditionMissing, name.loc, {word});
  } else {
    good = conditionBinary(value, 1, 0);
    if (good && !conditionEnd_) {
      diagnostics_.report(DiagKind::ExtraTokens, condition_.loc, {word}).length(condition_.length);
      good = false;
    }
  }
  while (!runs_.empty()) popRun();
  return good && value.bits != 0;
}

bool Engine::nextConditionToken() {
  while (readToken(condition_)) {
    // The operand of `defined` is not expanded: conditionDefined reads it itself.
    if (isName(condition_) && names_.text(condition_.name()) == "defined") return true;
    if (expand(condition_)) continue;
    return true;
  }
  conditionEnd_ = true;
  return false;
}

void Engine::conditionUnexpected() {
  if (conditionEnd_) {
    diagnostics_.report(DiagKind::ConditionUnexpected, condition_.loc, {"end of the line"});
    return;
  }
  diagnostics_.report(DiagKind::ConditionUnexpected, condition_.loc, {"`" + spelling(condition_) + "`"})
      .length(condition_.loc.inMacro() ? 0 : condition_.length);
}

// condition_ is the first token; after the expression it is the token that ended it.
bool Engine::conditionBinary(Value& value, int minimum, uint32_t depth) {
  if (depth > kMaxDepth) {
    diagnostics_.report(DiagKind::ConditionTooDeep, condition_.loc, {kMaxDepth});
    return false;
  }
  if (!conditionUnary(value, depth + 1)) return false;
  while (!conditionEnd_) {
    const Tok op = condition_.kind;
    const int level = precedence(op);
    if (level < minimum || level == 0) return true;
    const SourceLoc at = condition_.loc;
    const bool skip = (op == Tok::AndAnd && value.bits == 0) || (op == Tok::OrOr && value.bits != 0);
    Value right;
    nextConditionToken();
    unevaluated_ += skip;
    const bool good = conditionBinary(right, level + 1, depth + 1);
    unevaluated_ -= skip;
    if (!good) return false;
    const uint64_t a = value.bits;
    const uint64_t b = right.bits;
    const auto sa = static_cast<int64_t>(a);
    const auto sb = static_cast<int64_t>(b);
    const bool isUnsigned = value.isUnsigned || right.isUnsigned;
    auto truth = [&](bool x) { value = {x ? 1u : 0u, false}; };
    switch (op) {
      case Tok::OrOr: truth(a != 0 || b != 0); break;
      case Tok::AndAnd: truth(a != 0 && b != 0); break;
      case Tok::VerticalBar: value = {a | b, isUnsigned}; break;
      case Tok::Caret: value = {a ^ b, isUnsigned}; break;
      case Tok::Ampersand: value = {a & b, isUnsigned}; break;
      case Tok::EqualEqual: truth(a == b); break;
      case Tok::NotEqual: truth(a != b); break;
      case Tok::LeftAngle: truth(isUnsigned ? a < b : sa < sb); break;
      case Tok::RightAngle: truth(isUnsigned ? a > b : sa > sb); break;
      case Tok::LessEqual: truth(isUnsigned ? a <= b : sa <= sb); break;
      case Tok::GreaterEqual: truth(isUnsigned ? a >= b : sa >= sb); break;
      case Tok::LeftOp:
      case Tok::RightOp: {
        // The right operand is the count; a negative one shifts in the other direction, and a large one
        // shifts out all bits.
        bool left = op == Tok::LeftOp;
        uint64_t count = b;
        if (!right.isUnsigned && sb < 0) {
          left = !left;
          count = 0 - b;
        }
        uint64_t bits = 0;
        if (left)
          bits = count < 64 ? a << count : 0;
        else if (value.isUnsigned || sa >= 0)
          bits = count < 64 ? a >> count : 0;
        else
          bits = count < 64 ? ~(~a >> count) : ~uint64_t{0};
        value.bits = bits;
        break;
      }
      case Tok::Plus: value = {a + b, isUnsigned}; break;
      case Tok::Dash: value = {a - b, isUnsigned}; break;
      case Tok::Star: value = {a * b, isUnsigned}; break;
      case Tok::Slash:
      case Tok::Percent: {
        const bool divide = op == Tok::Slash;
        if (b == 0) {
          if (unevaluated_ != 0) {
            value = {0, isUnsigned};
            break;
          }
          diagnostics_.report(DiagKind::ConditionDivisionByZero, at);
          return false;
        }
        if (isUnsigned)
          value = {divide ? a / b : a % b, true};
        else if (sb == -1)  // the smallest number wraps
          value = {divide ? 0 - a : 0, false};
        else
          value = {static_cast<uint64_t>(divide ? sa / sb : sa % sb), false};
        break;
      }
      default: break;
    }
  }
  return true;
}

bool Engine::conditionUnary(Value& value, uint32_t depth) {
  if (depth > kMaxDepth) {
    diagnostics_.report(DiagKind::ConditionTooDeep, condition_.loc, {kMaxDepth});
    return false;
  }
  if (conditionEnd_) {
    conditionUnexpected();
    return false;
  }
  const Token token = condition_;
  switch (token.kind) {
    case Tok::Plus:
    case Tok::Dash:
    case Tok::Tilde:
    case Tok::Bang:
      nextConditionToken();
      if (!conditionUnary(value, depth + 1)) return false;
      if (token.kind == Tok::Dash) value.bits = 0 - value.bits;
      if (token.kind == Tok::Tilde) value.bits = ~value.bits;
      if (token.kind == Tok::Bang) value = {value.bits == 0 ? 1u : 0u, false};
      return true;
    case Tok::LeftParen:
      nextConditionToken();
      if (!conditionBinary(value, 1, depth + 1)) return false;
      if (conditionEnd_ || condition_.kind != Tok::RightParen) {
        conditionUnexpected();
        return false;
      }
      nextConditionToken();
      return true;
    case kRawNumber:
      if (!convertConditionNumber(names_.text(token.name()), value.bits, value.isUnsigned)) {
        diagnostics_.report(DiagKind::ConditionNumber, token.loc, {names_.text(token.name())});
        return false;
      }
      nextConditionToken();
      return true;
    default: break;
  }
  if (!isName(token)) {
    conditionUnexpected();
    return false;
  }
  if (names_.text(token.name()) == "defined") {
    if (token.loc.inMacro()) diagnostics_.report(DiagKind::DefinedFromMacro, token.loc);
    return conditionDefined(value);
  }
  // An unknown name is 0, except in ES.
  if (es_ && unevaluated_ == 0) {
    diagnostics_.report(DiagKind::ConditionUndefinedName, token.loc, {names_.text(token.name())});
    return false;
  }
  value = {0, false};
  nextConditionToken();
  return true;
}

// `defined X` and `defined ( X )`: condition_ is the word `defined`.
bool Engine::conditionDefined(Value& value) {
  Token token;
  const SourceLoc at = condition_.loc;
  bool good = readToken(token);
  const bool parenthesis = good && token.kind == Tok::LeftParen;
  if (parenthesis) good = readToken(token);
  if (!good || !isName(token)) {
    diagnostics_.report(DiagKind::DefinedNeedsName, good ? token.loc : at);
    return false;
  }
  value = {macroOf(token.name()) != kNone ? 1u : 0u, false};
  if (options_.observer != nullptr) noteMacro(token);
  if (parenthesis && (!readToken(token) || token.kind != Tok::RightParen)) {
    diagnostics_.report(DiagKind::DefinedNeedsName, at);
    return false;
  }
  nextConditionToken();
  return true;
}

}  // namespace coopc::frontend::preprocessing
