// File access with cooprun's messages, and checks of folders before a long run.
#include "tools/cooprun/files.hpp"

#include <cstdio>
#include <filesystem>

#include "base/whole_file.hpp"

namespace coopc::cooprun {

harness::Result<std::string> readText(const std::string& path) {
  std::string text;
  if (const std::string why = readWhole(path, text); !why.empty())
    return harness::Error{path + ": cannot be read: " + why};
  return text;
}

std::string fileOrName(const std::string& path) {
  if (path.empty()) return path;
  const harness::Result<std::string> text = readText(path);
  return text ? *text : path;
}

harness::Status writeFile(const std::string& path, std::string_view bytes) {
  if (const std::string why = writeWhole(path, bytes); !why.empty())
    return harness::Error{path + ": cannot be written: " + why};
  return std::nullopt;
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
  if (path.empty() || path == "-") return true;
  std::error_code ignored;
  const bool existed = std::filesystem::exists(path, ignored);
  std::FILE* file = std::fopen(path.c_str(), "ab");
  if (file == nullptr) return false;
  std::fclose(file);
  if (!existed) std::filesystem::remove(path, ignored);
  return true;
}

}  // namespace coopc::cooprun
