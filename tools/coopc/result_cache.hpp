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

/// A result that is ok, as bytes for any kind of cache; "" if a file that the compile read can no longer be
/// read.
std::string resultEntry(std::string_view key, const coopc::Result& result, const DependencyReader& read);
/// The result in such bytes. No value unless the bytes are complete and belong to this key, all files that
/// the compile read are unchanged, and all files that it did not find are still missing. Diagnostics are
/// available only as text and JSON.
std::optional<coopc::Result> readResultEntry(std::string_view bytes, std::string_view key,
                                             const DependencyReader& read);

/// Results in files of one folder, which any number of processes and threads may share. A file is written
/// under another name and then renamed, so that a killed process leaves no incomplete result.
class ResultCache {
 public:
  using Reader = DependencyReader;

  /// The folder is created when the first result is kept; other files in it are not touched. `maxBytes`: a
  /// limit for the size of all results. Beyond it, the least recently used ones are removed.
  ResultCache(std::string folder, uint64_t maxBytes) : folder_(std::move(folder)), maxBytes_(maxBytes) {}

  /// The result that is kept for this key and these files (readResultEntry).
  std::optional<coopc::Result> find(std::string_view key, const Reader& read) const;
  /// Keeps a result that is ok. If that fails, nothing is kept.
  void keep(std::string_view key, const coopc::Result& result, const Reader& read) const;

 private:
  std::string fileOf(std::string_view key, uint32_t slot) const;

  std::string folder_;
  uint64_t maxBytes_;
};

/// Distinguishes a program's file from other versions of it: its path, size and modification time.
std::string stampOf(const std::string& path);

}  // namespace coopc::tool
