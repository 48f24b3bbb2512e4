// A ray tracing pipeline with its shader binding table, and a trace over a grid.
#include <algorithm>
#include <cstring>

#include "vulkan/executor/work/work.hpp"

namespace coopc::vk {
namespace {

uint64_t alignUp(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

// The groups of the pipeline, region by region of the shader binding table.
struct Groups {
  enum Region { RayGeneration, Miss, Hit, Callable, kRegions };
  std::vector<VkRayTracingShaderGroupCreateInfoKHR> infos;
  uint32_t first[kRegions]{};
  uint32_t count[kRegions]{};

  explicit Groups(std::span<const RunStage> stages) {
    general(stages, RayGeneration, VK_SHADER_STAGE_RAYGEN_BIT_KHR);
    general(stages, Miss, VK_SHADER_STAGE_MISS_BIT_KHR);
    hit(stages);
    general(stages, Callable, VK_SHADER_STAGE_CALLABLE_BIT_KHR);
  }

 private:
  static VkRayTracingShaderGroupCreateInfoKHR group(VkRayTracingShaderGroupTypeKHR type) {
    VkRayTracingShaderGroupCreateInfoKHR info{};
    info.sType = VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_KHR;
    info.type = type;
    info.generalShader = VK_SHADER_UNUSED_KHR;
    info.closestHitShader = VK_SHADER_UNUSED_KHR;
    info.anyHitShader = VK_SHADER_UNUSED_KHR;
    info.intersectionShader = VK_SHADER_UNUSED_KHR;
    return info;
  }

  void general(std::span<const RunStage> stages, Region region, VkShaderStageFlagBits stage) {
    first[region] = static_cast<uint32_t>(infos.size());
    for (uint32_t i = 0; i < stages.size(); ++i) {
      if (stages[i].stage->bit != stage) continue;
      infos.push_back(group(VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR));
      infos.back().generalShader = i;
    }
    count[region] = static_cast<uint32_t>(infos.size()) - first[region];
  }

  void hit(std::span<const RunStage> stages) {
    first[Hit] = static_cast<uint32_t>(infos.size());
    for (uint32_t i = 0; i < stages.size(); ++i) {
      const RunStage& stage = stages[i];
      if (!stage.stage->isHit()) continue;
      while (infos.size() <= first[Hit] + stage.hitGroup)
        infos.push_back(group(VK_RAY_TRACING_SHADER_GROUP_TYPE_TRIANGLES_HIT_GROUP_KHR));
      VkRayTracingShaderGroupCreateInfoKHR& info = infos[first[Hit] + stage.hitGroup];
      switch (stage.stage->bit) {
        case VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR: info.closestHitShader = i; break;
        case VK_SHADER_STAGE_ANY_HIT_BIT_KHR: info.anyHitShader = i; break;
        default:
          info.intersectionShader = i;
          info.type = VK_RAY_TRACING_SHADER_GROUP_TYPE_PROCEDURAL_HIT_GROUP_KHR;
          break;
      }
    }
    count[Hit] = static_cast<uint32_t>(infos.size()) - first[Hit];
  }
};

class TracingWork : public Work {
 public:
  explicit TracingWork(const RunRequest& request) : request_(request), groups_(request.stages) {}

  Outcome createPipeline(Device& device, const PipelineLayout& layout) override {
    const SpecializationInfo specialization(request_.specializations);
    if (Outcome bad = stages_.create(device, request_, specialization)) return bad;
    VkRayTracingPipelineCreateInfoKHR info{};
    info.sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR;
    info.stageCount = static_cast<uint32_t>(stages_.infos().size());
    info.pStages = stages_.infos().data();
    info.groupCount = static_cast<uint32_t>(groups_.infos.size());
    info.pGroups = groups_.infos.data();
    info.maxPipelineRayRecursionDepth = request_.tracing->recursion;
    info.layout = layout.handle();
    VkPipeline pipeline = VK_NULL_HANDLE;
    const VkResult result = device.api().vkCreateRayTracingPipelinesKHR(
        device.handle(), VK_NULL_HANDLE, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
    if (Outcome bad = device.check(result, "vkCreateRayTracingPipelinesKHR")) return bad;
    pipeline_ = {device, pipeline};
    return std::nullopt;
  }

  Outcome prepare(WorkPlace& place) override {
    device_ = &place.transfer.device();
    VkPhysicalDeviceRayTracingPipelinePropertiesKHR rays{};
    rays.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_PROPERTIES_KHR;
    VkPhysicalDeviceProperties2 all{};
    all.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
    all.pNext = &rays;
    place.instance.vkGetPhysicalDeviceProperties2(place.physical.handle, &all);
    return createTable(place, rays);
  }

  void record(Commands& commands, const Bound& bound) override {
    commands.bind(VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, pipeline_.get(), bound.layout, bound.sets,
                  bound.pushConstants);
    recordAgain(commands);
  }

  void recordAgain(Commands& commands) override {
    const auto& size = request_.tracing->size;
    device_->api().vkCmdTraceRaysKHR(commands.handle(), &regions_[Groups::RayGeneration],
                                     &regions_[Groups::Miss], &regions_[Groups::Hit],
                                     &regions_[Groups::Callable], size[0], size[1], size[2]);
  }

 private:
  // One record for each group, without data besides the handle.
  Outcome createTable(WorkPlace& place, const VkPhysicalDeviceRayTracingPipelinePropertiesKHR& rays) {
    const uint64_t handle = rays.shaderGroupHandleSize;
    const uint64_t stride = alignUp(handle, rays.shaderGroupHandleAlignment);
    std::vector<uint8_t> handles(handle * groups_.infos.size());
    const VkResult got = device_->api().vkGetRayTracingShaderGroupHandlesKHR(
        device_->handle(), pipeline_.get(), 0, static_cast<uint32_t>(groups_.infos.size()), handles.size(),
        handles.data());
    if (Outcome bad = device_->check(got, "vkGetRayTracingShaderGroupHandlesKHR")) return bad;
    std::vector<uint8_t> records;
    for (size_t region = 0; region < Groups::kRegions; ++region) {
      if (groups_.count[region] == 0) continue;
      records.resize(alignUp(records.size(), rays.shaderGroupBaseAlignment));
      regions_[region] = {records.size(), stride, stride * groups_.count[region]};
      for (uint32_t i = 0; i < groups_.count[region]; ++i) {
        const size_t at = records.size();
        records.resize(at + stride);
        std::memcpy(&records[at], &handles[handle * (groups_.first[region] + i)], handle);
      }
    }
    const VkBufferUsageFlags usage = VK_BUFFER_USAGE_SHADER_BINDING_TABLE_BIT_KHR |
                                     VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT |
                                     VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    if (Outcome bad =
            table_.create(*device_, records.size() + rays.shaderGroupBaseAlignment, usage, Placement::Device))
      return bad;
    const uint64_t address = table_.address(*device_);
    const uint64_t start = alignUp(address, rays.shaderGroupBaseAlignment);
    for (VkStridedDeviceAddressRegionKHR& region : regions_) {
      if (region.size != 0) region.deviceAddress += start;
    }
    return place.transfer.toDevice(records, table_.handle(), start - address);
  }

  const RunRequest& request_;
  Groups groups_;
  Device* device_ = nullptr;
  StageModules stages_;
  Owned<VkPipeline, &DeviceApi::vkDestroyPipeline> pipeline_;
  Buffer table_;
  VkStridedDeviceAddressRegionKHR regions_[Groups::kRegions]{};
};

}  // namespace

std::unique_ptr<Work> makeTracing(const RunRequest& request) {
  return std::make_unique<TracingWork>(request);
}

}  // namespace coopc::vk
