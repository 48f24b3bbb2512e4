// A folder for the files of one test, which is removed with its object.
#pragma once

#include <filesystem>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string>

namespace coopc::tests {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::random_device random;
    do {
      path_ = std::filesystem::temp_directory_path() / ("coopc-test-" + std::to_string(random()));
    } while (!std::filesystem::create_directory(path_));  // false: the folder exists
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string path() const { return path_.string(); }
  /// The path of a file with that name, whether or not the file exists.
  std::string place(const std::string& name) const { return (path_ / name).string(); }
  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream file(path_ / name, std::ios::binary);
    file << text;
    if (!file.flush().good()) throw std::runtime_error("cannot write " + place(name));
  }

 private:
  std::filesystem::path path_;
};

}  // namespace coopc::tests
