// The expressions of #if and #elif (GLSL 4.60, 3.3): 64-bit two's complement as in C++.
#include "frontend/preprocess/condition_expression.hpp"

#include "frontend/language/keywords.hpp"
#include "frontend/lex/literals.hpp"

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

bool ConditionExpression::evaluate(std::string_view word, const Token& name) {
  atEnd_ = false;
  unevaluated_ = 0;
  Value value;
  bool good = false;
  if (!next()) {
    if (!c_.isStopped()) c_.diagnostics.report(DiagKind::ConditionMissing, name.loc, {word});
  } else {
    good = readBinary(value, 1, 0);
    if (good && !atEnd_) {
      c_.diagnostics.report(DiagKind::ExtraTokens, token_.loc, {word}).length(token_.length);
      good = false;
    }
  }
  expander_.leaveRuns();
  return good && value.bits != 0;
}

bool ConditionExpression::next() {
  while (expander_.readToken(token_)) {
    // The operand of `defined` is not expanded: readDefined() reads it.
    if (isName(token_) && c_.names.text(token_.name()) == "defined") return true;
    if (expander_.expand(token_)) continue;
    return true;
  }
  atEnd_ = true;
  return false;
}

void ConditionExpression::reportUnexpected() {
  if (atEnd_) {
    c_.diagnostics.report(DiagKind::ConditionUnexpected, token_.loc, {"end of the line"});
    return;
  }
  c_.diagnostics.report(DiagKind::ConditionUnexpected, token_.loc, {"`" + c_.spelling(token_) + "`"})
      .length(token_.loc.inMacro() ? 0 : token_.length);
}

// token_ is the first token; after the expression it is the token that ended it.
bool ConditionExpression::readBinary(Value& value, int minimum, uint32_t depth) {
  if (depth > kMaxDepth) {
    c_.diagnostics.report(DiagKind::ConditionTooDeep, token_.loc, {kMaxDepth});
    return false;
  }
  if (!readUnary(value, depth + 1)) return false;
  while (!atEnd_) {
    const Tok op = token_.kind;
    const int level = precedence(op);
    if (level < minimum || level == 0) return true;
    const SourceLoc at = token_.loc;
    const bool skip = (op == Tok::AndAnd && value.bits == 0) || (op == Tok::OrOr && value.bits != 0);
    Value right;
    next();
    unevaluated_ += skip;
    const bool good = readBinary(right, level + 1, depth + 1);
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
          c_.diagnostics.report(DiagKind::ConditionDivisionByZero, at);
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

bool ConditionExpression::readUnary(Value& value, uint32_t depth) {
  if (depth > kMaxDepth) {
    c_.diagnostics.report(DiagKind::ConditionTooDeep, token_.loc, {kMaxDepth});
    return false;
  }
  if (atEnd_) {
    reportUnexpected();
    return false;
  }
  const Token token = token_;
  switch (token.kind) {
    case Tok::Plus:
    case Tok::Dash:
    case Tok::Tilde:
    case Tok::Bang:
      next();
      if (!readUnary(value, depth + 1)) return false;
      if (token.kind == Tok::Dash) value.bits = 0 - value.bits;
      if (token.kind == Tok::Tilde) value.bits = ~value.bits;
      if (token.kind == Tok::Bang) value = {value.bits == 0 ? 1u : 0u, false};
      return true;
    case Tok::LeftParen:
      next();
      if (!readBinary(value, 1, depth + 1)) return false;
      if (atEnd_ || token_.kind != Tok::RightParen) {
        reportUnexpected();
        return false;
      }
      next();
      return true;
    case kRawNumber:
      if (const auto number = convertConditionNumber(c_.names.text(token.name()))) {
        value = {number->bits, number->isUnsigned};
        next();
        return true;
      }
      c_.diagnostics.report(DiagKind::ConditionNumber, token.loc, {c_.names.text(token.name())});
      return false;
    default: break;
  }
  if (!isName(token)) {
    reportUnexpected();
    return false;
  }
  if (c_.names.text(token.name()) == "defined") {
    if (token.loc.inMacro()) c_.diagnostics.report(DiagKind::DefinedFromMacro, token.loc);
    return readDefined(value);
  }
  // An unknown name is 0, except in ES.
  if (c_.es && unevaluated_ == 0) {
    c_.diagnostics.report(DiagKind::ConditionUndefinedName, token.loc, {c_.names.text(token.name())});
    return false;
  }
  value = {0, false};
  next();
  return true;
}

// `defined X` and `defined ( X )`: token_ is the word `defined`.
bool ConditionExpression::readDefined(Value& value) {
  Token token;
  const SourceLoc at = token_.loc;
  bool good = expander_.readToken(token);
  const bool parenthesis = good && token.kind == Tok::LeftParen;
  if (parenthesis) good = expander_.readToken(token);
  if (!good || !isName(token)) {
    c_.diagnostics.report(DiagKind::DefinedNeedsName, good ? token.loc : at);
    return false;
  }
  value = {macros_.of(token.name()) != kNone ? 1u : 0u, false};
  if (c_.options.observer != nullptr) expander_.noteUse(token);
  if (parenthesis && (!expander_.readToken(token) || token.kind != Tok::RightParen)) {
    c_.diagnostics.report(DiagKind::DefinedNeedsName, at);
    return false;
  }
  next();
  return true;
}

}  // namespace coopc::frontend::preprocessing
