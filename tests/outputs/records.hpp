// Records of whole outputs: a file with one line for each input, with its name and a fingerprint of its
// output. If an output changes, its line changes. With COOPC_UPDATE_EXPECTED=1 in the environment the file is
// rewritten.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace coopc::tests {

/// Words as "COUNT:HASH", or "-" if there are none.
std::string fingerprintOf(std::span<const uint32_t> words);
/// The same for the bytes of a text.
std::string fingerprintOf(std::string_view text);
/// A number computed from the name of an input, which chooses the input's options. Adding an input therefore
/// does not change the options of others.
uint32_t seedOf(std::string_view name);

class Record {
 public:
  explicit Record(std::filesystem::path file);

  /// Whether the line is the recorded one. `name` has no space.
  bool add(const std::string& name, const std::string& line);
  /// Whether enough lines differ to stop: one fault often changes most of the lines.
  bool hasEnoughDifferences() const { return !updates_ && differing_ >= 8; }
  /// Checks that every recorded line was added, and that there are at least `least`; or rewrites the file.
  void finish(size_t least);

 private:
  std::filesystem::path file_;
  bool updates_;
  size_t differing_ = 0;
  std::string differences_;
  std::map<std::string, std::string> recorded_, made_;
};

}  // namespace coopc::tests
