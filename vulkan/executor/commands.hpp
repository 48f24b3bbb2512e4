// One command buffer that is recorded, submitted and waited for repeatedly; its commands; and timing.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "vulkan/executor/memory.hpp"
#include "vulkan/executor/pipeline.hpp"

namespace coopc::vk {

class Commands {
 public:
  Outcome create(Device& device);
  /// A submission that takes longer (60 s unless this is called) is a Problem, and the device is abandoned.
  void setTimeout(uint32_t seconds) { timeoutSeconds_ = seconds; }
  VkCommandBuffer handle() const { return commands_; }

  Outcome begin();
  /// Makes all earlier writes, by host and device, visible to everything that follows.
  void barrier();
  /// Makes the writes of earlier dispatches visible to later ones. Programs have this barrier between a
  /// dispatch and another one that uses its results, so timings should include it and no other.
  void barrierOfDispatches();
  /// Binds a pipeline with its sets and constants.
  void bind(VkPipelineBindPoint point, VkPipeline pipeline, const PipelineLayout& layout,
            std::span<const VkDescriptorSet> sets, std::span<const uint8_t> pushConstants);
  void dispatch(const ComputePipeline& pipeline, const PipelineLayout& layout,
                std::span<const VkDescriptorSet> sets, std::span<const uint8_t> pushConstants,
                const std::array<uint32_t, 3>& groups);
  /// Repeats the last dispatch, whose state is still bound.
  void dispatchAgain(const std::array<uint32_t, 3>& groups);
  /// Ends, submits and waits. `what` names the submission in messages: "the dispatch".
  Outcome submit(const char* what);

 private:
  Device* device_ = nullptr;
  uint32_t timeoutSeconds_ = 60;
  Owned<VkCommandPool, &DeviceApi::vkDestroyCommandPool> pool_;
  VkCommandBuffer commands_ = VK_NULL_HANDLE;  ///< owned by the pool
  Owned<VkFence, &DeviceApi::vkDestroyFence> fence_;
};

/// Copies of buffers between host and device, through a staging buffer, piece by piece.
class Transfer {
 public:
  Transfer(Device& device, Commands& commands, StagingBuffer& staging)
      : device_(device), commands_(commands), staging_(staging) {}
  Outcome toDevice(std::span<const uint8_t> from, VkBuffer to, uint64_t offset);
  Outcome toHost(VkBuffer from, uint64_t offset, std::span<uint8_t> to);
  /// Lacking: the device drops submitted work, as drivers without their card do (docs/devices/drivers.md).
  /// Found by a copy inside the staging buffer, once for each device.
  Outcome checkExecution();

  Device& device() const { return device_; }
  Commands& commands() const { return commands_; }
  StagingBuffer& staging() const { return staging_; }

 private:
  Device& device_;
  Commands& commands_;
  StagingBuffer& staging_;
};

/// Two timestamps around the commands that are recorded between start() and stop().
class Stopwatch {
 public:
  Outcome create(Device& device, float timestampPeriod);
  void start(Commands& commands);
  void stop(Commands& commands);
  /// Called after the commands have been submitted.
  Outcome read(double& nanoseconds);

 private:
  Device* device_ = nullptr;
  double period_ = 0;  ///< nanoseconds per tick
  Owned<VkQueryPool, &DeviceApi::vkDestroyQueryPool> pool_;
};

}  // namespace coopc::vk
