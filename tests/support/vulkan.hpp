// One Vulkan instance for all tests of a process, and the device that they run on: lavapipe, which the tests' launcher sets up,
// or the one that COOPC_TEST_DEVICE names (an index or a part of the name, as cooprun's --device). What is made here is
// destroyed when the tests have run (vulkan.cpp): a driver may be gone when static objects are.
#pragma once

#include <string>

#include "harness/device.hpp"
#include "harness/vulkan/kept_devices.hpp"

namespace coopc::tests {

/// Fails the test where there is no loader.
harness::Instance& vulkan();

/// Fails the test where there is no device, or another one.
const harness::PhysicalDevice& lavapipe();

/// The device that COOPC_TEST_DEVICE names (where there is none of that name, the process ends); without it lavapipe, so that
/// a device that happens to be there is never taken.
const harness::PhysicalDevice& testDevice();

/// For RunRequest::devices in runs on testDevice(): its logical devices, kept from test to test.
harness::vk::LogicalDevices& keptDevices();

/// What replaces a path that the build knows, on machines that have other paths.
std::string fromEnvironment(const char* name, const char* otherwise);

}  // namespace coopc::tests
