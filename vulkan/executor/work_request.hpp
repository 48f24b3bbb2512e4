// The work of a run that is not a dispatch: a drawing or ray tracing, in shaders of several stages. Buffers
// are named by their index in the run's request.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vulkan/executor/stage.hpp"

namespace coopc::vk {

/// A shader of a pipeline with several stages.
struct RunStage {
  const Stage* stage = nullptr;
  std::span<const uint32_t> module;
  std::string entry = "main";
  uint32_t hitGroup = 0;  ///< of stages of hit groups
};

inline constexpr size_t kNoBuffer = SIZE_MAX;

struct VertexAttribute {
  uint32_t location = 0;
  std::string format;
  uint32_t offset = 0;
};

/// A buffer that the vertex stage reads attributes from.
struct VertexBuffer {
  size_t buffer = kNoBuffer;
  uint32_t stride = 0;
  bool perInstance = false;
  std::vector<VertexAttribute> attributes;
};

/// How a color is combined with the target's contents: source + target, the source over the target by the
/// source's alpha, or source * second source + target (VkPhysicalDeviceFeatures::dualSrcBlend).
enum class Blend { None, Add, Over, Dual };

/// A 2D image of the drawing's size with a layer for each view, cleared first.
struct RenderTarget {
  std::string name;
  std::string format;
  std::array<double, 4> clear{};  ///< the first for depths
  Blend blend = Blend::None;
  std::vector<uint8_t> contents;  ///< afterwards: layer after layer
};

struct Drawing {
  std::array<uint32_t, 2> size{1, 1};
  VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  uint32_t vertices = 0;  ///< or indices, where there is an index buffer
  uint32_t instances = 1;
  uint32_t patchPoints = 0;
  std::array<uint32_t, 3> groups{1, 1, 1};  ///< of task or mesh shaders
  size_t indices = kNoBuffer;
  uint32_t indexBytes = 4;
  uint32_t samples = 1;  ///< with more than one, colors are resolved to their targets
  uint32_t views = 1;
  VkCullModeFlags cull = VK_CULL_MODE_NONE;
  std::vector<VertexBuffer> vertexBuffers;
  std::vector<RenderTarget> targets;  ///< of colors, by location
  std::optional<RenderTarget> depth;
  VkCompareOp depthTest = VK_COMPARE_OP_LESS;
  std::vector<size_t> feedback;  ///< buffers that transform feedback writes
};

/// Rays are traced for each position of a grid.
struct Tracing {
  std::array<uint32_t, 3> size{1, 1, 1};
  uint32_t recursion = 1;  ///< how deep traces nest
};

/// An instance of a separate acceleration structure, which holds one geometry.
struct SceneInstance {
  size_t geometry = kNoBuffer;  ///< vertices of triangles, 3 floats each, or boxes, 6 floats each
  bool boxes = false;
  size_t indices = kNoBuffer;  ///< of vertices, u32
  bool opaque = true;
  uint32_t hitGroup = 0;
  uint32_t customIndex = 0;
  uint32_t mask = 0xFF;
  std::array<float, 12> transform{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};  ///< three rows
};

/// An acceleration structure for rays.
struct Scene {
  uint32_t set = 0;
  uint32_t binding = 0;
  std::vector<SceneInstance> instances;
};

}  // namespace coopc::vk
