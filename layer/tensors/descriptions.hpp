// Memory for the descriptions of tensors, which lowered shaders read from uniform buffers.
#pragma once

#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>
#include <vulkan/vulkan_core.h>

namespace coopc::layer::tensors {

/// The most dimensions of a tensor (maxTensorDimensionCount).
inline constexpr uint32_t kMaxDimensions = 8;

/// Functions of the driver, or of the next layer, that tensors are made with.
struct DriverFunctions {
#define COOPC_TENSOR_FUNCTIONS(X)   \
  X(vkCreateBuffer)                 \
  X(vkDestroyBuffer)                \
  X(vkGetBufferMemoryRequirements2) \
  X(vkBindBufferMemory2)            \
  X(vkAllocateMemory)               \
  X(vkFreeMemory)                   \
  X(vkMapMemory)                    \
  X(vkCmdCopyBuffer)                \
  X(vkUpdateDescriptorSets)
#define COOPC_MEMBER(name) PFN_##name name = nullptr;
  COOPC_TENSOR_FUNCTIONS(COOPC_MEMBER)
#undef COOPC_MEMBER
};

/// Slices of buffers that the host has mapped, one for each tensor. Thread-safe.
class Descriptions {
 public:
  /// A dimension as shaders read it: a uvec4 of its size, its stride in elements, and two numbers that are
  /// not read.
  using Dimension = std::array<uint32_t, 4>;

  struct Slice {
    VkBuffer buffer = VK_NULL_HANDLE;
    uint64_t offset = 0;
    unsigned char* bytes = nullptr;
  };
  static constexpr uint64_t kSliceBytes = kMaxDimensions * sizeof(Dimension);

  /// `functions` must live as long as this object. `alignment`: minUniformBufferOffsetAlignment.
  Descriptions(VkDevice device, const DriverFunctions& functions,
               const VkPhysicalDeviceMemoryProperties& memory, uint64_t alignment);
  ~Descriptions();
  Descriptions(const Descriptions&) = delete;
  Descriptions& operator=(const Descriptions&) = delete;

  /// Writes a description. VK_ERROR_OUT_OF_DEVICE_MEMORY and other errors of the driver's.
  VkResult allocate(std::span<const Dimension> dimensions, Slice& slice);
  void release(const Slice& slice);

 private:
  struct Chunk {
    VkBuffer buffer = VK_NULL_HANDLE;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    unsigned char* bytes = nullptr;
  };

  VkResult grow();
  VkResult fill(Chunk& chunk) const;
  void destroy(const Chunk& chunk) const;

  VkDevice device_;
  const DriverFunctions& driver_;
  VkPhysicalDeviceMemoryProperties memory_;
  uint64_t stride_;
  std::mutex mutex_;
  std::vector<Chunk> chunks_;
  std::vector<Slice> free_;
};

}  // namespace coopc::layer::tensors
