// Records of whole outputs: a file with one line for each input, its name and what was made of it. A change
// of an output is a change of its line. With COOPC_UPDATE_EXPECTED=1 in the environment the file is
// rewritten.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace coopc::tests {

/// Words as "COUNT:HASH"; none as "-".
std::string fingerprintOf(std::span<const uint32_t> words);
/// The same for the bytes of a text.
std::string fingerprintOf(std::string_view text);
/// A number for the name of an input, from which its options are chosen: those of the others then stay as
/// they are when an input is added.
uint32_t seedOf(std::string_view name);

class Record {
 public:
  explicit Record(std::filesystem::path file);

  /// Whether the line is the recorded one. `name` has no space.
  bool add(const std::string& name, const std::string& line);
  /// After a few lines that differ, the others need not be made: a fault often changes most of them.
  bool hasEnoughDifferences() const { return !updates_ && differing_ >= 8; }
  /// Checks that each recorded line was made, and that there are at least `least`; or rewrites the file.
  void finish(size_t least);

 private:
  std::filesystem::path file_;
  bool updates_;
  size_t differing_ = 0;
  std::string differences_;
  std::map<std::string, std::string> recorded_, made_;
};

}  // namespace coopc::tests
