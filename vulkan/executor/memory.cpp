// Chooses memory types, and makes buffers in them.
#include "vulkan/executor/memory.hpp"

namespace coopc::vk {
namespace {

uint8_t guardByte(uint64_t position) { return static_cast<uint8_t>(0xA5 ^ (position * 37)); }

std::optional<uint32_t> memoryType(const Device& device, uint32_t allowed, Placement placement) {
  const bool host = placement == Placement::Host;
  const VkMemoryPropertyFlags need =
      host ? VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT : 0;
  const VkMemoryPropertyFlags want =
      host ? VK_MEMORY_PROPERTY_HOST_CACHED_BIT : VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
  const VkPhysicalDeviceMemoryProperties& memory = device.memory();
  for (const VkMemoryPropertyFlags flags : {need | want, need}) {
    for (uint32_t i = 0; i < memory.memoryTypeCount; ++i) {
      if ((allowed >> i & 1) != 0 && (memory.memoryTypes[i].propertyFlags & flags) == flags) return i;
    }
  }
  return std::nullopt;
}

}  // namespace

Outcome allocate(Device& device, const VkMemoryRequirements& needs, Placement placement, bool address,
                 Memory& out) {
  const std::optional<uint32_t> type = memoryType(device, needs.memoryTypeBits, placement);
  if (!type) return Problem{"no memory type fits"};
  VkMemoryAllocateFlagsInfo flags{};
  flags.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO;
  flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
  VkMemoryAllocateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  info.pNext = address ? &flags : nullptr;
  info.allocationSize = needs.size;
  info.memoryTypeIndex = *type;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  const VkResult result = device.api().vkAllocateMemory(device.handle(), &info, nullptr, &memory);
  if (result == VK_ERROR_OUT_OF_DEVICE_MEMORY)
    return Problem{"the device has no " + std::to_string(needs.size) + " bytes of memory free", true};
  if (Outcome bad = device.check(result, "vkAllocateMemory")) return bad;
  out = Memory(device, memory);
  return std::nullopt;
}

Outcome Buffer::create(Device& device, uint64_t bytes, VkBufferUsageFlags usage, Placement placement) {
  VkBufferCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  info.size = bytes;
  info.usage = usage;
  if (Outcome bad = make(device, device.api().vkCreateBuffer, "vkCreateBuffer", info, buffer_)) return bad;
  VkMemoryRequirements needs{};
  device.api().vkGetBufferMemoryRequirements(device.handle(), handle(), &needs);
  const bool address = (usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT) != 0;
  if (Outcome bad = allocate(device, needs, placement, address, memory_)) return bad;
  bytes_ = bytes;
  return device.check(device.api().vkBindBufferMemory(device.handle(), handle(), memory_.get(), 0),
                      "vkBindBufferMemory");
}

uint64_t Buffer::address(const Device& device) const {
  VkBufferDeviceAddressInfo info{};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO;
  info.buffer = handle();
  return device.api().vkGetBufferDeviceAddress(device.handle(), &info);
}

Outcome StagingBuffer::create(Device& device, uint64_t bytes) {
  const VkBufferUsageFlags usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  if (Outcome bad = buffer_.create(device, bytes, usage, Placement::Host)) return bad;
  void* mapped = nullptr;
  if (Outcome bad = device.check(
          device.api().vkMapMemory(device.handle(), buffer_.memory().get(), 0, VK_WHOLE_SIZE, 0, &mapped),
          "vkMapMemory"))
    return bad;
  bytes_ = static_cast<uint8_t*>(mapped);
  return std::nullopt;
}

void fillGuard(std::span<uint8_t> zone, uint64_t position) {
  for (uint64_t at = 0; at < zone.size(); ++at) zone[at] = guardByte(position + at);
}

GuardDamage findDamage(std::span<const uint8_t> zone, uint64_t position) {
  GuardDamage damage;
  for (uint64_t at = 0; at < zone.size(); ++at) {
    if (zone[at] == guardByte(position + at)) continue;
    if (damage.bytes++ == 0) damage.first = at;
    damage.last = at;
  }
  return damage;
}

}  // namespace coopc::vk
