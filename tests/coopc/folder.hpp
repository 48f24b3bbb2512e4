// A folder of files for one test, and the program run in it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/process.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/text_file.hpp"

namespace coopc::tests {

class Folder : public TemporaryFolder {
 public:
  std::string read(const std::string& name) const { return fileText(place(name)); }
  bool has(const std::string& name) const { return std::filesystem::exists(place(name)); }
  ProcessResult run(std::vector<std::string> arguments, const std::string& input = {}) const {
    arguments.insert(arguments.begin(), COOPC_PROGRAM);
    if (input.empty()) return runProcess(arguments, path(), 60);
    const TemporaryFolder other;
    other.write("input", input);
    return runProcess(arguments, path(), 60, other.place("input"));
  }
  ProcessResult shell(const std::string& command) const {
    return runProcess({"/bin/sh", "-c", command}, path(), 60);
  }
};

inline bool isModule(const std::string& bytes) {
  return bytes.size() > 20 && bytes.size() % 4 == 0 && bytes.substr(0, 4) == "\x03\x02\x23\x07";
}

}  // namespace coopc::tests
