// A chunk is a buffer with its own memory for many descriptions. The free slices of all chunks are in one
// list.
#include "layer/tensors/descriptions.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace coopc::layer::tensors {
namespace {

constexpr uint32_t kSlicesOfChunk = 256;

}  // namespace

Descriptions::Descriptions(VkDevice device, const DriverFunctions& functions,
                           const VkPhysicalDeviceMemoryProperties& memory, uint64_t alignment)
    : device_(device),
      driver_(functions),
      memory_(memory),
      stride_(std::max(std::bit_ceil(alignment), kSliceBytes)) {}

Descriptions::~Descriptions() {
  for (const Chunk& chunk : chunks_) destroy(chunk);
}

void Descriptions::destroy(const Chunk& chunk) const {
  driver_.vkDestroyBuffer(device_, chunk.buffer, nullptr);
  driver_.vkFreeMemory(device_, chunk.memory, nullptr);
}

VkResult Descriptions::fill(Chunk& chunk) const {
  VkBufferCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  info.size = kSlicesOfChunk * stride_;
  info.usage = VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT;
  VkResult result = driver_.vkCreateBuffer(device_, &info, nullptr, &chunk.buffer);
  if (result != VK_SUCCESS) return result;
  VkBufferMemoryRequirementsInfo2 of{};
  of.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_REQUIREMENTS_INFO_2;
  of.buffer = chunk.buffer;
  VkMemoryRequirements2 needs{};
  needs.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2;
  driver_.vkGetBufferMemoryRequirements2(device_, &of, &needs);
  // Every buffer can have memory of such a type.
  constexpr VkMemoryPropertyFlags kMapped =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  VkMemoryAllocateInfo allocation{};
  allocation.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  allocation.allocationSize = needs.memoryRequirements.size;
  while (allocation.memoryTypeIndex < memory_.memoryTypeCount &&
         ((needs.memoryRequirements.memoryTypeBits >> allocation.memoryTypeIndex & 1) == 0 ||
          (memory_.memoryTypes[allocation.memoryTypeIndex].propertyFlags & kMapped) != kMapped))
    ++allocation.memoryTypeIndex;
  if (allocation.memoryTypeIndex == memory_.memoryTypeCount) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  result = driver_.vkAllocateMemory(device_, &allocation, nullptr, &chunk.memory);
  if (result != VK_SUCCESS) return result;
  VkBindBufferMemoryInfo binding{};
  binding.sType = VK_STRUCTURE_TYPE_BIND_BUFFER_MEMORY_INFO;
  binding.buffer = chunk.buffer;
  binding.memory = chunk.memory;
  result = driver_.vkBindBufferMemory2(device_, 1, &binding);
  if (result != VK_SUCCESS) return result;
  void* mapped = nullptr;
  result = driver_.vkMapMemory(device_, chunk.memory, 0, VK_WHOLE_SIZE, 0, &mapped);
  chunk.bytes = static_cast<unsigned char*>(mapped);
  return result;
}

VkResult Descriptions::grow() {
  // Calls that may throw come first, so that no object of the driver is leaked.
  chunks_.reserve(chunks_.size() + 1);
  free_.reserve(free_.size() + kSlicesOfChunk);
  Chunk chunk;
  const VkResult result = fill(chunk);
  if (result != VK_SUCCESS) {
    destroy(chunk);
    return result;
  }
  chunks_.push_back(chunk);
  for (uint32_t n = kSlicesOfChunk; n-- > 0;)
    free_.push_back({chunk.buffer, n * stride_, chunk.bytes + n * stride_});
  return VK_SUCCESS;
}

VkResult Descriptions::allocate(std::span<const Dimension> dimensions, Slice& slice) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (free_.empty()) {
    if (const VkResult result = grow(); result != VK_SUCCESS) return result;
  }
  slice = free_.back();
  free_.pop_back();
  std::memcpy(slice.bytes, dimensions.data(), dimensions.size_bytes());
  return VK_SUCCESS;
}

void Descriptions::release(const Slice& slice) {
  if (slice.bytes == nullptr) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  free_.push_back(slice);  // there is room: it was in the list before
}

}  // namespace coopc::layer::tensors
