// The device for which the conformance generator makes the cases of these tests: the driver that runs them,
// as if it had cooperative matrices of subgroup scope and tensor addressing, in small sizes.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

#include "harness/suite/suite.hpp"
#include "vulkan/executor/instance.hpp"

namespace coopc::tests {

/// The component types of operands, with those of their sums.
inline constexpr std::array<std::pair<harness::NumberType, harness::NumberType>, 4> kMultiplied = {
    {{harness::NumberType::F16, harness::NumberType::F16},
     {harness::NumberType::F16, harness::NumberType::F32},
     {harness::NumberType::U8, harness::NumberType::U32},
     {harness::NumberType::S8, harness::NumberType::S32}}};

/// Square shapes: workgroup scope for workgroups of this many invocations, or subgroup scope (0).
struct Cube {
  uint32_t size;
  uint32_t invocations = 0;
};

/// Shapes of these sizes for each of kMultiplied.
inline std::vector<spirv::MatrixShape> shapes(std::initializer_list<Cube> cubes) {
  std::vector<spirv::MatrixShape> all;
  for (const auto& [ab, sum] : kMultiplied) {
    for (const Cube& cube : cubes) {
      spirv::MatrixShape s;
      s.m = s.n = s.k = cube.size;
      s.a = s.b = ab;
      s.c = s.result = sum;
      s.workgroup = cube.invocations != 0;
      s.invocations = cube.invocations;
      all.push_back(s);
    }
  }
  return all;
}

/// The device without shapes, reductions and workgroup scope.
inline harness::suite::TargetDevice tensorTarget(const vk::PhysicalDevice& device) {
  harness::suite::TargetDevice target;
  target.name = device.name;
  target.subgroupSize = device.subgroupSize;
  target.registerBytes = 64;
  target.flexibleMax = 64;
  target.features = {"shaderFloat16",
                     "shaderInt8",
                     "shaderInt16",
                     "storageBuffer8BitAccess",
                     "storageBuffer16BitAccess",
                     "bufferDeviceAddress",
                     "vulkanMemoryModel",
                     "cooperativeMatrix",
                     "cooperativeMatrixFlexibleDimensions",
                     "cooperativeMatrixConversions",
                     "cooperativeMatrixPerElementOperations",
                     "cooperativeMatrixTensorAddressing",
                     "cooperativeMatrixBlockLoads"};
  return target;
}

}  // namespace coopc::tests
