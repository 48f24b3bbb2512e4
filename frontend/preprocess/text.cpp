// -E: tokens and the directives that matter to a compiler, as text. Lines keep their numbers: skipped ones
// become empty lines, and #line marks the start of another file.
#include "base/counted_text.hpp"
#include "frontend/language/keywords.hpp"
#include "frontend/preprocess/engine.hpp"

namespace coopc::frontend::preprocessing {
namespace {

constexpr uint32_t kMaxEmptyLines = 1000;
constexpr size_t kFixed = 64;  // more bytes than #line has beside the name, and tokens beside their spelling

constexpr std::string_view kIncludeLine = "#extension GL_GOOGLE_include_directive : enable\n";

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
  const ResolvedLoc here = sources_.resolve(reader().here());
  const std::string_view name = mode_.glslcText && line != 1 ? here.fileName : sources_.name(textFile_);
  makeRoom(*text_, name.size() + kFixed);
  if (!textLineStart_) *text_ += '\n';
  *text_ += "#line " + std::to_string(line - (lineIsNext() ? 0 : 1)) + " \"" + std::string(name) + "\"\n";
  textLine_ = here.physicalLine + (line == 1 ? 0 : 1);
  textLineStart_ = textAfterLine_ = true;
}

// The lines that glslc puts before a text that includes others: the line of #version, whose own line becomes
// empty, and the #extension line that allows #include.
void Engine::frameText() {
  if (!textIncludes_) return;
  std::string first;
  makeRoom(first, sources_.name(main_).size() + 2 * kFixed);
  if (textVersionAt_ != std::string::npos) {
    const size_t end = std::min(text_->find('\n', textVersionAt_), text_->size());
    first = text_->substr(textVersionAt_, end - textVersionAt_) + "\n";
    text_->erase(textVersionAt_, end - textVersionAt_);
  }
  first += kIncludeLine;
  first +=
      std::string("#line ") + (lineIsNext() ? "1" : "0") + " \"" + std::string(sources_.name(main_)) + "\"\n";
  text_->insert(0, first);
}

// Advances the text to the line of `loc`.
void Engine::textSync(SourceLoc loc) {
  const ResolvedLoc at = sources_.resolve(loc);
  if (at.file != textFile_ || at.physicalLine <= textLine_) return;
  makeRoom(*text_, kMaxEmptyLines + kFixed);
  const uint32_t lines = at.physicalLine - textLine_;
  textAfterLine_ = false;
  if (mode_.glslcText) {
    makeRoom(*text_, lines + kFixed);
    text_->append(lines, '\n');
  } else if (lines > kMaxEmptyLines) {
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
  if (mode_.glslcText && textLineStart_ && !textAfterLine_) {
    const uint32_t indent = sources_.resolve(token.loc).column - 1;
    makeRoom(*text_, indent + kFixed);
    text_->append(indent, ' ');
  }
  // As glslang sees it, the token behind a #line does not start a line.
  const bool joined = mode_.glslcText && textAfterLine_ && textLastEver_ != Tok::End;
  const Tok last = joined ? textLastEver_ : textLast_;
  const bool number = last == kRawNumber && token.kind == Tok::Dot;
  if ((!textLineStart_ || joined) && (number || (!tightBefore(token.kind, last) && !tightAfter(last))))
    *text_ += ' ';
  const std::string text = spelling(token);
  makeRoom(*text_, text.size() + kFixed);
  *text_ += text;
  textLast_ = textLastEver_ = token.kind;
  textLineStart_ = textAfterLine_ = false;
}

void Engine::textDirective(SourceLoc loc, std::string_view line) {
  textSync(loc);
  makeRoom(*text_, line.size() + kFixed);
  if (!textLineStart_) *text_ += '\n';
  *text_ += line;
  // The following text starts a new line even if the directive was inside the arguments of a macro.
  textLineStart_ = textAfterLine_ = false;
  textLast_ = Tok::End;
}

}  // namespace coopc::frontend::preprocessing
