// Names of stages and limits.
#include "frontend/language/stages.hpp"

#include "coopc/coopc.hpp"

namespace coopc {

bool stageByName(std::string_view name, Stage& stage) {
  const frontend::Stage found = frontend::findStage(name);
  if (found == frontend::Stage::Count) return false;
  stage = static_cast<Stage>(int(found) + 1);  // session.cpp compares the two
  return true;
}

std::vector<Limit> limits() {
  return {
#define LIMIT(name, field, value) {#name, value},
#include "api/protocol/limits.def"
#undef LIMIT
  };
}

}  // namespace coopc
