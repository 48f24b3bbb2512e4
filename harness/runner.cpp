// One device per run, unless the request has kept ones, with exactly the features that the module needs (and the few that no
// capability announces), so that a module that forgets a capability does not pass by luck. Buffers lie between guard zones
// of known bytes.
#include "harness/runner.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <functional>
#include <sys/file.h>
#include <unistd.h>

#include "harness/image_format.hpp"
#include "harness/logical_device.hpp"
#include "harness/preflight.hpp"

namespace coopc::harness {
namespace {

// At least every device's minStorageBufferOffsetAlignment (at most 256 by the Vulkan specification), so that what is
// bound can start right after the first guard.
constexpr uint64_t kGuardBytes = 4096;
constexpr uint64_t kStagingBytes = uint64_t{64} << 20;

uint8_t guardByte(uint64_t position) { return static_cast<uint8_t>(0xA5 ^ (position * 37)); }

// Undoes things in reverse order, unless abandoned.
class Cleanup {
 public:
  ~Cleanup() {
    if (abandoned_) return;
    for (auto it = actions_.rbegin(); it != actions_.rend(); ++it) (*it)();
  }
  Cleanup() = default;
  Cleanup(const Cleanup&) = delete;
  Cleanup& operator=(const Cleanup&) = delete;
  void add(std::function<void()> action) { actions_.push_back(std::move(action)); }
  void abandon() { abandoned_ = true; }

 private:
  std::vector<std::function<void()>> actions_;
  bool abandoned_ = false;
};

struct Memory {
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  uint64_t bytes = 0;
};

struct Image {
  VkImage image = VK_NULL_HANDLE;
  VkImageView view = VK_NULL_HANDLE;
  VkSampler sampler = VK_NULL_HANDLE;
  Memory texels;  // of a texel buffer, instead of the image
  VkBufferView texelView = VK_NULL_HANDLE;
};

class Run {
 public:
  Run(const Instance& instance, const PhysicalDevice& device, RunRequest& request)
      : instance_(instance), device_(device), request_(request) {}

  RunOutcome execute() {
    const bool ok = isRunnable() && createDevice() && createPipeline() && createBuffers() && takeTurn() &&
                    fillBuffers() && createImages() && createDescriptors() && dispatchOnce() && readBack() &&
                    timeRuns();
    if (ok) outcome_.kind = RunOutcome::Kind::Done;
    if (turn_ >= 0) close(turn_);
    return std::move(outcome_);
  }

 private:
  // --- outcomes

  bool fail(std::string reason) {
    outcome_.kind = RunOutcome::Kind::Failed;
    outcome_.reasons.push_back(std::move(reason));
    return false;
  }

  bool skip(std::string reason) {
    outcome_.kind = RunOutcome::Kind::Skipped;
    outcome_.reasons.push_back(std::move(reason));
    return false;
  }

  bool check(VkResult result, const char* what) {
    if (result == VK_SUCCESS) return true;
    if (result == VK_ERROR_DEVICE_LOST || result == VK_TIMEOUT) abandon();
    return fail(std::string(what) + ": " + resultName(result));
  }

  // What could hang is left alone.
  void abandon() {
    outcome_.lost = true;
    cleanup_.abandon();
    if (request_.devices != nullptr) request_.devices->abandon();
  }

  bool isRunnable() {
    Preflight checked = preflight(device_, request_);
    requirements_ = std::move(checked.requirements);
    outcome_.kind = checked.kind;
    outcome_.reasons = std::move(checked.reasons);
    if (checked.kind != RunOutcome::Kind::Done) return false;
    for (const RunBuffer& buffer : request_.buffers) {
      if (buffer.contents.size() != buffer.bytes) return fail("buffer '" + buffer.name + "' is not filled");
    }
    return true;
  }

