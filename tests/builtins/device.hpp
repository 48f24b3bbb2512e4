// Compiles a shader and runs it on the test's device (tests/support/vulkan.hpp): buffers in, buffers out.
// Shared by the value tests. A value test is written with COOPC_VALUES_TEST instead of TEST_CASE, so that the
// test of coverage can walk through all of them (coverage.cpp). It counts as skipped when the device can run
// none of its shaders; otherwise a warning says how many were left out and why.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "tests/support/random.hpp"
#include "tests/support/vulkan.hpp"
#include "vulkan/executor/instance.hpp"
#include "vulkan/executor/runner.hpp"

namespace coopc::tests {

/// One shader with its buffers and images. Running it replaces their contents by the results.
struct ShaderRun {
  std::string text;
  std::vector<std::vector<uint8_t>> buffers;  ///< at bindings 0, 1, ... of set 0
  std::vector<vk::RunImage> images;           ///< at the bindings that they say
  uint32_t groups = 1;
  uint32_t dispatches = 1;
  /// Whether the module is lowered where the device lacks what it uses.
  bool lowers = false;
};

/// False (with a recorded reason) if the device lacks something, and in the coverage test, which runs
/// nothing.
bool runShader(ShaderRun& run);

/// The same with the parameters that most tests need.
bool runShader(const std::string& text, std::vector<std::vector<uint8_t>>& buffers, uint32_t groups,
               std::vector<vk::RunImage> images = {});

/// Notes what the test does not run, and why.
void leaveOut(const std::string& reason);

/// Whether runShader only records what would run; results do not exist then, and must not be checked.
bool notingCoverage();

struct ValuesTest {
  explicit ValuesTest(void (*body)());
};
/// Runs the test's body, and says what was left out.
void runValuesTest(void (*body)());

#define COOPC_VALUES_TEST_2(function, name)                    \
  static void function();                                      \
  static const coopc::tests::ValuesTest function##_(function); \
  TEST_CASE(name) { coopc::tests::runValuesTest(function); }   \
  static void function()
#define COOPC_VALUES_TEST_1(line, name) COOPC_VALUES_TEST_2(valuesTest##line, name)
#define COOPC_VALUES_TEST_0(line, name) COOPC_VALUES_TEST_1(line, name)
#define COOPC_VALUES_TEST(name) COOPC_VALUES_TEST_0(__LINE__, name)

template <typename T>
void put(std::vector<uint8_t>& bytes, size_t index, T v) {
  if (bytes.size() < (index + 1) * sizeof(T)) bytes.resize((index + 1) * sizeof(T));
  std::memcpy(bytes.data() + index * sizeof(T), &v, sizeof(T));
}
template <typename T>
T get(const std::vector<uint8_t>& bytes, size_t index) {
  T v;
  std::memcpy(&v, bytes.data() + index * sizeof(T), sizeof(T));
  return v;
}

}  // namespace coopc::tests
