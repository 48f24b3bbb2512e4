// Layouts of pipelines, descriptor sets, and compute pipelines.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "vulkan/executor/device.hpp"
#include "vulkan/executor/run_request.hpp"

namespace coopc::vk {

struct Binding {
  uint32_t set = 0;
  uint32_t binding = 0;
  VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
};

/// How many sets the bindings need, including unused ones below the last.
uint32_t setCount(std::span<const Binding> bindings);

class PipelineLayout {
 public:
  /// Sets that nothing uses get empty layouts. All bindings and constants are visible to all `stages`.
  Outcome create(Device& device, std::span<const Binding> bindings, uint32_t pushConstantBytes,
                 VkShaderStageFlags stages = VK_SHADER_STAGE_COMPUTE_BIT);
  VkPipelineLayout handle() const { return layout_.get(); }
  VkShaderStageFlags stages() const { return stages_; }
  std::span<const VkDescriptorSetLayout> sets() const { return setHandles_; }

 private:
  VkShaderStageFlags stages_ = 0;
  std::vector<Owned<VkDescriptorSetLayout, &DeviceApi::vkDestroyDescriptorSetLayout>> sets_;
  std::vector<VkDescriptorSetLayout> setHandles_;
  Owned<VkPipelineLayout, &DeviceApi::vkDestroyPipelineLayout> layout_;
};

/// One descriptor set for each set of a layout.
class DescriptorSets {
 public:
  /// `bindings` are those in the layout; if it has no sets, nothing is created.
  Outcome create(Device& device, const PipelineLayout& layout, std::span<const Binding> bindings);
  std::span<const VkDescriptorSet> handles() const { return sets_; }
  void write(const Binding& binding, const VkDescriptorBufferInfo& buffer);
  /// Writes an image, a sampler or both; `texels` for texel buffers.
  void write(const Binding& binding, const VkDescriptorImageInfo& image, const VkBufferView& texels);
  void write(const Binding& binding, const VkAccelerationStructureKHR& scene);

 private:
  void write(const Binding& binding, VkWriteDescriptorSet update);

  Device* device_ = nullptr;
  Owned<VkDescriptorPool, &DeviceApi::vkDestroyDescriptorPool> pool_;
  std::vector<VkDescriptorSet> sets_;  ///< owned by the pool
};

/// VkSpecializationInfo with what it points to.
class SpecializationInfo {
 public:
  explicit SpecializationInfo(std::span<const Specialization> values);
  SpecializationInfo(const SpecializationInfo&) = delete;
  SpecializationInfo& operator=(const SpecializationInfo&) = delete;
  /// Null if there are no values.
  const VkSpecializationInfo* get() const { return entries_.empty() ? nullptr : &info_; }

 private:
  std::vector<VkSpecializationMapEntry> entries_;
  std::vector<uint64_t> data_;
  VkSpecializationInfo info_{};
};

using ShaderModule = Owned<VkShaderModule, &DeviceApi::vkDestroyShaderModule>;
Outcome makeShaderModule(Device& device, std::span<const uint32_t> words, ShaderModule& out);

struct PipelineRequest {
  std::span<const uint32_t> module;
  std::string entry = "main";
  std::span<const Specialization> specializations;
  uint32_t subgroupSize = 0;  ///< 0: any
  bool fullSubgroups = false;
};

class ComputePipeline {
 public:
  Outcome create(Device& device, const PipelineLayout& layout, const PipelineRequest& request);
  VkPipeline handle() const { return pipeline_.get(); }
  /// The time that create() took, including the driver's compilation, even if it failed.
  double milliseconds() const { return milliseconds_; }
  /// Names and values as the driver reports them: registers, stack, shared memory ... Empty if it reports
  /// none.
  std::vector<std::pair<std::string, double>> statistics(const Device& device) const;
  /// The subgroup size that the driver reports; 0 if it reports none.
  uint32_t subgroupSize(const Device& device) const;
  /// The driver's internal representations of the shader, then the binaries that it caches.
  std::vector<ShaderCode> code(const Device& device) const;

 private:
  Outcome createTimed(Device& device, const PipelineLayout& layout, const PipelineRequest& request);

  ShaderModule module_;
  Owned<VkPipeline, &DeviceApi::vkDestroyPipeline> pipeline_;
  double milliseconds_ = 0;
};

}  // namespace coopc::vk
