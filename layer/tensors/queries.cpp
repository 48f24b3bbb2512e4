// Queries of formats and of external memory, on devices with the layer's tensors. Queries of features and
// limits are in layer/queries.cpp.
#include "layer/chain.hpp"
#include "layer/state.hpp"

#ifdef VK_ARM_tensors

namespace coopc::layer {
namespace {

// Whether tensors can have the format. Elements of 64 bits need a feature of shaders.
bool canHold(const vk::FeatureSet& features, VkFormat format) {
  if (format == VK_FORMAT_R64_SFLOAT) return features.has(Feature::shaderFloat64);
  if (format == VK_FORMAT_R64_UINT || format == VK_FORMAT_R64_SINT) return features.has(Feature::shaderInt64);
  return tensors::elementBytes(format) != 0;
}

// Formats that VK_ARM_tensors adds, which drivers without it do not know.
bool isNewFormat(VkFormat format) {
  return format == VK_FORMAT_R8_BOOL_ARM || format == VK_FORMAT_R16_SFLOAT_FPENCODING_BFLOAT16_ARM ||
         format == VK_FORMAT_R8_SFLOAT_FPENCODING_FLOAT8E4M3_ARM ||
         format == VK_FORMAT_R8_SFLOAT_FPENCODING_FLOAT8E5M2_ARM;
}

}  // namespace

namespace commands {

VKAPI_ATTR void VKAPI_CALL vkGetPhysicalDeviceFormatProperties2(VkPhysicalDevice physicalDevice,
                                                                VkFormat format,
                                                                VkFormatProperties2* pFormatProperties) {
  guard([&] {
    const std::shared_ptr<InstanceState> state = instances().find(physicalDevice);
    if (state == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
    const Offer* const offer = state->offer(physicalDevice);
    const bool ours = offer != nullptr && offer->gives(Extension::ARM_tensors);
    if (ours && isNewFormat(format)) {
      pFormatProperties->formatProperties = {};
    } else {
      state->next().vkGetPhysicalDeviceFormatProperties2(physicalDevice, format, pFormatProperties);
    }
    auto* at = static_cast<VkBaseOutStructure*>(pFormatProperties->pNext);
    for (uint32_t n = 0; ours && at != nullptr && n < kMaxChain; ++n, at = at->pNext) {
      if (at->sType == VK_STRUCTURE_TYPE_TENSOR_FORMAT_PROPERTIES_ARM) {
        auto& p = *reinterpret_cast<VkTensorFormatPropertiesARM*>(at);
        p.linearTilingTensorFeatures = canHold(offer->device.features, format)
                                           ? VK_FORMAT_FEATURE_2_TENSOR_SHADER_BIT_ARM |
                                                 VK_FORMAT_FEATURE_2_TRANSFER_SRC_BIT |
                                                 VK_FORMAT_FEATURE_2_TRANSFER_DST_BIT
                                           : 0;
        p.optimalTilingTensorFeatures = p.linearTilingTensorFeatures;
      } else if (at->sType == VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3 && isNewFormat(format)) {
        auto& p = *reinterpret_cast<VkFormatProperties3*>(at);
        p.linearTilingFeatures = p.optimalTilingFeatures = p.bufferFeatures = 0;
      }
    }
    return VK_SUCCESS;
  });
}

VKAPI_ATTR void VKAPI_CALL vkGetPhysicalDeviceExternalTensorPropertiesARM(
    VkPhysicalDevice physicalDevice, const VkPhysicalDeviceExternalTensorInfoARM* pExternalTensorInfo,
    VkExternalTensorPropertiesARM* pExternalTensorProperties) {
  guard([&] {
    const std::shared_ptr<InstanceState> state = instances().find(physicalDevice);
    if (state == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
    const auto next = state->next().vkGetPhysicalDeviceExternalTensorPropertiesARM;
    const Offer* const offer = state->offer(physicalDevice);
    if (offer == nullptr || !offer->gives(Extension::ARM_tensors)) {
      if (next != nullptr) next(physicalDevice, pExternalTensorInfo, pExternalTensorProperties);
      return VK_SUCCESS;
    }
    const auto ofBuffers = reinterpret_cast<PFN_vkGetPhysicalDeviceExternalBufferProperties>(
        state->nextProc()(state->handle(), "vkGetPhysicalDeviceExternalBufferProperties"));
    VkPhysicalDeviceExternalBufferInfo info{};
    info.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_BUFFER_INFO;
    info.usage = tensors::kBufferUsage;
    info.handleType = pExternalTensorInfo->handleType;
    VkExternalBufferProperties answer{};
    answer.sType = VK_STRUCTURE_TYPE_EXTERNAL_BUFFER_PROPERTIES;
    if (ofBuffers != nullptr) ofBuffers(physicalDevice, &info, &answer);
    pExternalTensorProperties->externalMemoryProperties = answer.externalMemoryProperties;
    return VK_SUCCESS;
  });
}

}  // namespace commands
}  // namespace coopc::layer
#endif
