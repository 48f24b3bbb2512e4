// Implements compute.hpp. Handles are destroyed in the reverse order of their creation, by a stack of
// functions.
#include "compute.hpp"

#include <cstring>
#include <dlfcn.h>
#include <functional>
#include <string_view>

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>

#include "coopc/vulkan_profile.hpp"

namespace engine {

namespace {

// The functions that undo each step; run in reverse order.
class Undo {
 public:
  ~Undo() {
    while (!steps_.empty()) {
      steps_.back()();
      steps_.pop_back();
    }
  }
  void add(std::function<void()> step) { steps_.push_back(std::move(step)); }

 private:
  std::vector<std::function<void()>> steps_;
};

}  // namespace

struct Compute::Impl {
  Undo undo;
  PFN_vkGetInstanceProcAddr find = nullptr;
  VkInstance instance = nullptr;
  VkPhysicalDevice physical = nullptr;
  VkDevice device = nullptr;
  VkQueue queue = nullptr;
  uint32_t family = 0;
  std::string name, profile;

  template <class F>
  F get(const char* function) const {
    return reinterpret_cast<F>(find(instance, function));
  }
  bool openInstance(std::string& why);
  bool pickDevice(std::string& why);
  bool openDevice(std::string& why);
};

// Calls a function of Vulkan by its name.
#define VK(function) get<PFN_##function>(#function)

bool Compute::Impl::openInstance(std::string& why) {
  void* loader = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
  if (loader == nullptr) {
    why = "no Vulkan loader";
    return false;
  }
  undo.add([loader] { dlclose(loader); });
  find = reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(loader, "vkGetInstanceProcAddr"));
  VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
  application.apiVersion = VK_API_VERSION_1_3;
  VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  info.pApplicationInfo = &application;
  if (find == nullptr || VK(vkCreateInstance)(&info, nullptr, &instance) != VK_SUCCESS) {
    why = "no Vulkan driver";
    return false;
  }
  undo.add([this] { VK(vkDestroyInstance)(instance, nullptr); });
  return true;
}

