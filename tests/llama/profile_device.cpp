// Makes a device from a profile's text, for the harness's preflight.
#include "tests/llama/profile_device.hpp"

#include <algorithm>

#include "harness/suite/suite.hpp"

namespace coopc::tests::llama {
namespace {

namespace hn = coopc::harness;

VkComponentTypeKHR componentType(NumberType type) {
  constexpr VkComponentTypeKHR kTypes[] = {
      VK_COMPONENT_TYPE_FLOAT16_KHR,     VK_COMPONENT_TYPE_FLOAT32_KHR,     VK_COMPONENT_TYPE_FLOAT64_KHR,
      VK_COMPONENT_TYPE_SINT8_KHR,       VK_COMPONENT_TYPE_SINT16_KHR,      VK_COMPONENT_TYPE_SINT32_KHR,
      VK_COMPONENT_TYPE_SINT64_KHR,      VK_COMPONENT_TYPE_UINT8_KHR,       VK_COMPONENT_TYPE_UINT16_KHR,
      VK_COMPONENT_TYPE_UINT32_KHR,      VK_COMPONENT_TYPE_UINT64_KHR,
#ifdef VK_KHR_shader_bfloat16
      VK_COMPONENT_TYPE_BFLOAT16_KHR,
#endif
#ifdef VK_EXT_shader_float8
      VK_COMPONENT_TYPE_FLOAT8_E4M3_EXT, VK_COMPONENT_TYPE_FLOAT8_E5M2_EXT,
#endif
  };
  for (const VkComponentTypeKHR t : kTypes)
    if (vk::numberTypeOf(t) == type) return t;
  return VK_COMPONENT_TYPE_MAX_ENUM_KHR;
}

vk::MatrixProperty property(const spirv::MatrixShape& s) {
  vk::MatrixProperty p;
  p.m = s.m;
  p.n = s.n;
  p.k = s.k;
  p.a = componentType(s.a);
  p.b = componentType(s.b);
  p.c = componentType(s.c);
  p.result = componentType(s.result);
  p.saturating = s.saturating;
  p.scope = s.workgroup ? VK_SCOPE_WORKGROUP_KHR : VK_SCOPE_SUBGROUP_KHR;
  p.workgroupInvocations = s.invocations;
  return p;
}

}  // namespace

hn::Result<vk::PhysicalDevice> deviceOfProfile(std::string_view json) {
  const hn::Result<hn::suite::TargetDevice> target = hn::suite::readTarget(json);
  if (!target) return target.error();
  vk::PhysicalDevice d;
  d.name = target->name;
  d.driverName = target->driver;
  d.apiVersion = d.usableVersion = VK_API_VERSION_1_3;
  d.subgroupSize = d.minSubgroupSize = d.maxSubgroupSize = target->subgroupSize;
  d.subgroupOperations = ~VkSubgroupFeatureFlags{0};
  d.requiredSubgroupSizeStages = VK_SHADER_STAGE_COMPUTE_BIT;
  for (const std::string& name : target->features)
    if (const auto f = vk::findFeature(name)) d.features.add(*f);
  for (const spirv::MatrixShape& s : target->fixed) d.matrices.fixed.push_back(property(s));
  for (const spirv::MatrixShape& s : target->flexible) d.matrices.flexible.push_back(property(s));
  d.extensions.assign(target->extensions.begin(), target->extensions.end());
  d.matrices.stages = VK_SHADER_STAGE_COMPUTE_BIT;
  d.matrices.workgroupScopeMaxWorkgroupSize = target->workgroupScopeMax;
  d.matrices.flexibleDimensionsMaxDimension = target->flexibleMax;
  d.matrices.workgroupScopeReservedSharedMemory = target->reservedSharedMemory;
  d.limits.maxComputeWorkGroupInvocations = target->maxInvocations;
  d.limits.maxComputeSharedMemorySize = target->sharedMemory;
  for (size_t i = 0; i < 3; ++i) {
    d.limits.maxComputeWorkGroupSize[i] = i < 2 ? target->maxInvocations : 64;
    d.limits.maxComputeWorkGroupCount[i] = 65535;
  }
  d.limits.maxPushConstantsSize = 256;
  d.limits.maxUniformBufferRange = 65536;
  d.limits.maxStorageBufferRange = UINT32_MAX;
  return d;
}

}  // namespace coopc::tests::llama
