// translateChecked() of include/coopc/translate.hpp and translate.h: the front end above the translation.
#include <algorithm>
#include <string>

#include "base/spirv_version.hpp"
#include "coopc/coopc.hpp"
#include "coopc/translate.hpp"
#include "frontend/language/stages.hpp"
#include "translate/c_translation.hpp"

namespace coopc {

namespace {

// An environment that accepts the version of SPIR-V of this module, so that a text which compiles for it has
// a valid module of that version.
TargetEnv environmentOf(uint32_t version) {
  if (version >= kSpirv16) return TargetEnv::Vulkan1_3;
  if (version >= kSpirv15) return TargetEnv::Vulkan1_2;
  if (version >= kSpirv13) return TargetEnv::Vulkan1_1;
  return TargetEnv::Vulkan1_0;
}

// GLSL's stage for an execution model.
Stage stageOf(uint32_t executionModel) {
  Stage stage = Stage::Compute;
  for (unsigned n = 0; n < frontend::kStageCount; ++n) {
    const frontend::StageInfo& info = frontend::stageInfo(static_cast<frontend::Stage>(n));
    if (info.model == executionModel) stageByName(info.word, stage);
  }
  return stage;
}

// "", or the first error of the text, with its line.
std::string faultOf(const TranslateResult& translated, uint32_t version) {
  Options options;
  options.stage = stageOf(translated.executionModel);
  options.targetEnv = environmentOf(version);
  options.suppressWarnings = true;
  const Result again = compile(translated.text, "translated text", options);
  if (again.ok) return {};
  const auto first = std::ranges::find(again.diagnostics, Severity::Error, &Diagnostic::severity);
  if (first == again.diagnostics.end()) return "the translated text does not compile again";
  return "the translated text does not compile again: line " + std::to_string(first->line) + ": " +
         first->message;
}

}  // namespace

TranslateResult translateChecked(std::span<const uint32_t> words, const TranslateOptions& options) {
  TranslateResult result = translate(words, options);
  if (!result.ok() || options.language != ShadingLanguage::Glsl) return result;
  result.error = faultOf(result, words[1]);
  if (!result.ok()) result.text.clear();
  return result;
}

TranslateResult translateBytesChecked(std::span<const unsigned char> bytes, const TranslateOptions& options) {
  TranslateResult result = translateBytes(bytes, options);
  if (!result.ok() || options.language != ShadingLanguage::Glsl) return result;
  // The second word, in the byte order that the first one shows.
  const bool littleEndian = bytes[0] == 0x03;
  uint32_t version = 0;
  for (size_t n = 0; n < 4; ++n) version |= uint32_t(bytes[4 + n]) << 8 * (littleEndian ? n : 3 - n);
  result.error = faultOf(result, version);
  if (!result.ok()) result.text.clear();
  return result;
}

}  // namespace coopc

extern "C" coopc_translation* coopc_translate_checked(const uint32_t* words, size_t word_count,
                                                      coopc_shading_language language,
                                                      const char* entry_point) {
  return coopc::translating::translateForC({words, word_count}, language, entry_point,
                                           coopc::translateChecked);
}