  bool takeTurn() {
    if (request_.turnFile.empty()) return true;
    turn_ = open(request_.turnFile.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (turn_ < 0 || flock(turn_, LOCK_EX) != 0) {
      return fail(request_.turnFile + ": " + std::strerror(errno));
    }
    return true;
  }

  bool createDevice() {
    addresses_ = requirements_.features.has(Feature::bufferDeviceAddress);

    const std::optional<ComputeFamily> family = computeFamily(instance_, device_);
    if (!family) return skip("the device has no compute queue");
    timestampBits_ = family->timestampBits;
    if (request_.runs > 0 && timestampBits_ == 0)
      return skip("timing: the device's compute queue has no timestamps");
    const LogicalDeviceOptions options{request_.robustBufferAccess, request_.statistics};
    const bool kept = request_.devices != nullptr;
    const Result<LogicalDevice> made =
        kept ? request_.devices->get(instance_, device_, *family, requirements_, options)
             : createLogicalDevice(instance_, device_, *family, requirements_, options);
    if (!made) return fail(made.error().message);
    statistics_ = made->statistics;
    vk_ = made->api;
    handle_ = made->handle;
    if (!kept) cleanup_.add([this] { vk_.vkDestroyDevice(handle_, nullptr); });
    queue_ = made->queue;
    memoryProperties_ = made->memory;

    VkCommandPoolCreateInfo pool{};
    pool.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
    pool.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
    pool.queueFamilyIndex = family->index;
    VkCommandPool commandPool = VK_NULL_HANDLE;
    if (!check(vk_.vkCreateCommandPool(handle_, &pool, nullptr, &commandPool), "vkCreateCommandPool"))
      return false;
    cleanup_.add([this, commandPool] { vk_.vkDestroyCommandPool(handle_, commandPool, nullptr); });
    VkCommandBufferAllocateInfo allocate{};
    allocate.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
    allocate.commandPool = commandPool;
    allocate.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
    allocate.commandBufferCount = 1;
    if (!check(vk_.vkAllocateCommandBuffers(handle_, &allocate, &commands_), "vkAllocateCommandBuffers"))
      return false;
    VkFenceCreateInfo fence{};
    fence.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
    if (!check(vk_.vkCreateFence(handle_, &fence, nullptr, &fence_), "vkCreateFence")) return false;
    cleanup_.add([this] { vk_.vkDestroyFence(handle_, fence_, nullptr); });

    // No larger than the largest transfer: memory that the CPU can read is slow to get.
    stagingSize_ = kGuardBytes;
    for (const RunBuffer& buffer : request_.buffers) stagingSize_ = std::max(stagingSize_, buffer.bytes);
    for (const RunImage& image : request_.images) stagingSize_ = std::max(stagingSize_, image.bytes());
    stagingSize_ = std::min(stagingSize_, kStagingBytes);
    if (!allocateBuffer(stagingSize_, VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                        true, staging_)) {
      return false;
    }
    void* mapped = nullptr;
    if (!check(vk_.vkMapMemory(handle_, staging_.memory, 0, VK_WHOLE_SIZE, 0, &mapped), "vkMapMemory"))
      return false;
    stagingBytes_ = static_cast<uint8_t*>(mapped);
    return true;
  }

  // --- memory

  bool allocateMemory(const VkMemoryRequirements& needs, bool hostVisible, bool address,
                      VkDeviceMemory& memory) {
    const VkMemoryPropertyFlags need =
        hostVisible ? VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT : 0;
    const VkMemoryPropertyFlags want =
        hostVisible ? VK_MEMORY_PROPERTY_HOST_CACHED_BIT : VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
    uint32_t type = UINT32_MAX;
    for (const VkMemoryPropertyFlags flags : {need | want, need}) {
      for (uint32_t i = 0; i < memoryProperties_.memoryTypeCount && type == UINT32_MAX; ++i) {
        const bool allowed = (needs.memoryTypeBits >> i & 1) != 0;
        if (allowed && (memoryProperties_.memoryTypes[i].propertyFlags & flags) == flags) type = i;
      }
    }
    if (type == UINT32_MAX) return fail("no memory type fits");
    VkMemoryAllocateFlagsInfo flags{};
    flags.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO;
    flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
    VkMemoryAllocateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
    info.pNext = address ? &flags : nullptr;
    info.allocationSize = needs.size;
    info.memoryTypeIndex = type;
    const VkResult result = vk_.vkAllocateMemory(handle_, &info, nullptr, &memory);
    if (result == VK_ERROR_OUT_OF_DEVICE_MEMORY) {
      return skip("the device has no " + std::to_string(needs.size) + " bytes of memory free");
    }
    if (!check(result, "vkAllocateMemory")) return false;
    cleanup_.add([this, handle = memory] { vk_.vkFreeMemory(handle_, handle, nullptr); });
    return true;
  }

  bool allocateBuffer(uint64_t bytes, VkBufferUsageFlags usage, bool hostVisible, Memory& out) {
    const bool address = (usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT) != 0;
    VkBufferCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
    info.size = bytes;
    info.usage = usage;
    if (!check(vk_.vkCreateBuffer(handle_, &info, nullptr, &out.buffer), "vkCreateBuffer")) return false;
    cleanup_.add([this, handle = out.buffer] { vk_.vkDestroyBuffer(handle_, handle, nullptr); });
    VkMemoryRequirements needs{};
    vk_.vkGetBufferMemoryRequirements(handle_, out.buffer, &needs);
    if (!allocateMemory(needs, hostVisible, address, out.memory)) return false;
    out.bytes = bytes;
    return check(vk_.vkBindBufferMemory(handle_, out.buffer, out.memory, 0), "vkBindBufferMemory");
  }

  // Writes or reads `bytes` of a buffer through the staging buffer. Exactly one of `from` and `to` is set.
  bool transfer(VkBuffer buffer, uint64_t offset, uint64_t bytes, const uint8_t* from, uint8_t* to) {
    for (uint64_t done = 0; done < bytes;) {
      const uint64_t part = std::min(stagingSize_, bytes - done);
      if (from != nullptr) std::memcpy(stagingBytes_, from + done, part);
      if (!begin()) return false;
      const VkBufferCopy toDevice{0, offset + done, part};
      const VkBufferCopy toHost{offset + done, 0, part};
      barrier();
      if (from != nullptr) {
        vk_.vkCmdCopyBuffer(commands_, staging_.buffer, buffer, 1, &toDevice);
      } else {
        vk_.vkCmdCopyBuffer(commands_, buffer, staging_.buffer, 1, &toHost);
      }
      barrier();
      if (!submit("copy")) return false;
      if (to != nullptr) std::memcpy(to + done, stagingBytes_, part);
      done += part;
    }
    return true;
  }

  // Memory only, no work for the device yet: other processes may be timing.
  bool createBuffers() {
    memories_.resize(request_.buffers.size());
    for (size_t i = 0; i < request_.buffers.size(); ++i) {
      const RunBuffer& buffer = request_.buffers[i];
      VkBufferUsageFlags usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
      usage |= buffer.kind == BufferSpec::Kind::Uniform ? VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT
                                                        : VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
      if (addresses_) usage |= VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
      if (!allocateBuffer(buffer.contents.size() + 2 * kGuardBytes, usage, false, memories_[i])) return false;
    }
    for (const AddressPatch& patch : request_.addresses) {
      VkBufferDeviceAddressInfo info{};
      info.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO;
      info.buffer = memories_[patch.target].buffer;
      if (vk_.vkGetBufferDeviceAddress == nullptr) return skip("the device has no vkGetBufferDeviceAddress");
      const uint64_t address =
          vk_.vkGetBufferDeviceAddress(handle_, &info) + kGuardBytes + patch.targetOffset;
      std::vector<uint8_t>& bytes = patch.where == AddressPatch::kPushConstants
                                        ? request_.pushConstants
                                        : request_.buffers[patch.where].contents;
      for (uint64_t record = 0; record < patch.count; ++record) {
        const uint64_t at = patch.offset + record * patch.stride;
        if (at + sizeof address > bytes.size()) return fail("an address lies outside its buffer");
        std::memcpy(bytes.data() + at, &address, sizeof address);
      }
    }
    return true;
  }

  bool fillBuffers() {
    for (size_t i = 0; i < request_.buffers.size(); ++i) {
      const std::vector<uint8_t>& contents = request_.buffers[i].contents;
      std::vector<uint8_t> guard(kGuardBytes);
      for (uint64_t at = 0; at < kGuardBytes; ++at) guard[at] = guardByte(at);
      const VkBuffer buffer = memories_[i].buffer;
      if (!transfer(buffer, 0, kGuardBytes, guard.data(), nullptr) ||
          !transfer(buffer, kGuardBytes, contents.size(), contents.data(), nullptr) ||
          !transfer(buffer, kGuardBytes + contents.size(), kGuardBytes, guard.data(), nullptr)) {
        return false;
      }
    }
    return true;
  }

  bool createImages() {
    images_.resize(request_.images.size());
    for (size_t i = 0; i < request_.images.size(); ++i) {
      if (!createImage(i)) return false;
    }
    return true;
  }

  bool createImage(size_t index) {
    const RunImage& wanted = request_.images[index];
    Image& out = images_[index];
    const ImageSpec& spec = wanted.spec;
    const ImageForm& form = wanted.form;
    const bool storage = spec.kind == ImageSpec::Kind::Storage;
    const ImageFormat* format = findImageFormat(spec.format);
    if (format == nullptr) return fail("unknown image format '" + spec.format + "'");
    const auto vkFormat = static_cast<VkFormat>(format->vkFormat);
    if (form.descriptor == ImageForm::Descriptor::SamplerOnly) return createSampler(wanted, out);
    VkFormatProperties properties{};
    instance_.api().vkGetPhysicalDeviceFormatProperties(device_.handle, vkFormat, &properties);
    if (form.view == ImageForm::View::Texels) return createTexelBuffer(wanted, vkFormat, properties, out);
    const VkFormatFeatureFlags need =
        storage
            ? VkFormatFeatureFlags{VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT}
            : VkFormatFeatureFlags{VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT} |
                  (spec.linear ? VkFormatFeatureFlags{VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT} : 0);
    if ((properties.optimalTilingFeatures & need) != need) {
      return skip("image format " + spec.format + ": the device cannot use it so");
    }
    const bool own = form.sameAs == ImageForm::kOwnMemory;
    if (own) {
      if (!createPlainImage(index, vkFormat)) return false;
    } else {
      out.image = images_[form.sameAs].image;
    }
    VkImageViewCreateInfo view{};
    view.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO;
    view.image = out.image;
    view.viewType = viewTypeOf(wanted);
    view.format = vkFormat;
    view.subresourceRange = {aspectOf(vkFormat), 0, form.levels, 0, form.layers};
    if (!check(vk_.vkCreateImageView(handle_, &view, nullptr, &out.view), "vkCreateImageView")) return false;
    cleanup_.add([this, handle = out.view] { vk_.vkDestroyImageView(handle_, handle, nullptr); });
    if (typeOf(wanted) == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER && !createSampler(wanted, out))
      return false;
    if (!own) return true;
    return form.samples > 1 ? toGeneralLayout(out.image, wanted)
                            : copyImage(out.image, wanted, wanted.contents.data(), nullptr);
  }

  bool createPlainImage(size_t index, VkFormat format) {
    const RunImage& wanted = request_.images[index];
    Image& out = images_[index];
    const ImageSpec& spec = wanted.spec;
    const ImageForm& form = wanted.form;
    VkImageCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO;
    info.flags = form.view == ImageForm::View::Cube ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0;
    info.imageType = static_cast<VkImageType>(spec.dimensions - 1);
    info.format = format;
    info.extent = {spec.size[0], spec.size[1], spec.size[2]};
    info.mipLevels = form.levels;
    info.arrayLayers = form.layers;
    info.samples = static_cast<VkSampleCountFlagBits>(form.samples);
    info.tiling = VK_IMAGE_TILING_OPTIMAL;
    info.usage = form.samples > 1 ? 0 : VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    const auto usageOf = [](const RunImage& image) {
      return image.spec.kind == ImageSpec::Kind::Storage ? VK_IMAGE_USAGE_STORAGE_BIT
                                                         : VK_IMAGE_USAGE_SAMPLED_BIT;
    };
    info.usage |= usageOf(wanted);
    for (const RunImage& other : request_.images)
      if (other.form.sameAs == index) info.usage |= usageOf(other);
    if (!check(vk_.vkCreateImage(handle_, &info, nullptr, &out.image), "vkCreateImage")) return false;
    cleanup_.add([this, handle = out.image] { vk_.vkDestroyImage(handle_, handle, nullptr); });
    VkMemoryRequirements needs{};
    vk_.vkGetImageMemoryRequirements(handle_, out.image, &needs);
    VkDeviceMemory memory = VK_NULL_HANDLE;
    return allocateMemory(needs, false, false, memory) &&
           check(vk_.vkBindImageMemory(handle_, out.image, memory, 0), "vkBindImageMemory");
  }

  bool createTexelBuffer(const RunImage& wanted, VkFormat format, const VkFormatProperties& properties,
                         Image& out) {
    const bool storage = wanted.spec.kind == ImageSpec::Kind::Storage;
    const VkFormatFeatureFlags need =
        storage ? VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_BIT : VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT;
    if ((properties.bufferFeatures & need) != need)
      return skip("image format " + wanted.spec.format + ": the device cannot use it so in texel buffers");
    const VkBufferUsageFlags usage =
        VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
        (storage ? VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT : VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT);
    if (!allocateBuffer(wanted.contents.size(), usage, false, out.texels)) return false;
    VkBufferViewCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO;
    info.buffer = out.texels.buffer;
    info.format = format;
    info.range = VK_WHOLE_SIZE;
    if (!check(vk_.vkCreateBufferView(handle_, &info, nullptr, &out.texelView), "vkCreateBufferView"))
      return false;
    cleanup_.add([this, handle = out.texelView] { vk_.vkDestroyBufferView(handle_, handle, nullptr); });
    return transfer(out.texels.buffer, 0, wanted.contents.size(), wanted.contents.data(), nullptr);
  }

  bool createSampler(const RunImage& wanted, Image& out) {
    const ImageSpec& spec = wanted.spec;
    VkSamplerCreateInfo sampler{};
    sampler.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO;
    sampler.magFilter = spec.linear ? VK_FILTER_LINEAR : VK_FILTER_NEAREST;
    sampler.minFilter = sampler.magFilter;
    sampler.mipmapMode = VK_SAMPLER_MIPMAP_MODE_NEAREST;
    sampler.maxLod = static_cast<float>(wanted.form.levels - 1);
    sampler.compareEnable = wanted.form.compares ? VK_TRUE : VK_FALSE;
    sampler.compareOp = VK_COMPARE_OP_LESS_OR_EQUAL;
    const VkSamplerAddressMode mode =
        spec.repeat ? VK_SAMPLER_ADDRESS_MODE_REPEAT : VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
    sampler.addressModeU = mode;
    sampler.addressModeV = mode;
    sampler.addressModeW = mode;
    if (!check(vk_.vkCreateSampler(handle_, &sampler, nullptr, &out.sampler), "vkCreateSampler"))
      return false;
    cleanup_.add([this, handle = out.sampler] { vk_.vkDestroySampler(handle_, handle, nullptr); });
    return true;
  }

  static VkImageViewType viewTypeOf(const RunImage& image) {
    if (image.form.view == ImageForm::View::Cube)
      return image.form.arrayed ? VK_IMAGE_VIEW_TYPE_CUBE_ARRAY : VK_IMAGE_VIEW_TYPE_CUBE;
    if (!image.form.arrayed) return static_cast<VkImageViewType>(image.spec.dimensions - 1);
    return image.spec.dimensions == 1 ? VK_IMAGE_VIEW_TYPE_1D_ARRAY : VK_IMAGE_VIEW_TYPE_2D_ARRAY;
  }
  static VkImageAspectFlags aspectOf(VkFormat format) {
    return format == VK_FORMAT_D32_SFLOAT ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT;
  }
  static VkImageAspectFlags aspectOf(const RunImage& image) {
    return aspectOf(static_cast<VkFormat>(findImageFormat(image.spec.format)->vkFormat));
  }

  void layoutBarrier(VkImage image, const RunImage& wanted, VkImageLayout from) {
    VkImageMemoryBarrier toGeneral{};
    toGeneral.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER;
    toGeneral.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;
    toGeneral.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
    toGeneral.oldLayout = from;
    toGeneral.newLayout = VK_IMAGE_LAYOUT_GENERAL;
    toGeneral.srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    toGeneral.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    toGeneral.image = image;
    toGeneral.subresourceRange = {aspectOf(wanted), 0, wanted.form.levels, 0, wanted.form.layers};
    vk_.vkCmdPipelineBarrier(commands_, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                             VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, nullptr, 0, nullptr, 1, &toGeneral);
  }

  // Of an image whose contents cannot be copied.
  bool toGeneralLayout(VkImage image, const RunImage& wanted) {
    if (!begin()) return false;
    layoutBarrier(image, wanted, VK_IMAGE_LAYOUT_UNDEFINED);
    return submit("image layout");
  }

  // Whole images go through the staging buffer in one piece.
  bool copyImage(VkImage image, const RunImage& wanted, const uint8_t* from, uint8_t* to) {
    const uint64_t bytes = wanted.bytes();
    if (bytes > stagingSize_)
      return fail("image '" + wanted.spec.name + "' is larger than the staging buffer");
    if (from != nullptr) std::memcpy(stagingBytes_, from, bytes);
    if (!begin()) return false;
    // The first copy takes the image out of the undefined layout.
    layoutBarrier(image, wanted, from != nullptr ? VK_IMAGE_LAYOUT_UNDEFINED : VK_IMAGE_LAYOUT_GENERAL);
    std::vector<VkBufferImageCopy> regions;
    uint64_t offset = 0;
    for (uint32_t level = 0; level < wanted.form.levels; ++level) {
      VkBufferImageCopy region{};
      const std::array<uint32_t, 3> size = wanted.levelSize(level);
      region.bufferOffset = offset;
      region.imageSubresource = {aspectOf(wanted), level, 0, wanted.form.layers};
      region.imageExtent = {size[0], size[1], size[2]};
      regions.push_back(region);
      offset += wanted.levelBytes(level);
    }
    const auto count = static_cast<uint32_t>(regions.size());
    if (from != nullptr) {
      vk_.vkCmdCopyBufferToImage(commands_, staging_.buffer, image, VK_IMAGE_LAYOUT_GENERAL, count,
                                 regions.data());
    } else {
      vk_.vkCmdCopyImageToBuffer(commands_, image, VK_IMAGE_LAYOUT_GENERAL, staging_.buffer, count,
                                 regions.data());
    }
    barrier();
    if (!submit("image copy")) return false;
    if (to != nullptr) std::memcpy(to, stagingBytes_, bytes);
    return true;
  }

  // --- pipeline

  bool createPipeline() {
    // Bindings by set; sets that nothing uses get empty layouts.
    std::map<uint32_t, std::vector<VkDescriptorSetLayoutBinding>> bindings;
    const auto bind = [&](uint32_t set, uint32_t binding, VkDescriptorType type) {
      VkDescriptorSetLayoutBinding entry{};
      entry.binding = binding;
      entry.descriptorType = type;
      entry.descriptorCount = 1;
      entry.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
      bindings[set].push_back(entry);
    };
    for (const RunBuffer& buffer : request_.buffers) {
      if (buffer.kind != BufferSpec::Kind::AddressOnly) bind(buffer.set, buffer.binding, typeOf(buffer));
    }
    for (const RunImage& image : request_.images) bind(image.spec.set, image.spec.binding, typeOf(image));
    const uint32_t sets = bindings.empty() ? 0 : bindings.rbegin()->first + 1;
    if (sets > device_.limits.maxBoundDescriptorSets) return skip("too many descriptor sets for the device");
    for (uint32_t set = 0; set < sets; ++set) {
      const auto& entries = bindings[set];
      VkDescriptorSetLayoutCreateInfo info{};
      info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
      info.bindingCount = static_cast<uint32_t>(entries.size());
      info.pBindings = entries.data();
      VkDescriptorSetLayout layout = VK_NULL_HANDLE;
      if (!check(vk_.vkCreateDescriptorSetLayout(handle_, &info, nullptr, &layout),
                 "vkCreateDescriptorSetLayout")) {
        return false;
      }
      cleanup_.add([this, layout] { vk_.vkDestroyDescriptorSetLayout(handle_, layout, nullptr); });
      setLayouts_.push_back(layout);
    }

    VkPushConstantRange range{};
    range.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
    range.size = static_cast<uint32_t>((request_.pushConstants.size() + 3) / 4 * 4);
    request_.pushConstants.resize(range.size);
    VkPipelineLayoutCreateInfo layout{};
    layout.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
    layout.setLayoutCount = static_cast<uint32_t>(setLayouts_.size());
    layout.pSetLayouts = setLayouts_.data();
    layout.pushConstantRangeCount = range.size != 0 ? 1 : 0;
    layout.pPushConstantRanges = &range;
    if (!check(vk_.vkCreatePipelineLayout(handle_, &layout, nullptr, &pipelineLayout_),
               "vkCreatePipelineLayout")) {
      return false;
    }
    cleanup_.add([this] { vk_.vkDestroyPipelineLayout(handle_, pipelineLayout_, nullptr); });

    const auto start = std::chrono::steady_clock::now();
    VkShaderModuleCreateInfo shader{};
    shader.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
    shader.codeSize = request_.module.size_bytes();
    shader.pCode = request_.module.data();
    VkShaderModule module = VK_NULL_HANDLE;
    if (!check(vk_.vkCreateShaderModule(handle_, &shader, nullptr, &module), "vkCreateShaderModule"))
      return false;
    cleanup_.add([this, module] { vk_.vkDestroyShaderModule(handle_, module, nullptr); });

    std::vector<VkSpecializationMapEntry> entries;
    std::vector<uint8_t> data;
    for (const Specialization& s : request_.specializations) {
      entries.push_back({s.id, static_cast<uint32_t>(data.size()), s.bytes});
      data.resize(data.size() + 8);
      std::memcpy(data.data() + data.size() - 8, &s.bits, 8);
    }
    VkSpecializationInfo specialization{};
    specialization.mapEntryCount = static_cast<uint32_t>(entries.size());
    specialization.pMapEntries = entries.data();
    specialization.dataSize = data.size();
    specialization.pData = data.data();

    VkPipelineShaderStageRequiredSubgroupSizeCreateInfo subgroup{};
    subgroup.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO;
    subgroup.requiredSubgroupSize = request_.subgroupSize;
    VkComputePipelineCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
    info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    info.stage.pNext = request_.subgroupSize != 0 ? &subgroup : nullptr;
    if (statistics_) info.flags = VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR;
    if (request_.fullSubgroups) info.stage.flags = VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.module = module;
    info.stage.pName = request_.entry.c_str();
    info.stage.pSpecializationInfo = entries.empty() ? nullptr : &specialization;
    info.layout = pipelineLayout_;
    if (!check(vk_.vkCreateComputePipelines(handle_, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline_),
               "vkCreateComputePipelines")) {
      return false;
    }
    cleanup_.add([this] { vk_.vkDestroyPipeline(handle_, pipeline_, nullptr); });
    outcome_.pipelineMilliseconds =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    readStatistics();
    return true;
  }

  // A driver that gives none is no reason to fail.
  void readStatistics() {
    if (!statistics_ || vk_.vkGetPipelineExecutablePropertiesKHR == nullptr ||
        vk_.vkGetPipelineExecutableStatisticsKHR == nullptr) {
      return;
    }
    VkPipelineInfoKHR pipeline{};
    pipeline.sType = VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR;
    pipeline.pipeline = pipeline_;
    uint32_t executables = 0;
    if (vk_.vkGetPipelineExecutablePropertiesKHR(handle_, &pipeline, &executables, nullptr) != VK_SUCCESS)
      return;
    for (uint32_t i = 0; i < executables; ++i) {
      VkPipelineExecutableInfoKHR which{};
      which.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR;
      which.pipeline = pipeline_;
      which.executableIndex = i;
      uint32_t count = 0;
      if (vk_.vkGetPipelineExecutableStatisticsKHR(handle_, &which, &count, nullptr) != VK_SUCCESS) return;
      std::vector<VkPipelineExecutableStatisticKHR> statistics(count);
      for (VkPipelineExecutableStatisticKHR& statistic : statistics)
        statistic.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR;
      if (vk_.vkGetPipelineExecutableStatisticsKHR(handle_, &which, &count, statistics.data()) != VK_SUCCESS)
        return;
      for (const VkPipelineExecutableStatisticKHR& statistic : statistics) {
        double value = 0;
        switch (statistic.format) {
          case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_BOOL32_KHR: value = statistic.value.b32; break;
          case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_INT64_KHR:
            value = static_cast<double>(statistic.value.i64);
            break;
          case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR:
            value = static_cast<double>(statistic.value.u64);
            break;
          case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_FLOAT64_KHR: value = statistic.value.f64; break;
          default: continue;
        }
        outcome_.statistics.emplace_back(statistic.name, value);
      }
    }
  }

  static VkDescriptorType typeOf(const RunBuffer& buffer) {
    return buffer.kind == BufferSpec::Kind::Uniform ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER
                                                    : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  }
  static VkDescriptorType typeOf(const RunImage& image) {
    const bool storage = image.spec.kind == ImageSpec::Kind::Storage;
    if (image.form.view == ImageForm::View::Texels)
      return storage ? VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER : VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
    switch (image.form.descriptor) {
      case ImageForm::Descriptor::Texture: return VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
      case ImageForm::Descriptor::SamplerOnly: return VK_DESCRIPTOR_TYPE_SAMPLER;
      default: break;
    }
    return storage ? VK_DESCRIPTOR_TYPE_STORAGE_IMAGE : VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
  }

  bool createDescriptors() {
    if (setLayouts_.empty()) return true;
    const auto total = static_cast<uint32_t>(request_.buffers.size() + request_.images.size());
    const VkDescriptorPoolSize sizes[] = {
        {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, total},       {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, total},
        {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, total},        {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, total},
        {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, total},        {VK_DESCRIPTOR_TYPE_SAMPLER, total},
        {VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, total}, {VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, total}};
    VkDescriptorPoolCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
    info.maxSets = static_cast<uint32_t>(setLayouts_.size());
    info.poolSizeCount = static_cast<uint32_t>(std::size(sizes));
    info.pPoolSizes = sizes;
    VkDescriptorPool pool = VK_NULL_HANDLE;
    if (!check(vk_.vkCreateDescriptorPool(handle_, &info, nullptr, &pool), "vkCreateDescriptorPool"))
      return false;
    cleanup_.add([this, pool] { vk_.vkDestroyDescriptorPool(handle_, pool, nullptr); });
    VkDescriptorSetAllocateInfo allocate{};
    allocate.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
    allocate.descriptorPool = pool;
    allocate.descriptorSetCount = static_cast<uint32_t>(setLayouts_.size());
    allocate.pSetLayouts = setLayouts_.data();
    sets_.resize(setLayouts_.size());
    if (!check(vk_.vkAllocateDescriptorSets(handle_, &allocate, sets_.data()), "vkAllocateDescriptorSets"))
      return false;

    const auto write = [&](uint32_t set, uint32_t binding, VkDescriptorType type,
                           const VkDescriptorBufferInfo* buffer, const VkDescriptorImageInfo* image,
                           const VkBufferView* texels) {
      VkWriteDescriptorSet update{};
      update.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
      update.dstSet = sets_[set];
      update.dstBinding = binding;
      update.descriptorCount = 1;
      update.descriptorType = type;
      update.pBufferInfo = buffer;
      update.pImageInfo = image;
      update.pTexelBufferView = texels;
      vk_.vkUpdateDescriptorSets(handle_, 1, &update, 0, nullptr);
    };
    for (size_t i = 0; i < request_.buffers.size(); ++i) {
      const RunBuffer& buffer = request_.buffers[i];
      if (buffer.kind == BufferSpec::Kind::AddressOnly) continue;
      const VkDescriptorBufferInfo bound{memories_[i].buffer, kGuardBytes, buffer.contents.size()};
      write(buffer.set, buffer.binding, typeOf(buffer), &bound, nullptr, nullptr);
    }
    for (size_t i = 0; i < request_.images.size(); ++i) {
      const ImageSpec& spec = request_.images[i].spec;
      const VkDescriptorImageInfo bound{images_[i].sampler, images_[i].view, VK_IMAGE_LAYOUT_GENERAL};
      write(spec.set, spec.binding, typeOf(request_.images[i]), nullptr, &bound, &images_[i].texelView);
    }
    return true;
  }

  // --- commands

  bool begin() {
    VkCommandBufferBeginInfo info{};
    info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
    info.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
    return check(vk_.vkBeginCommandBuffer(commands_, &info), "vkBeginCommandBuffer");
  }

  void barrier() {
    VkMemoryBarrier all{};
    all.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
    all.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_HOST_WRITE_BIT;
    all.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_HOST_READ_BIT;
    vk_.vkCmdPipelineBarrier(commands_, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT,
                             VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &all, 0,
                             nullptr, 0, nullptr);
  }

  bool submit(const char* what) {
    if (!check(vk_.vkEndCommandBuffer(commands_), "vkEndCommandBuffer")) return false;
    VkSubmitInfo info{};
    info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
    info.commandBufferCount = 1;
    info.pCommandBuffers = &commands_;
    if (!check(vk_.vkQueueSubmit(queue_, 1, &info, fence_), "vkQueueSubmit")) return false;
    const uint64_t timeout = uint64_t{request_.timeoutSeconds} * 1000000000;
    const VkResult waited = vk_.vkWaitForFences(handle_, 1, &fence_, VK_TRUE, timeout);
    if (waited == VK_TIMEOUT) {
      abandon();
      return fail(std::string(what) + " did not finish within " + std::to_string(request_.timeoutSeconds) +
                  " s");
    }
    return check(waited, "vkWaitForFences") && check(vk_.vkResetFences(handle_, 1, &fence_), "vkResetFences");
  }

  void recordDispatch() {
    vk_.vkCmdBindPipeline(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_);
    if (!sets_.empty()) {
      vk_.vkCmdBindDescriptorSets(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, pipelineLayout_, 0,
                                  static_cast<uint32_t>(sets_.size()), sets_.data(), 0, nullptr);
    }
    if (!request_.pushConstants.empty()) {
      vk_.vkCmdPushConstants(commands_, pipelineLayout_, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                             static_cast<uint32_t>(request_.pushConstants.size()),
                             request_.pushConstants.data());
    }
    vk_.vkCmdDispatch(commands_, request_.groups[0], request_.groups[1], request_.groups[2]);
  }

  bool dispatchOnce() {
    if (!begin()) return false;
    barrier();
    for (uint32_t i = 0; i < request_.dispatches; ++i) {
      recordDispatch();
      barrier();
    }
    return submit("the dispatch");
  }

  bool readBack() {
    for (size_t i = 0; i < request_.buffers.size(); ++i) {
      RunBuffer& buffer = request_.buffers[i];
      const uint64_t bytes = buffer.contents.size();
      std::vector<uint8_t> before(kGuardBytes);
      std::vector<uint8_t> after(kGuardBytes);
      if (!transfer(memories_[i].buffer, 0, kGuardBytes, nullptr, before.data()) ||
          !transfer(memories_[i].buffer, kGuardBytes, bytes, nullptr, buffer.contents.data()) ||
          !transfer(memories_[i].buffer, kGuardBytes + bytes, kGuardBytes, nullptr, after.data())) {
        return false;
      }
      reportStray(buffer.name, before, "before its start", true);
      reportStray(buffer.name, after, "past its end", false);
    }
    for (size_t i = 0; i < request_.images.size(); ++i) {
      RunImage& image = request_.images[i];
      const ImageForm& form = image.form;
      if (form.descriptor == ImageForm::Descriptor::SamplerOnly || form.samples > 1 ||
          form.sameAs != ImageForm::kOwnMemory)
        continue;
      if (form.view == ImageForm::View::Texels) {
        if (!transfer(images_[i].texels.buffer, 0, image.contents.size(), nullptr, image.contents.data()))
          return false;
        continue;
      }
      if (!copyImage(images_[i].image, image, nullptr, image.contents.data())) return false;
    }
    return true;
  }

  void reportStray(const std::string& name, const std::vector<uint8_t>& guard, const char* where,
                   bool fromEnd) {
    uint64_t count = 0;
    uint64_t nearest = 0;
    for (uint64_t at = 0; at < guard.size(); ++at) {
      if (guard[at] == guardByte(at)) continue;
      if (count++ == 0 || fromEnd) nearest = fromEnd ? guard.size() - at : at;
    }
    if (count != 0) {
      outcome_.strayWrites.push_back("buffer '" + name + "': " + std::to_string(count) + " bytes written " +
                                     where + ", the nearest " + std::to_string(nearest) + " bytes away");
    }
  }

  bool timeRuns() {
    if (request_.runs == 0) return true;
    VkQueryPoolCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO;
    info.queryType = VK_QUERY_TYPE_TIMESTAMP;
    info.queryCount = 2;
    VkQueryPool pool = VK_NULL_HANDLE;
    if (!check(vk_.vkCreateQueryPool(handle_, &info, nullptr, &pool), "vkCreateQueryPool")) return false;
    cleanup_.add([this, pool] { vk_.vkDestroyQueryPool(handle_, pool, nullptr); });
    const uint64_t mask = timestampBits_ >= 64 ? ~uint64_t{0} : (uint64_t{1} << timestampBits_) - 1;
    for (int i = -request_.warmups; i < request_.runs; ++i) {
      if (!begin()) return false;
      vk_.vkCmdResetQueryPool(commands_, pool, 0, 2);
      barrier();
      vk_.vkCmdWriteTimestamp(commands_, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool, 0);
      recordDispatch();
      vk_.vkCmdWriteTimestamp(commands_, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool, 1);
      if (!submit("a timed dispatch")) return false;
      uint64_t stamps[2] = {0, 0};
      if (!check(vk_.vkGetQueryPoolResults(handle_, pool, 0, 2, sizeof stamps, stamps, sizeof stamps[0],
                                           VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
                 "vkGetQueryPoolResults")) {
        return false;
      }
      const uint64_t ticks = (stamps[1] - stamps[0]) & mask;
      if (i >= 0) {
        outcome_.nanoseconds.push_back(static_cast<double>(ticks) *
                                       static_cast<double>(device_.limits.timestampPeriod));
      }
    }
    return true;
  }

  const Instance& instance_;
  const PhysicalDevice& device_;
  RunRequest& request_;
  RunOutcome outcome_;
  Requirements requirements_;
  bool addresses_ = false;
  bool statistics_ = false;
  int turn_ = -1;

  DeviceApi vk_;
  VkDevice handle_ = VK_NULL_HANDLE;
  VkQueue queue_ = VK_NULL_HANDLE;
  uint32_t timestampBits_ = 0;
  VkPhysicalDeviceMemoryProperties memoryProperties_{};
  VkCommandBuffer commands_ = VK_NULL_HANDLE;
  VkFence fence_ = VK_NULL_HANDLE;
  Memory staging_;
  uint64_t stagingSize_ = 0;
  uint8_t* stagingBytes_ = nullptr;
  std::vector<Memory> memories_;
  std::vector<Image> images_;
  std::vector<VkDescriptorSetLayout> setLayouts_;
  std::vector<VkDescriptorSet> sets_;
  VkPipelineLayout pipelineLayout_ = VK_NULL_HANDLE;
  VkPipeline pipeline_ = VK_NULL_HANDLE;
  // Last: it runs first at the end, while everything that it uses is still there.
  Cleanup cleanup_;
};

}  // namespace

RunOutcome run(const Instance& instance, const PhysicalDevice& device, RunRequest& request) {
  return Run(instance, device, request).execute();
}

}  // namespace coopc::harness
