// -E: tokens and the directives that matter to a compiler, as text. Lines keep their numbers: skipped ones
// become empty lines, and #line marks the start of another file.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "frontend/preprocess/context.hpp"

namespace coopc::frontend::preprocessing {

class TextOutput {
 public:
  /// `text`: nullptr if the tokens are for the parser.
  TextOutput(Context& context, std::string* text) : c_(context), text_(text) {}

  bool isOn() const { return text_ != nullptr; }
  /// Nothing is written for the macros of the command line.
  void pause() { std::swap(text_, paused_); }
  void resume() { std::swap(text_, paused_); }

  /// A file starts, or continues after one that it included, at place `at` in line `line`.
  void beginFile(FileId file, bool isMain, SourceLoc at, uint32_t line);
  void token(const Token& token);
  void directive(SourceLoc loc, std::string_view line);
  void version(SourceLoc loc, std::string_view line);
  void lineDirective(SourceLoc loc, std::string_view line);
  void noteInclude() { includes_ = true; }
  void frame(FileId main);

 private:
  void advance(SourceLoc loc);

  Context& c_;
  std::string* text_;
  std::string* paused_ = nullptr;
  FileId file_ = ~0u;
  uint32_t line_ = 1;
  Tok last_ = Tok::End;
  bool lineStart_ = true;
  bool afterLine_ = false;   ///< nothing has been written since a #line
  Tok lastEver_ = Tok::End;  ///< like last_, but kept at the end of a line
  bool includes_ = false;
  size_t versionAt_ = std::string::npos;  ///< where the #version line is
};

}  // namespace coopc::frontend::preprocessing
