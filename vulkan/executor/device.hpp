// A VkDevice with one queue, and the rules for all objects that are created on it: failures are returned as a
// Problem, and objects of a device that is lost or hangs are not destroyed, because that could hang as well.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "vulkan/device/api.hpp"
#include "vulkan/device/result.hpp"
#include "vulkan/executor/features.hpp"
#include "vulkan/executor/instance.hpp"

namespace coopc::vk {

/// Why something was not done.
struct Problem {
  std::string message;
  /// The device lacks something that is requested, or has too little of it; this is not a failure.
  bool lacking = false;
};
/// No value on success.
using Outcome = std::optional<Problem>;

struct ComputeFamily {
  uint32_t index = 0;
  uint32_t timestampBits = 0;  ///< 0 if its queues do not support timestamps
};
/// The first queue family that supports compute and the other operations in `needs`; none on devices that
/// only copy or decode.
std::optional<ComputeFamily> computeFamily(const Instance& instance, const PhysicalDevice& device,
                                           VkQueueFlags needs = 0);

struct DeviceOptions {
  bool robustBufferAccess = false;  ///< every device has it, and no capability asks for it
  bool statistics = false;          ///< statistics of pipelines, if the device has them
  bool code = false;                ///< the code of pipelines' shaders, if the device has it
  bool operator==(const DeviceOptions&) const = default;
};

class Device {
 public:
  /// Enables exactly the features and extensions of `needs` (and the portability subset, which is required
  /// where it exists). An error has vkCreateDevice's result in words.
  static Result<std::unique_ptr<Device>> create(const Instance& instance, const PhysicalDevice& physical,
                                                const ComputeFamily& family, const Requirements& needs,
                                                const DeviceOptions& options);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  VkDevice handle() const { return handle_; }
  const DeviceApi& api() const { return api_; }
  VkQueue queue() const { return queue_; }
  const ComputeFamily& family() const { return family_; }
  const VkPhysicalDeviceMemoryProperties& memory() const { return memory_; }
  bool hasStatistics() const { return statistics_; }
  /// Whether the driver's internal representations of a pipeline's shader, or the binary that it caches, can
  /// be queried.
  bool hasRepresentations() const { return representations_; }
  bool hasBinaries() const { return binaries_; }
  /// Whether buffers have device addresses.
  bool hasAddresses() const { return addresses_; }

  /// Whether a submission is known to have had an effect (Transfer::checkExecution()).
  bool executes() const { return executes_; }
  void setExecutes() { executes_ = true; }

  /// A Problem that says what failed and how. If the device is lost, it is abandoned.
  Outcome check(VkResult result, const char* what);
  /// Marks the device as lost: neither it nor its objects are destroyed.
  void abandon() { abandoned_ = true; }
  bool isAbandoned() const { return abandoned_; }

 private:
  Device() = default;

  VkDevice handle_ = VK_NULL_HANDLE;
  DeviceApi api_;
  VkQueue queue_ = VK_NULL_HANDLE;
  ComputeFamily family_;
  VkPhysicalDeviceMemoryProperties memory_{};
  bool statistics_ = false;
  bool representations_ = false;
  bool binaries_ = false;
  bool addresses_ = false;
  bool abandoned_ = false;
  bool executes_ = false;
};

/// An object of a device, destroyed by the function of DeviceApi that `destroy` points to. The device must
/// live longer.
template <typename Handle, auto destroy>
class Owned {
 public:
  Owned() = default;
  Owned(const Device& device, Handle handle) : device_(&device), handle_(handle) {}
  ~Owned() { reset(); }
  Owned(Owned&& other) noexcept
      : device_(other.device_), handle_(std::exchange(other.handle_, Handle{VK_NULL_HANDLE})) {}
  Owned& operator=(Owned&& other) noexcept {
    if (this != &other) {
      reset();
      device_ = other.device_;
      handle_ = std::exchange(other.handle_, Handle{VK_NULL_HANDLE});
    }
    return *this;
  }
  Handle get() const { return handle_; }
  const Handle* address() const { return &handle_; }
  void reset() {
    if (handle_ != VK_NULL_HANDLE && !device_->isAbandoned())
      (device_->api().*destroy)(device_->handle(), handle_, nullptr);
    handle_ = VK_NULL_HANDLE;
  }

 private:
  const Device* device_ = nullptr;
  Handle handle_ = VK_NULL_HANDLE;
};

/// Calls one of the functions of DeviceApi that make an object from a structure, and keeps the object.
template <typename Create, typename Info, typename Handle, auto destroy>
Outcome make(Device& device, Create create, const char* name, const Info& info, Owned<Handle, destroy>& out) {
  Handle handle = VK_NULL_HANDLE;
  if (Outcome bad = device.check(create(device.handle(), &info, nullptr, &handle), name)) return bad;
  out = Owned<Handle, destroy>(device, handle);
  return std::nullopt;
}

}  // namespace coopc::vk
