// All buffers of a run lie in one VkBuffer, each at a multiple of 4096 bytes with at least as many guard bytes before and
// after it, so that one copy in, one dispatch and one copy out are one submission.
#include "harness/suite/session.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>

#include "harness/logical_device.hpp"
#include "harness/preflight.hpp"

namespace coopc::harness::suite {
namespace {

constexpr uint64_t kGuard = 4096;  // at least every device's minStorageBufferOffsetAlignment
constexpr uint64_t kArena = uint64_t{16} << 20;
constexpr size_t kDevices = 8;
constexpr uint32_t kBindings = 6;
constexpr uint32_t kPushBytes = 128;

// What the suite's modules declare: Shader, Float16, Int16, Int8, GroupNonUniform, 16- and 8-bit storage buffers, the Vulkan
// memory model, physical storage buffers, cooperative matrices with all of GL_NV_cooperative_matrix2, bfloat16.
constexpr uint32_t kCapabilities[] = {1,    9,    22,   39,   61,   4433, 4448, 5345, 5347,
                                      6022, 5430, 5431, 5432, 5433, 5434, 5439, 5116, 5118};

// Of these, what the device has.
Requirements everything(const PhysicalDevice& device) {
  ModuleInfo module;
  module.version = 0x00010300;
  module.capabilities.assign(std::begin(kCapabilities), std::end(kCapabilities));
  module.matrices = true;
  module.workgroupScopeMatrices = true;
  ExtraNeeds extra;
  extra.bufferDeviceAddress = true;
  return requirementsOf(module, device, extra);
}

// Equal texts, equal devices.
std::string keyOf(const Requirements& needs) {
  std::string key;
  for (const std::string& name : needs.features.names()) key += name + " ";
  for (const std::string& extension : needs.extensions) key += extension + " ";
  return key;
}

uint8_t guardByte(uint64_t position) { return static_cast<uint8_t>(0x5A ^ (position * 41)); }

}  // namespace

// A VkDevice with exactly the given features, and everything that is made once for it.
class Session::Device {
 public:
  ~Device() {
    if (handle_ == VK_NULL_HANDLE || lost_) return;
    if (pool_ != VK_NULL_HANDLE) vk_.vkDestroyDescriptorPool(handle_, pool_, nullptr);
    if (layout_ != VK_NULL_HANDLE) vk_.vkDestroyPipelineLayout(handle_, layout_, nullptr);
    if (setLayout_ != VK_NULL_HANDLE) vk_.vkDestroyDescriptorSetLayout(handle_, setLayout_, nullptr);
    if (fence_ != VK_NULL_HANDLE) vk_.vkDestroyFence(handle_, fence_, nullptr);
    if (commandPool_ != VK_NULL_HANDLE) vk_.vkDestroyCommandPool(handle_, commandPool_, nullptr);
    for (Block* block : {&arena_, &staging_}) {
      if (block->buffer != VK_NULL_HANDLE) vk_.vkDestroyBuffer(handle_, block->buffer, nullptr);
      if (block->memory != VK_NULL_HANDLE) vk_.vkFreeMemory(handle_, block->memory, nullptr);
    }
    vk_.vkDestroyDevice(handle_, nullptr);
  }

