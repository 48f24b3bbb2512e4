// Memory of a device: buffers with their own memory, host-visible memory, and guard zones.
#pragma once

#include <cstdint>
#include <span>

#include "vulkan/executor/device.hpp"

namespace coopc::vk {

enum class Placement {
  Device,  ///< in the device's own memory where it has some
  Host,    ///< mapped, coherent and, where possible, cached
};

using Memory = Owned<VkDeviceMemory, &DeviceApi::vkFreeMemory>;

/// `address`: whether the address of the buffer will be queried. Lacking: not enough memory is free.
Outcome allocate(Device& device, const VkMemoryRequirements& needs, Placement placement, bool address,
                 Memory& out);

class Buffer {
 public:
  Outcome create(Device& device, uint64_t bytes, VkBufferUsageFlags usage, Placement placement);
  VkBuffer handle() const { return buffer_.get(); }
  const Memory& memory() const { return memory_; }
  uint64_t bytes() const { return bytes_; }
  /// Only for a buffer created with VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT.
  uint64_t address(const Device& device) const;

 private:
  Memory memory_;
  Owned<VkBuffer, &DeviceApi::vkDestroyBuffer> buffer_;
  uint64_t bytes_ = 0;
};

/// Memory that is visible to host and device, for copies in and out.
class StagingBuffer {
 public:
  Outcome create(Device& device, uint64_t bytes);
  VkBuffer handle() const { return buffer_.handle(); }
  uint64_t size() const { return buffer_.bytes(); }
  uint8_t* bytes() const { return bytes_; }

 private:
  Buffer buffer_;
  uint8_t* bytes_ = nullptr;
};

/// The length of a guard zone, and the alignment of buffers. Guard zones of known bytes around buffers reveal
/// writes outside of them. At least every device's minStorageBufferOffsetAlignment (at most 256 by the Vulkan
/// specification).
inline constexpr uint64_t kGuardBytes = 4096;

/// The bytes of a zone that starts at `position` of its buffer.
void fillGuard(std::span<uint8_t> zone, uint64_t position);

struct GuardDamage {
  uint64_t bytes = 0;  ///< the number of bytes that differ from what fillGuard() wrote
  uint64_t first = 0;  ///< offsets in the zone
  uint64_t last = 0;
};
GuardDamage findDamage(std::span<const uint8_t> zone, uint64_t position);

}  // namespace coopc::vk
