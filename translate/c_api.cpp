// include/coopc/translate.h over translate.hpp: exceptions (memory) become NULL.
#include <string_view>
#include <utility>

#include "base/guarded.hpp"
#include "coopc/translate.h"
#include "coopc/translate.hpp"

struct coopc_translation {
  coopc::TranslateResult result;
  coopc_status status = COOPC_STATUS_OK;
};

static_assert(int(coopc::ShadingLanguage::Glsl) == COOPC_SHADING_LANGUAGE_GLSL &&
              int(coopc::ShadingLanguage::Hlsl) == COOPC_SHADING_LANGUAGE_HLSL &&
              int(coopc::ShadingLanguage::Msl) == COOPC_SHADING_LANGUAGE_MSL);

namespace {

// What functions about NULL speak of.
const coopc::TranslateResult& of(const coopc_translation* translation) {
  static const coopc::TranslateResult none;
  return translation != nullptr ? translation->result : none;
}

}  // namespace

extern "C" {

coopc_translation* coopc_translate(const uint32_t* words, size_t word_count, coopc_shading_language language,
                                   const char* entry_point) {
  return coopc::guarded<coopc_translation*>(nullptr, [&] {
    const auto refused = [](const char* why) {
      return new coopc_translation{{"", why}, COOPC_STATUS_BAD_ARGUMENT};
    };
    if (words == nullptr && word_count != 0) return refused("the words are NULL");
    if (language < COOPC_SHADING_LANGUAGE_GLSL || language > COOPC_SHADING_LANGUAGE_MSL)
      return refused("there is no such language");
    coopc::TranslateOptions options;
    options.language = static_cast<coopc::ShadingLanguage>(language);
    if (entry_point != nullptr) options.entryPoint = entry_point;
    coopc::TranslateResult result = coopc::translate({words, word_count}, options);
    const coopc_status status = result.ok() ? COOPC_STATUS_OK : COOPC_STATUS_INPUT_ERROR;
    return new coopc_translation{std::move(result), status};
  });
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
