// Writes the text of -E.
#include "frontend/preprocess/text_output.hpp"

#include <algorithm>

#include "base/counted_text.hpp"
#include "frontend/language/keywords.hpp"

namespace coopc::frontend::preprocessing {
namespace {

constexpr uint32_t kMaxEmptyLines = 1000;
constexpr size_t kFixed = 64;  // more than #line needs besides the name, and a token besides its spelling

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

void TextOutput::beginFile(FileId file, bool isMain, SourceLoc at, uint32_t line) {
  file_ = file;
  last_ = Tok::End;
  if (isMain && line == 1) {
    line_ = 1;
    return;
  }
  const ResolvedLoc here = c_.sources.resolve(at);
  const std::string_view name = c_.mode.glslcText && line != 1 ? here.fileName : c_.sources.name(file_);
  makeRoom(*text_, name.size() + kFixed);
  if (!lineStart_) *text_ += '\n';
  *text_ += "#line " + std::to_string(line - (c_.lineIsNext() ? 0 : 1)) + " \"" + std::string(name) + "\"\n";
  line_ = here.physicalLine + (line == 1 ? 0 : 1);
  lineStart_ = afterLine_ = true;
}

// The lines that glslc puts before a text that includes others: the line of #version, whose own line becomes
// empty, and the #extension line that allows #include.
void TextOutput::frame(FileId main) {
  if (!includes_) return;
  std::string first;
  makeRoom(first, c_.sources.name(main).size() + 2 * kFixed);
  if (versionAt_ != std::string::npos) {
    const size_t end = std::min(text_->find('\n', versionAt_), text_->size());
    first = text_->substr(versionAt_, end - versionAt_) + "\n";
    text_->erase(versionAt_, end - versionAt_);
  }
  first += kIncludeLine;
  first += std::string("#line ") + (c_.lineIsNext() ? "1" : "0") + " \"" +
           std::string(c_.sources.name(main)) + "\"\n";
  text_->insert(0, first);
}

// Advances the text to the line of `loc`.
void TextOutput::advance(SourceLoc loc) {
  const ResolvedLoc at = c_.sources.resolve(loc);
  if (at.file != file_ || at.physicalLine <= line_) return;
  makeRoom(*text_, kMaxEmptyLines + kFixed);
  const uint32_t lines = at.physicalLine - line_;
  afterLine_ = false;
  if (c_.mode.glslcText) {
    makeRoom(*text_, lines + kFixed);
    text_->append(lines, '\n');
  } else if (lines > kMaxEmptyLines) {
    if (!lineStart_) *text_ += '\n';
    *text_ += "#line " + std::to_string(at.line) + "\n";
  } else {
    text_->append(lines, '\n');
  }
  line_ = at.physicalLine;
  lineStart_ = true;
  last_ = Tok::End;
}

void TextOutput::token(const Token& token) {
  advance(token.loc);
  if (c_.mode.glslcText && lineStart_ && !afterLine_) {
    const uint32_t indent = c_.sources.resolve(token.loc).column - 1;
    makeRoom(*text_, indent + kFixed);
    text_->append(indent, ' ');
  }
  // As glslang sees it, the token after a #line does not start a line.
  const bool joined = c_.mode.glslcText && afterLine_ && lastEver_ != Tok::End;
  const Tok last = joined ? lastEver_ : last_;
  const bool number = last == kRawNumber && token.kind == Tok::Dot;
  if ((!lineStart_ || joined) && (number || (!tightBefore(token.kind, last) && !tightAfter(last))))
    *text_ += ' ';
  const std::string text = c_.spelling(token);
  makeRoom(*text_, text.size() + kFixed);
  *text_ += text;
  last_ = lastEver_ = token.kind;
  lineStart_ = afterLine_ = false;
}

void TextOutput::directive(SourceLoc loc, std::string_view line) {
  advance(loc);
  makeRoom(*text_, line.size() + kFixed);
  if (!lineStart_) *text_ += '\n';
  *text_ += line;
  // The following text starts a new line even if the directive was inside the arguments of a macro.
  lineStart_ = afterLine_ = false;
  last_ = Tok::End;
}

void TextOutput::version(SourceLoc loc, std::string_view line) {
  advance(loc);
  versionAt_ = text_->size();
  directive(loc, line);
}

void TextOutput::lineDirective(SourceLoc loc, std::string_view line) {
  directive(loc, line);
  if (!c_.mode.glslcText) return;
  *text_ += '\n';
  ++line_;
  lineStart_ = afterLine_ = true;
}

}  // namespace coopc::frontend::preprocessing
