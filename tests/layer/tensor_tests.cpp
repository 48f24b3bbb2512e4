// Programs that use VK_ARM_tensors through the layer, on a driver without tensors: accesses of shaders, each
// way to pass descriptors to the driver, copies, barriers, memory, private data, and refusals.
#include <vulkan/vulkan_core.h>

#ifdef VK_ARM_tensors
#include <array>
#include <cstddef>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "coopc/coopc.hpp"
#include "tests/layer/own_instance.hpp"
#include "tests/layer/requests.hpp"
#include "tests/layer/use_layer.hpp"
#include "tests/support/vulkan.hpp"
#include "vulkan/executor/commands.hpp"
#include "vulkan/executor/device.hpp"
#include "vulkan/executor/memory.hpp"

using namespace coopc;
using namespace coopc::vk;

namespace {

// Before the loader is asked for the first instance.
const bool environmentIsSet = tests::useLayer(COOPC_LAYER_MANIFESTS);

const PhysicalDevice& physical() { return tests::testDevice(); }

// Functions of the device that the harness itself does not call.
struct TensorApi {
#define COOPC_TEST_FUNCTIONS(X)             \
  X(vkCreateTensorARM)                      \
  X(vkDestroyTensorARM)                     \
  X(vkCreateTensorViewARM)                  \
  X(vkDestroyTensorViewARM)                 \
  X(vkGetTensorMemoryRequirementsARM)       \
  X(vkGetDeviceTensorMemoryRequirementsARM) \
  X(vkBindTensorMemoryARM)                  \
  X(vkCmdCopyTensorARM)                     \
  X(vkCmdPipelineBarrier2)                  \
  X(vkCmdSetEvent2)                         \
  X(vkCmdWaitEvents2)                       \
  X(vkCreateEvent)                          \
  X(vkDestroyEvent)                         \
  X(vkFreeDescriptorSets)                   \
  X(vkResetDescriptorPool)                  \
  X(vkCreateDescriptorUpdateTemplate)       \
  X(vkDestroyDescriptorUpdateTemplate)      \
  X(vkUpdateDescriptorSetWithTemplate)      \
  X(vkCmdPushDescriptorSetKHR)              \
  X(vkCmdPushDescriptorSetWithTemplateKHR)  \
  X(vkGetDescriptorSetLayoutSupport)        \
  X(vkSetDebugUtilsObjectNameEXT)           \
  X(vkCreatePrivateDataSlot)                \
  X(vkDestroyPrivateDataSlot)               \
  X(vkSetPrivateData)                       \
  X(vkGetPrivateData)
#define COOPC_MEMBER(name) PFN_##name name = nullptr;
  COOPC_TEST_FUNCTIONS(COOPC_MEMBER)
#undef COOPC_MEMBER

  explicit TensorApi(const vk::Device& device) {
#define COOPC_LOAD(name) \
  name = reinterpret_cast<PFN_##name>(tests::vulkan().api().vkGetDeviceProcAddr(device.handle(), #name));
    COOPC_TEST_FUNCTIONS(COOPC_LOAD)
#undef COOPC_LOAD
  }
};

class Program {
 public:
  Program() {
    const auto family = vk::computeFamily(tests::vulkan(), physical());
    REQUIRE(family);
    Requirements needs;
    for (const Feature feature :
         {Feature::shaderTensorAccess, Feature::shaderStorageTensorArrayDynamicIndexing,
          Feature::shaderStorageTensorArrayNonUniformIndexing, Feature::shaderBFloat16Type,
          Feature::shaderFloat8, Feature::shaderFloat16, Feature::shaderInt8, Feature::shaderInt16,
          Feature::shaderInt64, Feature::storageBuffer8BitAccess, Feature::storageBuffer16BitAccess})
      needs.features.add(feature);
    needs.extensions = {"VK_ARM_tensors", "VK_EXT_shader_float8", "VK_KHR_push_descriptor",
                        "VK_KHR_shader_bfloat16"};
    auto made = vk::Device::create(tests::vulkan(), physical(), *family, needs, {});
    if (!made) FAIL(made.error().message);
    device = std::move(*made);
    tensors = std::make_unique<TensorApi>(*device);
    REQUIRE_FALSE(commands.create(*device));
  }

  VkDevice handle() const { return device->handle(); }
  const DeviceApi& api() const { return device->api(); }

