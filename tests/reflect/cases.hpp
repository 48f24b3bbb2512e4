// The modules of cases/, assembled.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "spirv/assembler.hpp"
#include "tests/support/expected_file.hpp"

namespace coopc::tests {

inline std::vector<std::filesystem::path> reflectionCases() { return casesIn(COOPC_REFLECT_CASES); }

inline std::vector<uint32_t> wordsOf(const std::filesystem::path& file) {
  spirv::AssemblyError error;
  const auto words = spirv::assemble(fileText(file), 0x00010600, error);
  INFO(file.string() << ":" << error.line << ":" << error.column << ": " << error.message);
  REQUIRE(words.has_value());
  return *words;
}

}  // namespace coopc::tests
