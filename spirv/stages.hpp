// Execution models as Vulkan's stages.
#pragma once

#include <cstdint>
#include <string_view>

#include <spirv/unified1/spirv.hpp11>

namespace coopc::spirv {

/// The name of an execution model's stage, as in device profiles and reflection: "compute", "fragment" ...;
/// empty if Vulkan has no such stage.
constexpr std::string_view stageName(uint32_t executionModel) {
  switch (spv::ExecutionModel(executionModel)) {
    case spv::ExecutionModel::Vertex: return "vertex";
    case spv::ExecutionModel::TessellationControl: return "tessellationControl";
    case spv::ExecutionModel::TessellationEvaluation: return "tessellationEvaluation";
    case spv::ExecutionModel::Geometry: return "geometry";
    case spv::ExecutionModel::Fragment: return "fragment";
    case spv::ExecutionModel::GLCompute: return "compute";
    case spv::ExecutionModel::TaskNV:
    case spv::ExecutionModel::TaskEXT: return "task";
    case spv::ExecutionModel::MeshNV:
    case spv::ExecutionModel::MeshEXT: return "mesh";
    case spv::ExecutionModel::RayGenerationKHR: return "raygen";
    case spv::ExecutionModel::AnyHitKHR: return "anyHit";
    case spv::ExecutionModel::ClosestHitKHR: return "closestHit";
    case spv::ExecutionModel::MissKHR: return "miss";
    case spv::ExecutionModel::IntersectionKHR: return "intersection";
    case spv::ExecutionModel::CallableKHR: return "callable";
    default: return {};
  }
}

}  // namespace coopc::spirv
