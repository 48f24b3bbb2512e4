// include/coopc/translate.h over translate.hpp: exceptions (memory) become NULL.
#include <string_view>
#include <utility>

#include "coopc/translate.h"
#include "coopc/translate.hpp"

struct coopc_translation {
  coopc::TranslateResult result;
};

static_assert(int(coopc::ShadingLanguage::Glsl) == COOPC_SHADING_LANGUAGE_GLSL &&
              int(coopc::ShadingLanguage::Hlsl) == COOPC_SHADING_LANGUAGE_HLSL &&
              int(coopc::ShadingLanguage::Msl) == COOPC_SHADING_LANGUAGE_MSL);

extern "C" {

coopc_translation* coopc_translate(const uint32_t* words, size_t word_count, coopc_shading_language language,
                                   const char* entry_point) {
  try {
    coopc::TranslateOptions options;
    options.language = static_cast<coopc::ShadingLanguage>(language);
    if (entry_point != nullptr) options.entryPoint = entry_point;
    return new coopc_translation{coopc::translate({words, word_count}, options)};
  } catch (...) {
    return nullptr;
  }
}
void coopc_translation_destroy(coopc_translation* translation) { delete translation; }

const char* coopc_translation_text(const coopc_translation* translation, size_t* length) {
  const std::string& text = translation->result.text;
  if (length != nullptr) *length = text.size();
  return text.c_str();
}
const char* coopc_translation_error(const coopc_translation* translation) {
  return translation->result.error.c_str();
}

}  // extern "C"
