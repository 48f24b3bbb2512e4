// Names of stages and limits.
#include "coopc/coopc.hpp"

namespace coopc {

bool stageByName(std::string_view name, Stage& stage) {
  struct Row {
    std::string_view name;
    Stage stage;
  };
  static constexpr Row kRows[] = {
      {"compute", Stage::Compute},
      {"comp", Stage::Compute},
      {"vertex", Stage::Vertex},
      {"vert", Stage::Vertex},
      {"fragment", Stage::Fragment},
      {"frag", Stage::Fragment},
      {"geometry", Stage::Geometry},
      {"geom", Stage::Geometry},
      {"tesscontrol", Stage::TessControl},
      {"tesc", Stage::TessControl},
      {"tesseval", Stage::TessEvaluation},
      {"tese", Stage::TessEvaluation},
      {"task", Stage::Task},
      {"mesh", Stage::Mesh},
      {"raygen", Stage::RayGeneration},
      {"rgen", Stage::RayGeneration},
      {"intersect", Stage::Intersection},
      {"rint", Stage::Intersection},
      {"anyhit", Stage::AnyHit},
      {"rahit", Stage::AnyHit},
      {"closest", Stage::ClosestHit},
      {"rchit", Stage::ClosestHit},
      {"miss", Stage::Miss},
      {"rmiss", Stage::Miss},
      {"callable", Stage::Callable},
      {"rcall", Stage::Callable},
  };
  for (const Row& row : kRows) {
    if (row.name != name) continue;
    stage = row.stage;
    return true;
  }
  return false;
}

std::vector<Limit> limits() {
  return {
#define LIMIT(name, field, value) {#name, value},
#include "api/protocol/limits.def"
#undef LIMIT
  };
}

}  // namespace coopc
