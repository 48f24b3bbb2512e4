// Layouts, descriptor sets and pipelines, and what drivers report about pipelines.
#include "vulkan/executor/pipeline.hpp"

#include <algorithm>
#include <chrono>
#include <map>

namespace coopc::vk {

uint32_t setCount(std::span<const Binding> bindings) {
  uint32_t count = 0;
  for (const Binding& binding : bindings) count = std::max(count, binding.set + 1);
  return count;
}

Outcome PipelineLayout::create(Device& device, std::span<const Binding> bindings, uint32_t pushConstantBytes,
                               VkShaderStageFlags stages) {
  stages_ = stages;
  for (uint32_t set = 0; set < setCount(bindings); ++set) {
    std::vector<VkDescriptorSetLayoutBinding> entries;
    for (const Binding& binding : bindings) {
      if (binding.set == set) entries.push_back({binding.binding, binding.type, 1, stages, nullptr});
    }
    VkDescriptorSetLayoutCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
    info.bindingCount = static_cast<uint32_t>(entries.size());
    info.pBindings = entries.data();
    if (Outcome bad = make(device, device.api().vkCreateDescriptorSetLayout, "vkCreateDescriptorSetLayout",
                           info, sets_.emplace_back()))
      return bad;
    setHandles_.push_back(sets_.back().get());
  }
  VkPushConstantRange range{};
  range.stageFlags = stages;
  range.size = pushConstantBytes;
  VkPipelineLayoutCreateInfo layout{};
  layout.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
  layout.setLayoutCount = static_cast<uint32_t>(setHandles_.size());
  layout.pSetLayouts = setHandles_.data();
  layout.pushConstantRangeCount = range.size != 0 ? 1 : 0;
  layout.pPushConstantRanges = &range;
  return make(device, device.api().vkCreatePipelineLayout, "vkCreatePipelineLayout", layout, layout_);
}

Outcome DescriptorSets::create(Device& device, const PipelineLayout& layout,
                               std::span<const Binding> bindings) {
  device_ = &device;
  if (layout.sets().empty()) return std::nullopt;
  std::map<VkDescriptorType, uint32_t> counts;
  for (const Binding& binding : bindings) ++counts[binding.type];
  std::vector<VkDescriptorPoolSize> sizes;
  for (const auto& [type, count] : counts) sizes.push_back({type, count});
  VkDescriptorPoolCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
  info.maxSets = static_cast<uint32_t>(layout.sets().size());
  info.poolSizeCount = static_cast<uint32_t>(sizes.size());
  info.pPoolSizes = sizes.data();
  if (Outcome bad = make(device, device.api().vkCreateDescriptorPool, "vkCreateDescriptorPool", info, pool_))
    return bad;
  VkDescriptorSetAllocateInfo allocate{};
  allocate.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
  allocate.descriptorPool = pool_.get();
  allocate.descriptorSetCount = info.maxSets;
  allocate.pSetLayouts = layout.sets().data();
  sets_.resize(info.maxSets);
  return device.check(device.api().vkAllocateDescriptorSets(device.handle(), &allocate, sets_.data()),
                      "vkAllocateDescriptorSets");
}

void DescriptorSets::write(const Binding& binding, VkWriteDescriptorSet update) {
  update.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
  update.dstSet = sets_[binding.set];
  update.dstBinding = binding.binding;
  update.descriptorCount = 1;
  update.descriptorType = binding.type;
  device_->api().vkUpdateDescriptorSets(device_->handle(), 1, &update, 0, nullptr);
}

void DescriptorSets::write(const Binding& binding, const VkDescriptorBufferInfo& buffer) {
  VkWriteDescriptorSet update{};
  update.pBufferInfo = &buffer;
  write(binding, update);
}

void DescriptorSets::write(const Binding& binding, const VkDescriptorImageInfo& image,
                           const VkBufferView& texels) {
  VkWriteDescriptorSet update{};
  update.pImageInfo = &image;
  update.pTexelBufferView = &texels;
  write(binding, update);
}

void DescriptorSets::write(const Binding& binding, const VkAccelerationStructureKHR& scene) {
  VkWriteDescriptorSetAccelerationStructureKHR structure{};
  structure.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR;
  structure.accelerationStructureCount = 1;
  structure.pAccelerationStructures = &scene;
  VkWriteDescriptorSet update{};
  update.pNext = &structure;
  write(binding, update);
}

SpecializationInfo::SpecializationInfo(std::span<const Specialization> values) {
  for (const Specialization& s : values) {
    entries_.push_back({s.id, static_cast<uint32_t>(data_.size() * sizeof s.bits), s.bytes});
    data_.push_back(s.bits);
  }
  info_.mapEntryCount = static_cast<uint32_t>(entries_.size());
  info_.pMapEntries = entries_.data();
  info_.dataSize = data_.size() * sizeof(uint64_t);
  info_.pData = data_.data();
}

Outcome makeShaderModule(Device& device, std::span<const uint32_t> words, ShaderModule& out) {
  VkShaderModuleCreateInfo shader{};
  shader.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
  shader.codeSize = words.size_bytes();
  shader.pCode = words.data();
  return make(device, device.api().vkCreateShaderModule, "vkCreateShaderModule", shader, out);
}

Outcome ComputePipeline::create(Device& device, const PipelineLayout& layout,
                                const PipelineRequest& request) {
  const auto start = std::chrono::steady_clock::now();
  Outcome bad = createTimed(device, layout, request);
  milliseconds_ = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return bad;
}

Outcome ComputePipeline::createTimed(Device& device, const PipelineLayout& layout,
                                     const PipelineRequest& request) {
  if (Outcome bad = makeShaderModule(device, request.module, module_)) return bad;
  const SpecializationInfo specialization(request.specializations);
  VkPipelineShaderStageRequiredSubgroupSizeCreateInfo subgroup{};
  subgroup.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO;
  subgroup.requiredSubgroupSize = request.subgroupSize;
  VkComputePipelineCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
  if (device.hasStatistics()) info.flags |= VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR;
  if (device.hasRepresentations()) info.flags |= VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR;
  VkPipelineCreateFlags2CreateInfoKHR flags{};
  if (device.hasBinaries()) {
    flags.sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR;
    flags.flags = info.flags | VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR;
    info.pNext = &flags;
  }
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.pNext = request.subgroupSize != 0 ? &subgroup : nullptr;
  if (request.fullSubgroups) info.stage.flags = VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module_.get();
  info.stage.pName = request.entry.c_str();
  info.stage.pSpecializationInfo = specialization.get();
  info.layout = layout.handle();
  VkPipeline pipeline = VK_NULL_HANDLE;
  if (Outcome bad = device.check(device.api().vkCreateComputePipelines(device.handle(), VK_NULL_HANDLE, 1,
                                                                       &info, nullptr, &pipeline),
                                 "vkCreateComputePipelines"))
    return bad;
  pipeline_ = {device, pipeline};
  return std::nullopt;
}

namespace {

std::optional<double> valueOf(const VkPipelineExecutableStatisticKHR& statistic) {
  switch (statistic.format) {
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_BOOL32_KHR: return statistic.value.b32;
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_INT64_KHR: return static_cast<double>(statistic.value.i64);
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR: return static_cast<double>(statistic.value.u64);
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_FLOAT64_KHR: return statistic.value.f64;
    default: return std::nullopt;
  }
}

// Calls `take` with the name of each executable of the pipeline.
template <typename Take>
void forEachExecutable(const Device& device, VkPipeline handle, const Take& take) {
  const DeviceApi& api = device.api();
  if (api.vkGetPipelineExecutablePropertiesKHR == nullptr) return;
  VkPipelineInfoKHR pipeline{};
  pipeline.sType = VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR;
  pipeline.pipeline = handle;
  uint32_t executables = 0;
  if (api.vkGetPipelineExecutablePropertiesKHR(device.handle(), &pipeline, &executables, nullptr) !=
      VK_SUCCESS)
    return;
  for (uint32_t i = 0; i < executables; ++i) {
    VkPipelineExecutableInfoKHR which{};
    which.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR;
    which.pipeline = handle;
    which.executableIndex = i;
    take(which);
  }
}

void addRepresentations(const Device& device, const VkPipelineExecutableInfoKHR& which,
                        std::vector<ShaderCode>& result) {
  const auto get = device.api().vkGetPipelineExecutableInternalRepresentationsKHR;
  uint32_t count = 0;
  if (get == nullptr || get(device.handle(), &which, &count, nullptr) != VK_SUCCESS) return;
  VkPipelineExecutableInternalRepresentationKHR empty{};
  empty.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INTERNAL_REPRESENTATION_KHR;
  std::vector<VkPipelineExecutableInternalRepresentationKHR> forms(count, empty);
  // First their sizes, then their bytes.
  if (get(device.handle(), &which, &count, forms.data()) != VK_SUCCESS) return;
  std::vector<ShaderCode> codes(count);
  for (uint32_t i = 0; i < count; ++i) {
    codes[i].bytes.resize(forms[i].dataSize);
    forms[i].pData = codes[i].bytes.data();
  }
  if (get(device.handle(), &which, &count, forms.data()) != VK_SUCCESS) return;
  for (uint32_t i = 0; i < count; ++i) {
    codes[i].name = forms[i].name;
    codes[i].isText = forms[i].isText == VK_TRUE;
    codes[i].bytes.resize(std::min(forms[i].dataSize, codes[i].bytes.size()));
    if (codes[i].isText && !codes[i].bytes.empty() && codes[i].bytes.back() == 0) codes[i].bytes.pop_back();
    result.push_back(std::move(codes[i]));
  }
}

// Destroying the object frees the binary.
void addBinary(const Device& device, VkPipelineBinaryKHR binary, std::vector<ShaderCode>& result) {
  VkPipelineBinaryDataInfoKHR which{};
  which.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_DATA_INFO_KHR;
  which.pipelineBinary = binary;
  VkPipelineBinaryKeyKHR key{};
  key.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_KEY_KHR;
  size_t size = 0;
  const DeviceApi& api = device.api();
  if (api.vkGetPipelineBinaryDataKHR(device.handle(), &which, &key, &size, nullptr) == VK_SUCCESS) {
    ShaderCode code{"binary", false, std::vector<uint8_t>(size)};
    if (api.vkGetPipelineBinaryDataKHR(device.handle(), &which, &key, &size, code.bytes.data()) ==
        VK_SUCCESS) {
      code.bytes.resize(std::min(size, code.bytes.size()));
      result.push_back(std::move(code));
    }
  }
  api.vkDestroyPipelineBinaryKHR(device.handle(), binary, nullptr);
}

void addBinaries(const Device& device, VkPipeline pipeline, std::vector<ShaderCode>& result) {
  const DeviceApi& api = device.api();
  if (api.vkCreatePipelineBinariesKHR == nullptr || api.vkDestroyPipelineBinaryKHR == nullptr ||
      api.vkGetPipelineBinaryDataKHR == nullptr)
    return;
  VkPipelineBinaryCreateInfoKHR info{};
  info.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_CREATE_INFO_KHR;
  info.pipeline = pipeline;
  VkPipelineBinaryHandlesInfoKHR handles{};
  handles.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_HANDLES_INFO_KHR;
  if (api.vkCreatePipelineBinariesKHR(device.handle(), &info, nullptr, &handles) != VK_SUCCESS) return;
  std::vector<VkPipelineBinaryKHR> binaries(handles.pipelineBinaryCount);
  handles.pPipelineBinaries = binaries.data();
  if (api.vkCreatePipelineBinariesKHR(device.handle(), &info, nullptr, &handles) != VK_SUCCESS) return;
  for (const VkPipelineBinaryKHR binary : binaries) addBinary(device, binary, result);
}

}  // namespace

std::vector<std::pair<std::string, double>> ComputePipeline::statistics(const Device& device) const {
  std::vector<std::pair<std::string, double>> result;
  const auto get = device.api().vkGetPipelineExecutableStatisticsKHR;
  if (!device.hasStatistics() || get == nullptr) return result;
  forEachExecutable(device, handle(), [&](const VkPipelineExecutableInfoKHR& which) {
    uint32_t count = 0;
    if (get(device.handle(), &which, &count, nullptr) != VK_SUCCESS) return;
    VkPipelineExecutableStatisticKHR empty{};
    empty.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR;
    std::vector<VkPipelineExecutableStatisticKHR> statistics(count, empty);
    if (get(device.handle(), &which, &count, statistics.data()) != VK_SUCCESS) return;
    for (const VkPipelineExecutableStatisticKHR& statistic : statistics) {
      if (const std::optional<double> value = valueOf(statistic)) result.emplace_back(statistic.name, *value);
    }
  });
  return result;
}

uint32_t ComputePipeline::subgroupSize(const Device& device) const {
  const auto get = device.api().vkGetPipelineExecutablePropertiesKHR;
  if (!device.hasStatistics() || get == nullptr) return 0;
  VkPipelineInfoKHR pipeline{};
  pipeline.sType = VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR;
  pipeline.pipeline = handle();
  VkPipelineExecutablePropertiesKHR first{};
  first.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR;
  uint32_t count = 1;
  const VkResult result = get(device.handle(), &pipeline, &count, &first);
  return (result == VK_SUCCESS || result == VK_INCOMPLETE) && count == 1 ? first.subgroupSize : 0;
}

std::vector<ShaderCode> ComputePipeline::code(const Device& device) const {
  std::vector<ShaderCode> result;
  if (device.hasRepresentations()) {
    forEachExecutable(device, handle(), [&](const VkPipelineExecutableInfoKHR& which) {
      addRepresentations(device, which, result);
    });
  }
  if (device.hasBinaries()) addBinaries(device, handle(), result);
  return result;
}

}  // namespace coopc::vk
