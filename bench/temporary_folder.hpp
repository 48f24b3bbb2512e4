// A fresh folder for a benchmark's files, which is removed with its contents.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace coopc::bench {

class TemporaryFolder {
 public:
  TemporaryFolder() : path_((std::filesystem::temp_directory_path() / "coopc-bench-XXXXXX").string()) {
    if (mkdtemp(path_.data()) == nullptr) path_.clear();
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  /// "" if no folder could be made.
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace coopc::bench