  std::unique_ptr<vk::Device> device;
  std::unique_ptr<TensorApi> tensors;
  vk::Commands commands;
};

VkTensorDescriptionARM descriptionOf(VkFormat format, const std::vector<int64_t>& sizes,
                                     const std::vector<int64_t>& strides) {
  VkTensorDescriptionARM description{};
  description.sType = VK_STRUCTURE_TYPE_TENSOR_DESCRIPTION_ARM;
  description.tiling = VK_TENSOR_TILING_LINEAR_ARM;
  description.format = format;
  description.dimensionCount = uint32_t(sizes.size());
  description.pDimensions = sizes.data();
  description.pStrides = strides.empty() ? nullptr : strides.data();
  description.usage = VK_TENSOR_USAGE_SHADER_BIT_ARM | VK_TENSOR_USAGE_TRANSFER_SRC_BIT_ARM |
                      VK_TENSOR_USAGE_TRANSFER_DST_BIT_ARM;
  return description;
}

VkTensorCreateInfoARM creationOf(const VkTensorDescriptionARM& description) {
  VkTensorCreateInfoARM info{};
  info.sType = VK_STRUCTURE_TYPE_TENSOR_CREATE_INFO_ARM;
  info.pDescription = &description;
  return info;
}

// A tensor in dedicated host-visible memory, and a view of it.
class HostTensor {
 public:
  HostTensor(Program& program, VkFormat format, std::vector<int64_t> sizes, std::vector<int64_t> strides)
      : program_(program) {
    const VkTensorDescriptionARM description = descriptionOf(format, sizes, strides);
    const VkTensorCreateInfoARM info = creationOf(description);
    const VkDevice device = program.handle();
    const TensorApi& api = *program.tensors;
    REQUIRE(api.vkCreateTensorARM(device, &info, nullptr, &handle) == VK_SUCCESS);
    VkTensorMemoryRequirementsInfoARM of{};
    of.sType = VK_STRUCTURE_TYPE_TENSOR_MEMORY_REQUIREMENTS_INFO_ARM;
    of.tensor = handle;
    VkMemoryRequirements2 needs{};
    needs.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2;
    api.vkGetTensorMemoryRequirementsARM(device, &of, &needs);
    VkDeviceTensorMemoryRequirementsARM before{};
    before.sType = VK_STRUCTURE_TYPE_DEVICE_TENSOR_MEMORY_REQUIREMENTS_ARM;
    before.pCreateInfo = &info;
    VkMemoryRequirements2 asked{};
    asked.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2;
    api.vkGetDeviceTensorMemoryRequirementsARM(device, &before, &asked);
    CHECK(asked.memoryRequirements.size == needs.memoryRequirements.size);
    CHECK(asked.memoryRequirements.memoryTypeBits == needs.memoryRequirements.memoryTypeBits);
    const VkPhysicalDeviceMemoryProperties& types = program.device->memory();
    constexpr VkMemoryPropertyFlags kMapped =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkMemoryDedicatedAllocateInfoTensorARM dedicated{};
    dedicated.sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO_TENSOR_ARM;
    dedicated.tensor = handle;
    VkMemoryAllocateFlagsInfo flags{};
    flags.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO;
    flags.pNext = &dedicated;
    VkMemoryAllocateInfo allocation{};
    allocation.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
    allocation.pNext = &flags;
    allocation.allocationSize = needs.memoryRequirements.size;
    while (allocation.memoryTypeIndex < types.memoryTypeCount &&
           ((needs.memoryRequirements.memoryTypeBits >> allocation.memoryTypeIndex & 1) == 0 ||
            (types.memoryTypes[allocation.memoryTypeIndex].propertyFlags & kMapped) != kMapped))
      ++allocation.memoryTypeIndex;
    REQUIRE(allocation.memoryTypeIndex < types.memoryTypeCount);
    REQUIRE(program.api().vkAllocateMemory(device, &allocation, nullptr, &memory_) == VK_SUCCESS);
    VkBindTensorMemoryInfoARM bind{};
    bind.sType = VK_STRUCTURE_TYPE_BIND_TENSOR_MEMORY_INFO_ARM;
    bind.tensor = handle;
    bind.memory = memory_;
    REQUIRE(api.vkBindTensorMemoryARM(device, 1, &bind) == VK_SUCCESS);
    void* mapped = nullptr;
    REQUIRE(program.api().vkMapMemory(device, memory_, 0, VK_WHOLE_SIZE, 0, &mapped) == VK_SUCCESS);
    bytes = static_cast<unsigned char*>(mapped);
    size = needs.memoryRequirements.size;
    VkTensorViewCreateInfoARM viewInfo{};
    viewInfo.sType = VK_STRUCTURE_TYPE_TENSOR_VIEW_CREATE_INFO_ARM;
    viewInfo.tensor = handle;
    viewInfo.format = format;
    REQUIRE(api.vkCreateTensorViewARM(device, &viewInfo, nullptr, &view) == VK_SUCCESS);
  }
  ~HostTensor() {
    const VkDevice device = program_.handle();
    program_.tensors->vkDestroyTensorViewARM(device, view, nullptr);
    program_.tensors->vkDestroyTensorARM(device, handle, nullptr);
    program_.api().vkFreeMemory(device, memory_, nullptr);
  }
  HostTensor(const HostTensor&) = delete;
  HostTensor& operator=(const HostTensor&) = delete;

  VkTensorARM handle = VK_NULL_HANDLE;
  VkTensorViewARM view = VK_NULL_HANDLE;
  unsigned char* bytes = nullptr;
  uint64_t size = 0;

 private:
  Program& program_;
  VkDeviceMemory memory_ = VK_NULL_HANDLE;
};

// A storage buffer in host-visible memory.
class HostBuffer {
 public:
  HostBuffer(Program& program, uint64_t size) {
    REQUIRE_FALSE(
        buffer_.create(*program.device, size, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, vk::Placement::Host));
    void* mapped = nullptr;
    REQUIRE(program.api().vkMapMemory(program.handle(), buffer_.memory().get(), 0, VK_WHOLE_SIZE, 0,
                                      &mapped) == VK_SUCCESS);
    bytes = static_cast<unsigned char*>(mapped);
  }
  VkDescriptorBufferInfo info() const { return {buffer_.handle(), 0, VK_WHOLE_SIZE}; }

  unsigned char* bytes = nullptr;

