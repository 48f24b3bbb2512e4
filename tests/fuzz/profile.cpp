// Reads device profiles and JSON, and, if the harness is built, case files (TOML). What cannot be read has a
// message.
#include "spirv/profile/profile.hpp"

#include <string>

#include "base/json.hpp"
#include "coopc/profiles.hpp"
#include "spirv/targets/read_target.hpp"
#include "tests/fuzz/fuzz.hpp"
#ifdef COOPC_FUZZ_CASES
#include "harness/cases/case.hpp"
#endif

using namespace coopc;
using coopc::fuzz::require;

namespace {
constexpr size_t kChoices = 1;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t capacity, unsigned seed) {
  return coopc::fuzz::mutateText(data, size, capacity, seed, kChoices);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Choices choices(data, size);
  const uint8_t choice = choices.byte();
  const std::string_view text = choices.text();
#ifdef COOPC_FUZZ_CASES
  if (choice % 2 == 1) {
    const auto read = harness::parseCase(text, "fuzz.toml", {});
    require(bool(read) || !read.error().message.empty(), "a case refused without a message");
    return 0;
  }
#endif
  (void)choice;
  std::string error;
  const bool ok = spirv::readProfile(text, error).has_value();
  require(ok || !error.empty(), "a profile refused without a message");
  require(text.empty() || ok == profileError(text).empty(), "two readers of profiles differ");
  spirv::lower::Target target;
  if (!spirv::lower::isTargetName(text) && !text.empty())
    require(ok == spirv::lower::readTarget(text, target).empty(),
            "a target is not a profile, or a profile is not a target");
  return 0;
}
