// The properties of a Vulkan device that concern SPIR-V modules: the contents of a device profile
// (docs/devices/profiles.md), or a live device's answers in the same form. The validator checks modules
// against it; lowering rewrites modules for it.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "spirv/component_type.hpp"
#include "spirv/matrix_type.hpp"
#include "spirv/vulkan.hpp"

namespace coopc::spirv {

/// An entry of VkCooperativeVectorPropertiesNV. A type that no name of profiles fits is none.
struct DeviceVectorTypes {
  std::optional<spv::ComponentType> input, inputInterpretation, matrixInterpretation, biasInterpretation,
      result;
  bool transpose = false;
};

/// VkPhysicalDeviceCooperativeVectorPropertiesNV. A member that the profile lacks is unknown, and not
/// checked.
struct DeviceVectors {
  std::optional<std::set<std::string>> stages;
  std::optional<bool> trainingFloat16, trainingFloat32;
  std::optional<uint64_t> maxComponents;
  std::optional<std::vector<DeviceVectorTypes>> combinations;
};

/// VkPhysicalDeviceTensorPropertiesARM, as far as it limits shaders. A member that the profile lacks is
/// unknown.
struct DeviceTensors {
  std::optional<std::set<std::string>> stages;
  std::optional<uint64_t> maxAccessArrayLength;  ///< elements of one access
  std::optional<uint64_t> maxAccessSize;         ///< bytes of one access
};

/// Properties of a driver's compiler: registers, and how matrix operands lie in them. A member that is not
/// known is 0 or false.
struct DeviceCompiler {
  /// Whose compiler it is. NVIDIA's own driver and Mesa's for the same cards have different ones.
  enum class Family : uint8_t { Unknown, Amd, Nvidia, Nak, Adreno, Apple };
  Family family = Family::Unknown;
  uint64_t registers = 0;  ///< of 32 bits that an invocation can have
  /// Each invocation holds consecutive components along K of a matrix operand, a row of A or a column of B,
  /// so that it can load them at once where they lie side by side in memory.
  bool operandsAlongK = false;
  /// An invocation holds each 16-bit component of an accumulator in a separate register.
  bool wideSums = false;
  /// The subgroup size with which matrices take the fewest registers.
  uint64_t matrixSubgroupSize = 0;
};

/// The compiler's properties, by the name that the driver gives itself
/// (VkPhysicalDeviceDriverProperties::driverName) and the shapes that the device multiplies.
DeviceCompiler compilerOf(std::string_view driver, const std::optional<std::vector<MatrixShape>>& shapes);

struct DeviceProfile {
  std::string name;
  bool cpu = false;  ///< a driver that runs shaders on the processor
  std::optional<vulkan::Version> version;
  std::set<std::string> features, extensions;
  std::set<std::string> faulty;  ///< features that give wrong results, which lowering avoids
  /// None: not known. Shapes of component types that no module can name are left out.
  std::optional<std::vector<MatrixShape>> fixed, flexible;
  uint64_t sharedMemory = 0, reserved = 0, maxInvocations = 0, maxScopeInvocations = 0, maxDimension = 0;
  uint64_t subgroupSize = 0, minSubgroupSize = 0, maxSubgroupSize = 0;  ///< 0: not known
  std::optional<std::set<std::string>> matrixStages;
  DeviceVectors vectors;
  DeviceTensors tensors;
  DeviceCompiler compiler;

  /// The answers to spirv/vulkan.hpp's queries. Every device is expected to have at least Vulkan 1.1.
  vulkan::Answer has(vulkan::Version asked) const;
  vulkan::Answer has(vulkan::Extension extension) const;
  vulkan::Answer has(vulkan::Feature feature) const;
  vulkan::Answer has(vulkan::Property) const { return vulkan::Answer::Unknown; }
};

}  // namespace coopc::spirv