 private:
  vk::Buffer buffer_;
};

// A set layout of the given descriptors at bindings 0, 1 ..., a pipeline of it, and a pool with room for two
// sets.
class Pipeline {
 public:
  Pipeline(Program& program, const std::string& text,
           const std::vector<VkDescriptorSetLayoutBinding>& bindings,
           VkDescriptorSetLayoutCreateFlags flags = 0)
      : program_(program) {
    Options options;
    options.targetEnv = TargetEnv::Vulkan1_3;
    const auto words = compile(text, "shader.comp", options);
    if (!words.ok) FAIL(words.messages);
    const DeviceApi& api = program.api();
    const VkDevice device = program.handle();
    VkDescriptorSetLayoutCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
    info.flags = flags;
    info.bindingCount = uint32_t(bindings.size());
    info.pBindings = bindings.data();
    REQUIRE(api.vkCreateDescriptorSetLayout(device, &info, nullptr, &sets) == VK_SUCCESS);
    VkPipelineLayoutCreateInfo layoutInfo{};
    layoutInfo.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
    layoutInfo.setLayoutCount = 1;
    layoutInfo.pSetLayouts = &sets;
    REQUIRE(api.vkCreatePipelineLayout(device, &layoutInfo, nullptr, &layout) == VK_SUCCESS);
    const VkShaderModuleCreateInfo moduleInfo = tests::codeOf(words.words);
    REQUIRE(api.vkCreateShaderModule(device, &moduleInfo, nullptr, &module_) == VK_SUCCESS);
    const VkComputePipelineCreateInfo pipelineInfo = tests::computeOf(module_, layout);
    REQUIRE(api.vkCreateComputePipelines(device, VK_NULL_HANDLE, 1, &pipelineInfo, nullptr, &handle) ==
            VK_SUCCESS);
    std::vector<VkDescriptorPoolSize> sizes;
    for (const VkDescriptorSetLayoutBinding& b : bindings)
      sizes.push_back({b.descriptorType, 2 * b.descriptorCount});
    VkDescriptorPoolCreateInfo poolInfo{};
    poolInfo.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
    poolInfo.flags = VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT;
    poolInfo.maxSets = 2;
    poolInfo.poolSizeCount = uint32_t(sizes.size());
    poolInfo.pPoolSizes = sizes.data();
    REQUIRE(api.vkCreateDescriptorPool(device, &poolInfo, nullptr, &pool) == VK_SUCCESS);
  }
  ~Pipeline() {
    const DeviceApi& api = program_.api();
    const VkDevice device = program_.handle();
    api.vkDestroyDescriptorPool(device, pool, nullptr);
    api.vkDestroyPipeline(device, handle, nullptr);
    api.vkDestroyShaderModule(device, module_, nullptr);
    api.vkDestroyPipelineLayout(device, layout, nullptr);
    api.vkDestroyDescriptorSetLayout(device, sets, nullptr);
  }
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;

  VkDescriptorSet allocate() const {
    VkDescriptorSetAllocateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
    info.descriptorPool = pool;
    info.descriptorSetCount = 1;
    info.pSetLayouts = &sets;
    VkDescriptorSet set = VK_NULL_HANDLE;
    REQUIRE(program_.api().vkAllocateDescriptorSets(program_.handle(), &info, &set) == VK_SUCCESS);
    return set;
  }

  // One workgroup, with descriptors that `bind` records.
  template <class Bind>
  void run(const Bind& bind) const {
    const DeviceApi& api = program_.api();
    REQUIRE_FALSE(program_.commands.begin());
    const VkCommandBuffer commands = program_.commands.handle();
    api.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, handle);
    bind(commands);
    api.vkCmdDispatch(commands, 1, 1, 1);
    program_.commands.barrier();
    REQUIRE_FALSE(program_.commands.submit("the dispatch"));
  }
  void run(VkDescriptorSet set) const {
    run([&](VkCommandBuffer commands) {
      program_.api().vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0,
                                             nullptr);
    });
  }

  VkDescriptorSetLayout sets = VK_NULL_HANDLE;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkPipeline handle = VK_NULL_HANDLE;
  VkDescriptorPool pool = VK_NULL_HANDLE;

 private:
  Program& program_;
  VkShaderModule module_ = VK_NULL_HANDLE;
};

VkDescriptorSetLayoutBinding bindingOf(uint32_t binding, VkDescriptorType type, uint32_t count = 1) {
  return {binding, type, count, VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
}

VkWriteDescriptorSetTensorARM viewsOf(const VkTensorViewARM* views, uint32_t count) {
  VkWriteDescriptorSetTensorARM write{};
  write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_TENSOR_ARM;
  write.tensorViewCount = count;
  write.pTensorViews = views;
  return write;
}

VkWriteDescriptorSet writeOf(VkDescriptorSet set, uint32_t binding,
                             const VkWriteDescriptorSetTensorARM& views) {
  VkWriteDescriptorSet write{};
  write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
  write.pNext = &views;
  write.dstSet = set;
  write.dstBinding = binding;
  write.descriptorCount = views.tensorViewCount;
  write.descriptorType = VK_DESCRIPTOR_TYPE_TENSOR_ARM;
  return write;
}

VkWriteDescriptorSet writeOf(VkDescriptorSet set, uint32_t binding, const VkDescriptorBufferInfo& buffer) {
  VkWriteDescriptorSet write{};
  write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
  write.dstSet = set;
  write.dstBinding = binding;
  write.descriptorCount = 1;
  write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  write.pBufferInfo = &buffer;
  return write;
}

// Reads all elements of a tensor, and the next row, column and plane, which are outside and so 0. Writes them
// one place further to a tensor whose dimensions are in reverse order, which drops those outside. The sizes
// go to a buffer.
std::string moveShader(const std::string& type, const std::string& extension) {
  return "#version 460\n#pragma shader_stage(compute)\n#extension GL_ARM_tensors : require\n"
         "#extension GL_EXT_shader_explicit_arithmetic_types : require\n" +
         extension + "layout(local_size_x = 8) in;\n#define T " + type + R"(
layout(binding = 0) uniform tensorARM<T, 3> from;
layout(binding = 1) uniform tensorARM<T, 3> to;
layout(binding = 2) buffer Sizes { uint sizes[6]; };
void main() {
  sizes[0] = tensorSizeARM(from, 0);
  sizes[1] = tensorSizeARM(from, 1);
  sizes[2] = tensorSizeARM(from, 2);
  sizes[3] = tensorSizeARM(to, 0);
  sizes[4] = tensorSizeARM(to, 1);
  sizes[5] = tensorSizeARM(to, 2);
  for (uint a = gl_LocalInvocationIndex; a < tensorSizeARM(from, 0) + 1; a += 8) {
    for (uint b = 0; b < tensorSizeARM(from, 1) + 1; ++b) {
      for (uint c = 0; c < tensorSizeARM(from, 2) + 1; ++c) {
        T v;
        tensorReadARM(from, uint[](a, b, c), v);
        tensorWriteARM(to, uint[](c + 1, b, a), v);
      }
    }
  }
}
)";
}

