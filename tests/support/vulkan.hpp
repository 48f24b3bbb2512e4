// One Vulkan instance for all tests of a process, and the device on which they run: lavapipe, which the
// tests' launcher sets up, or the one that COOPC_TEST_DEVICE names (an index or a part of the name, as in
// cooprun's --device). These objects are destroyed when the tests have run (vulkan.cpp), because a driver may
// be unloaded before static objects are destroyed.
#pragma once

#include <string>

#include "vulkan/executor/instance.hpp"
#include "vulkan/executor/kept_devices.hpp"

namespace coopc::tests {

/// Fails the test if there is no loader.
vk::Instance& vulkan();

/// Fails the test if there is no device, or if it is another one.
const vk::PhysicalDevice& lavapipe();

/// The device that COOPC_TEST_DEVICE names; if no device matches, the process exits. By default it is
/// lavapipe, so that another device in the machine is never used.
const vk::PhysicalDevice& testDevice();

/// For RunRequest::devices in runs on testDevice(): its logical devices, kept from test to test.
vk::LogicalDevices& keptDevices();

/// The value of an environment variable, or `otherwise`: replaces paths fixed in the build on machines with
/// other paths.
std::string fromEnvironment(const char* name, const char* otherwise);

}  // namespace coopc::tests
