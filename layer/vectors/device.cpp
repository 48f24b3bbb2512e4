// The pipeline that converts matrices, and the state that it changes. Conversions are recorded as transfers:
// a barrier before them waits for the stage ALL_TRANSFER, and one after them makes that stage wait, so that
// in a program's barriers only the stage has to be replaced (layer/synchronization.cpp).
#include "layer/vectors/device.hpp"

#include <algorithm>

namespace coopc::layer::vectors {
namespace {

// The workgroups in a dimension of a dispatch that every device supports (Vulkan, Required Limits,
// maxComputeWorkGroupCount).
constexpr uint32_t kMostWorkgroups = 65535;

// The module of convert.comp, compiled by the build.
constexpr uint32_t kModule[] = {
#include "convert.spv.inc"
};

// As convert.comp declares it.
struct Parameters {
  VkDeviceAddress source, destination;
  uint32_t rows, columns;
  uint32_t sourceRow, sourceColumn;
  uint32_t destinationRow, destinationColumn, destinationColumns;
  uint32_t sourceBytes, destinationBytes;
  uint32_t sourceFormat, destinationFormat;
  uint32_t isSame;
};
// Vulkan's smallest limit of push constants is 128 bytes.
static_assert(sizeof(Parameters) == 64);

uint32_t packed(const Element& element) {
  const FloatFormat& f = element.format;
  return uint32_t(f.exponentBits) | uint32_t(f.mantissaBits) << 8 |
         (f.top == FloatFormat::Top::OneNan ? 1u << 16 : 0);
}

Parameters parametersOf(const VectorDevice::Request& r) {
  const Conversion& c = r.conversion;
  const bool isSame = packed(c.from.element) == packed(c.to.element);
  return {.source = r.from,
          .destination = r.to,
          .rows = c.rows,
          .columns = c.columns,
          .sourceRow = c.from.row,
          .sourceColumn = c.from.column,
          .destinationRow = c.to.row,
          .destinationColumn = c.to.column,
          .destinationColumns = c.to.columns,
          .sourceBytes = c.from.element.bytes,
          .destinationBytes = c.to.element.bytes,
          .sourceFormat = packed(c.from.element),
          .destinationFormat = packed(c.to.element),
          .isSame = isSame ? 1u : 0u};
}

constexpr VkShaderStageFlagBits kCompute = VK_SHADER_STAGE_COMPUTE_BIT;

}  // namespace

// --- What a program has set --------------------------------------------------------------------------------
void ComputeState::bindPipeline(VkPipeline pipeline) {
  pipeline_ = pipeline;
  shader_ = VK_NULL_HANDLE;
}

void ComputeState::bindShader(VkShaderEXT shader) {
  shader_ = shader;
  pipeline_ = VK_NULL_HANDLE;
}

void ComputeState::push(VkPipelineLayout layout, VkShaderStageFlags stages, uint32_t offset, uint32_t size,
                        const void* values) {
  // Overwritten constants need not be restored, so the list stays short.
  std::erase_if(pushed_, [&](const Pushed& p) {
    return p.layout == layout && (p.stages & ~stages) == 0 && p.offset >= offset &&
           p.offset + p.values.size() <= uint64_t{offset} + size;
  });
  const auto* bytes = static_cast<const std::byte*>(values);
  pushed_.push_back({layout, stages, offset, {bytes, bytes + size}});
}

void ComputeState::restore(const DriverFunctions& driver, VkCommandBuffer commands) const {
  if (pipeline_ != VK_NULL_HANDLE)
    driver.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_);
  if (shader_ != VK_NULL_HANDLE) driver.vkCmdBindShadersEXT(commands, 1, &kCompute, &shader_);
  for (const Pushed& p : pushed_)
    driver.vkCmdPushConstants(commands, p.layout, p.stages, p.offset, uint32_t(p.values.size()),
                              p.values.data());
}

// --- The device --------------------------------------------------------------------------------------------
VectorDevice::VectorDevice(VkDevice device, PFN_vkGetDeviceProcAddr following) : device_(device) {
#define COOPC_LOAD(name) driver_.name = reinterpret_cast<PFN_##name>(following(device, #name));
  COOPC_VECTOR_FUNCTIONS(COOPC_LOAD)
#undef COOPC_LOAD
}

VectorDevice::~VectorDevice() {
  if (pipeline_ != VK_NULL_HANDLE) driver_.vkDestroyPipeline(device_, pipeline_, nullptr);
  if (layout_ != VK_NULL_HANDLE) driver_.vkDestroyPipelineLayout(device_, layout_, nullptr);
}

void VectorDevice::begin(VkCommandBuffer commands) {
  const std::lock_guard<std::mutex> lock(mutex_);
  states_[commands] = std::make_unique<ComputeState>();
}

void VectorDevice::end(VkCommandBuffer commands) {
  const std::lock_guard<std::mutex> lock(mutex_);
  states_.erase(commands);
}

ComputeState& VectorDevice::stateOf(VkCommandBuffer commands) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::unique_ptr<ComputeState>& state = states_[commands];
  if (state == nullptr) state = std::make_unique<ComputeState>();
  return *state;
}

// With the mutex held.
VkResult VectorDevice::makePipeline() {
  if (pipeline_ != VK_NULL_HANDLE) return VK_SUCCESS;
  if (layout_ == VK_NULL_HANDLE) {
    const VkPushConstantRange range{kCompute, 0, sizeof(Parameters)};
    VkPipelineLayoutCreateInfo layout{};
    layout.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
    layout.pushConstantRangeCount = 1;
    layout.pPushConstantRanges = &range;
    const VkResult result = driver_.vkCreatePipelineLayout(device_, &layout, nullptr, &layout_);
    if (result != VK_SUCCESS) return result;
  }
  VkShaderModuleCreateInfo code{};
  code.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
  code.codeSize = sizeof kModule;
  code.pCode = kModule;
  VkComputePipelineCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = kCompute;
  info.stage.pName = "main";
  info.layout = layout_;
  info.basePipelineIndex = -1;
  VkResult result = driver_.vkCreateShaderModule(device_, &code, nullptr, &info.stage.module);
  if (result != VK_SUCCESS) return result;
  result = driver_.vkCreateComputePipelines(device_, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline_);
  driver_.vkDestroyShaderModule(device_, info.stage.module, nullptr);
  return result;
}

VkResult VectorDevice::record(VkCommandBuffer commands, const std::vector<Request>& requests) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (const VkResult result = makePipeline(); result != VK_SUCCESS) return result;
  }
  constexpr VkPipelineStageFlags kTransfer = VK_PIPELINE_STAGE_TRANSFER_BIT,
                                 kShader = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
  VkMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;
  driver_.vkCmdPipelineBarrier(commands, kTransfer, kShader, 0, 1, &barrier, 0, nullptr, 0, nullptr);
  driver_.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_);
  for (const Request& request : requests) {
    // A workgroup takes several rows if there are more rows than workgroups.
    const uint32_t groups = std::min(request.conversion.rows, kMostWorkgroups);
    if (groups == 0 || request.conversion.columns == 0) continue;
    const Parameters parameters = parametersOf(request);
    driver_.vkCmdPushConstants(commands, layout_, kCompute, 0, sizeof parameters, &parameters);
    driver_.vkCmdDispatch(commands, groups, 1, 1);
  }
  barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  driver_.vkCmdPipelineBarrier(commands, kShader, kTransfer, 0, 1, &barrier, 0, nullptr, 0, nullptr);
  stateOf(commands).restore(driver_, commands);
  return VK_SUCCESS;
}

}  // namespace coopc::layer::vectors
