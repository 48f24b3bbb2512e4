// Source text and places in it.
//
// Every file of a compile gets a contiguous range of one 31-bit position space, so that a place is 4 bytes
// wherever it is stored (tokens, expressions, declarations). A place inside a macro expansion has the top bit
// set and indexes the expansion table, which has the places where the token was spelled and the macro was
// used.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/base/shared_text.hpp"

namespace coopc::frontend {

using FileId = uint32_t;

/// A place in the source: 0 is nowhere; top bit clear: 1 + position; top bit set: index into the expansions.
struct SourceLoc {
  uint32_t raw = 0;

  bool valid() const { return raw != 0; }
  bool inMacro() const { return (raw >> 31) != 0; }
  friend bool operator==(SourceLoc a, SourceLoc b) { return a.raw == b.raw; }
};

/// A place as users see it. `line` and `fileName` respect #line; `lineText` is the physical line.
struct ResolvedLoc {
  FileId file = 0;
  std::string_view fileName;
  uint32_t line = 0;          ///< 1-based, after #line
  uint32_t physicalLine = 0;  ///< 1-based
  uint32_t column = 0;        ///< 1-based, in bytes
  std::string_view lineText;  ///< without the line end
};

class SourceManager {
 public:
  SourceManager();
  ~SourceManager();
  SourceManager(const SourceManager&) = delete;
  SourceManager& operator=(const SourceManager&) = delete;

  /// Adds a file and copies its text (followed by NULs, so that scanners need not test for the end).
  /// Returns kNoFile if the position space (2^31 - 1 bytes) is full.
  /// `includedFrom`: the place of the name in #include.
  FileId addFile(std::string name, std::string_view text, SourceLoc includedFrom = {});
  /// The same without a copy.
  FileId addFile(std::string name, SharedText text, SourceLoc includedFrom = {});
  static constexpr FileId kNoFile = ~0u;

  std::string_view text(FileId file) const;
  const LexedText* lexedText(FileId file) const;  ///< the text's tokens, or null
  std::string_view name(FileId file) const;
  SourceLoc includedFrom(FileId file) const;  ///< nowhere for files that were not included
  uint32_t fileCount() const;
  SourceLoc loc(FileId file, uint32_t offset) const;

  /// Registers one macro expansion's token: where it is spelled, where the macro was invoked, the macro's
  /// name. Returns `invoked` itself if the table is full.
  SourceLoc addExpansion(SourceLoc spelled, SourceLoc invoked, uint32_t macroName);

  /// The place in a file that a diagnostic points at: the outermost invocation for macro tokens.
  SourceLoc fileLoc(SourceLoc loc) const;
  /// Where the characters of the token are (for tokens of a macro's body, in its definition).
  SourceLoc spellingLoc(SourceLoc loc) const;
  /// For macro tokens: where the macro was invoked (possibly inside another macro); nowhere otherwise.
  SourceLoc invocationLoc(SourceLoc loc) const;
  /// For macro tokens: the macro whose body the token came from; 0 otherwise.
  uint32_t macroName(SourceLoc loc) const;

  /// #line: the line after `directive` gets the number `line`, and the file gets a new name if one is given.
  void addLineDirective(SourceLoc directive, uint32_t line, std::string_view newName, bool hasName);

  ResolvedLoc resolve(SourceLoc loc) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace coopc::frontend