struct Storage {
  std::vector<int64_t> sizes, strides;  // strides in bytes; none: packed
};

int64_t placeOf(const Storage& s, int64_t element, int64_t a, int64_t b, int64_t c) {
  const std::vector<int64_t> packed = {s.sizes[1] * s.sizes[2] * element, s.sizes[2] * element, element};
  const std::vector<int64_t>& strides = s.strides.empty() ? packed : s.strides;
  return a * strides[0] + b * strides[1] + c * strides[2];
}

constexpr VkDescriptorType kTensor = VK_DESCRIPTOR_TYPE_TENSOR_ARM;
constexpr VkDescriptorType kBuffer = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;

}  // namespace

TEST_CASE("tensors: features, limits and formats") {
  const InstanceApi& api = tests::vulkan().api();
  VkPhysicalDeviceTensorFeaturesARM features{};
  features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TENSOR_FEATURES_ARM;
  VkPhysicalDeviceFeatures2 all{};
  all.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  all.pNext = &features;
  api.vkGetPhysicalDeviceFeatures2(physical().handle, &all);
  CHECK(features.tensors == VK_TRUE);
  CHECK(features.tensorNonPacked == VK_TRUE);
  CHECK(features.shaderTensorAccess == VK_TRUE);
  CHECK(features.shaderStorageTensorArrayDynamicIndexing == VK_TRUE);
  CHECK(features.descriptorBindingStorageTensorUpdateAfterBind == VK_FALSE);
  VkPhysicalDeviceTensorPropertiesARM limits{};
  limits.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TENSOR_PROPERTIES_ARM;
  VkPhysicalDeviceProperties2 properties{};
  properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  properties.pNext = &limits;
  api.vkGetPhysicalDeviceProperties2(physical().handle, &properties);
  CHECK(limits.maxTensorDimensionCount == 8);
  CHECK(limits.maxTensorElements == properties.properties.limits.maxStorageBufferRange);
  CHECK(limits.shaderTensorSupportedStages == VK_SHADER_STAGE_COMPUTE_BIT);
  CHECK(limits.maxPerStageDescriptorSetStorageTensors > 0);
  const tests::OwnInstance own(VK_API_VERSION_1_3);
  const auto ofFormat = reinterpret_cast<PFN_vkGetPhysicalDeviceFormatProperties2>(
      own.global.vkGetInstanceProcAddr(own.handle, "vkGetPhysicalDeviceFormatProperties2"));
  const auto featuresOf = [&](VkFormat format) {
    VkTensorFormatPropertiesARM tensor{};
    tensor.sType = VK_STRUCTURE_TYPE_TENSOR_FORMAT_PROPERTIES_ARM;
    VkFormatProperties2 answer{};
    answer.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2;
    answer.pNext = &tensor;
    ofFormat(own.device, format, &answer);
    CHECK(tensor.optimalTilingTensorFeatures == tensor.linearTilingTensorFeatures);
    return tensor.linearTilingTensorFeatures;
  };
  for (const VkFormat format :
       {VK_FORMAT_R8_BOOL_ARM, VK_FORMAT_R8_UINT, VK_FORMAT_R16_SFLOAT, VK_FORMAT_R32_SINT,
        VK_FORMAT_R64_UINT, VK_FORMAT_R16_SFLOAT_FPENCODING_BFLOAT16_ARM,
        VK_FORMAT_R8_SFLOAT_FPENCODING_FLOAT8E4M3_ARM})
    CHECK((featuresOf(format) & VK_FORMAT_FEATURE_2_TENSOR_SHADER_BIT_ARM) != 0);
  CHECK(featuresOf(VK_FORMAT_R8G8B8A8_UNORM) == 0);
}

