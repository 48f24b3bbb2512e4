// Physical devices: their names, features and limits, and the cooperative matrix shapes that they list.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/number_type.hpp"
#include "spirv/matrix_type.hpp"
#include "vulkan/device/api.hpp"
#include "vulkan/device/feature_set.hpp"

namespace coopc::vk {

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
  /// flexible shapes of workgroup scope: the workgroup size that they are for; otherwise 0
  uint32_t workgroupInvocations = 0;
};

struct MatrixProperties {
  VkShaderStageFlags stages = 0;  ///< 0 without the extension
  std::vector<MatrixProperty> fixed;
  std::vector<MatrixProperty> flexible;
  uint32_t workgroupScopeMaxWorkgroupSize = 0;
  uint32_t flexibleDimensionsMaxDimension = 0;
  uint32_t workgroupScopeReservedSharedMemory = 0;
};

/// One entry of VkCooperativeVectorPropertiesNV: a combination of types that a matrix-vector product
/// supports.
struct VectorCombination {
  VkComponentTypeKHR input{};
  VkComponentTypeKHR inputInterpretation{};
  VkComponentTypeKHR matrixInterpretation{};
  VkComponentTypeKHR biasInterpretation{};
  VkComponentTypeKHR result{};
  bool transpose = false;
};

/// VkPhysicalDeviceCooperativeVectorPropertiesNV and the list above; all zero without
/// VK_NV_cooperative_vector.
struct VectorProperties {
  VkShaderStageFlags stages = 0;
  bool trainingFloat16Accumulation = false;
  bool trainingFloat32Accumulation = false;
  uint32_t maxComponents = 0;
  std::vector<VectorCombination> combinations;
};

/// The members of VkPhysicalDeviceTensorPropertiesARM that concern shaders; all zero without VK_ARM_tensors.
struct TensorProperties {
  VkShaderStageFlags stages = 0;
  uint32_t maxShaderAccessArrayLength = 0;  ///< elements
  uint32_t maxShaderAccessSize = 0;         ///< bytes
};

/// Names as in device profiles (vulkan_names.def): "f16", "bf16", "e4m3", "s8packed" ...; "type N" for
/// others.
std::string componentTypeName(VkComponentTypeKHR type);
/// The type of components that modules can name; none for others, such as packed integers.
std::optional<NumberType> numberTypeOf(VkComponentTypeKHR type);
/// None if modules cannot name a component type, or matrices of the scope.
std::optional<spirv::MatrixShape> matrixShape(const MatrixProperty& property);
const char* scopeName(VkScopeKHR scope);                ///< "subgroup"; "unknown" for others
const char* deviceTypeName(VkPhysicalDeviceType type);  ///< "discrete GPU"; "other" for others
/// "compute", in the order of the bits.
std::vector<const char*> stageNames(VkShaderStageFlags stages);

/// A physical device and all its properties, which are queried once.
struct PhysicalDevice {
  VkPhysicalDevice handle = VK_NULL_HANDLE;
  uint32_t index = 0;
  std::string name;
  std::string driverName;
  std::string driverInfo;
  VkPhysicalDeviceType type{};
  uint32_t apiVersion = 0;     ///< as the device reports it
  uint32_t usableVersion = 0;  ///< at most the instance's version, which an older loader may limit
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
  TensorProperties tensors;

  bool hasExtension(const std::string& extension) const;
};

/// Queries everything of a physical device of Vulkan 1.1 or later. `instanceVersion`: the version that the
/// instance was created for.
PhysicalDevice describeDevice(const InstanceApi& api, VkPhysicalDevice handle, uint32_t index,
                              uint32_t instanceVersion);

/// The driver's properties of cooperative vectors. The handle, extensions and features of `device` are
/// already set.
VectorProperties vectorProperties(const InstanceApi& api, const PhysicalDevice& device);
/// The driver's properties of tensors. The handle, extensions and features of `device` are already set.
TensorProperties tensorProperties(const InstanceApi& api, const PhysicalDevice& device);

}  // namespace coopc::vk
