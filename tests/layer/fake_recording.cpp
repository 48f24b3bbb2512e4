// Commands that only record their calls.
#include "tests/layer/fake_recording.hpp"

#include <cstdio>
#include <iterator>
#include <mutex>

#include "layer/chain.hpp"

namespace coopc::tests::fake {
namespace {

struct Trace {
  std::mutex mutex;
  std::vector<std::string> lines;
};
Trace& trace() {
  static Trace t;
  return t;
}

void say(std::string line) {
  const std::lock_guard<std::mutex> lock(trace().mutex);
  trace().lines.push_back(std::move(line));
}

std::string hex(uint64_t number) {
  char text[32];
  std::snprintf(text, sizeof text, "%llx", static_cast<unsigned long long>(number));
  return text;
}

void sayStages(const char* what, VkPipelineStageFlags2 from, VkPipelineStageFlags2 to) {
  say(std::string(what) + " " + hex(from) + " -> " + hex(to));
}

template <class Barrier>
void sayBarriers(const char* what, const Barrier* first, uint32_t count) {
  for (uint32_t n = 0; n < count; ++n) sayStages(what, first[n].srcStageMask, first[n].dstStageMask);
}

void sayDependency(const VkDependencyInfo& info) {
  sayBarriers("memory", info.pMemoryBarriers, info.memoryBarrierCount);
  sayBarriers("buffer", info.pBufferMemoryBarriers, info.bufferMemoryBarrierCount);
  sayBarriers("image", info.pImageMemoryBarriers, info.imageMemoryBarrierCount);
#ifdef VK_KHR_device_address_commands
  const auto* ranges = layer::findChained<VkMemoryRangeBarriersInfoKHR>(
      info.pNext, VK_STRUCTURE_TYPE_MEMORY_RANGE_BARRIERS_INFO_KHR);
  if (ranges != nullptr) sayBarriers("range", ranges->pMemoryRangeBarriers, ranges->memoryRangeBarrierCount);
#endif
}

VkResult VKAPI_CALL fakeBeginCommandBuffer(VkCommandBuffer, const VkCommandBufferBeginInfo*) {
  say("begin");
  return VK_SUCCESS;
}
VkResult VKAPI_CALL fakeEndCommandBuffer(VkCommandBuffer) {
  say("end");
  return VK_SUCCESS;
}
void VKAPI_CALL fakeCmdBindPipeline(VkCommandBuffer, VkPipelineBindPoint point, VkPipeline pipeline) {
  if (point == VK_PIPELINE_BIND_POINT_COMPUTE) say("bind pipeline " + hex(uint64_t(pipeline)));
}
void VKAPI_CALL fakeCmdBindShadersEXT(VkCommandBuffer, uint32_t count, const VkShaderStageFlagBits* stages,
                                      const VkShaderEXT* shaders) {
  for (uint32_t n = 0; n < count; ++n)
    say("bind shader " + hex(stages[n]) + " " + hex(shaders != nullptr ? uint64_t(shaders[n]) : 0));
}
void VKAPI_CALL fakeCmdPushConstants(VkCommandBuffer, VkPipelineLayout layout, VkShaderStageFlags stages,
                                     uint32_t offset, uint32_t size, const void* values) {
  std::string line = "push " + hex(uint64_t(layout)) + " " + hex(stages) + " at " + hex(offset) + ":";
  for (uint32_t n = 0; n < size; ++n) line += " " + hex(static_cast<const unsigned char*>(values)[n]);
  say(std::move(line));
}
void VKAPI_CALL fakeCmdPushConstants2(VkCommandBuffer commands, const VkPushConstantsInfo* info) {
  fakeCmdPushConstants(commands, info->layout, info->stageFlags, info->offset, info->size, info->pValues);
}
void VKAPI_CALL fakeCmdDispatch(VkCommandBuffer, uint32_t x, uint32_t y, uint32_t z) {
  say("dispatch " + hex(x) + " " + hex(y) + " " + hex(z));
}
void VKAPI_CALL fakeCmdPipelineBarrier(VkCommandBuffer, VkPipelineStageFlags from, VkPipelineStageFlags to,
                                       VkDependencyFlags, uint32_t, const VkMemoryBarrier*, uint32_t,
                                       const VkBufferMemoryBarrier*, uint32_t, const VkImageMemoryBarrier*) {
  sayStages("barrier", from, to);
}
void VKAPI_CALL fakeCmdPipelineBarrier2(VkCommandBuffer, const VkDependencyInfo* info) {
  sayDependency(*info);
}
void VKAPI_CALL fakeCmdSetEvent2(VkCommandBuffer, VkEvent, const VkDependencyInfo* info) {
  sayDependency(*info);
}
void VKAPI_CALL fakeCmdWaitEvents2(VkCommandBuffer, uint32_t count, const VkEvent*,
                                   const VkDependencyInfo* infos) {
  for (uint32_t n = 0; n < count; ++n) sayDependency(infos[n]);
}
void VKAPI_CALL fakeCmdResetEvent2(VkCommandBuffer, VkEvent, VkPipelineStageFlags2 stages) {
  sayStages("reset", stages, 0);
}
void VKAPI_CALL fakeCmdWriteTimestamp2(VkCommandBuffer, VkPipelineStageFlags2 stage, VkQueryPool, uint32_t) {
  sayStages("timestamp", stage, 0);
}
void VKAPI_CALL fakeCmdWriteBufferMarker2AMD(VkCommandBuffer, VkPipelineStageFlags2 stage, VkBuffer,
                                             VkDeviceSize, uint32_t) {
  sayStages("marker", stage, 0);
}
#ifdef VK_KHR_device_address_commands
void VKAPI_CALL fakeCmdWriteMarkerToMemoryAMD(VkCommandBuffer, const VkMemoryMarkerInfoAMD* info) {
  sayStages("memory marker", info->stage, info->marker);
}
#endif
VkResult VKAPI_CALL fakeQueueSubmit2(VkQueue, uint32_t count, const VkSubmitInfo2* infos, VkFence) {
  for (uint32_t n = 0; n < count; ++n) {
    for (uint32_t k = 0; k < infos[n].waitSemaphoreInfoCount; ++k)
      sayStages("wait", infos[n].pWaitSemaphoreInfos[k].stageMask, 0);
    for (uint32_t k = 0; k < infos[n].signalSemaphoreInfoCount; ++k)
      sayStages("signal", infos[n].pSignalSemaphoreInfos[k].stageMask, 0);
  }
  return VK_SUCCESS;
}
VkResult VKAPI_CALL fakeCreateRenderPass2(VkDevice, const VkRenderPassCreateInfo2* info,
                                          const VkAllocationCallbacks*, VkRenderPass* pass) {
  for (uint32_t n = 0; n < info->dependencyCount; ++n) {
    const auto* barrier = layer::findChained<VkMemoryBarrier2>(info->pDependencies[n].pNext,
                                                               VK_STRUCTURE_TYPE_MEMORY_BARRIER_2);
    if (barrier != nullptr) sayBarriers("subpass", barrier, 1);
  }
  *pass = VkRenderPass(uint64_t{1});
  return VK_SUCCESS;
}
VkResult VKAPI_CALL fakeCreatePipelineLayout(VkDevice, const VkPipelineLayoutCreateInfo*,
                                             const VkAllocationCallbacks*, VkPipelineLayout* layout) {
  say("layout");
  *layout = VkPipelineLayout(uint64_t{0x1A});
  return VK_SUCCESS;
}
void VKAPI_CALL fakeDestroyPipelineLayout(VkDevice, VkPipelineLayout, const VkAllocationCallbacks*) {
  say("layout destroyed");
}

struct Row {
  std::string_view name;
  PFN_vkVoidFunction function;
};
#define COOPC_FAKE(name) \
  { "vk" #name, reinterpret_cast<PFN_vkVoidFunction>(&fake##name) }
const Row kRows[] = {
    COOPC_FAKE(BeginCommandBuffer),
    COOPC_FAKE(EndCommandBuffer),
    COOPC_FAKE(CmdBindPipeline),
    COOPC_FAKE(CmdBindShadersEXT),
    COOPC_FAKE(CmdPushConstants),
    COOPC_FAKE(CmdPushConstants2),
    COOPC_FAKE(CmdDispatch),
    COOPC_FAKE(CmdPipelineBarrier),
    COOPC_FAKE(CmdPipelineBarrier2),
    COOPC_FAKE(CmdSetEvent2),
    COOPC_FAKE(CmdWaitEvents2),
    COOPC_FAKE(CmdResetEvent2),
    COOPC_FAKE(CmdWriteTimestamp2),
    COOPC_FAKE(CmdWriteBufferMarker2AMD),
    COOPC_FAKE(QueueSubmit2),
    COOPC_FAKE(CreateRenderPass2),
    COOPC_FAKE(CreatePipelineLayout),
    COOPC_FAKE(DestroyPipelineLayout),
#ifdef VK_KHR_device_address_commands
    COOPC_FAKE(CmdWriteMarkerToMemoryAMD),
#endif
};
#undef COOPC_FAKE

}  // namespace

PFN_vkVoidFunction recordingProc(std::string_view name) {
  for (const Row& row : kRows) {
    if (row.name == name) return row.function;
  }
  return nullptr;
}

std::vector<std::string> takeTrace() {
  const std::lock_guard<std::mutex> lock(trace().mutex);
  std::vector<std::string> lines;
  lines.swap(trace().lines);
  return lines;
}

}  // namespace coopc::tests::fake