bool Compute::Impl::pickDevice(std::string& why) {
  uint32_t count = 1;
  VK(vkEnumeratePhysicalDevices)(instance, &count, &physical);
  VkPhysicalDeviceProperties properties{};
  if (physical != nullptr) VK(vkGetPhysicalDeviceProperties)(physical, &properties);
  if (properties.apiVersion < VK_API_VERSION_1_3) {
    why = "no device with Vulkan 1.3";
    return false;
  }
  name = properties.deviceName;
  profile = coopc::vulkanProfile(instance, physical, find);
  VK(vkGetPhysicalDeviceQueueFamilyProperties)(physical, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  VK(vkGetPhysicalDeviceQueueFamilyProperties)(physical, &count, families.data());
  for (family = 0; family < count; ++family)
    if ((families[family].queueFlags & VK_QUEUE_COMPUTE_BIT) != 0) return true;
  why = "no compute queue";
  return false;
}

// Enables everything of the device that compute shaders use, because the profile promises it to the cache.
bool Compute::Impl::openDevice(std::string& why) {
  const bool matrices = profile.find("\"VK_KHR_cooperative_matrix\"") != std::string::npos;
  VkPhysicalDeviceCooperativeMatrixFeaturesKHR matrix{
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR};
  VkPhysicalDeviceVulkan13Features v13{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
  VkPhysicalDeviceVulkan12Features v12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
  VkPhysicalDeviceVulkan11Features v11{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES};
  VkPhysicalDeviceFeatures2 features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
  features.pNext = &v11;
  v11.pNext = &v12;
  v12.pNext = &v13;
  v13.pNext = matrices ? &matrix : nullptr;
  VK(vkGetPhysicalDeviceFeatures2)(physical, &features);
  const char* extension = VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME;
  const float priority = 1;
  VkDeviceQueueCreateInfo queues{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  queues.queueFamilyIndex = family;
  queues.queueCount = 1;
  queues.pQueuePriorities = &priority;
  VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  info.pNext = &features;
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queues;
  info.enabledExtensionCount = matrices ? 1 : 0;
  info.ppEnabledExtensionNames = &extension;
  if (VK(vkCreateDevice)(physical, &info, nullptr, &device) != VK_SUCCESS) {
    why = "vkCreateDevice fails";
    return false;
  }
  undo.add([this] { VK(vkDestroyDevice)(device, nullptr); });
  VK(vkGetDeviceQueue)(device, family, 0, &queue);
  return true;
}

namespace {

// One run. Members are created in their order; each step returns false if Vulkan refuses it.
template <class Vulkan>
class Run {
 public:
  Run(const Vulkan& vulkan, const Shader& shader, std::vector<uint16_t>& data)
      : v_(vulkan), shader_(shader), data_(data), bytes_(data.size() * sizeof(uint16_t)) {}

  bool run(std::string& why) {
    why = "memory";
    if (!memory()) return false;
    why = "the pipeline";
    if (!layouts() || !pipeline()) return false;
    why = "the dispatch";
    if (!descriptors() || !dispatch()) return false;
    std::memcpy(data_.data(), mapped_, bytes_);
    why.clear();
    return true;
  }

 private:
  template <class F>
  F get(const char* name) const {
    return v_.template get<F>(name);
  }
  bool memory() {
    VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
    info.size = bytes_;
    info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    if (VK(vkCreateBuffer)(v_.device, &info, nullptr, &buffer_) != VK_SUCCESS) return false;
    undo_.add([this] { VK(vkDestroyBuffer)(v_.device, buffer_, nullptr); });
    VkMemoryRequirements needs{};
    VK(vkGetBufferMemoryRequirements)(v_.device, buffer_, &needs);
    VkPhysicalDeviceMemoryProperties types{};
    VK(vkGetPhysicalDeviceMemoryProperties)(v_.physical, &types);
    constexpr VkMemoryPropertyFlags kWanted =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkMemoryAllocateInfo allocation{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    allocation.allocationSize = needs.size;
    for (; allocation.memoryTypeIndex < types.memoryTypeCount; ++allocation.memoryTypeIndex)
      if ((needs.memoryTypeBits >> allocation.memoryTypeIndex & 1) != 0 &&
          (types.memoryTypes[allocation.memoryTypeIndex].propertyFlags & kWanted) == kWanted)
        break;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    if (VK(vkAllocateMemory)(v_.device, &allocation, nullptr, &memory) != VK_SUCCESS) return false;
    undo_.add([this, memory] { VK(vkFreeMemory)(v_.device, memory, nullptr); });
    if (VK(vkBindBufferMemory)(v_.device, buffer_, memory, 0) != VK_SUCCESS ||
        VK(vkMapMemory)(v_.device, memory, 0, bytes_, 0, &mapped_) != VK_SUCCESS)
      return false;
    std::memcpy(mapped_, data_.data(), bytes_);
    return true;
  }

  // Makes the layouts from the reflection of the shader.
  bool layouts() {
    const Binding& reflected = shader_.bindings.at(0);
    VkDescriptorSetLayoutBinding binding{};
    binding.binding = reflected.binding;
    binding.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    binding.descriptorCount = reflected.count;
    binding.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
    VkDescriptorSetLayoutCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
    info.bindingCount = 1;
    info.pBindings = &binding;
    if (VK(vkCreateDescriptorSetLayout)(v_.device, &info, nullptr, &setLayout_) != VK_SUCCESS) return false;
    undo_.add([this] { VK(vkDestroyDescriptorSetLayout)(v_.device, setLayout_, nullptr); });
    VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT, 0,
                              static_cast<uint32_t>(shader_.pushConstantBytes)};
    VkPipelineLayoutCreateInfo layout{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    layout.setLayoutCount = 1;
    layout.pSetLayouts = &setLayout_;
    layout.pushConstantRangeCount = range.size != 0 ? 1 : 0;
    layout.pPushConstantRanges = &range;
    if (VK(vkCreatePipelineLayout)(v_.device, &layout, nullptr, &layout_) != VK_SUCCESS) return false;
    undo_.add([this] { VK(vkDestroyPipelineLayout)(v_.device, layout_, nullptr); });
    return true;
  }

  bool pipeline() {
    VkShaderModuleCreateInfo code{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
    code.codeSize = shader_.words.size() * sizeof(uint32_t);
    code.pCode = shader_.words.data();
    VkShaderModule module = VK_NULL_HANDLE;
    if (VK(vkCreateShaderModule)(v_.device, &code, nullptr, &module) != VK_SUCCESS) return false;
    undo_.add([this, module] { VK(vkDestroyShaderModule)(v_.device, module, nullptr); });
    // Lowered code may rely on the subgroup size.
    VkPipelineShaderStageRequiredSubgroupSizeCreateInfo size{
        VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO};
    size.requiredSubgroupSize = shader_.requiredSubgroupSize;
    VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
    info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.module = module;
    info.stage.pName = "main";
    if (size.requiredSubgroupSize != 0) {
      info.stage.pNext = &size;
      info.stage.flags = VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
    }
    info.layout = layout_;
    if (VK(vkCreateComputePipelines)(v_.device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline_) != VK_SUCCESS)
      return false;
    undo_.add([this] { VK(vkDestroyPipeline)(v_.device, pipeline_, nullptr); });
    return true;
  }

  bool descriptors() {
    const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
    VkDescriptorPoolCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
    info.maxSets = 1;
    info.poolSizeCount = 1;
    info.pPoolSizes = &size;
    VkDescriptorPool pool = VK_NULL_HANDLE;
    if (VK(vkCreateDescriptorPool)(v_.device, &info, nullptr, &pool) != VK_SUCCESS) return false;
    undo_.add([this, pool] { VK(vkDestroyDescriptorPool)(v_.device, pool, nullptr); });
    VkDescriptorSetAllocateInfo allocation{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
    allocation.descriptorPool = pool;
    allocation.descriptorSetCount = 1;
    allocation.pSetLayouts = &setLayout_;
    if (VK(vkAllocateDescriptorSets)(v_.device, &allocation, &set_) != VK_SUCCESS) return false;
    const VkDescriptorBufferInfo buffer{buffer_, 0, VK_WHOLE_SIZE};
    VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
    write.dstSet = set_;
    write.dstBinding = shader_.bindings.at(0).binding;
    write.descriptorCount = 1;
    write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    write.pBufferInfo = &buffer;
    VK(vkUpdateDescriptorSets)(v_.device, 1, &write, 0, nullptr);
    return true;
  }

  bool dispatch() {
    VkCommandPoolCreateInfo info{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    info.queueFamilyIndex = v_.family;
    VkCommandPool pool = VK_NULL_HANDLE;
    if (VK(vkCreateCommandPool)(v_.device, &info, nullptr, &pool) != VK_SUCCESS) return false;
    undo_.add([this, pool] { VK(vkDestroyCommandPool)(v_.device, pool, nullptr); });
    VkCommandBufferAllocateInfo allocation{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
    allocation.commandPool = pool;
    allocation.commandBufferCount = 1;
    VkCommandBuffer commands = nullptr;
    if (VK(vkAllocateCommandBuffers)(v_.device, &allocation, &commands) != VK_SUCCESS) return false;
    VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    VK(vkBeginCommandBuffer)(commands, &begin);
    VK(vkCmdBindPipeline)(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_);
    VK(vkCmdBindDescriptorSets)
    (commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout_, shader_.bindings.at(0).set, 1, &set_, 0, nullptr);
    const std::vector<unsigned char> zeros(shader_.pushConstantBytes);
    if (!zeros.empty()) VK(vkCmdPushConstants)
    (commands, layout_, VK_SHADER_STAGE_COMPUTE_BIT, 0, static_cast<uint32_t>(zeros.size()), zeros.data());
    VK(vkCmdDispatch)(commands, 1, 1, 1);
    if (VK(vkEndCommandBuffer)(commands) != VK_SUCCESS) return false;
    VkSubmitInfo submit{VK_STRUCTURE_TYPE_SUBMIT_INFO};
    submit.commandBufferCount = 1;
    submit.pCommandBuffers = &commands;
    return VK(vkQueueSubmit)(v_.queue, 1, &submit, VK_NULL_HANDLE) == VK_SUCCESS &&
           VK(vkQueueWaitIdle)(v_.queue) == VK_SUCCESS;
  }

  const Vulkan& v_;
  const Shader& shader_;
  std::vector<uint16_t>& data_;
  size_t bytes_;
  void* mapped_ = nullptr;
  VkBuffer buffer_ = VK_NULL_HANDLE;
  VkDescriptorSetLayout setLayout_ = VK_NULL_HANDLE;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkPipeline pipeline_ = VK_NULL_HANDLE;
  VkDescriptorSet set_ = VK_NULL_HANDLE;
  Undo undo_;
};

}  // namespace

std::unique_ptr<Compute> Compute::open(std::string& why) {
  auto impl = std::make_unique<Impl>();
  if (!impl->openInstance(why) || !impl->pickDevice(why) || !impl->openDevice(why)) return nullptr;
  return std::unique_ptr<Compute>(new Compute(std::move(impl)));
}

Compute::Compute(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Compute::~Compute() = default;
const std::string& Compute::name() const { return impl_->name; }
const std::string& Compute::profile() const { return impl_->profile; }

bool Compute::run(const Shader& shader, std::vector<uint16_t>& data, std::string& why) {
  return Run<Impl>(*impl_, shader, data).run(why);
}

}  // namespace engine
