// Conversions of matrices on devices whose cooperative vectors are the layer's: a compute pipeline of the
// layer, and the state of command buffers that it changes, so that programs do not notice it.
#pragma once

#ifndef VK_NO_PROTOTYPES
#define VK_NO_PROTOTYPES
#endif
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>
#include <vulkan/vulkan_core.h>

#include "layer/vectors/matrices.hpp"

namespace coopc::layer::vectors {

/// Functions of the driver, or of the next layer, that conversions of matrices need.
struct DriverFunctions {
#define COOPC_VECTOR_FUNCTIONS(X) \
  X(vkCreateShaderModule)         \
  X(vkDestroyShaderModule)        \
  X(vkCreatePipelineLayout)       \
  X(vkDestroyPipelineLayout)      \
  X(vkCreateComputePipelines)     \
  X(vkDestroyPipeline)            \
  X(vkCmdBindPipeline)            \
  X(vkCmdBindShadersEXT)          \
  X(vkCmdPushConstants)           \
  X(vkCmdPipelineBarrier)         \
  X(vkCmdDispatch)
#define COOPC_MEMBER(name) PFN_##name name = nullptr;
  COOPC_VECTOR_FUNCTIONS(COOPC_MEMBER)
#undef COOPC_MEMBER
};

/// State of a program in a command buffer that a conversion changes. Descriptors stay bound: the layer's
/// pipeline has none, and binding a pipeline does not affect them.
class ComputeState {
 public:
  void bindPipeline(VkPipeline pipeline);
  void bindShader(VkShaderEXT shader);
  void push(VkPipelineLayout layout, VkShaderStageFlags stages, uint32_t offset, uint32_t size,
            const void* values);
  /// Sets the whole state again.
  void restore(const DriverFunctions& driver, VkCommandBuffer commands) const;

 private:
  struct Pushed {
    VkPipelineLayout layout;
    VkShaderStageFlags stages;
    uint32_t offset;
    std::vector<std::byte> values;
  };

  /// At most one of these is set: each replaces the other.
  VkPipeline pipeline_ = VK_NULL_HANDLE;
  VkShaderEXT shader_ = VK_NULL_HANDLE;
  std::vector<Pushed> pushed_;  ///< in the program's order
};

/// The layer's state of a device whose cooperative vectors are its own. Thread-safe.
class VectorDevice {
 public:
  VectorDevice(VkDevice device, PFN_vkGetDeviceProcAddr following);
  ~VectorDevice();
  VectorDevice(const VectorDevice&) = delete;
  VectorDevice& operator=(const VectorDevice&) = delete;

  /// A command buffer that begins to be recorded, and one that ends: its state is kept in between.
  void begin(VkCommandBuffer commands);
  void end(VkCommandBuffer commands);
  /// Its state; no other thread may use the command buffer while it is recorded.
  ComputeState& stateOf(VkCommandBuffer commands);

  struct Request {
    Conversion conversion;
    VkDeviceAddress from = 0, to = 0;
  };
  /// Records conversions, in the pipeline stage ALL_TRANSFER with its accesses. Errors of the driver's, if it
  /// cannot make the pipeline.
  VkResult record(VkCommandBuffer commands, const std::vector<Request>& requests);

 private:
  VkResult makePipeline();

  VkDevice device_;
  DriverFunctions driver_;
  std::mutex mutex_;
  std::unordered_map<VkCommandBuffer, std::unique_ptr<ComputeState>> states_;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkPipeline pipeline_ = VK_NULL_HANDLE;
};

}  // namespace coopc::layer::vectors
