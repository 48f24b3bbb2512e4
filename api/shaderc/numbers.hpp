// The numbers that callers of shaderc's C interface pass and get (its public header, 2026.4), under names of
// this project: a file that includes that header may include this one as well, and compare the two.
#pragma once

#include <cstdint>

namespace coopc::shaderc {

enum class Language { Glsl, Hlsl };

enum class Kind {
  Vertex,
  Fragment,
  Compute,
  Geometry,
  TessControl,
  TessEvaluation,
  FromSource,
  DefaultVertex,
  DefaultFragment,
  DefaultCompute,
  DefaultGeometry,
  DefaultTessControl,
  DefaultTessEvaluation,
  Assembly,
  RayGeneration,
  AnyHit,
  ClosestHit,
  Miss,
  Intersection,
  Callable,
  DefaultRayGeneration,
  DefaultAnyHit,
  DefaultClosestHit,
  DefaultMiss,
  DefaultIntersection,
  DefaultCallable,
  Task,
  Mesh,
  DefaultTask,
  DefaultMesh,
};

enum class Profile { None, Core, Compatibility, Es };
enum class Level { Zero, Size, Performance };
enum class Environment { Vulkan, OpenGL, OpenGLCompatibility, WebGpu };
enum class Uniform { Image, Sampler, Texture, Buffer, StorageBuffer, UnorderedAccessView };
enum class IncludeType { Relative, Standard };

enum class Status {
  Success,
  InvalidStage,
  CompilationError,
  InternalError,
  NullResult,
  InvalidAssembly,
  ValidationError,
  TransformationError,
  ConfigurationError,
};

/// Vulkan's versions as vulkan.h packs them: major << 22 | minor << 12.
constexpr uint32_t vulkanVersion(uint32_t minor) { return 1u << 22 | minor << 12; }

}  // namespace coopc::shaderc
