// The stages that a pipeline of a run may have: their names in compilers, SPIR-V and Vulkan.
#pragma once

#include <cstdint>
#include <string_view>

#include "spirv/module.hpp"
#include "vulkan/device/api.hpp"

namespace coopc::vk {

struct Stage {
  std::string_view word;    ///< in glslc's -fshader-stage
  std::string_view ending;  ///< of source files
  spv::ExecutionModel model;
  VkShaderStageFlagBits bit;

  bool isHit() const {
    return bit == VK_SHADER_STAGE_ANY_HIT_BIT_KHR || bit == VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR ||
           bit == VK_SHADER_STAGE_INTERSECTION_BIT_KHR;
  }
  /// Whether the stage is one of ray tracing pipelines.
  bool tracesRays() const {
    return isHit() || bit == VK_SHADER_STAGE_RAYGEN_BIT_KHR || bit == VK_SHADER_STAGE_MISS_BIT_KHR ||
           bit == VK_SHADER_STAGE_CALLABLE_BIT_KHR;
  }
};

extern const Stage& kComputeStage;

/// Finds a stage by its word or its ending; null for an unknown name.
const Stage* findStage(std::string_view name);

}  // namespace coopc::vk
