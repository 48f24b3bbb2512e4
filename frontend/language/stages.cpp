// The rows of stages.def by number, and their names.
#include "frontend/language/stages.hpp"

#include <spirv/unified1/spirv.hpp11>

namespace coopc::frontend {
namespace {

constexpr StageInfo kStages[] = {
#define STAGE(id, word, ending, text, macro, model, capability, traits) \
  {word,                                                                \
   ending,                                                              \
   text,                                                                \
   macro,                                                               \
   static_cast<uint32_t>(spv::ExecutionModel::model),                   \
   static_cast<uint32_t>(spv::Capability::capability),                  \
   static_cast<uint8_t>(traits)},
#include "frontend/language/stages.def"
};
static_assert(sizeof kStages / sizeof kStages[0] == kStageCount);

}  // namespace

const StageInfo& stageInfo(Stage stage) { return kStages[static_cast<unsigned>(stage)]; }

Stage findStage(std::string_view wordOrEnding) {
  for (unsigned i = 0; i < kStageCount; ++i)
    if (kStages[i].word == wordOrEnding || kStages[i].ending == wordOrEnding) return static_cast<Stage>(i);
  return Stage::Count;
}

}  // namespace coopc::frontend
