// A device's properties as a profile.
#include "vulkan/device/lowering_target.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace coopc::vk {

namespace {

namespace lower = spirv::lower;

std::vector<spirv::MatrixShape> shapesOf(const std::vector<MatrixProperty>& properties) {
  std::vector<spirv::MatrixShape> shapes;
  for (const MatrixProperty& p : properties) {
    if (const std::optional<spirv::MatrixShape> shape = matrixShape(p)) shapes.push_back(*shape);
  }
  return shapes;
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
  d.fixed = shapesOf(device.matrices.fixed);
  d.flexible = shapesOf(device.matrices.flexible);
  d.sharedMemory = device.limits.maxComputeSharedMemorySize;
  d.reserved = device.matrices.workgroupScopeReservedSharedMemory;
  d.maxInvocations = device.limits.maxComputeWorkGroupInvocations;
  d.maxScopeInvocations = device.matrices.workgroupScopeMaxWorkgroupSize;
  d.maxDimension = device.matrices.flexibleDimensionsMaxDimension;
  d.subgroupSize = device.subgroupSize;
  d.minSubgroupSize = device.minSubgroupSize;
  d.maxSubgroupSize = device.maxSubgroupSize;
  d.compiler = spirv::compilerOf(device.driverName, d.fixed);
  lower::Target target = lower::targetOf(std::move(d));
  constexpr VkSubgroupFeatureFlags kShuffles = VK_SUBGROUP_FEATURE_SHUFFLE_BIT | VK_SUBGROUP_FEATURE_VOTE_BIT;
  target.shuffles = (device.subgroupOperations & kShuffles) == kShuffles;
  target.subgroupSizeRequired =
      (device.requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT) != 0 && device.maxSubgroupSize != 0;
  return target;
}

}  // namespace coopc::vk
