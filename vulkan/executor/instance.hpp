// Vulkan instances, the physical devices that they list, and the selection of a device by a user.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "vulkan/device/api.hpp"
#include "vulkan/device/physical_device.hpp"
#include "vulkan/device/result.hpp"

namespace coopc::vk {

struct InstanceOptions {
  /// Loads VK_LAYER_KHRONOS_validation and collects its errors and warnings. It is an error if the layer is
  /// not installed.
  bool validation = false;
};

class Instance {
 public:
  static Result<std::unique_ptr<Instance>> create(const InstanceOptions& options);
  ~Instance();
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  /// In the loader's order. Devices older than Vulkan 1.1 are left out.
  const std::vector<PhysicalDevice>& devices() const { return devices_; }
  const InstanceApi& api() const { return api_; }
  /// Messages of the validation layer since the last call.
  std::vector<std::string> takeMessages();

 private:
  Instance() = default;
  Status listDevices();

  GlobalApi global_;
  InstanceApi api_;
  VkInstance handle_ = VK_NULL_HANDLE;
  uint32_t version_ = 0;  ///< the version that was asked for
  VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
  std::vector<PhysicalDevice> devices_;
  struct Messages;
  std::unique_ptr<Messages> messages_;
};

/// Picks by index ("0"), or by a part of the name in any case; an empty string takes the best one: discrete
/// before integrated before virtual before CPU, then the loader's order.
Result<const PhysicalDevice*> pickDevice(const std::vector<PhysicalDevice>& devices, const std::string& wish);

}  // namespace coopc::vk
