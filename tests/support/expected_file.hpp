// Cases in files: NAME.spvasm, and the expected text in NAME.expected next to it. With
// COOPC_UPDATE_EXPECTED=1 in the environment, the expectations are rewritten.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "tests/support/text_file.hpp"

namespace coopc::tests {

/// The cases of a folder, by name. A prelude.spvasm, which is prepended to the others, is not a case.
inline std::vector<std::filesystem::path> casesIn(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".spvasm" && entry.path().stem() != "prelude")
      files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Compares the text that a case gave with the expected one, or replaces the expected one.
inline void checkExpected(std::filesystem::path file, const std::string& text) {
  file.replace_extension(".expected");
  if (std::getenv("COOPC_UPDATE_EXPECTED") != nullptr)
    std::ofstream(file, std::ios::binary) << text;
  else
    CHECK(text == fileText(file));
}

}  // namespace coopc::tests