TEST_CASE("tensors: elements of each type move from one tensor to another, packed or with gaps") {
  const struct {
    const char* type;
    VkFormat format;
    int64_t bytes;
    const char* extension;
  } kTypes[] = {
      {"bool", VK_FORMAT_R8_BOOL_ARM, 1, ""},
      {"uint8_t", VK_FORMAT_R8_UINT, 1, ""},
      {"int16_t", VK_FORMAT_R16_SINT, 2, ""},
      {"float16_t", VK_FORMAT_R16_SFLOAT, 2, ""},
      {"float", VK_FORMAT_R32_SFLOAT, 4, ""},
      {"uint64_t", VK_FORMAT_R64_UINT, 8, ""},
      {"bfloat16_t", VK_FORMAT_R16_SFLOAT_FPENCODING_BFLOAT16_ARM, 2,
       "#extension GL_EXT_bfloat16 : require\n#extension GL_ARM_tensors_bfloat16 : require\n"},
      {"floate4m3_t", VK_FORMAT_R8_SFLOAT_FPENCODING_FLOAT8E4M3_ARM, 1,
       "#extension GL_EXT_float_e4m3 : require\n#extension GL_ARM_tensors_float_e4m3 : require\n"},
      {"floate5m2_t", VK_FORMAT_R8_SFLOAT_FPENCODING_FLOAT8E5M2_ARM, 1,
       "#extension GL_EXT_float_e5m2 : require\n#extension GL_ARM_tensors_float_e5m2 : require\n"},
  };
  Program program;
  const HostBuffer sizes(program, 6 * sizeof(uint32_t));
  size_t ran = 0;
  for (const auto& t : kTypes) {
    INFO(t.type);
    const Pipeline pipeline(program, moveShader(t.type, t.extension),
                            {bindingOf(0, kTensor), bindingOf(1, kTensor), bindingOf(2, kBuffer)});
    const VkDescriptorSet set = pipeline.allocate();
    for (const bool gaps : {false, true}) {
      // The target's last plane is for the plane after the source's last one, which is read as 0.
      const Storage from = {
          {5, 3, 4},
          gaps ? std::vector<int64_t>{64 * t.bytes, 8 * t.bytes, t.bytes} : std::vector<int64_t>()};
      const Storage to = {
          {4, 3, 6},
          gaps ? std::vector<int64_t>{40 * t.bytes, 7 * t.bytes, t.bytes} : std::vector<int64_t>()};
      const HostTensor source(program, t.format, from.sizes, from.strides);
      const HostTensor target(program, t.format, to.sizes, to.strides);
      std::memset(target.bytes, 0x5A, target.size);
      const auto valueOf = [&](int64_t a, int64_t b, int64_t c) {
        // Bytes whose numbers are finite in all types; 0 and 1 for Booleans.
        return t.format == VK_FORMAT_R8_BOOL_ARM ? uint8_t((a + b + c) % 2) : uint8_t(1 + a * 12 + b * 4 + c);
      };
      for (int64_t i = 0; i < 60; ++i)
        std::memset(source.bytes + placeOf(from, t.bytes, i / 12, i / 4 % 3, i % 4),
                    valueOf(i / 12, i / 4 % 3, i % 4), size_t(t.bytes));
      const VkWriteDescriptorSetTensorARM first = viewsOf(&source.view, 1), second = viewsOf(&target.view, 1);
      const VkDescriptorBufferInfo buffer = sizes.info();
      const VkWriteDescriptorSet writes[] = {writeOf(set, 0, first), writeOf(set, 1, second),
                                             writeOf(set, 2, buffer)};
      program.api().vkUpdateDescriptorSets(program.handle(), 3, writes, 0, nullptr);
      pipeline.run(set);
      std::array<uint32_t, 6> read{};
      std::memcpy(read.data(), sizes.bytes, sizeof read);
      CHECK(read == std::array<uint32_t, 6>{5, 3, 4, 4, 3, 6});
      std::vector<unsigned char> wanted(target.size, 0x5A);
      for (int64_t i = 18; i < 72; ++i) {  // the target's first plane stays as it was
        const int64_t c = i / 18, b = i / 6 % 3, a = i % 6;
        std::memset(wanted.data() + placeOf(to, t.bytes, c, b, a), a < 5 ? valueOf(a, b, c - 1) : 0,
                    size_t(t.bytes));
      }
      CHECK(std::memcmp(wanted.data(), target.bytes, target.size) == 0);
      ++ran;
    }
  }
  CHECK(ran == 18);
}

namespace {

// result[i] is a number from a buffer plus the sum of all elements of tensor i, in an array of three.
const char* const kSums = R"(#version 460
#pragma shader_stage(compute)
#extension GL_ARM_tensors : require
layout(constant_id = 0) const uint kCount = 3;  // so that the array is not indexed by constants
layout(binding = 0) buffer Result { uint result[3]; };
layout(binding = 1) uniform tensorARM<uint, 2> all[3];
layout(binding = 2) buffer Base { uint base; };
void main() {
  for (uint t = 0; t < kCount; ++t) {
    uint sum = base;
    for (uint row = 0; row < tensorSizeARM(all[t], 0); ++row) {
      for (uint column = 0; column < tensorSizeARM(all[t], 1); ++column) {
        uint v;
        tensorReadARM(all[t], uint[](row, column), v);
        sum += v;
      }
    }
    result[t] = sum;
  }
}
)";

// The same, with a different tensor for each of three invocations.
const char* const kNonUniformSums = R"(#version 460
#pragma shader_stage(compute)
#extension GL_ARM_tensors : require
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 3) in;
layout(binding = 0) buffer Result { uint result[3]; };
layout(binding = 1) uniform tensorARM<uint, 2> all[3];
layout(binding = 2) buffer Base { uint base; };
void main() {
  uint t = gl_LocalInvocationIndex;
  uint sum = base;
  for (uint row = 0; row < tensorSizeARM(all[nonuniformEXT(t)], 0); ++row) {
    uint v[2];
    tensorReadARM(all[nonuniformEXT(t)], uint[](row, 0), v);
    sum += v[0] + v[1];
  }
  result[t] = sum;
}
)";

// An array of three tensors between two buffers, in one descriptor set.
class Sums {
 public:
  struct Data {
    VkDescriptorBufferInfo result;
    std::array<VkTensorViewARM, 3> views;
    VkDescriptorBufferInfo base;
  };

  Sums() {
    const uint32_t thousand = 1000;
    std::memcpy(base_.bytes, &thousand, sizeof thousand);
    for (uint32_t n = 0; n < 3; ++n) {
      HostTensor& tensor = tensors_.emplace_back(
          program, VK_FORMAT_R32_UINT, std::vector<int64_t>{int64_t{n} + 1, 2}, std::vector<int64_t>());
      for (uint32_t i = 0; i < 2 * (n + 1); ++i) {
        const uint32_t value = 10 * n + i;
        std::memcpy(tensor.bytes + 4 * i, &value, sizeof value);
      }
      data.views[n] = tensor.view;
    }
    all = viewsOf(data.views.data(), 3);
  }

