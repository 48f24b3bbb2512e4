// -E: tokens and the directives that matter to a compiler, as text. Lines keep their numbers: skipped ones become empty
// lines, and #line marks the start of another file.
#include "base/counted_text.hpp"
#include "frontend/language/keywords.hpp"
#include "frontend/preprocess/engine.hpp"

namespace coopc::frontend::preprocessing {
namespace {

constexpr uint32_t kMaxEmptyLines = 1000;
constexpr size_t kFixed = 64;  // more bytes than #line has beside the name, and tokens beside their spelling

// Positions without a blank, as in glslc's output.
bool tightBefore(Tok kind, Tok last) {
  switch (kind) {
    case Tok::Semicolon:
    case Tok::RightParen:
    case Tok::LeftBracket:
    case Tok::RightBracket:
    case Tok::Dot:
    case Tok::Comma: return true;
    case Tok::LeftParen:
      return last == Tok::Identifier || last == Tok::TypeName || (last >= Tok::KwFirst && last != Tok::Count);
    default: return false;
  }
}
bool tightAfter(Tok kind) { return kind == Tok::LeftParen || kind == Tok::LeftBracket || kind == Tok::Dot; }

}  // namespace

// A file starts or continues.
void Engine::textFile(uint32_t line) {
  textFile_ = files_.back().file;
  textLast_ = Tok::End;
  if (files_.size() == 1 && line == 1) {
    textLine_ = 1;
    return;
  }
  makeRoom(*text_, sources_.name(textFile_).size() + kFixed);
  if (!textLineStart_) *text_ += '\n';
  *text_ += "#line " + std::to_string(line) + " \"" + std::string(sources_.name(textFile_)) + "\"\n";
  textLine_ = sources_.resolve(reader().here()).physicalLine + (line == 1 ? 0 : 1);
  textLineStart_ = true;
}

// Advances the text to the line of `loc`.
void Engine::textSync(SourceLoc loc) {
  const ResolvedLoc at = sources_.resolve(loc);
  if (at.file != textFile_ || at.physicalLine <= textLine_) return;
  makeRoom(*text_, kMaxEmptyLines + kFixed);
  const uint32_t lines = at.physicalLine - textLine_;
  if (lines > kMaxEmptyLines) {
    if (!textLineStart_) *text_ += '\n';
    *text_ += "#line " + std::to_string(at.line) + "\n";
  } else {
    text_->append(lines, '\n');
  }
  textLine_ = at.physicalLine;
  textLineStart_ = true;
  textLast_ = Tok::End;
}

void Engine::textToken(const Token& token) {
  textSync(token.loc);
  const bool number = textLast_ == kRawNumber && token.kind == Tok::Dot;
  if (!textLineStart_ && (number || (!tightBefore(token.kind, textLast_) && !tightAfter(textLast_))))
    *text_ += ' ';
  const std::string text = spelling(token);
  makeRoom(*text_, text.size() + kFixed);
  *text_ += text;
  textLast_ = token.kind;
  textLineStart_ = false;
}

void Engine::textDirective(SourceLoc loc, std::string_view line) {
  textSync(loc);
  makeRoom(*text_, line.size() + kFixed);
  if (!textLineStart_) *text_ += '\n';
  *text_ += line;
  // The following text starts a new line even if the directive was inside the arguments of a macro.
  textLineStart_ = false;
  textLast_ = Tok::End;
}

}  // namespace coopc::frontend::preprocessing
