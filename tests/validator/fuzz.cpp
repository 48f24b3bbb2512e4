// The libFuzzer target: any bytes into the validator, some with a profile, and all renderings of what comes out.
//
// Seeds: the modules of modules/ and of cases.txt, and the inputs of fuzz_corpus.txt (hexadecimal, one a line), which
// `coopc_validator_tests "[.seeds]"` writes into a folder. docs/coopval.md says how to run it.
#include <cstddef>
#include <cstdint>

#include "coopc/validate.hpp"

namespace {

// The shipped profiles say nothing of cooperative vectors.
constexpr const char* kVectors =
    R"({"name": "made up", "features": ["cooperativeVector"], "cooperativeVector": {
  "stages": ["compute"], "trainingFloat16Accumulation": false, "trainingFloat32Accumulation": true, "maxComponents": 8,
  "combinations": [{"input": "f16", "inputInterpretation": "f16", "matrixInterpretation": "f16",
    "biasInterpretation": "f16", "result": "f16", "transpose": false}]}})";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  coopc::ValidateOptions options;
  // Reading a profile takes longer than all else: one input in four has one. The last byte chooses, so that a change
  // of one byte leads from one kind to the other.
  const uint8_t choice = size == 0 ? 0 : data[size - 1];
  if (choice % 4 == 0) {
    const size_t which = choice / 4 % (coopc::shippedProfiles().size() + 1);
    options.profile = which == 0 ? kVectors : coopc::shippedProfiles()[which - 1].text;
  }
  if (size % 3 == 0) options.specializations = {{0, 3}, {1, 0}, {7, 0xFFFFFFFF}};
  const coopc::CheckedFile file[] = {{"fuzz", coopc::validateBytes({data, size}, options)}};
  if (!file[0].result.readable && file[0].result.findings.size() != 1) __builtin_trap();
  if (renderText(file[0]).empty() != file[0].result.findings.empty()) __builtin_trap();
  coopc::renderJson(file);
  coopc::renderSarif(file);
  coopc::renderJunit(file);
  return 0;
}
