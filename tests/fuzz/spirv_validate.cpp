// Validates a module, with the profile and the values of specialization constants that the last bytes choose.
// Each refusal must have a finding, in all renderings.
#include "coopc/validate.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace coopc;
using coopc::fuzz::require;

namespace {

// A profile with fewer cooperative vectors than the shipped ones: small, for compute shaders alone, with one
// combination.
constexpr const char* kVectors =
    R"({"name": "made up", "features": ["cooperativeVector"], "cooperativeVector": {
  "stages": ["compute"], "trainingFloat16Accumulation": false, "trainingFloat32Accumulation": true, "maxComponents": 8,
  "combinations": [{"input": "f16", "inputInterpretation": "f16", "matrixInterpretation": "f16",
    "biasInterpretation": "f16", "result": "f16", "transpose": false}]}})";
constexpr size_t kChoices = 2;

}  // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t capacity, unsigned seed) {
  return coopc::fuzz::mutateModule(data, size, capacity, seed, kChoices);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Choices choices(data, size);
  ValidateOptions options;
  // Reading a profile takes longer than all other work, so one input in four has one.
  const uint8_t choice = choices.byte();
  if (choice % 4 == 3) {
    const size_t which = choice / 4 % (shippedProfiles().size() + 1);
    options.profile = which == 0 ? kVectors : shippedProfiles()[which - 1].text;
  }
  const uint8_t values = choices.byte();
  if (values % 3 == 1) options.specializations = {{0, 3}, {1, 0}, {7, 0xFFFFFFFF}};
  if (values % 5 == 1) options.warningsAsErrors = true;
  if (values % 7 == 1) options.maxFindings = 2;
  const CheckedFile file[] = {{"fuzz", validateBytes(choices.rest(), options)}};
  const ValidateResult& result = file[0].result;
  require(result.error.empty(), "a shipped profile is refused");
  require(result.readable || result.findings.size() == 1, "an unreadable module without one finding");
  for (const Finding& finding : result.findings)
    require(finding.rule != nullptr && !finding.message.empty(), "a finding without a message");
  require(renderText(file[0]).empty() == result.findings.empty(), "findings and text differ");
  renderJson(file);
  renderSarif(file);
  renderJunit(file);
  return 0;
}