  Status create(const Instance& instance, const PhysicalDevice& device, Requirements& needs) {
    const std::optional<ComputeFamily> family = computeFamily(instance, device);
    if (!family) return Error{"the device has no compute queue"};
    const Result<LogicalDevice> made = createLogicalDevice(instance, device, *family, needs, {});
    if (!made) return made.error();
    vk_ = made->api;
    handle_ = made->handle;
    queue_ = made->queue;
    memoryProperties_ = made->memory;
    addresses_ = needs.features.has(Feature::bufferDeviceAddress) && vk_.vkGetBufferDeviceAddress != nullptr;

    VkCommandPoolCreateInfo pool{};
    pool.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
    pool.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
    pool.queueFamilyIndex = family->index;
    if (Status bad =
            check(vk_.vkCreateCommandPool(handle_, &pool, nullptr, &commandPool_), "vkCreateCommandPool"))
      return bad;
    VkCommandBufferAllocateInfo allocate{};
    allocate.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
    allocate.commandPool = commandPool_;
    allocate.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
    allocate.commandBufferCount = 1;
    if (Status bad =
            check(vk_.vkAllocateCommandBuffers(handle_, &allocate, &commands_), "vkAllocateCommandBuffers"))
      return bad;
    VkFenceCreateInfo fence{};
    fence.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
    if (Status bad = check(vk_.vkCreateFence(handle_, &fence, nullptr, &fence_), "vkCreateFence")) return bad;

    const VkBufferUsageFlags copies = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    VkBufferUsageFlags usage = copies | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    if (addresses_) usage |= VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    if (Status bad = makeBlock(usage, false, arena_)) return bad;
    if (Status bad = makeBlock(copies, true, staging_)) return bad;
    void* mapped = nullptr;
    if (Status bad =
            check(vk_.vkMapMemory(handle_, staging_.memory, 0, VK_WHOLE_SIZE, 0, &mapped), "vkMapMemory"))
      return bad;
    bytes_ = static_cast<uint8_t*>(mapped);

    // One pipeline layout serves all cases.
    VkDescriptorSetLayoutBinding bindings[kBindings]{};
    for (uint32_t i = 0; i < kBindings; ++i) {
      bindings[i].binding = i;
      bindings[i].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
      bindings[i].descriptorCount = 1;
      bindings[i].stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
    }
    VkDescriptorSetLayoutCreateInfo set{};
    set.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
    set.bindingCount = kBindings;
    set.pBindings = bindings;
    if (Status bad = check(vk_.vkCreateDescriptorSetLayout(handle_, &set, nullptr, &setLayout_),
                           "vkCreateDescriptorSetLayout"))
      return bad;
    VkPushConstantRange range{};
    range.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
    range.size = kPushBytes;
    VkPipelineLayoutCreateInfo layout{};
    layout.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
    layout.setLayoutCount = 1;
    layout.pSetLayouts = &setLayout_;
    layout.pushConstantRangeCount = 1;
    layout.pPushConstantRanges = &range;
    if (Status bad =
            check(vk_.vkCreatePipelineLayout(handle_, &layout, nullptr, &layout_), "vkCreatePipelineLayout"))
      return bad;
    const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, kBindings};
    VkDescriptorPoolCreateInfo descriptors{};
    descriptors.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
    descriptors.maxSets = 1;
    descriptors.poolSizeCount = 1;
    descriptors.pPoolSizes = &size;
    if (Status bad = check(vk_.vkCreateDescriptorPool(handle_, &descriptors, nullptr, &pool_),
                           "vkCreateDescriptorPool"))
      return bad;
    VkDescriptorSetAllocateInfo one{};
    one.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
    one.descriptorPool = pool_;
    one.descriptorSetCount = 1;
    one.pSetLayouts = &setLayout_;
    return check(vk_.vkAllocateDescriptorSets(handle_, &one, &set_), "vkAllocateDescriptorSets");
  }

  Execution execute(const Program& program, std::span<const uint32_t> module, uint32_t timeoutSeconds) {
    Execution result;
    if (Status bad = run(program, module, timeoutSeconds, result)) {
      result.kind = lost_ ? Execution::Kind::Lost : Execution::Kind::Failed;
      result.reasons.push_back(bad->message);
    } else {
      result.kind = Execution::Kind::Done;
    }
    if (!lost_) {
      if (pipeline_ != VK_NULL_HANDLE) vk_.vkDestroyPipeline(handle_, pipeline_, nullptr);
      if (shader_ != VK_NULL_HANDLE) vk_.vkDestroyShaderModule(handle_, shader_, nullptr);
    }
    pipeline_ = VK_NULL_HANDLE;
    shader_ = VK_NULL_HANDLE;
    return result;
  }

 private:
  struct Block {
    VkBuffer buffer = VK_NULL_HANDLE;
    VkDeviceMemory memory = VK_NULL_HANDLE;
  };

