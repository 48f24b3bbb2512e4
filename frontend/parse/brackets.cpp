// Counts and scans the brackets of a text, and finds the errors that may be consequences of a missing one.
// The braces of the whole text, counted once, tell whether a brace is missing.
#include "frontend/parse/brackets.hpp"

namespace coopc::frontend {

void Brackets::count() {
  int32_t parentheses = 0, brackets = 0;
  for (const Token& t : tokens_) {
    parentheses += int32_t(t.kind == Tok::LeftParen) - int32_t(t.kind == Tok::RightParen);
    brackets += int32_t(t.kind == Tok::LeftBracket) - int32_t(t.kind == Tok::RightBracket);
  }
  unbalanced_ = parentheses != 0 || brackets != 0;
}

int32_t Brackets::braceBalance() {
  if (!bracesCounted_) {
    bracesCounted_ = true;
    for (const Token& t : tokens_) {
      if (t.kind == Tok::LeftBrace) ++braceBalance_;
      if (t.kind == Tok::RightBrace) --braceBalance_;
    }
  }
  return braceBalance_;
}

bool Brackets::takeUnmatched(uint32_t pos) {
  if (leftBraceTaken_ || !rightBraceMissing()) return false;
  uint32_t depth = 0;
  for (; pos < tokens_.size(); ++pos) {
    if (tokens_[pos].kind == Tok::LeftBrace) ++depth;
    if (tokens_[pos].kind == Tok::RightBrace && --depth == 0) return false;
  }
  --braceBalance_;
  return leftBraceTaken_ = true;
}

uint32_t Brackets::countOpen(Tok open, Tok close, uint32_t begin, uint32_t end, uint32_t depth) const {
  for (uint32_t i = begin; i < end; ++i) {
    const Tok kind = tokens_[i].kind;
    if (kind == open) ++depth;
    if (kind == close && depth > 0) --depth;
  }
  return depth;
}

// Whether a parenthesis or a bracket is missing between token `pos` and the next semicolon or brace. The
// answer holds for all tokens that the last scan passed, so each token is scanned once.
bool Brackets::isMissingFrom(uint32_t pos) {
  if (pos >= scannedBegin_ && pos < scannedEnd_) return scannedLacks_;
  scannedBegin_ = pos;
  scannedLacks_ = scanFrom(pos);
  return scannedLacks_;
}

bool Brackets::scanFrom(uint32_t pos) {
  int32_t parentheses = 0, brackets = 0;
  uint32_t inHeader = tokens_[pos].kind == Tok::KwFor ? 2 : 0;  // semicolons
  for (uint32_t i = pos; i < tokens_.size(); ++i) {
    scannedEnd_ = i + 1;
    switch (tokens_[i].kind) {
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

void Brackets::beginDoubt() {
  doubt_ = Doubt::Possible;
  doubtfulSince_ = diagnostics_.mark();
  doubtfulNames_ = reportedNames_.size();
}

void Brackets::endDoubt() {
  if (doubt_ == Doubt::Reported) --diagnostics_.suppress;
  doubt_ = Doubt::None;
}

void Brackets::takeBack() {
  if (doubt_ != Doubt::Possible) return;
  diagnostics_.takeBack(doubtfulSince_);
  reportedNames_.resize(doubtfulNames_);
}

}  // namespace coopc::frontend
