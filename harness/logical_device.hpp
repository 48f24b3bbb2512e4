// A VkDevice with one compute queue, made the same way for single runs (runner.hpp) and for the conformance suite
// (suite/session.hpp).
#pragma once

#include <cstdint>
#include <list>
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

// Whether what needs `needs` finds it where all of `all` is enabled.
bool covers(const Requirements& all, const Requirements& needs);

// With exactly the features and extensions of `needs` (and the portability subset, which a device that has it demands).
// An error has vkCreateDevice's result in words.
Result<LogicalDevice> createLogicalDevice(const Instance& instance, const PhysicalDevice& device,
                                          const ComputeFamily& family, const Requirements& needs,
                                          const LogicalDeviceOptions& options);

// Devices that are kept for later runs: making one takes a driver up to a second. The least recently used goes when there are
// more than a few. For one Instance and one PhysicalDevice.
class LogicalDevices {
 public:
  // Exact: a device has what a run needs and nothing else. AtLeast: one that has more will do, and a new one has all that was
  // asked for before, so that soon no more are made.
  enum class Match { Exact, AtLeast };

  explicit LogicalDevices(Match match = Match::Exact) : match_(match) {}
  ~LogicalDevices() { destroy(); }
  LogicalDevices(const LogicalDevices&) = delete;
  LogicalDevices& operator=(const LogicalDevices&) = delete;

  Result<LogicalDevice> get(const Instance& instance, const PhysicalDevice& device,
                            const ComputeFamily& family, const Requirements& needs,
                            const LogicalDeviceOptions& options);
  // After a device was lost or hangs: nothing is destroyed, as that could hang too.
  void abandon() {
    devices_.clear();
    abandoned_ = true;
  }
  // Then the instance cannot be destroyed either: devices of it are left.
  bool abandoned() const { return abandoned_; }
  // Destroys all; later runs make new ones.
  void destroy();

 private:
  struct Kept {
    Requirements needs;
    LogicalDeviceOptions options;
    LogicalDevice device;
  };
  bool serves(const Kept& kept, const Requirements& needs, const LogicalDeviceOptions& options) const;

  Match match_;
  bool abandoned_ = false;
  Requirements asked_;       // AtLeast: all needs so far
  std::list<Kept> devices_;  // the last used first
};

}  // namespace coopc::harness
