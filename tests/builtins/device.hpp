// Compiles a shader and runs it on lavapipe: buffers in, buffers out. Shared by the value tests.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "coopc/coopc.hpp"
#include "harness/device.hpp"
#include "harness/runner.hpp"

namespace coopc::tests {

inline harness::Instance& vulkan() {
  static std::unique_ptr<harness::Instance> shared;
  if (!shared) {
    auto created = harness::Instance::create({});
    if (!created) FAIL(created.error().message);
    shared = std::move(*created);
  }
  return *shared;
}

inline const harness::PhysicalDevice& lavapipe() {
  REQUIRE_FALSE(vulkan().devices().empty());
  const harness::PhysicalDevice& device = vulkan().devices()[0];
  REQUIRE(device.name.find("llvmpipe") != std::string::npos);
  return device;
}

/// Runs `text` with `buffers` at bindings 0, 1, ... of set 0; they hold what the shader left afterwards. False (after a
/// message) where the device lacks something.
inline bool runShader(const std::string& text, std::vector<std::vector<uint8_t>>& buffers, uint32_t groups,
                      std::vector<harness::RunImage> images = {},
                      std::vector<std::vector<uint8_t>>* imagesAfter = nullptr) {
  Options options;
  options.targetEnv = TargetEnv::Vulkan1_3;
  const Result compiled = compile(text, "test.comp", options);
  INFO(text);
  INFO(compiled.messages);
  REQUIRE(compiled.ok);
  harness::RunRequest request;
  request.module = compiled.words;
  request.groups = {groups, 1, 1};
  for (uint32_t i = 0; i < buffers.size(); ++i) {
    harness::RunBuffer b;
    b.name = "b" + std::to_string(i);
    b.binding = i;
    b.contents = buffers[i];
    b.bytes = b.contents.size();
    request.buffers.push_back(std::move(b));
  }
  request.images = std::move(images);
  const harness::RunOutcome outcome = harness::run(vulkan(), lavapipe(), request);
  std::string reasons;
  for (const std::string& r : outcome.reasons) reasons += r + "\n";
  if (outcome.kind == harness::RunOutcome::Kind::Skipped) {
    WARN("skipped: " << reasons);
    return false;
  }
  INFO(reasons);
  REQUIRE(outcome.kind == harness::RunOutcome::Kind::Done);
  CHECK(outcome.strayWrites.empty());
  for (size_t i = 0; i < buffers.size(); ++i) buffers[i] = request.buffers[i].contents;
  if (imagesAfter)
    for (const harness::RunImage& image : request.images) imagesAfter->push_back(image.contents);
  return true;
}

/// The same numbers everywhere.
struct Random {
  uint64_t state = 0x9E3779B97F4A7C15u;
  uint64_t next() {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
  }
  double unit() { return static_cast<double>(next() >> 11) / 9007199254740992.0; }
  double between(double low, double high) { return low + (high - low) * unit(); }
};

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
