// Translates a module to the language that the last byte chooses: the result is a text, or the reason why
// there is none.
#include "coopc/translate.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace coopc;

namespace {
constexpr size_t kChoices = 1;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t capacity, unsigned seed) {
  return coopc::fuzz::mutateModule(data, size, capacity, seed, kChoices);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Choices choices(data, size);
  TranslateOptions options;
  options.language = ShadingLanguage(choices.below(3));
  const TranslateResult result = translateBytes(choices.rest(), options);
  fuzz::require(result.text.empty() != result.error.empty(), "neither a text nor a reason, or both");
  return 0;
}
