// Everything that can be queried of a physical device is queried once, when devices are listed.
#include "vulkan/device/physical_device.hpp"

#include <algorithm>
#include <span>
#include <string>

#include "base/number_type.hpp"
#include "spirv/component_type.hpp"
#include "vulkan/device/enumerate.hpp"

namespace coopc::vk {
namespace {

// Fills one structure of properties.
template <typename T>
void queryProperties(const InstanceApi& api, const PhysicalDevice& device, T& structure) {
  VkPhysicalDeviceProperties2 all{};
  all.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  all.pNext = &structure;
  api.vkGetPhysicalDeviceProperties2(device.handle, &all);
}

MatrixProperties matrixProperties(const InstanceApi& api, const PhysicalDevice& device) {
  MatrixProperties result;
  if (device.hasExtension("VK_KHR_cooperative_matrix")) {
    VkPhysicalDeviceCooperativeMatrixPropertiesKHR stages{};
    stages.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_PROPERTIES_KHR;
    queryProperties(api, device, stages);
    result.stages = stages.cooperativeMatrixSupportedStages;
  }
  if (device.features.has(Feature::cooperativeMatrix) &&
      api.vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR != nullptr) {
    VkCooperativeMatrixPropertiesKHR blank{};
    blank.sType = VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_KHR;
    for (const auto& p : enumerate<VkCooperativeMatrixPropertiesKHR>(
             [&](uint32_t*count, VkCooperativeMatrixPropertiesKHR*items) {
               return api.vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR(device.handle, count, items);
             },
             blank)) {
      result.fixed.push_back({p.MSize, p.NSize, p.KSize, p.AType, p.BType, p.CType, p.ResultType,
                              p.saturatingAccumulation == VK_TRUE, p.scope, 0});
    }
  }
  if (!device.hasExtension("VK_NV_cooperative_matrix2")) return result;
  VkPhysicalDeviceCooperativeMatrix2PropertiesNV limits{};
  limits.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_2_PROPERTIES_NV;
  queryProperties(api, device, limits);
  result.workgroupScopeMaxWorkgroupSize = limits.cooperativeMatrixWorkgroupScopeMaxWorkgroupSize;
  result.flexibleDimensionsMaxDimension = limits.cooperativeMatrixFlexibleDimensionsMaxDimension;
  result.workgroupScopeReservedSharedMemory = limits.cooperativeMatrixWorkgroupScopeReservedSharedMemory;
  if (device.features.has(Feature::cooperativeMatrixFlexibleDimensions) &&
      api.vkGetPhysicalDeviceCooperativeMatrixFlexibleDimensionsPropertiesNV != nullptr) {
    VkCooperativeMatrixFlexibleDimensionsPropertiesNV blank{};
    blank.sType = VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_FLEXIBLE_DIMENSIONS_PROPERTIES_NV;
    for (const auto& p : enumerate<VkCooperativeMatrixFlexibleDimensionsPropertiesNV>(
             [&](uint32_t*count, VkCooperativeMatrixFlexibleDimensionsPropertiesNV*items) {
               return api.vkGetPhysicalDeviceCooperativeMatrixFlexibleDimensionsPropertiesNV(device.handle,
                                                                                             count, items);
             },
             blank)) {
      result.flexible.push_back({p.MGranularity, p.NGranularity, p.KGranularity, p.AType, p.BType, p.CType,
                                 p.ResultType, p.saturatingAccumulation == VK_TRUE, p.scope,
                                 p.workgroupInvocations});
    }
  }
  return result;
}

}  // namespace

PhysicalDevice describeDevice(const InstanceApi& api, VkPhysicalDevice handle, uint32_t index,
                              uint32_t instanceVersion) {
  PhysicalDevice device;
  device.handle = handle;
  device.index = index;
  for (const VkExtensionProperties& extension :
       enumerate<VkExtensionProperties>([&](uint32_t*count, VkExtensionProperties*items) {
         return api.vkEnumerateDeviceExtensionProperties(handle, nullptr, count, items);
       })) {
    device.extensions.emplace_back(extension.extensionName);
  }
  std::sort(device.extensions.begin(), device.extensions.end());

  VkPhysicalDeviceProperties plain{};
  api.vkGetPhysicalDeviceProperties(handle, &plain);
  device.name = plain.deviceName;
  device.type = plain.deviceType;
  device.apiVersion = plain.apiVersion;
  device.usableVersion = std::min(plain.apiVersion, instanceVersion);
  device.driverVersion = plain.driverVersion;
  device.vendorId = plain.vendorID;
  device.limits = plain.limits;

  // A conforming driver ignores structures that the device's version does not have; they are nevertheless
  // left out.
  VkPhysicalDeviceProperties2 properties{};
  properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  const auto link = [&](auto& structure, VkStructureType type) {
    structure.sType = type;
    structure.pNext = properties.pNext;
    properties.pNext = &structure;
  };
  VkPhysicalDeviceSubgroupProperties subgroup{};
  VkPhysicalDeviceDriverProperties driver{};
  VkPhysicalDeviceSubgroupSizeControlProperties sizes{};
  link(subgroup, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES);
  if (device.usableVersion >= VK_API_VERSION_1_2) {
    link(driver, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES);
    link(device.floatControls, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES);
  }
  if (device.usableVersion >= VK_API_VERSION_1_3 || device.hasExtension("VK_EXT_subgroup_size_control")) {
    link(sizes, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES);
  }
  api.vkGetPhysicalDeviceProperties2(handle, &properties);
  device.driverName = driver.driverName;
  device.driverInfo = driver.driverInfo;
  device.subgroupSize = subgroup.subgroupSize;
  device.subgroupOperations = subgroup.supportedOperations;
  device.minSubgroupSize = sizes.minSubgroupSize;
  device.maxSubgroupSize = sizes.maxSubgroupSize;
  device.requiredSubgroupSizeStages = sizes.requiredSubgroupSizeStages;

  FeatureChain features(device);
  api.vkGetPhysicalDeviceFeatures2(handle, features.start());
  device.features = features.read();
  device.matrices = matrixProperties(api, device);
  device.vectors = vectorProperties(api, device);
  device.tensors = tensorProperties(api, device);
  return device;
}

TensorProperties tensorProperties([[maybe_unused]] const InstanceApi& api, const PhysicalDevice& device) {
  TensorProperties result;
  if (!device.hasExtension("VK_ARM_tensors")) return result;
#ifdef VK_ARM_tensors
  VkPhysicalDeviceTensorPropertiesARM limits{};
  limits.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TENSOR_PROPERTIES_ARM;
  queryProperties(api, device, limits);
  result.stages = limits.shaderTensorSupportedStages;
  result.maxShaderAccessArrayLength = limits.maxTensorShaderAccessArrayLength;
  result.maxShaderAccessSize = limits.maxTensorShaderAccessSize;
#endif
  return result;
}

VectorProperties vectorProperties(const InstanceApi& api, const PhysicalDevice& device) {
  VectorProperties result;
  if (!device.hasExtension("VK_NV_cooperative_vector")) return result;
  VkPhysicalDeviceCooperativeVectorPropertiesNV limits{};
  limits.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_VECTOR_PROPERTIES_NV;
  queryProperties(api, device, limits);
  result.stages = limits.cooperativeVectorSupportedStages;
  result.trainingFloat16Accumulation = limits.cooperativeVectorTrainingFloat16Accumulation == VK_TRUE;
  result.trainingFloat32Accumulation = limits.cooperativeVectorTrainingFloat32Accumulation == VK_TRUE;
  result.maxComponents = limits.maxCooperativeVectorComponents;
  if (!device.features.has(Feature::cooperativeVector) ||
      api.vkGetPhysicalDeviceCooperativeVectorPropertiesNV == nullptr) {
    return result;
  }
  VkCooperativeVectorPropertiesNV blank{};
  blank.sType = VK_STRUCTURE_TYPE_COOPERATIVE_VECTOR_PROPERTIES_NV;
  for (const auto& p : enumerate<VkCooperativeVectorPropertiesNV>(
           [&](uint32_t*count, VkCooperativeVectorPropertiesNV*items) {
             return api.vkGetPhysicalDeviceCooperativeVectorPropertiesNV(device.handle, count, items);
           },
           blank)) {
    result.combinations.push_back({p.inputType, p.inputInterpretation, p.matrixInterpretation,
                                   p.biasInterpretation, p.resultType, p.transpose == VK_TRUE});
  }
  return result;
}

namespace {

// Vulkan's enumerants by number, as profiles name them.
struct Named {
  int number;
  const char* name;
};
constexpr Named kScopes[] = {
#define COOPC_SCOPE(number, name) {number, name},
#include "spirv/vulkan/vulkan_names.def"
};
constexpr Named kDeviceTypes[] = {
#define COOPC_DEVICE_TYPE(number, name) {number, name},
#include "spirv/vulkan/vulkan_names.def"
};
constexpr Named kStages[] = {
#define COOPC_STAGE(bit, name) {bit, name},
#include "spirv/vulkan/vulkan_names.def"
};

const char* nameOf(std::span<const Named> table, int number, const char* otherwise) {
  for (const Named& row : table)
    if (row.number == number) return row.name;
  return otherwise;
}

}  // namespace

std::string componentTypeName(VkComponentTypeKHR type) {
  const std::string_view name = spirv::componentTypeName(spv::ComponentType(type));
  return !name.empty() ? std::string(name) : "type " + std::to_string(static_cast<int>(type));
}

std::optional<NumberType> numberTypeOf(VkComponentTypeKHR type) {
  return spirv::numberTypeOf(spv::ComponentType(type));
}

std::optional<spirv::MatrixShape> matrixShape(const MatrixProperty& p) {
  const std::optional<NumberType> a = numberTypeOf(p.a), b = numberTypeOf(p.b), c = numberTypeOf(p.c),
                                  result = numberTypeOf(p.result);
  if (!a || !b || !c || !result) return std::nullopt;
  if (p.scope != VK_SCOPE_SUBGROUP_KHR && p.scope != VK_SCOPE_WORKGROUP_KHR) return std::nullopt;
  const bool workgroup = p.scope == VK_SCOPE_WORKGROUP_KHR;
  return spirv::MatrixShape{p.m, p.n,     p.k,       *a,           *b,
                            *c,  *result, workgroup, p.saturating, p.workgroupInvocations};
}

const char* scopeName(VkScopeKHR scope) { return nameOf(kScopes, scope, "unknown"); }
const char* deviceTypeName(VkPhysicalDeviceType type) { return nameOf(kDeviceTypes, type, "other"); }

std::vector<const char*> stageNames(VkShaderStageFlags stages) {
  std::vector<const char*> names;
  for (const Named& stage : kStages)
    if ((stages & static_cast<VkShaderStageFlags>(stage.number)) != 0) names.push_back(stage.name);
  return names;
}

bool PhysicalDevice::hasExtension(const std::string& extension) const {
  return std::binary_search(extensions.begin(), extensions.end(), extension);
}

}  // namespace coopc::vk
