// SPIRV-Tools' assembler.
#include <optional>

#include <spirv-tools/libspirv.h>

#include "base/spirv_version.hpp"
#include "coopc/core.hpp"

namespace coopc {

namespace {

// None if there is no such version.
std::optional<spv_target_env> environmentOf(uint32_t version) {
  constexpr spv_target_env kEnvironments[] = {
      SPV_ENV_UNIVERSAL_1_0, SPV_ENV_UNIVERSAL_1_1, SPV_ENV_UNIVERSAL_1_2, SPV_ENV_UNIVERSAL_1_3,
      SPV_ENV_UNIVERSAL_1_4, SPV_ENV_UNIVERSAL_1_5, SPV_ENV_UNIVERSAL_1_6};
  if (!isSpirvVersion(version)) return std::nullopt;
  return kEnvironments[version >> 8 & 0xFF];
}

// Owns what SPIRV-Tools allocates, and frees it even if there is no memory for the result.
struct Assembly {
  spv_context context;
  spv_binary binary = nullptr;
  spv_diagnostic diagnostic = nullptr;

  explicit Assembly(spv_target_env environment) : context(spvContextCreate(environment)) {
    if (context == nullptr) throw std::bad_alloc();
  }
  Assembly(const Assembly&) = delete;
  Assembly& operator=(const Assembly&) = delete;
  ~Assembly() {
    spvDiagnosticDestroy(diagnostic);
    spvBinaryDestroy(binary);
    spvContextDestroy(context);
  }

  std::string why() const {
    if (diagnostic == nullptr || diagnostic->error == nullptr) return "SPIRV-Tools gives no reason";
    const spv_position_t& at = diagnostic->position;
    return std::to_string(at.line + 1) + ":" + std::to_string(at.column + 1) + ": " + diagnostic->error;
  }
};

}  // namespace

std::vector<uint32_t> assemble(std::string_view text, const AssembleOptions& options, std::string* error) {
  const std::optional<spv_target_env> environment = environmentOf(options.spirvVersion);
  if (!environment) {
    if (error != nullptr) *error = "the SPIR-V version is not 1.0 to 1.6";
    return {};
  }
  Assembly assembly(*environment);
  // SPIRV-Tools assembles an empty text to a module that consists of a header alone.
  const uint32_t flags = options.preserveNumericIds ? SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS
                                                    : SPV_TEXT_TO_BINARY_OPTION_NONE;
  const spv_result_t made =
      spvTextToBinaryWithOptions(assembly.context, text.empty() ? "" : text.data(), text.size(), flags,
                                 &assembly.binary, &assembly.diagnostic);
  if (made != SPV_SUCCESS || assembly.binary == nullptr) {
    if (error != nullptr) *error = assembly.why();
    return {};
  }
  return {assembly.binary->code, assembly.binary->code + assembly.binary->wordCount};
}

}  // namespace coopc
