// A fresh folder for what a benchmark writes, removed with all that is in it.
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

  /// "" where none could be made.
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace coopc::bench
