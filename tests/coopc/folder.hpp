// A folder of files for one test, and the program run in it.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "tests/support/process.hpp"

namespace coopc::tests {

class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "coopc-program-XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
  }
  ~Folder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  void write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << text;
  }
  std::string read(const std::string& name) const {
    std::ifstream in(path_ / name, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }
  std::string place(const std::string& name) const { return (path_ / name).string(); }
  bool has(const std::string& name) const { return std::filesystem::exists(path_ / name); }
  ProcessResult run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), COOPC_PROGRAM);
    return runProcess(arguments, path_.string(), 60);
  }
  ProcessResult shell(const std::string& command) const {
    return runProcess({"/bin/sh", "-c", command}, path_.string(), 60);
  }

 private:
  std::filesystem::path path_;
};

inline bool isModule(const std::string& bytes) {
  return bytes.size() > 20 && bytes.size() % 4 == 0 && bytes.substr(0, 4) == "\x03\x02\x23\x07";
}

}  // namespace coopc::tests