  Status check(VkResult result, const char* what) {
    if (result == VK_SUCCESS) return std::nullopt;
    if (result == VK_ERROR_DEVICE_LOST) lost_ = true;
    return Error{std::string(what) + ": " + resultName(result)};
  }

  Status makeBlock(VkBufferUsageFlags usage, bool host, Block& block) {
    VkBufferCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
    info.size = kArena;
    info.usage = usage;
    if (Status bad = check(vk_.vkCreateBuffer(handle_, &info, nullptr, &block.buffer), "vkCreateBuffer"))
      return bad;
    VkMemoryRequirements needs{};
    vk_.vkGetBufferMemoryRequirements(handle_, block.buffer, &needs);
    const VkMemoryPropertyFlags need =
        host ? VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT : 0;
    const VkMemoryPropertyFlags want =
        host ? VK_MEMORY_PROPERTY_HOST_CACHED_BIT : VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
    uint32_t type = UINT32_MAX;
    for (const VkMemoryPropertyFlags flags : {need | want, need}) {
      for (uint32_t i = 0; i < memoryProperties_.memoryTypeCount && type == UINT32_MAX; ++i) {
        if ((needs.memoryTypeBits >> i & 1) != 0 &&
            (memoryProperties_.memoryTypes[i].propertyFlags & flags) == flags)
          type = i;
      }
    }
    if (type == UINT32_MAX) return Error{"no memory type fits"};
    VkMemoryAllocateFlagsInfo flags{};
    flags.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO;
    flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
    VkMemoryAllocateInfo allocate{};
    allocate.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
    allocate.pNext = (usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT) != 0 ? &flags : nullptr;
    allocate.allocationSize = needs.size;
    allocate.memoryTypeIndex = type;
    if (Status bad =
            check(vk_.vkAllocateMemory(handle_, &allocate, nullptr, &block.memory), "vkAllocateMemory"))
      return bad;
    return check(vk_.vkBindBufferMemory(handle_, block.buffer, block.memory, 0), "vkBindBufferMemory");
  }

  Status makePipeline(const Program& program, std::span<const uint32_t> module) {
    VkShaderModuleCreateInfo shader{};
    shader.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
    shader.codeSize = module.size_bytes();
    shader.pCode = module.data();
    if (Status bad =
            check(vk_.vkCreateShaderModule(handle_, &shader, nullptr, &shader_), "vkCreateShaderModule"))
      return bad;
    std::vector<VkSpecializationMapEntry> entries;
    std::vector<uint64_t> data;
    for (const Specialization& s : program.specializations) {
      entries.push_back({s.id, static_cast<uint32_t>(data.size() * 8), s.bytes});
      data.push_back(s.bits);
    }
    VkSpecializationInfo specialization{};
    specialization.mapEntryCount = static_cast<uint32_t>(entries.size());
    specialization.pMapEntries = entries.data();
    specialization.dataSize = data.size() * 8;
    specialization.pData = data.data();
    VkComputePipelineCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
    info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.module = shader_;
    info.stage.pName = "main";
    info.stage.pSpecializationInfo = entries.empty() ? nullptr : &specialization;
    info.layout = layout_;
    return check(vk_.vkCreateComputePipelines(handle_, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline_),
                 "vkCreateComputePipelines");
  }

  void barrier() {
    VkMemoryBarrier all{};
    all.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
    all.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_HOST_WRITE_BIT;
    all.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_HOST_READ_BIT;
    const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT;
    vk_.vkCmdPipelineBarrier(commands_, stages, stages, 0, 1, &all, 0, nullptr, 0, nullptr);
  }

