// Lowers a module for the target that the last bytes choose. Lowering must give reasons if it declines, and a
// valid module for a valid one.
#include <array>

#include "coopc/lower.hpp"
#include "coopc/validate.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace coopc;
using coopc::fuzz::fail;
using coopc::fuzz::require;

namespace {

constexpr size_t kChoices = 3;
constexpr std::array kTargets = {"none", "khr", "maintenance1", "radv"};
constexpr std::array kWithout = {
    "", "nv", "khr", "vulkan-memory-model", "shaderFloat16", "cooperativeMatrixTensorAddressing"};

}  // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t capacity, unsigned seed) {
  return coopc::fuzz::mutateModule(data, size, capacity, seed, kChoices);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Choices choices(data, size);
  LowerOptions options;
  const uint8_t target = choices.byte();
  const std::span<const ShippedProfile> shipped = shippedProfiles();
  options.profile =
      target % 8 == 7 ? shipped[target / 8 % shipped.size()].name : kTargets[target % kTargets.size()];
  options.without = kWithout[choices.below(kWithout.size())];
  const uint8_t flags = choices.byte();
  options.specDefaults = (flags & 1) != 0;
  options.optimize = (flags & 2) == 0;
  options.keepDebug = (flags & 4) != 0;
  if ((flags & 8) != 0) options.specializations = {{0, 3}, {1, 16}, {7, 0xFFFFFFFF}};
  if ((flags & 16) != 0) options.subgroupSize = 32u << (flags >> 5 & 3);
  const std::vector<uint32_t> words = fuzz::wordsOf(choices.rest());
  const LowerResult result = lower(words, options);
  require(result.error.empty(), "the options are refused: " + result.error);
  require(!renderText(result).empty() && !renderJson(result).empty(), "no report");
  if (result.kind == Lowering::Declined) {
    require(!result.reasons.empty(), "declined without a reason");
    for (const std::string& reason : result.reasons)
      require(!reason.empty() && reason.find("internal error") == std::string::npos, "reason: " + reason);
    return 0;
  }
  if (result.kind == Lowering::Native) {
    require(result.words == words, "a native module was changed");
    return 0;
  }
  if (!fuzz::faultOf(words).empty()) return 0;
  if (const std::string fault = fuzz::faultOf(result.words); !fault.empty())
    fail("a valid module was lowered to an invalid one: " + fault);
  return 0;
}
