// Reflects a module, with or without a profile and values of specialization constants.
#include "coopc/reflect.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace coopc;

namespace {
constexpr size_t kChoices = 2;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t capacity, unsigned seed) {
  return coopc::fuzz::mutateModule(data, size, capacity, seed, kChoices);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Choices choices(data, size);
  ReflectOptions options;
  const uint8_t choice = choices.byte();
  if (choice % 8 == 7) options.profile = shippedProfiles()[choice / 8 % shippedProfiles().size()].text;
  if (choices.byte() % 3 == 1) options.specializations = {{0, 3}, {1, 0}, {7, 0xFFFFFFFF}};
  const Reflection reflection = reflectBytes(choices.rest(), options);
  fuzz::require(!renderJson(reflection).empty(), "no JSON");
  fuzz::require(options.profile.empty() || !reflection.ok() || reflection.device.error.empty(),
                "a shipped profile is refused");
  return 0;
}