  // Results of the last run.
  std::array<uint32_t, 3> results() const {
    std::array<uint32_t, 3> read{};
    std::memcpy(read.data(), result_.bytes, sizeof read);
    std::memset(result_.bytes, 0xAA, sizeof read);
    return read;
  }

  std::vector<VkWriteDescriptorSet> writes(VkDescriptorSet set) const {
    return {writeOf(set, 0, data.result), writeOf(set, 1, all), writeOf(set, 2, data.base)};
  }

  Program program;
  const TensorApi& api = *program.tensors;
  const VkDevice device = program.handle();

 private:
  const HostBuffer result_{program, 3 * sizeof(uint32_t)}, base_{program, sizeof(uint32_t)};
  std::deque<HostTensor> tensors_;

 public:
  Data data{result_.info(), {}, base_.info()};
  VkWriteDescriptorSetTensorARM all{};
  // 0 + 1; 10 + ... + 13; 20 + ... + 25
  const std::array<uint32_t, 3> kExpected = {1001, 1046, 1135};
  const std::vector<VkDescriptorSetLayoutBinding> kBindings = {
      bindingOf(0, kBuffer), bindingOf(1, kTensor, 3), bindingOf(2, kBuffer)};
  const std::array<VkDescriptorUpdateTemplateEntry, 3> kEntries = {
      {{0, 0, 1, kBuffer, offsetof(Data, result), 0},
       {1, 0, 3, kTensor, offsetof(Data, views), sizeof(VkTensorViewARM)},
       {2, 0, 1, kBuffer, offsetof(Data, base), 0}}};
};

}  // namespace

TEST_CASE_METHOD(
    Sums, "tensors: descriptors: writes, of all at once and of one at a time, and copies to another set") {
  const Pipeline pipeline(program, kSums, kBindings);
  const VkDescriptorSet set = pipeline.allocate(), other = pipeline.allocate();
  program.api().vkUpdateDescriptorSets(device, 3, writes(set).data(), 0, nullptr);
  pipeline.run(set);
  CHECK(results() == kExpected);
  VkCopyDescriptorSet copies[3]{};
  for (uint32_t n = 0; n < 3; ++n) {
    copies[n].sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET;
    copies[n].srcSet = set;
    copies[n].srcBinding = copies[n].dstBinding = n;
    copies[n].dstSet = other;
    copies[n].descriptorCount = n == 1 ? 3 : 1;
  }
  program.api().vkUpdateDescriptorSets(device, 0, nullptr, 3, copies);
  pipeline.run(other);
  CHECK(results() == kExpected);
  // The array's last tensor is replaced by the first one.
  const VkWriteDescriptorSetTensorARM one = viewsOf(data.views.data(), 1);
  VkWriteDescriptorSet last = writeOf(other, 1, one);
  last.dstArrayElement = 2;
  program.api().vkUpdateDescriptorSets(device, 1, &last, 0, nullptr);
  pipeline.run(other);
  CHECK(results() == std::array<uint32_t, 3>{1001, 1046, 1001});
  CHECK(api.vkFreeDescriptorSets(device, pipeline.pool, 1, &other) == VK_SUCCESS);
  CHECK(api.vkResetDescriptorPool(device, pipeline.pool, 0) == VK_SUCCESS);
}

TEST_CASE_METHOD(Sums, "tensors: descriptors: an array that invocations index differently") {
  const Pipeline pipeline(program, kNonUniformSums, kBindings);
  const VkDescriptorSet set = pipeline.allocate();
  program.api().vkUpdateDescriptorSets(device, 3, writes(set).data(), 0, nullptr);
  pipeline.run(set);
  CHECK(results() == kExpected);
}

TEST_CASE_METHOD(Sums,
                 "tensors: descriptors: templates, with entries of other descriptors and of tensors alone") {
  const Pipeline pipeline(program, kSums, kBindings);
  const VkDescriptorSet set = pipeline.allocate();
  VkDescriptorUpdateTemplateCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO;
  info.descriptorUpdateEntryCount = 3;
  info.pDescriptorUpdateEntries = kEntries.data();
  info.descriptorSetLayout = pipeline.sets;
  VkDescriptorUpdateTemplate whole = VK_NULL_HANDLE, part = VK_NULL_HANDLE;
  REQUIRE(api.vkCreateDescriptorUpdateTemplate(device, &info, nullptr, &whole) == VK_SUCCESS);
  info.descriptorUpdateEntryCount = 1;
  info.pDescriptorUpdateEntries = &kEntries[1];
  REQUIRE(api.vkCreateDescriptorUpdateTemplate(device, &info, nullptr, &part) == VK_SUCCESS);
  api.vkUpdateDescriptorSetWithTemplate(device, set, whole, &data);
  pipeline.run(set);
  CHECK(results() == kExpected);
  Data turned = data;
  std::swap(turned.views[0], turned.views[2]);
  api.vkUpdateDescriptorSetWithTemplate(device, set, part, &turned);
  pipeline.run(set);
  CHECK(results() == std::array<uint32_t, 3>{1135, 1046, 1001});
  api.vkDestroyDescriptorUpdateTemplate(device, part, nullptr);
  api.vkDestroyDescriptorUpdateTemplate(device, whole, nullptr);
}

