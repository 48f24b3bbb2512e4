// Physical devices: what a device is called, what it can do, and which cooperative matrix shapes it lists.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/device/api.hpp"
#include "harness/device/feature_set.hpp"

namespace coopc::harness {

/// One line of a fixed shape (VkCooperativeMatrixPropertiesKHR) or of a flexible one
/// (VkCooperativeMatrixFlexibleDimensionsPropertiesNV), where m, n and k are granularities.
struct MatrixProperty {
  uint32_t m = 0;
  uint32_t n = 0;
  uint32_t k = 0;
  VkComponentTypeKHR a{};
  VkComponentTypeKHR b{};
  VkComponentTypeKHR c{};
  VkComponentTypeKHR result{};
  bool saturating = false;
  VkScopeKHR scope{};
  uint32_t workgroupInvocations = 0;  ///< flexible, workgroup scope: for workgroups of this size; else 0
};

struct MatrixProperties {
  VkShaderStageFlags stages = 0;  ///< 0 without the extension
  std::vector<MatrixProperty> fixed;
  std::vector<MatrixProperty> flexible;
  uint32_t workgroupScopeMaxWorkgroupSize = 0;
  uint32_t flexibleDimensionsMaxDimension = 0;
  uint32_t workgroupScopeReservedSharedMemory = 0;
};

/// One line of VkCooperativeVectorPropertiesNV: types of a matrix-vector product that go together.
struct VectorCombination {
  VkComponentTypeKHR input{};
  VkComponentTypeKHR inputInterpretation{};
  VkComponentTypeKHR matrixInterpretation{};
  VkComponentTypeKHR biasInterpretation{};
  VkComponentTypeKHR result{};
  bool transpose = false;
};

/// VkPhysicalDeviceCooperativeVectorPropertiesNV and the list above; all zero without VK_NV_cooperative_vector.
struct VectorProperties {
  VkShaderStageFlags stages = 0;
  bool trainingFloat16Accumulation = false;
  bool trainingFloat32Accumulation = false;
  uint32_t maxComponents = 0;
  std::vector<VectorCombination> combinations;
};

/// Names as in device profiles (vulkan_names.def): "f16", "bf16", "e4m3", "s8packed" ...; "type N" for others.
std::string componentTypeName(VkComponentTypeKHR type);
const char* scopeName(VkScopeKHR scope);                ///< "subgroup"; "unknown" for others
const char* deviceTypeName(VkPhysicalDeviceType type);  ///< "discrete GPU"; "other" for others
/// "compute", in the order of the bits.
std::vector<const char*> stageNames(VkShaderStageFlags stages);

/// A physical device and everything about it that is asked once.
struct PhysicalDevice {
  VkPhysicalDevice handle = VK_NULL_HANDLE;
  uint32_t index = 0;
  std::string name;
  std::string driverName;
  std::string driverInfo;
  VkPhysicalDeviceType type{};
  uint32_t apiVersion = 0;     ///< as the device reports it
  uint32_t usableVersion = 0;  ///< not above the instance's version, which an older loader limits
  uint32_t driverVersion = 0;
  uint32_t vendorId = 0;
  VkPhysicalDeviceLimits limits{};
  uint32_t subgroupSize = 0;
  uint32_t minSubgroupSize = 0;  ///< 0 without subgroup size control
  uint32_t maxSubgroupSize = 0;
  VkSubgroupFeatureFlags subgroupOperations = 0;
  VkShaderStageFlags requiredSubgroupSizeStages = 0;
  VkPhysicalDeviceFloatControlsProperties floatControls{};
  std::vector<std::string> extensions;  ///< sorted
  FeatureSet features;                  ///< what the device supports
  MatrixProperties matrices;
  VectorProperties vectors;

  bool hasExtension(const std::string& extension) const;
};

/// Asks a physical device of Vulkan 1.1 or later everything. `instanceVersion`: that the instance was made for.
PhysicalDevice describeDevice(const InstanceApi& api, VkPhysicalDevice handle, uint32_t index,
                              uint32_t instanceVersion);

/// What the driver says of cooperative vectors. `device` has its handle, extensions and features.
VectorProperties vectorProperties(const InstanceApi& api, const PhysicalDevice& device);

}  // namespace coopc::harness
