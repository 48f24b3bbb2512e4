// The files that are being read: the main file, and the chain of files that include each other from there.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <unordered_set>

#include "frontend/lex/token_reader.hpp"
#include "frontend/preprocess/context.hpp"

namespace coopc::frontend::preprocessing {

class FileStack {
 public:
  explicit FileStack(Context& context) : c_(context) {}

  TokenReader& reader() { return *reader_; }
  FileId current() const { return files_.back().file; }
  FileId main() const { return main_; }
  bool isInMain() const { return current() == main_; }
  uint32_t depth() const { return static_cast<uint32_t>(files_.size()); }
  /// The conditional groups that were open where the current file begins.
  uint32_t outerConditionals() const { return files_.back().outerConditionals; }
  SourceLoc mainStart() const { return c_.sources.loc(main_, 0); }

  /// Notes the main file; false if it is larger than the limit.
  bool begin(FileId main);
  void enter(FileId file, size_t openConditionals);
  void leave();
  /// Counts the bytes of an included file; false if all files together exceed the limit.
  bool count(uint64_t bytes);
  /// Whether a file with this name is to be read only once, and has been read.
  bool isDone(const std::string& name) const { return once_.count(name) != 0; }
  void readOnce(std::string_view name) { addName(once_, name); }
  /// Adds a file to the list of included files, unless it is there already.
  void listIncluded(FileId file);

 private:
  struct FileState {
    TokenReader reader;
    FileId file;
    uint32_t outerConditionals;
  };
  static bool addName(std::unordered_set<std::string>& names, std::string_view name);

  Context& c_;
  std::deque<FileState> files_;  ///< the readers have stable addresses
  TokenReader* reader_ = nullptr;
  FileId main_ = 0;
  std::unordered_set<std::string> once_;      ///< names of files with #pragma once
  std::unordered_set<std::string> included_;  ///< names of the files in Context::out's list
  uint64_t bytes_ = 0;
};

}  // namespace coopc::frontend::preprocessing
