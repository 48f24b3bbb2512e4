// Recording, submission and transfers. All barriers are full ones, except those between dispatches that are
// timed together.
#include "vulkan/executor/commands.hpp"

#include <algorithm>
#include <cstring>

namespace coopc::vk {

Outcome Commands::create(Device& device) {
  device_ = &device;
  const DeviceApi& api = device.api();
  VkCommandPoolCreateInfo pool{};
  pool.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  pool.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
  pool.queueFamilyIndex = device.family().index;
  if (Outcome bad = make(device, api.vkCreateCommandPool, "vkCreateCommandPool", pool, pool_)) return bad;
  VkCommandBufferAllocateInfo allocate{};
  allocate.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
  allocate.commandPool = pool_.get();
  allocate.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  allocate.commandBufferCount = 1;
  if (Outcome bad = device.check(api.vkAllocateCommandBuffers(device.handle(), &allocate, &commands_),
                                 "vkAllocateCommandBuffers"))
    return bad;
  VkFenceCreateInfo fence{};
  fence.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
  return make(device, api.vkCreateFence, "vkCreateFence", fence, fence_);
}

Outcome Commands::begin() {
  VkCommandBufferBeginInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  info.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  return device_->check(device_->api().vkBeginCommandBuffer(commands_, &info), "vkBeginCommandBuffer");
}

void Commands::barrier() {
  VkMemoryBarrier all{};
  all.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  all.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_HOST_WRITE_BIT;
  all.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_HOST_READ_BIT;
  const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT;
  device_->api().vkCmdPipelineBarrier(commands_, stages, stages, 0, 1, &all, 0, nullptr, 0, nullptr);
}

void Commands::barrierOfDispatches() {
  VkMemoryBarrier between{};
  between.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  between.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
  between.dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;
  const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
  device_->api().vkCmdPipelineBarrier(commands_, stages, stages, 0, 1, &between, 0, nullptr, 0, nullptr);
}

void Commands::bind(VkPipelineBindPoint point, VkPipeline pipeline, const PipelineLayout& layout,
                    std::span<const VkDescriptorSet> sets, std::span<const uint8_t> pushConstants) {
  const DeviceApi& api = device_->api();
  api.vkCmdBindPipeline(commands_, point, pipeline);
  if (!sets.empty()) {
    api.vkCmdBindDescriptorSets(commands_, point, layout.handle(), 0, static_cast<uint32_t>(sets.size()),
                                sets.data(), 0, nullptr);
  }
  if (!pushConstants.empty()) {
    api.vkCmdPushConstants(commands_, layout.handle(), layout.stages(), 0,
                           static_cast<uint32_t>(pushConstants.size()), pushConstants.data());
  }
}

void Commands::dispatch(const ComputePipeline& pipeline, const PipelineLayout& layout,
                        std::span<const VkDescriptorSet> sets, std::span<const uint8_t> pushConstants,
                        const std::array<uint32_t, 3>& groups) {
  bind(VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.handle(), layout, sets, pushConstants);
  device_->api().vkCmdDispatch(commands_, groups[0], groups[1], groups[2]);
}

void Commands::dispatchAgain(const std::array<uint32_t, 3>& groups) {
  device_->api().vkCmdDispatch(commands_, groups[0], groups[1], groups[2]);
}

Outcome Commands::submit(const char* what) {
  const DeviceApi& api = device_->api();
  if (Outcome bad = device_->check(api.vkEndCommandBuffer(commands_), "vkEndCommandBuffer")) return bad;
  VkSubmitInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  info.commandBufferCount = 1;
  info.pCommandBuffers = &commands_;
  if (Outcome bad =
          device_->check(api.vkQueueSubmit(device_->queue(), 1, &info, fence_.get()), "vkQueueSubmit"))
    return bad;
  const VkResult waited = api.vkWaitForFences(device_->handle(), 1, fence_.address(), VK_TRUE,
                                              uint64_t{timeoutSeconds_} * 1000000000);
  if (waited == VK_TIMEOUT) {
    device_->abandon();
    return Problem{std::string(what) + " did not finish within " + std::to_string(timeoutSeconds_) + " s"};
  }
  if (Outcome bad = device_->check(waited, "vkWaitForFences")) return bad;
  return device_->check(api.vkResetFences(device_->handle(), 1, fence_.address()), "vkResetFences");
}

Outcome Transfer::toDevice(std::span<const uint8_t> from, VkBuffer to, uint64_t offset) {
  for (uint64_t done = 0; done < from.size();) {
    const uint64_t part = std::min<uint64_t>(staging_.size(), from.size() - done);
    std::memcpy(staging_.bytes(), from.data() + done, part);
    if (Outcome bad = commands_.begin()) return bad;
    const VkBufferCopy region{0, offset + done, part};
    commands_.barrier();
    device_.api().vkCmdCopyBuffer(commands_.handle(), staging_.handle(), to, 1, &region);
    commands_.barrier();
    if (Outcome bad = commands_.submit("copy")) return bad;
    done += part;
  }
  return std::nullopt;
}

Outcome Transfer::toHost(VkBuffer from, uint64_t offset, std::span<uint8_t> to) {
  for (uint64_t done = 0; done < to.size();) {
    const uint64_t part = std::min<uint64_t>(staging_.size(), to.size() - done);
    if (Outcome bad = commands_.begin()) return bad;
    const VkBufferCopy region{offset + done, 0, part};
    commands_.barrier();
    device_.api().vkCmdCopyBuffer(commands_.handle(), from, staging_.handle(), 1, &region);
    commands_.barrier();
    if (Outcome bad = commands_.submit("copy")) return bad;
    std::memcpy(to.data() + done, staging_.bytes(), part);
    done += part;
  }
  return std::nullopt;
}

Outcome Transfer::checkExecution() {
  if (device_.executes()) return std::nullopt;
  constexpr size_t kBytes = 64;
  uint8_t* const from = staging_.bytes();
  uint8_t* const to = from + kBytes;
  std::fill_n(from, kBytes, uint8_t{0xA5});
  std::fill_n(to, kBytes, uint8_t{0});
  if (Outcome bad = commands_.begin()) return bad;
  const VkBufferCopy region{0, kBytes, kBytes};
  commands_.barrier();
  device_.api().vkCmdCopyBuffer(commands_.handle(), staging_.handle(), staging_.handle(), 1, &region);
  commands_.barrier();
  if (Outcome bad = commands_.submit("a copy")) return bad;
  if (std::equal(from, to, to)) {
    device_.setExecutes();
    return std::nullopt;
  }
  return Problem{"the device executes nothing: `cooprun pipelines` shows what its compiler makes of shaders",
                 true};
}

Outcome Stopwatch::create(Device& device, float timestampPeriod) {
  device_ = &device;
  period_ = static_cast<double>(timestampPeriod);
  VkQueryPoolCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO;
  info.queryType = VK_QUERY_TYPE_TIMESTAMP;
  info.queryCount = 2;
  return make(device, device.api().vkCreateQueryPool, "vkCreateQueryPool", info, pool_);
}

void Stopwatch::start(Commands& commands) {
  const DeviceApi& api = device_->api();
  api.vkCmdResetQueryPool(commands.handle(), pool_.get(), 0, 2);
  commands.barrier();
  api.vkCmdWriteTimestamp(commands.handle(), VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool_.get(), 0);
}

void Stopwatch::stop(Commands& commands) {
  device_->api().vkCmdWriteTimestamp(commands.handle(), VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool_.get(), 1);
}

Outcome Stopwatch::read(double& nanoseconds) {
  const uint32_t bits = device_->family().timestampBits;
  const uint64_t mask = bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
  uint64_t stamps[2] = {0, 0};
  if (Outcome bad = device_->check(device_->api().vkGetQueryPoolResults(
                                       device_->handle(), pool_.get(), 0, 2, sizeof stamps, stamps,
                                       sizeof stamps[0], VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
                                   "vkGetQueryPoolResults"))
    return bad;
  nanoseconds = static_cast<double>((stamps[1] - stamps[0]) & mask) * period_;
  return std::nullopt;
}

}  // namespace coopc::vk
