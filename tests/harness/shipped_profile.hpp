// Reads a shipped profile for the suite's tests.
#pragma once

#include <cstdio>
#include <string>

#include <catch2/catch_test_macros.hpp>

#include "harness/suite/suite.hpp"

namespace coopc::tests {

inline std::string readProfile(const char* name) {
  const std::string path = std::string(COOPC_PROFILES_DIR) + "/" + name;
  std::FILE* file = std::fopen(path.c_str(), "rb");
  REQUIRE(file != nullptr);
  std::string text;
  char block[4096];
  for (size_t got; (got = std::fread(block, 1, sizeof block, file)) > 0;) text.append(block, got);
  std::fclose(file);
  return text;
}

inline harness::suite::TargetDevice target(const char* name) {
  const auto device = harness::suite::readTarget(readProfile(name));
  REQUIRE(device);
  return *device;
}

}  // namespace coopc::tests