TEST_CASE_METHOD(Sums, "tensors: descriptors: pushed, with and without a template") {
  const Pipeline pipeline(program, kSums, kBindings, VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR);
  pipeline.run([&](VkCommandBuffer commands) {
    api.vkCmdPushDescriptorSetKHR(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.layout, 0, 3,
                                  writes(VK_NULL_HANDLE).data());
  });
  CHECK(results() == kExpected);
  VkDescriptorUpdateTemplateCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO;
  info.descriptorUpdateEntryCount = 3;
  info.pDescriptorUpdateEntries = kEntries.data();
  info.templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS_KHR;
  info.pipelineBindPoint = VK_PIPELINE_BIND_POINT_COMPUTE;
  info.pipelineLayout = pipeline.layout;
  VkDescriptorUpdateTemplate pushed = VK_NULL_HANDLE;
  REQUIRE(api.vkCreateDescriptorUpdateTemplate(device, &info, nullptr, &pushed) == VK_SUCCESS);
  pipeline.run([&](VkCommandBuffer commands) {
    api.vkCmdPushDescriptorSetWithTemplateKHR(commands, pushed, pipeline.layout, 0, &data);
  });
  CHECK(results() == kExpected);
  api.vkDestroyDescriptorUpdateTemplate(device, pushed, nullptr);
}

TEST_CASE("tensors: copies between tensors, packed and with gaps, and barriers of tensors") {
  Program program;
  const TensorApi& api = *program.tensors;
  const std::vector<int64_t> sizes = {3, 2, 4};
  const std::vector<int64_t> packed, gaps = {96, 40, 4};
  size_t ran = 0;
  for (const auto& fromStrides : {packed, gaps}) {
    for (const auto& toStrides : {packed, gaps}) {
      const HostTensor from(program, VK_FORMAT_R32_UINT, sizes, fromStrides),
          middle(program, VK_FORMAT_R32_UINT, sizes, gaps), to(program, VK_FORMAT_R32_UINT, sizes, toStrides);
      const Storage source{sizes, fromStrides}, target{sizes, toStrides};
      for (uint32_t i = 0; i < 24; ++i)
        std::memcpy(from.bytes + placeOf(source, 4, i / 8, i / 4 % 2, i % 4), &i, sizeof i);
      std::memset(to.bytes, 0x5A, to.size);
      VkTensorCopyARM whole{};
      whole.sType = VK_STRUCTURE_TYPE_TENSOR_COPY_ARM;
      VkCopyTensorInfoARM copy{};
      copy.sType = VK_STRUCTURE_TYPE_COPY_TENSOR_INFO_ARM;
      copy.srcTensor = from.handle;
      copy.dstTensor = middle.handle;
      copy.regionCount = 1;
      copy.pRegions = &whole;
      REQUIRE_FALSE(program.commands.begin());
      const VkCommandBuffer commands = program.commands.handle();
      api.vkCmdCopyTensorARM(commands, &copy);
      VkTensorMemoryBarrierARM barrier{};
      barrier.sType = VK_STRUCTURE_TYPE_TENSOR_MEMORY_BARRIER_ARM;
      barrier.srcStageMask = barrier.dstStageMask = VK_PIPELINE_STAGE_2_COPY_BIT;
      barrier.srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT;
      barrier.dstAccessMask = VK_ACCESS_2_TRANSFER_READ_BIT;
      barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
      barrier.tensor = middle.handle;
      VkTensorDependencyInfoARM several{};
      several.sType = VK_STRUCTURE_TYPE_TENSOR_DEPENDENCY_INFO_ARM;
      several.tensorMemoryBarrierCount = 1;
      several.pTensorMemoryBarriers = &barrier;
      VkDependencyInfo dependency{};
      dependency.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO;
      dependency.pNext = ran % 2 == 0 ? static_cast<const void*>(&barrier) : &several;
      VkEvent event = VK_NULL_HANDLE;
      if (ran < 2) {
        api.vkCmdPipelineBarrier2(commands, &dependency);
      } else {
        VkEventCreateInfo eventInfo{};
        eventInfo.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO;
        REQUIRE(api.vkCreateEvent(program.handle(), &eventInfo, nullptr, &event) == VK_SUCCESS);
        api.vkCmdSetEvent2(commands, event, &dependency);
        api.vkCmdWaitEvents2(commands, 1, &event, &dependency);
      }
      copy.srcTensor = middle.handle;
      copy.dstTensor = to.handle;
      api.vkCmdCopyTensorARM(commands, &copy);
      program.commands.barrier();
      REQUIRE_FALSE(program.commands.submit("the copies"));
      std::vector<unsigned char> wanted(to.size, 0x5A);
      for (uint32_t i = 0; i < 24; ++i)
        std::memcpy(wanted.data() + placeOf(target, 4, i / 8, i / 4 % 2, i % 4), &i, sizeof i);
      CHECK(std::memcmp(wanted.data(), to.bytes, to.size) == 0);
      api.vkDestroyEvent(program.handle(), event, nullptr);
      ++ran;
    }
  }
  CHECK(ran == 4);
}

