// Caches whose entries are the files of one folder, which several processes share.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

namespace coopc {

/// Deletes entries that were not used for the longest time (by their times of change) until the others take
/// at most seven eighths of `limit` bytes, if all of them take more than that. Entries have the extension
/// `extension` (".lowered"); a part of one that a killed process has left, ENTRY.EXTENSION.X.Y, is
/// deleted after an hour. No other file of the folder is touched. Returns the bytes of what is left.
inline uint64_t keepFolderBelow(const std::filesystem::path& folder, std::string_view extension,
                                uint64_t limit) {
  namespace fs = std::filesystem;
  struct File {
    fs::file_time_type used;
    uint64_t bytes;
    fs::path path;
  };
  std::vector<File> all;
  uint64_t sum = 0;
  const fs::file_time_type now = fs::file_time_type::clock::now();
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const fs::path& path = at->path();
    const bool entry = path.extension() == extension;
    if (!entry && path.stem().stem().extension() != extension) continue;
    std::error_code gone;  // other processes delete files too
    const File file{fs::last_write_time(path, gone), at->file_size(gone), path};
    if (gone) continue;
    if (entry) {
      sum += file.bytes;
      all.push_back(file);
    } else if (now - file.used > std::chrono::hours(1)) {
      fs::remove(path, gone);
    }
  }
  if (sum <= limit) return sum;
  std::sort(all.begin(), all.end(), [](const File& a, const File& b) { return a.used < b.used; });
  for (const File& file : all) {
    if (sum <= limit - limit / 8) break;
    std::error_code gone;
    fs::remove(file.path, gone);
    sum -= file.bytes;
  }
  return sum;
}

}  // namespace coopc
