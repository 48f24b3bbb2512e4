// One Vulkan instance for all tests of a process, and its first device: lavapipe, where the tests' launcher sets it up. A
// header, so that only tests that have the harness need it.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include <catch2/catch_test_macros.hpp>

#include "harness/device.hpp"

namespace coopc::tests {

// Fails the test where there is no loader.
inline harness::Instance& vulkan() {
  static std::unique_ptr<harness::Instance> shared;
  if (!shared) {
    auto created = harness::Instance::create({});
    if (!created) FAIL(created.error().message);
    shared = std::move(*created);
  }
  return *shared;
}

// Fails the test where there is no device, or another one.
inline const harness::PhysicalDevice& lavapipe() {
  REQUIRE_FALSE(vulkan().devices().empty());
  const harness::PhysicalDevice& device = vulkan().devices()[0];
  REQUIRE(device.name.find("llvmpipe") != std::string::npos);
  return device;
}

}  // namespace coopc::tests
