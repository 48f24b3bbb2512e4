// If memory runs out while SPIRV-Tools checks or assembles a module, the caller gets that error, and neither
// a finding nor an error in the text. This program's own operator new fails, at each allocation in turn.
#include <cstdlib>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "coopc/core.h"
#include "coopc/core.hpp"

namespace {

long gUntilFail = -1;  // allocations that succeed before one fails; negative: none fails

void* allocate(std::size_t size) {
  if (gUntilFail >= 0 && gUntilFail-- == 0) throw std::bad_alloc();
  void* memory = std::malloc(size != 0 ? size : 1);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

using namespace coopc;

namespace {

constexpr std::string_view kText = R"(
    OpCapability Shader
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main "main"
    OpExecutionMode %main LocalSize 1 1 1
    %void = OpTypeVoid
    %type = OpTypeFunction %void
    %main = OpFunction %void None %type
    %entry = OpLabel
    OpReturn
    OpFunctionEnd
)";

}  // namespace

TEST_CASE("core rules: exhausted memory is not a finding") {
  const std::vector<uint32_t> words = assemble(kText);
  REQUIRE_FALSE(words.empty());
  const ValidateResult before = validate(words, {});
  // SPIRV-Tools fills tables when it first needs them. Debian's library is built without exceptions: if an
  // allocation fails while a table is made, the table stays incomplete, and later calls end in an exception
  // of the runtime. Therefore the tables are made before allocations fail.
  ValidateResult tables = before;
  validateCore(words, {}, {}, tables);
  size_t exhausted = 0;
  for (long n = 0;; ++n) {
    ValidateResult result = before;
    bool thrown = false;
    gUntilFail = n;
    try {
      validateCore(words, {}, {}, result);
    } catch (const std::bad_alloc&) {
      thrown = true;
    }
    const bool done = gUntilFail >= 0;
    gUntilFail = -1;
    std::string said;
    if (!thrown) {
      for (const Finding& f : result.findings) said += f.message + "\n";
    }
    INFO("allocation " << n << ": " << said);
    REQUIRE((thrown || said.empty()));
    if (done) break;
    exhausted += thrown ? 1 : 0;

    gUntilFail = n;
    coopc_core* const core = coopc_core_validate(words.data(), words.size(), COOPC_CORE_FROM_MODULE, 0);
    gUntilFail = -1;
    const coopc_status status = coopc_core_status(core);
    const std::string message = coopc_core_message(core);
    coopc_core_destroy(core);
    INFO(message);
    REQUIRE((status == COOPC_STATUS_OUT_OF_MEMORY || (status == COOPC_STATUS_OK && message.empty())));
  }
  CHECK(exhausted > 100);
}

TEST_CASE("assembling: exhausted memory is not an error of the text") {
  const auto assembled = [] { return coopc_core_assemble(kText.data(), kText.size(), 0, 0); };
  size_t exhausted = 0;
  for (long n = 0;; ++n) {
    gUntilFail = n;
    coopc_core* const core = assembled();
    const bool done = gUntilFail >= 0;
    gUntilFail = -1;
    const coopc_status status = coopc_core_status(core);
    const std::string message = coopc_core_message(core);
    coopc_core_destroy(core);
    INFO("allocation " << n << ": " << message);
    REQUIRE((status == COOPC_STATUS_OUT_OF_MEMORY || (status == COOPC_STATUS_OK && message.empty())));
    if (done) break;
    exhausted += status == COOPC_STATUS_OUT_OF_MEMORY ? 1 : 0;
  }
  CHECK(exhausted > 20);
}
