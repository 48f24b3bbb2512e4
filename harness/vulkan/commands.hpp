// One command buffer that is recorded, submitted and waited for again and again; what is recorded into it; and what it is
// timed with.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "harness/vulkan/memory.hpp"
#include "harness/vulkan/pipeline.hpp"

namespace coopc::harness::vk {

class Commands {
 public:
  Outcome create(Device& device);
  /// A submission that takes longer (60 s unless this is called) is a Problem, and the device is abandoned.
  void setTimeout(uint32_t seconds) { timeoutSeconds_ = seconds; }
  VkCommandBuffer handle() const { return commands_; }

  Outcome begin();
  /// All that was written before, by host and device, is seen by all that comes after.
  void barrier();
  /// What dispatches before it wrote is seen by dispatches after it: what a program has between two dispatches of which one uses
  /// the other's results, and all that one should be timed with.
  void barrierOfDispatches();
  void dispatch(const ComputePipeline& pipeline, const PipelineLayout& layout,
                std::span<const VkDescriptorSet> sets, std::span<const uint8_t> pushConstants,
                const std::array<uint32_t, 3>& groups);
  /// Once more what was dispatched last, which is still bound.
  void dispatchAgain(const std::array<uint32_t, 3>& groups);
  /// Ends, submits and waits. `what` is for the message: "the dispatch".
  Outcome submit(const char* what);

 private:
  Device* device_ = nullptr;
  uint32_t timeoutSeconds_ = 60;
  Owned<VkCommandPool, &DeviceApi::vkDestroyCommandPool> pool_;
  VkCommandBuffer commands_ = VK_NULL_HANDLE;  ///< the pool's
  Owned<VkFence, &DeviceApi::vkDestroyFence> fence_;
};

/// Copies of buffers between host and device, through a staging buffer, piece by piece.
class Transfer {
 public:
  Transfer(Device& device, Commands& commands, StagingBuffer& staging)
      : device_(device), commands_(commands), staging_(staging) {}
  Outcome toDevice(std::span<const uint8_t> from, VkBuffer to, uint64_t offset);
  Outcome toHost(VkBuffer from, uint64_t offset, std::span<uint8_t> to);

  Device& device() const { return device_; }
  Commands& commands() const { return commands_; }
  StagingBuffer& staging() const { return staging_; }

 private:
  Device& device_;
  Commands& commands_;
  StagingBuffer& staging_;
};

/// Two timestamps around what is recorded between start() and stop().
class Stopwatch {
 public:
  Outcome create(Device& device, float timestampPeriod);
  void start(Commands& commands);
  void stop(Commands& commands);
  /// After the commands were submitted.
  Outcome read(double& nanoseconds);

 private:
  Device* device_ = nullptr;
  double period_ = 0;  ///< nanoseconds of a tick
  Owned<VkQueryPool, &DeviceApi::vkDestroyQueryPool> pool_;
};

}  // namespace coopc::harness::vk
