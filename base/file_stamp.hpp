// Detects whether a file has changed without reading it.
#pragma once

#include <cstdint>
#include <string>
#ifdef _WIN32
#include "base/windows.hpp"
#else
#include <sys/stat.h>
#endif

namespace coopc {

/// All 0: the file does not exist.
struct FileStamp {
  uint64_t device = 0, inode = 0, size = 0;
  int64_t seconds = 0, fraction = 0;
  bool operator==(const FileStamp&) const = default;
};

inline FileStamp fileStamp(const std::string& path) {
#ifdef _WIN32
  WIN32_FILE_ATTRIBUTE_DATA info;
  if (GetFileAttributesExW(toWide(path).c_str(), GetFileExInfoStandard, &info) == 0) return {};
  return {0, 0, uint64_t{info.nFileSizeHigh} << 32 | info.nFileSizeLow,
          static_cast<int64_t>(info.ftLastWriteTime.dwHighDateTime),
          static_cast<int64_t>(info.ftLastWriteTime.dwLowDateTime)};
#else
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) return {};
#ifdef __APPLE__
  const timespec changed = info.st_mtimespec;
#else
  const timespec changed = info.st_mtim;
#endif
  return {static_cast<uint64_t>(info.st_dev), static_cast<uint64_t>(info.st_ino),
          static_cast<uint64_t>(info.st_size), static_cast<int64_t>(changed.tv_sec),
          static_cast<int64_t>(changed.tv_nsec)};
#endif
}

}  // namespace coopc
