// One Vulkan instance for all tests of a process, and the device that they run on: lavapipe, which the tests' launcher sets up,
// or the one that COOPC_TEST_DEVICE names (an index or a part of the name, as cooprun's --device). A header, so that only tests
// that have the harness need it.
#pragma once

#include <cstdlib>
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

// The device that COOPC_TEST_DEVICE names; without it lavapipe, so that a device that happens to be there is never taken.
inline const harness::PhysicalDevice& testDevice() {
  const char* wish = std::getenv("COOPC_TEST_DEVICE");
  if (wish == nullptr || *wish == 0) return lavapipe();
  const auto picked = harness::pickDevice(vulkan().devices(), wish);
  if (!picked) FAIL(picked.error().message);
  return **picked;
}

// What replaces a path that the build knows, on machines that have other paths.
inline std::string fromEnvironment(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != 0 ? value : otherwise;
}

}  // namespace coopc::tests
