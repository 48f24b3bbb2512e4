// include/coopc/core.h over core.hpp: exceptions (memory) become NULL.
#include <iterator>
#include <string>
#include <vector>

#include "base/guarded.hpp"
#include "base/spirv_version.hpp"
#include "coopc/core.h"
#include "coopc/core.hpp"

struct coopc_core {
  coopc_status status = COOPC_STATUS_OK;
  std::string message = {};
  std::vector<uint32_t> words = {};
};

static_assert(int(COOPC_CORE_FROM_MODULE) == int(coopc::CoreEnvironment::FromModule) &&
              int(COOPC_CORE_VULKAN_1_0) == int(coopc::CoreEnvironment::Vulkan10) &&
              int(COOPC_CORE_VULKAN_1_1) == int(coopc::CoreEnvironment::Vulkan11) &&
              int(COOPC_CORE_VULKAN_1_2) == int(coopc::CoreEnvironment::Vulkan12) &&
              int(COOPC_CORE_VULKAN_1_3) == int(coopc::CoreEnvironment::Vulkan13) &&
              int(COOPC_CORE_VULKAN_1_4) == int(coopc::CoreEnvironment::Vulkan14) &&
              int(COOPC_CORE_UNIVERSAL) == int(coopc::CoreEnvironment::Universal));

namespace {

// By the bits of coopc_core_flag, from the lowest on.
constexpr bool coopc::CoreOptions::*kFlags[] = {
    &coopc::CoreOptions::relaxBlockLayout,       &coopc::CoreOptions::uniformBufferStandardLayout,
    &coopc::CoreOptions::scalarBlockLayout,      &coopc::CoreOptions::workgroupScalarBlockLayout,
    &coopc::CoreOptions::skipBlockLayout,        &coopc::CoreOptions::relaxLogicalPointer,
    &coopc::CoreOptions::relaxStructStore,       &coopc::CoreOptions::beforeHlslLegalization,
    &coopc::CoreOptions::allowLocalSizeId,       &coopc::CoreOptions::allowOffsetTextureOperand,
    &coopc::CoreOptions::allowVulkan32BitBitwise};
static_assert(COOPC_CORE_ALLOW_VULKAN_32_BIT_BITWISE == 1u << (std::size(kFlags) - 1));

// Findings of core rules, and findings of the module level, which must be fixed first.
void check(std::span<const uint32_t> words, const coopc::CoreOptions& options, coopc_core& core) {
  coopc::ValidateOptions validation;
  validation.advice = false;
  coopc::ValidateResult result = coopc::validate(words, validation);
  coopc::validateCore(words, options, validation, result);
  for (const coopc::Finding& f : result.findings) {
    const bool error = f.severity == coopc::FindingSeverity::Error;
    // The message is the first error; without an error, the parts that are unchecked.
    if (error ? core.status == COOPC_STATUS_OK : core.message.empty() && f.rule->id == "core-unchecked")
      core.message = f.message;
    if (error) core.status = COOPC_STATUS_INPUT_ERROR;
  }
}

}  // namespace

extern "C" {

coopc_core* coopc_core_validate(const uint32_t* words, size_t word_count, coopc_core_environment environment,
                                uint32_t flags) {
  return coopc::guard<coopc_core*>(nullptr, [&] {
    const auto refused = [](const char* why) { return new coopc_core{COOPC_STATUS_BAD_ARGUMENT, why}; };
    if (words == nullptr && word_count != 0) return refused("the words are NULL");
    if (environment < COOPC_CORE_FROM_MODULE || environment > COOPC_CORE_UNIVERSAL)
      return refused("there is no such environment");
    if (flags >> std::size(kFlags) != 0) return refused("there is no such flag");
    coopc::CoreOptions options;
    options.environment = static_cast<coopc::CoreEnvironment>(environment);
    for (size_t n = 0; n < std::size(kFlags); ++n) options.*kFlags[n] = (flags >> n & 1) != 0;
    coopc_core core;
    check({words, word_count}, options, core);
    return new coopc_core(std::move(core));
  });
}

coopc_core* coopc_core_assemble(const char* text, size_t length, uint32_t spirv_version,
                                int preserve_numeric_ids) {
  return coopc::guard<coopc_core*>(nullptr, [&] {
    const auto refused = [](const char* why) { return new coopc_core{COOPC_STATUS_BAD_ARGUMENT, why}; };
    if (text == nullptr && length != 0) return refused("the text is NULL");
    coopc::AssembleOptions options;
    if (spirv_version != 0) options.spirvVersion = spirv_version;
    if (!coopc::isSpirvVersion(options.spirvVersion)) return refused("the SPIR-V version is not 1.0 to 1.6");
    options.preserveNumericIds = preserve_numeric_ids != 0;
    coopc_core core;
    core.words = coopc::assemble({text, length}, options, &core.message);
    if (core.words.empty()) core.status = COOPC_STATUS_INPUT_ERROR;
    return new coopc_core(std::move(core));
  });
}

void coopc_core_destroy(coopc_core* core) { delete core; }

coopc_status coopc_core_status(const coopc_core* core) {
  return core != nullptr ? core->status : COOPC_STATUS_OUT_OF_MEMORY;
}
const char* coopc_core_message(const coopc_core* core) {
  return core != nullptr ? core->message.c_str() : "";
}
const uint32_t* coopc_core_words(const coopc_core* core, size_t* word_count) {
  const bool none = core == nullptr || core->words.empty();
  if (word_count != nullptr) *word_count = none ? 0 : core->words.size();
  return none ? nullptr : core->words.data();
}

}  // extern "C"
