// Shared by the C interface's functions of translate.h; api/translate/ has one of them.
#pragma once

#include <cstdint>
#include <span>

#include "base/guarded.hpp"
#include "coopc/translate.h"
#include "coopc/translate.hpp"

struct coopc_translation {
  coopc::TranslateResult result;
  coopc_status status = COOPC_STATUS_OK;
};

namespace coopc::translating {

using Translate = TranslateResult (*)(std::span<const uint32_t> words, const TranslateOptions& options);

/// Checks the arguments, and calls `translate`. NULL if memory is exhausted.
inline coopc_translation* translateForC(std::span<const uint32_t> words, coopc_shading_language language,
                                        const char* entryPoint, Translate translate) {
  return guard<coopc_translation*>(nullptr, [&] {
    const auto refused = [](const char* why) {
      return new coopc_translation{{"", why}, COOPC_STATUS_BAD_ARGUMENT};
    };
    if (words.data() == nullptr && !words.empty()) return refused("the words are NULL");
    if (language < COOPC_SHADING_LANGUAGE_GLSL || language > COOPC_SHADING_LANGUAGE_MSL)
      return refused("there is no such language");
    TranslateOptions options;
    options.language = static_cast<ShadingLanguage>(language);
    if (entryPoint != nullptr) options.entryPoint = entryPoint;
    TranslateResult result = translate(words, options);
    const coopc_status status = result.ok() ? COOPC_STATUS_OK : COOPC_STATUS_INPUT_ERROR;
    return new coopc_translation{std::move(result), status};
  });
}

}  // namespace coopc::translating
