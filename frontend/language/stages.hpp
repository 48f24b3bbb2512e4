// The stages and their properties (stages.def). Functions, variables, layout qualifiers and keywords that
// exist only in some stages have a mask of stages in their tables.
#pragma once

#include <cstdint>
#include <string_view>

#include "frontend/base/options.hpp"

namespace coopc::frontend {

enum class Stage : uint8_t {
#define STAGE(id, word, ending, text, macro, model, capability, traits) id,
#include "frontend/language/stages.def"
  Count
};

/// Properties of a stage.
enum StageTraits : uint8_t {
  kHasInputs = 1u << 0,       ///< variables `in` that the user declares
  kHasOutputs = 1u << 1,      ///< variables `out` that the user declares
  kHasDerivatives = 1u << 2,  ///< derivatives and implicit levels of detail, without an extension
  kHasWorkgroup = 1u << 3,    ///< workgroups: their size, shared memory
  kHasPosition = 1u << 4,     ///< the stage writes gl_PerVertex
  kArrayedInputs = 1u << 5,   ///< inputs are arrays over the vertices of a primitive
  kArrayedOutputs = 1u << 6,  ///< the same for outputs
};

struct StageInfo {
  std::string_view word, ending, text, macro;
  uint32_t model;       ///< spv::ExecutionModel
  uint32_t capability;  ///< spv::Capability
  uint8_t traits;

  constexpr bool has(StageTraits trait) const { return (traits & trait) != 0; }
};
const StageInfo& stageInfo(Stage stage);
constexpr unsigned kStageCount = static_cast<unsigned>(Stage::Count);
/// The stage of that word or file ending; Stage::Count if there is none.
Stage findStage(std::string_view wordOrEnding);

/// A set of stages.
using StageMask = uint16_t;
static_assert(kStageCount <= 16);
constexpr StageMask stages(Stage stage) { return static_cast<StageMask>(1u << static_cast<unsigned>(stage)); }
template <class... More>
constexpr StageMask stages(Stage first, More... more) {
  return static_cast<StageMask>(stages(first) | stages(more...));
}
constexpr bool contains(StageMask mask, Stage stage) {
  return ((mask >> static_cast<unsigned>(stage)) & 1) != 0;
}

constexpr StageMask kAnyStage = 0xFFFF;
constexpr StageMask kNoStage = 0;
constexpr StageMask kCompute = stages(Stage::Compute);
constexpr StageMask kVertex = stages(Stage::Vertex);
constexpr StageMask kFragment = stages(Stage::Fragment);
constexpr StageMask kGeometry = stages(Stage::Geometry);
constexpr StageMask kTessControl = stages(Stage::TessControl);
constexpr StageMask kTessEvaluation = stages(Stage::TessEvaluation);
constexpr StageMask kTessellation = kTessControl | kTessEvaluation;
constexpr StageMask kMesh = stages(Stage::Mesh);
constexpr StageMask kTask = stages(Stage::Task);
constexpr StageMask kWorkgroups = stages(Stage::Compute, Stage::Task, Stage::Mesh);
constexpr StageMask kRayTracing = stages(Stage::RayGeneration, Stage::Intersection, Stage::AnyHit,
                                         Stage::ClosestHit, Stage::Miss, Stage::Callable);
/// of a primitive
constexpr StageMask kRayHits = stages(Stage::Intersection, Stage::AnyHit, Stage::ClosestHit);
constexpr StageMask kRayTracers = stages(Stage::RayGeneration, Stage::ClosestHit, Stage::Miss);
constexpr StageMask kPositions = kVertex | kTessellation | kGeometry;  ///< those that write gl_PerVertex

}  // namespace coopc::frontend
