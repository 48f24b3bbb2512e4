// A case's expected text, in a file beside the case: NAME.expected beside NAME.spvasm. COOPC_UPDATE_EXPECTED=1 in
// the environment rewrites the files.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <catch2/catch_test_macros.hpp>

#include "tests/support/text_file.hpp"

namespace coopc::tests {

/// Checks the text that a case gave, or makes it the expected one.
inline void checkExpected(std::filesystem::path file, const std::string& text) {
  file.replace_extension(".expected");
  if (std::getenv("COOPC_UPDATE_EXPECTED") != nullptr)
    std::ofstream(file, std::ios::binary) << text;
  else
    CHECK(text == fileText(file));
}

}  // namespace coopc::tests
