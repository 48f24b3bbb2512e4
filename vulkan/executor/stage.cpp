// The table of stages.
#include "vulkan/executor/stage.hpp"

namespace coopc::vk {
namespace {

constexpr Stage kStages[] = {
    {"compute", "comp", spv::ExecutionModel::GLCompute, VK_SHADER_STAGE_COMPUTE_BIT},
    {"vertex", "vert", spv::ExecutionModel::Vertex, VK_SHADER_STAGE_VERTEX_BIT},
    {"tesscontrol", "tesc", spv::ExecutionModel::TessellationControl,
     VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT},
    {"tesseval", "tese", spv::ExecutionModel::TessellationEvaluation,
     VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT},
    {"geometry", "geom", spv::ExecutionModel::Geometry, VK_SHADER_STAGE_GEOMETRY_BIT},
    {"fragment", "frag", spv::ExecutionModel::Fragment, VK_SHADER_STAGE_FRAGMENT_BIT},
    {"task", "task", spv::ExecutionModel::TaskEXT, VK_SHADER_STAGE_TASK_BIT_EXT},
    {"mesh", "mesh", spv::ExecutionModel::MeshEXT, VK_SHADER_STAGE_MESH_BIT_EXT},
    {"raygen", "rgen", spv::ExecutionModel::RayGenerationKHR, VK_SHADER_STAGE_RAYGEN_BIT_KHR},
    {"intersect", "rint", spv::ExecutionModel::IntersectionKHR, VK_SHADER_STAGE_INTERSECTION_BIT_KHR},
    {"anyhit", "rahit", spv::ExecutionModel::AnyHitKHR, VK_SHADER_STAGE_ANY_HIT_BIT_KHR},
    {"closest", "rchit", spv::ExecutionModel::ClosestHitKHR, VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR},
    {"miss", "rmiss", spv::ExecutionModel::MissKHR, VK_SHADER_STAGE_MISS_BIT_KHR},
    {"callable", "rcall", spv::ExecutionModel::CallableKHR, VK_SHADER_STAGE_CALLABLE_BIT_KHR},
};

}  // namespace

const Stage& kComputeStage = kStages[0];

const Stage* findStage(std::string_view name) {
  for (const Stage& stage : kStages) {
    if (stage.word == name || stage.ending == name) return &stage;
  }
  return nullptr;
}

}  // namespace coopc::vk
