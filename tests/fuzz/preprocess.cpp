// The preprocessor alone. A text may include its second half.
#include <optional>

#include "coopc/coopc.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace coopc;
using coopc::fuzz::require;

namespace {
constexpr size_t kChoices = 2;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t capacity, unsigned seed) {
  return coopc::fuzz::mutateText(data, size, capacity, seed, kChoices);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Choices choices(data, size);
  const uint8_t flags = choices.byte(), more = choices.byte();
  const std::string text(choices.text());
  Options options;
  options.allowGlslang = false;
  options.memoryLimit = size_t{128} << 20;
  options.output = (flags & 1) != 0 ? Output::Dependencies : Output::Preprocessed;
  options.glslcForm = (flags & 2) != 0;
  options.strict = (flags & 4) != 0;
  if ((flags & 8) != 0) options.forcedVersion = 460;
  if ((flags & 16) != 0) options.forcedVersion = 310, options.forcedEs = true;
  if ((flags & 32) != 0) options.macros = {{"A", "B(A) 1"}, {"B(x, y)", "x##y A"}, {"B", "", true}};
  // Every included file is the text's second half. It may include itself again, up to a depth of 4 to 11.
  if ((flags & 64) != 0)
    options.include = [&](std::string_view name, bool angled, std::string_view,
                          uint32_t depth) -> std::optional<Include> {
      if (angled || depth > 4u + more % 8) return std::nullopt;
      return Include{std::string(name), text.substr(text.size() / 2)};
    };
  const Result result = compile(text, "fuzz", options);
  require(result.status == Status::Ok || result.status == Status::InputError ||
              result.status == Status::OutOfMemory || result.status == Status::HelperMissing,
          result.messages);
  require(result.ok || !result.messages.empty(), "a refusal without a message");
  return 0;
}