  Status run(const Program& program, std::span<const uint32_t> module, uint32_t timeoutSeconds,
             Execution& result) {
    const size_t count = program.buffers.size();
    if (count > kBindings) return Error{"more buffers than bindings"};
    if (program.pushConstants.size() > kPushBytes) return Error{"more push constants than every device has"};
    std::vector<uint64_t> starts;
    uint64_t end = kGuard;
    for (const auto& buffer : program.buffers) {
      starts.push_back(end);
      end += (buffer.size() + kGuard - 1) / kGuard * kGuard + kGuard;
    }
    if (end > kArena) return Error{"the buffers are larger than the memory set aside"};

    const auto begin = std::chrono::steady_clock::now();
    Status made = makePipeline(program, module);
    result.pipelineMilliseconds =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    if (made) return made;

    for (uint64_t i = 0; i < end; ++i) bytes_[i] = guardByte(i);
    for (size_t i = 0; i < count; ++i) {
      if (!program.buffers[i].empty())
        std::memcpy(bytes_ + starts[i], program.buffers[i].data(), program.buffers[i].size());
    }
    for (uint32_t i = 0; i < kBindings; ++i) {
      // What a case does not use is the first guard zone: a stray access shows.
      const bool used = i < count && !program.buffers[i].empty();
      const VkDescriptorBufferInfo bound{arena_.buffer, used ? starts[i] : 0,
                                         used ? program.buffers[i].size() : kGuard};
      VkWriteDescriptorSet write{};
      write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
      write.dstSet = set_;
      write.dstBinding = i;
      write.descriptorCount = 1;
      write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
      write.pBufferInfo = &bound;
      vk_.vkUpdateDescriptorSets(handle_, 1, &write, 0, nullptr);
    }
    std::vector<uint8_t> push = program.pushConstants;
    push.resize((push.size() + 3) / 4 * 4);
    for (const Program::Address& address : program.addresses) {
      if (!addresses_) return Error{"the device has no buffer addresses"};
      VkBufferDeviceAddressInfo info{};
      info.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO;
      info.buffer = arena_.buffer;
      const uint64_t at = vk_.vkGetBufferDeviceAddress(handle_, &info) + starts[address.buffer];
      std::memcpy(push.data() + address.offset, &at, sizeof at);
    }

    VkCommandBufferBeginInfo start{};
    start.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
    start.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
    if (Status bad = check(vk_.vkBeginCommandBuffer(commands_, &start), "vkBeginCommandBuffer")) return bad;
    const VkBufferCopy all{0, 0, end};
    barrier();
    vk_.vkCmdCopyBuffer(commands_, staging_.buffer, arena_.buffer, 1, &all);
    barrier();
    vk_.vkCmdBindPipeline(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_);
    vk_.vkCmdBindDescriptorSets(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, layout_, 0, 1, &set_, 0, nullptr);
    if (!push.empty()) {
      vk_.vkCmdPushConstants(commands_, layout_, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                             static_cast<uint32_t>(push.size()), push.data());
    }
    vk_.vkCmdDispatch(commands_, program.groups[0], program.groups[1], program.groups[2]);
    barrier();
    vk_.vkCmdCopyBuffer(commands_, arena_.buffer, staging_.buffer, 1, &all);
    barrier();
    if (Status bad = check(vk_.vkEndCommandBuffer(commands_), "vkEndCommandBuffer")) return bad;
    VkSubmitInfo submit{};
    submit.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
    submit.commandBufferCount = 1;
    submit.pCommandBuffers = &commands_;
    if (Status bad = check(vk_.vkQueueSubmit(queue_, 1, &submit, fence_), "vkQueueSubmit")) return bad;
    const VkResult waited =
        vk_.vkWaitForFences(handle_, 1, &fence_, VK_TRUE, uint64_t{timeoutSeconds} * 1000000000);
    if (waited == VK_TIMEOUT) {
      lost_ = true;
      return Error{"the dispatch did not finish within " + std::to_string(timeoutSeconds) + " s"};
    }
    if (Status bad = check(waited, "vkWaitForFences")) return bad;
    if (Status bad = check(vk_.vkResetFences(handle_, 1, &fence_), "vkResetFences")) return bad;

    for (size_t i = 0; i < count; ++i) {
      result.buffers.emplace_back(bytes_ + starts[i], bytes_ + starts[i] + program.buffers[i].size());
    }
    for (size_t i = 0; i <= count; ++i) {
      const uint64_t from = i == 0 ? 0 : starts[i - 1] + program.buffers[i - 1].size();
      const uint64_t to = i == count ? end : starts[i];
      uint64_t changed = 0;
      uint64_t first = 0;
      for (uint64_t at = from; at < to; ++at) {
        if (bytes_[at] == guardByte(at)) continue;
        if (changed++ == 0) first = at;
      }
      if (changed == 0) continue;
      result.strayWrites.push_back(
          std::to_string(changed) + " bytes written outside the buffers, the first " +
          (i == 0 ? std::to_string(to - first) + " bytes before buffer 0"
                  : std::to_string(first - from) + " bytes past the end of buffer " + std::to_string(i - 1)));
    }
    return std::nullopt;
  }

