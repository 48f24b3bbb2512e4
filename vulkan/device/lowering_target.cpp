// A device's answers as a profile.
#include "vulkan/device/lowering_target.hpp"

#include <utility>

namespace coopc::harness {

namespace {

namespace lower = spirv::lower;

spirv::DeviceShape shapeOf(const MatrixProperty& p) {
  spirv::DeviceShape s;
  s.m = p.m;
  s.n = p.n;
  s.k = p.k;
  s.a = componentTypeName(p.a);
  s.b = componentTypeName(p.b);
  s.c = componentTypeName(p.c);
  s.result = componentTypeName(p.result);
  s.workgroup = p.scope == VK_SCOPE_WORKGROUP_KHR;
  s.saturating = p.saturating;
  s.invocations = p.workgroupInvocations;
  return s;
}

}  // namespace

lower::Target loweringTarget(const PhysicalDevice& device) {
  spirv::DeviceProfile d;
  d.name = device.name;
  d.cpu = device.type == VK_PHYSICAL_DEVICE_TYPE_CPU;
  d.version = spirv::vulkan::Version::V1_1;
  for (const auto version :
       {spirv::vulkan::Version::V1_2, spirv::vulkan::Version::V1_3, spirv::vulkan::Version::V1_4}) {
    if (device.usableVersion >= apiVersion(version)) d.version = version;
  }
  for (const std::string& name : device.features.names()) d.features.insert(name);
  d.extensions.insert(device.extensions.begin(), device.extensions.end());
  d.fixed.emplace();
  d.flexible.emplace();
  for (const MatrixProperty& p : device.matrices.fixed) d.fixed->push_back(shapeOf(p));
  for (const MatrixProperty& p : device.matrices.flexible) d.flexible->push_back(shapeOf(p));
  d.sharedMemory = device.limits.maxComputeSharedMemorySize;
  d.reserved = device.matrices.workgroupScopeReservedSharedMemory;
  d.maxInvocations = device.limits.maxComputeWorkGroupInvocations;
  d.maxScopeInvocations = device.matrices.workgroupScopeMaxWorkgroupSize;
  d.maxDimension = device.matrices.flexibleDimensionsMaxDimension;
  d.subgroupSize = device.subgroupSize;
  d.minSubgroupSize = device.minSubgroupSize;
  d.maxSubgroupSize = device.maxSubgroupSize;
  lower::Target target = lower::targetOf(std::move(d));
  target.shuffles = (device.subgroupOperations & VK_SUBGROUP_FEATURE_SHUFFLE_BIT) != 0;
  target.subgroupSizeRequired =
      (device.requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT) != 0 && device.maxSubgroupSize != 0;
  return target;
}

}  // namespace coopc::harness