TEST_CASE("tensors: private data of tensors and views, which belongs to the object and the slot") {
  Program program;
  const TensorApi& api = *program.tensors;
  const VkDevice device = program.handle();
  if (api.vkCreatePrivateDataSlot == nullptr) SKIP("the driver has no private data");
  const HostTensor tensor(program, VK_FORMAT_R32_UINT, {4}, {}), other(program, VK_FORMAT_R32_UINT, {4}, {});
  const auto slotOf = [&] {
    VkPrivateDataSlotCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_PRIVATE_DATA_SLOT_CREATE_INFO;
    VkPrivateDataSlot slot = VK_NULL_HANDLE;
    REQUIRE(api.vkCreatePrivateDataSlot(device, &info, nullptr, &slot) == VK_SUCCESS);
    return slot;
  };
  const VkPrivateDataSlot slot = slotOf();
  const auto get = [&](VkObjectType type, auto handle) {
    uint64_t data = 77;
    api.vkGetPrivateData(device, type, uint64_t(uintptr_t(handle)), slot, &data);
    return data;
  };
  const auto set = [&](VkObjectType type, auto handle, uint64_t data) {
    CHECK(api.vkSetPrivateData(device, type, uint64_t(uintptr_t(handle)), slot, data) == VK_SUCCESS);
  };
  set(VK_OBJECT_TYPE_TENSOR_ARM, tensor.handle, 1);
  set(VK_OBJECT_TYPE_TENSOR_VIEW_ARM, tensor.view, 2);
  CHECK(get(VK_OBJECT_TYPE_TENSOR_ARM, tensor.handle) == 1);
  CHECK(get(VK_OBJECT_TYPE_TENSOR_VIEW_ARM, tensor.view) == 2);
  CHECK(get(VK_OBJECT_TYPE_TENSOR_ARM, other.handle) == 0);
  CHECK(get(VK_OBJECT_TYPE_TENSOR_VIEW_ARM, other.view) == 0);
  api.vkDestroyPrivateDataSlot(device, slot, nullptr);
}

TEST_CASE("tensors: what is refused") {
  Program program;
  const TensorApi& api = *program.tensors;
  const VkDevice device = program.handle();
  const auto created = [&](VkFormat format, const std::vector<int64_t>& sizes,
                           const std::vector<int64_t>& strides) {
    const VkTensorDescriptionARM description = descriptionOf(format, sizes, strides);
    const VkTensorCreateInfoARM info = creationOf(description);
    VkTensorARM tensor = VK_NULL_HANDLE;
    const VkResult result = api.vkCreateTensorARM(device, &info, nullptr, &tensor);
    CHECK((result == VK_SUCCESS) == (tensor != VK_NULL_HANDLE));
    api.vkDestroyTensorARM(device, tensor, nullptr);
    return result;
  };
  CHECK(created(VK_FORMAT_R32_UINT, {2, 2}, {}) == VK_SUCCESS);
  CHECK(created(VK_FORMAT_R8G8B8A8_UNORM, {2, 2}, {}) == VK_ERROR_UNKNOWN);
  CHECK(created(VK_FORMAT_R32_UINT, {}, {}) == VK_ERROR_UNKNOWN);
  CHECK(created(VK_FORMAT_R32_UINT, {2, 0}, {}) == VK_ERROR_UNKNOWN);
  CHECK(created(VK_FORMAT_R32_UINT, {2, -2}, {}) == VK_ERROR_UNKNOWN);
  CHECK(created(VK_FORMAT_R32_UINT, {1, 1, 1, 1, 1, 1, 1, 1, 1}, {}) == VK_ERROR_UNKNOWN);
  CHECK(created(VK_FORMAT_R32_UINT, {2, 2}, {6, 4}) == VK_ERROR_UNKNOWN);
  CHECK(created(VK_FORMAT_R32_UINT, {2, 2}, {-8, 4}) == VK_ERROR_UNKNOWN);
  CHECK(created(VK_FORMAT_R8_UINT, {1 << 30, 1 << 30}, {}) == VK_ERROR_UNKNOWN);
  CHECK(created(VK_FORMAT_R8_UINT, {int64_t{1} << 62, 4, 4}, {}) == VK_ERROR_UNKNOWN);

  const HostTensor tensor(program, VK_FORMAT_R32_UINT, {4}, {});
  VkTensorViewCreateInfoARM viewInfo{};
  viewInfo.sType = VK_STRUCTURE_TYPE_TENSOR_VIEW_CREATE_INFO_ARM;
  viewInfo.tensor = tensor.handle;
  viewInfo.format = VK_FORMAT_R16_UINT;
  VkTensorViewARM view = VK_NULL_HANDLE;
  CHECK(api.vkCreateTensorViewARM(device, &viewInfo, nullptr, &view) == VK_ERROR_UNKNOWN);
  CHECK(view == VK_NULL_HANDLE);

  const auto laidOut = [&](const std::vector<VkDescriptorSetLayoutBinding>& bindings,
                           const std::vector<VkDescriptorBindingFlags>& flags) {
    VkDescriptorSetLayoutBindingFlagsCreateInfo ofBindings{};
    ofBindings.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO;
    ofBindings.bindingCount = uint32_t(flags.size());
    ofBindings.pBindingFlags = flags.data();
    VkDescriptorSetLayoutCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
    info.pNext = &ofBindings;
    info.bindingCount = uint32_t(bindings.size());
    info.pBindings = bindings.data();
    VkDescriptorSetLayoutSupport support{};
    support.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_SUPPORT;
    api.vkGetDescriptorSetLayoutSupport(device, &info, &support);
    VkDescriptorSetLayout layout = VK_NULL_HANDLE;
    const VkResult result = program.api().vkCreateDescriptorSetLayout(device, &info, nullptr, &layout);
    CHECK((result == VK_SUCCESS) == (support.supported == VK_TRUE));
    if (result == VK_SUCCESS) program.api().vkDestroyDescriptorSetLayout(device, layout, nullptr);
    return result;
  };
  CHECK(laidOut({bindingOf(1023, kTensor), bindingOf(0, kBuffer)}, {0, 0}) == VK_SUCCESS);
  CHECK(laidOut({bindingOf(0, kTensor), bindingOf(1024, kBuffer)}, {}) == VK_ERROR_UNKNOWN);
  CHECK(laidOut({bindingOf(0, kTensor), bindingOf(1, kBuffer, 4)},
                {0, VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT}) == VK_ERROR_UNKNOWN);
  CHECK(laidOut({bindingOf(1024, kBuffer)}, {}) == VK_SUCCESS);
}
#endif
