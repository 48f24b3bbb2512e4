// include/coopc/translate.h over translate.hpp: exceptions (memory) become NULL.
#include <string_view>
#include <utility>

#include "base/guarded.hpp"
#include "coopc/translate.h"
#include "coopc/translate.hpp"
#include "translate/c_translation.hpp"

static_assert(int(coopc::ShadingLanguage::Glsl) == COOPC_SHADING_LANGUAGE_GLSL &&
              int(coopc::ShadingLanguage::Hlsl) == COOPC_SHADING_LANGUAGE_HLSL &&
              int(coopc::ShadingLanguage::Msl) == COOPC_SHADING_LANGUAGE_MSL);

namespace {

// The object that functions describe if they get NULL.
const coopc::TranslateResult& of(const coopc_translation* translation) {
  static const coopc::TranslateResult none;
  return translation != nullptr ? translation->result : none;
}

}  // namespace

extern "C" {

coopc_translation* coopc_translate(const uint32_t* words, size_t word_count, coopc_shading_language language,
                                   const char* entry_point) {
  return coopc::translating::translateForC({words, word_count}, language, entry_point, coopc::translate);
}
void coopc_translation_destroy(coopc_translation* translation) { delete translation; }

coopc_status coopc_translation_status(const coopc_translation* translation) {
  return translation != nullptr ? translation->status : COOPC_STATUS_OUT_OF_MEMORY;
}
const char* coopc_translation_text(const coopc_translation* translation, size_t* length) {
  const std::string& text = of(translation).text;
  if (length != nullptr) *length = text.size();
  return text.c_str();
}
const char* coopc_translation_error(const coopc_translation* translation) {
  return of(translation).error.c_str();
}

}  // extern "C"
