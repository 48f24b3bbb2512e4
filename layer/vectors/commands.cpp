// Commands of VK_NV_cooperative_vector, and commands whose state its conversions change.
#include <memory>
#include <string>
#include <vector>

#include "layer/state.hpp"
#include "layer/vectors/device.hpp"
#include "layer/vectors/matrices.hpp"

namespace coopc::layer {
namespace {

using vectors::VectorDevice;

// Runs `body` with the layer's state of the device's cooperative vectors, if they are the layer's. Then runs
// `next`, the driver's command, even if there was no memory to keep what the command sets.
template <class Body, class Next>
void observe(VkCommandBuffer commands, const Body& body, const Next& next) {
  guard([&] {
    const std::shared_ptr<DeviceState> state = devices().find(commands);
    if (state == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
    const VkResult kept = guard([&] {
      if (VectorDevice* const all = state->vectors()) body(*all);
      return VK_SUCCESS;
    });
    next(state->next());
    if (kept != VK_SUCCESS)
      state->messages().error("no memory for what a command buffer has bound: conversions do not restore it");
    return VK_SUCCESS;
  });
}

}  // namespace

namespace commands {

VKAPI_ATTR VkResult VKAPI_CALL
vkConvertCooperativeVectorMatrixNV(VkDevice device, const VkConvertCooperativeVectorMatrixInfoNV* pInfo) {
  return guard([&]() -> VkResult {
    const std::shared_ptr<DeviceState> state = devices().find(device);
    if (state == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
    if (state->vectors() == nullptr) return state->next().vkConvertCooperativeVectorMatrixNV(device, pInfo);
    vectors::Conversion conversion;
    if (const std::string wrong = vectors::describe(*pInfo, conversion); !wrong.empty()) {
      state->messages().error("vkConvertCooperativeVectorMatrixNV: " + wrong);
      return VK_ERROR_UNKNOWN;
    }
    const auto wanted = size_t(conversion.to.bytes);
    const size_t room = *pInfo->pDstSize;
    if (pInfo->dstData.hostAddress == nullptr) {
      *pInfo->pDstSize = wanted;
      return VK_SUCCESS;
    }
    // "If pInfo->pDstSize is less than the number of bytes required to store the converted matrix, no bytes
    // will be written".
    if (room < wanted) {
      *pInfo->pDstSize = 0;
      return VK_INCOMPLETE;
    }
    if (pInfo->srcData.hostAddress == nullptr || pInfo->srcSize < conversion.from.bytes) {
      state->messages().error("vkConvertCooperativeVectorMatrixNV: the source is smaller than its matrix");
      return VK_ERROR_UNKNOWN;
    }
    vectors::convert(conversion, static_cast<const std::byte*>(pInfo->srcData.hostAddress),
                     static_cast<std::byte*>(pInfo->dstData.hostAddress));
    *pInfo->pDstSize = wanted;
    return VK_SUCCESS;
  });
}

VKAPI_ATTR void VKAPI_CALL vkCmdConvertCooperativeVectorMatrixNV(
    VkCommandBuffer commandBuffer, uint32_t infoCount, const VkConvertCooperativeVectorMatrixInfoNV* pInfos) {
  guard([&] {
    const std::shared_ptr<DeviceState> state = devices().find(commandBuffer);
    if (state == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
    VectorDevice* const all = state->vectors();
    if (all == nullptr) {
      state->next().vkCmdConvertCooperativeVectorMatrixNV(commandBuffer, infoCount, pInfos);
      return VK_SUCCESS;
    }
    std::vector<VectorDevice::Request> requests;
    for (uint32_t n = 0; n < infoCount; ++n) {
      const VkConvertCooperativeVectorMatrixInfoNV& info = pInfos[n];
      vectors::Conversion conversion;
      std::string wrong = vectors::describe(info, conversion);
      if (wrong.empty() && info.srcSize < conversion.from.bytes)
        wrong = "the source is smaller than its matrix";
      if (wrong.empty() && (info.pDstSize == nullptr || *info.pDstSize < conversion.to.bytes))
        wrong = "the destination is smaller than its matrix";
      if (wrong.empty())
        requests.push_back({conversion, info.srcData.deviceAddress, info.dstData.deviceAddress});
      else
        state->messages().error("vkCmdConvertCooperativeVectorMatrixNV: " + wrong);
    }
    if (requests.empty()) return VK_SUCCESS;
    const VkResult result = all->record(commandBuffer, requests);
    if (result != VK_SUCCESS)
      state->messages().error(
          "vkCmdConvertCooperativeVectorMatrixNV: the driver does not make the pipeline that converts");
    return result;
  });
}

VKAPI_ATTR VkResult VKAPI_CALL vkBeginCommandBuffer(VkCommandBuffer commandBuffer,
                                                    const VkCommandBufferBeginInfo* pBeginInfo) {
  return guard([&]() -> VkResult {
    const std::shared_ptr<DeviceState> state = devices().find(commandBuffer);
    if (state == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
    if (VectorDevice* const all = state->vectors()) all->begin(commandBuffer);
    return state->next().vkBeginCommandBuffer(commandBuffer, pBeginInfo);
  });
}

VKAPI_ATTR VkResult VKAPI_CALL vkEndCommandBuffer(VkCommandBuffer commandBuffer) {
  return guard([&]() -> VkResult {
    const std::shared_ptr<DeviceState> state = devices().find(commandBuffer);
    if (state == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
    if (VectorDevice* const all = state->vectors()) all->end(commandBuffer);
    return state->next().vkEndCommandBuffer(commandBuffer);
  });
}

VKAPI_ATTR void VKAPI_CALL vkCmdBindPipeline(VkCommandBuffer commandBuffer,
                                             VkPipelineBindPoint pipelineBindPoint, VkPipeline pipeline) {
  observe(
      commandBuffer,
      [&](VectorDevice& all) {
        if (pipelineBindPoint == VK_PIPELINE_BIND_POINT_COMPUTE)
          all.stateOf(commandBuffer).bindPipeline(pipeline);
      },
      [&](const Functions& next) { next.vkCmdBindPipeline(commandBuffer, pipelineBindPoint, pipeline); });
}

VKAPI_ATTR void VKAPI_CALL vkCmdBindShadersEXT(VkCommandBuffer commandBuffer, uint32_t stageCount,
                                               const VkShaderStageFlagBits* pStages,
                                               const VkShaderEXT* pShaders) {
  observe(
      commandBuffer,
      [&](VectorDevice& all) {
        for (uint32_t n = 0; n < stageCount; ++n) {
          if (pStages[n] == VK_SHADER_STAGE_COMPUTE_BIT)
            all.stateOf(commandBuffer)
                .bindShader(pShaders != nullptr ? pShaders[n] : VkShaderEXT{VK_NULL_HANDLE});
        }
      },
      [&](const Functions& next) { next.vkCmdBindShadersEXT(commandBuffer, stageCount, pStages, pShaders); });
}

VKAPI_ATTR void VKAPI_CALL vkCmdPushConstants(VkCommandBuffer commandBuffer, VkPipelineLayout layout,
                                              VkShaderStageFlags stageFlags, uint32_t offset, uint32_t size,
                                              const void* pValues) {
  observe(
      commandBuffer,
      [&](VectorDevice& all) { all.stateOf(commandBuffer).push(layout, stageFlags, offset, size, pValues); },
      [&](const Functions& next) {
        next.vkCmdPushConstants(commandBuffer, layout, stageFlags, offset, size, pValues);
      });
}

VKAPI_ATTR void VKAPI_CALL vkCmdPushConstants2(VkCommandBuffer commandBuffer,
                                               const VkPushConstantsInfo* pPushConstantsInfo) {
  observe(
      commandBuffer,
      [&](VectorDevice& all) {
        const VkPushConstantsInfo& info = *pPushConstantsInfo;
        // A layout may be described in the chain instead, and cannot be named again.
        if (info.layout != VK_NULL_HANDLE)
          all.stateOf(commandBuffer).push(info.layout, info.stageFlags, info.offset, info.size, info.pValues);
      },
      [&](const Functions& next) { next.vkCmdPushConstants2(commandBuffer, pPushConstantsInfo); });
}

}  // namespace commands
}  // namespace coopc::layer
