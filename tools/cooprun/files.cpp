#include "tools/cooprun/files.hpp"

#include <cstdio>
#include <filesystem>

namespace coopc::cooprun {

harness::Result<std::string> readText(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return harness::Error{path + ": cannot be opened"};
  std::string text;
  char block[65536];
  for (size_t got;
       (got = std::fread(block, 1, sizeof block, file)) > 0 && text.size() < (size_t{64} << 20);) {
    text.append(block, got);
  }
  const bool bad = std::ferror(file) != 0;
  std::fclose(file);
  if (bad) return harness::Error{path + ": cannot be read"};
  return text;
}

bool writeFile(const std::string& path, const void* data, size_t bytes) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return false;
  const bool written = std::fwrite(data, 1, bytes, file) == bytes;
  return std::fclose(file) == 0 && written;
}

bool makeFolders(std::initializer_list<std::string> folders) {
  for (const std::string& folder : folders) {
    std::error_code failed;
    if (folder.empty()) continue;
    std::filesystem::create_directories(folder, failed);
    if (!std::filesystem::is_directory(folder, failed)) {
      std::fprintf(stderr, "cooprun: %s: the folder cannot be created\n", folder.c_str());
      return false;
    }
  }
  return true;
}

bool canBeWritten(const std::string& path) {
  if (path.empty()) return true;
  std::error_code ignored;
  const bool existed = std::filesystem::exists(path, ignored);
  std::FILE* file = std::fopen(path.c_str(), "ab");
  if (file == nullptr) return false;
  std::fclose(file);
  if (!existed) std::filesystem::remove(path, ignored);
  return true;
}

}  // namespace coopc::cooprun
