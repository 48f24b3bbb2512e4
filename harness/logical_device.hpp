// A VkDevice with one compute queue, made the same way for single runs (runner.hpp) and for the conformance suite
// (suite/session.hpp).
#pragma once

#include <cstdint>
#include <optional>

#include "harness/device.hpp"
#include "harness/features.hpp"
#include "harness/result.hpp"
#include "harness/vulkan_api.hpp"

namespace coopc::harness {

struct ComputeFamily {
  uint32_t index = 0;
  uint32_t timestampBits = 0;  // 0: its queues take no timestamps
};
// The first family of queues that compute; none on devices that only copy or decode.
std::optional<ComputeFamily> computeFamily(const Instance& instance, const PhysicalDevice& device);

struct LogicalDeviceOptions {
  bool robustBufferAccess = false;  // every device has it, and no capability asks for it
  bool statistics = false;          // what the driver says of pipelines, where the device has that
};

struct LogicalDevice {
  VkDevice handle = VK_NULL_HANDLE;  // the caller's to destroy
  DeviceApi api;
  VkQueue queue = VK_NULL_HANDLE;
  VkPhysicalDeviceMemoryProperties memory{};
  bool statistics = false;
};

// With exactly the features and extensions of `needs` (and the portability subset, which a device that has it demands).
// An error has vkCreateDevice's result in words.
Result<LogicalDevice> createLogicalDevice(const Instance& instance, const PhysicalDevice& device,
                                          const ComputeFamily& family, Requirements& needs,
                                          const LogicalDeviceOptions& options);

}  // namespace coopc::harness