  DeviceApi vk_;
  VkDevice handle_ = VK_NULL_HANDLE;
  VkQueue queue_ = VK_NULL_HANDLE;
  VkPhysicalDeviceMemoryProperties memoryProperties_{};
  VkCommandPool commandPool_ = VK_NULL_HANDLE;
  VkCommandBuffer commands_ = VK_NULL_HANDLE;
  VkFence fence_ = VK_NULL_HANDLE;
  Block arena_;
  Block staging_;
  uint8_t* bytes_ = nullptr;  // of the staging buffer
  VkDescriptorSetLayout setLayout_ = VK_NULL_HANDLE;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkDescriptorPool pool_ = VK_NULL_HANDLE;
  VkDescriptorSet set_ = VK_NULL_HANDLE;
  VkShaderModule shader_ = VK_NULL_HANDLE;
  VkPipeline pipeline_ = VK_NULL_HANDLE;
  bool addresses_ = false;
  bool lost_ = false;
};

Session::Session(const Instance& instance, const PhysicalDevice& device, uint32_t timeoutSeconds, bool exact)
    : instance_(instance), device_(device), timeoutSeconds_(timeoutSeconds), exact_(exact) {}
Session::~Session() = default;

Execution Session::execute(const Program& program, std::span<const uint32_t> module) {
  Execution result;
  RunRequest request;
  request.module = module;
  request.specializations = program.specializations;
  for (size_t i = 0; i < program.buffers.size(); ++i) {
    RunBuffer buffer;
    buffer.binding = static_cast<uint32_t>(i);
    buffer.bytes = program.buffers[i].size();
    request.buffers.push_back(std::move(buffer));
  }
  request.groups = program.groups;
  request.pushConstants = program.pushConstants;
  for (const Program::Address& address : program.addresses) {
    request.addresses.push_back({AddressPatch::kPushConstants, address.offset, address.buffer, 0, 1, 0});
  }
  Preflight possible = preflight(device_, request);
  if (possible.kind != RunOutcome::Kind::Done) {
    result.kind =
        possible.kind == RunOutcome::Kind::Skipped ? Execution::Kind::Skipped : Execution::Kind::Failed;
    result.reasons = std::move(possible.reasons);
    return result;
  }
  Requirements needs = possible.requirements;
  if (!exact_) {
    Requirements all = everything(device_);
    if (covers(all, needs)) needs = std::move(all);
  }
  const std::string key = keyOf(needs);
  auto it =
      std::find_if(devices_.begin(), devices_.end(), [&](const auto& item) { return item.first == key; });
  if (it == devices_.end()) {
    if (devices_.size() >= kDevices) devices_.pop_back();
    const auto begin = std::chrono::steady_clock::now();
    auto device = std::make_unique<Device>();
    if (Status bad = device->create(instance_, device_, needs)) {
      result.kind = Execution::Kind::Failed;
      result.reasons.push_back(bad->message);
      return result;
    }
    devices_.emplace_front(key, std::move(device));
    result.deviceMilliseconds =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  } else {
    devices_.splice(devices_.begin(), devices_, it);
  }
  const double deviceMilliseconds = result.deviceMilliseconds;
  result = devices_.front().second->execute(program, module, timeoutSeconds_);
  result.deviceMilliseconds = deviceMilliseconds;
  return result;
}

}  // namespace coopc::harness::suite
