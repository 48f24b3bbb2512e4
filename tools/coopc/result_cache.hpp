// --cache: results of compiles, kept in a folder from one run to the next.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "coopc/coopc.hpp"

namespace coopc::tool {

/// Reads the file of a dependency, as the compile did. Null text: the file does not exist.
using DependencyReader = std::function<coopc::SharedText(const std::string& name)>;

/// A result that is ok as bytes for any kind of cache; "" if a file that the compile read cannot be read now.
std::string resultEntry(std::string_view key, const coopc::Result& result, const DependencyReader& read);
/// The result in such bytes, if they are whole and of this key, all files that the compile read are as they
/// were, and those that it looked for and did not find are still missing. The diagnostics are there as text
/// and JSON only.
std::optional<coopc::Result> readResultEntry(std::string_view bytes, std::string_view key,
                                             const DependencyReader& read);

/// Results in files of one folder, which any number of processes and threads may share. A file is written
/// under another name and then renamed, so that a process that is killed leaves no part of one.
class ResultCache {
 public:
  using Reader = DependencyReader;

  /// The folder is made when the first result is kept; other files in it are not touched. `maxBytes`: what
  /// all results may take; the ones that were not used for the longest time are removed beyond that.
  ResultCache(std::string folder, uint64_t maxBytes) : folder_(std::move(folder)), maxBytes_(maxBytes) {}

  /// The result that is kept for this key and these files (readResultEntry).
  std::optional<coopc::Result> find(std::string_view key, const Reader& read) const;
  /// Keeps a result that is ok. Where that fails, nothing is kept.
  void keep(std::string_view key, const coopc::Result& result, const Reader& read) const;

 private:
  std::string fileOf(std::string_view key, uint32_t slot) const;

  std::string folder_;
  uint64_t maxBytes_;
};

/// Distinguishes a program's file from another version of it: its path, size and time of change.
std::string stampOf(const std::string& path);

}  // namespace coopc::tool
