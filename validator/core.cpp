// Core SPIR-V's rules, checked by SPIRV-Tools. Its released versions abort on malformed decode functions and
// similar faults, so only modules that pass our own module-level rules are handed to it. A module that our
// newer grammar accepts and its parser does not is left unchecked, and the finding names what SPIRV-Tools
// does not support. A module whose types nest so deeply that SPIRV-Tools would use up the stack is left
// unchecked as well.
#include "coopc/core.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include <spirv-tools/libspirv.hpp>

#include "base/spirv_version.hpp"
#include "spirv/composites.hpp"
#include "spirv/disassembler.hpp"
#include "spirv/grammar.hpp"
#include "spirv/instruction_walk.hpp"
#include "spirv/reader.hpp"
#include "validator/context.hpp"

namespace coopc {

namespace {

spv_target_env environmentOf(CoreEnvironment environment, uint32_t version, bool vulkan) {
  switch (environment) {
    case CoreEnvironment::Vulkan10: return SPV_ENV_VULKAN_1_0;
    case CoreEnvironment::Vulkan11:
      return version >= kSpirv14 ? SPV_ENV_VULKAN_1_1_SPIRV_1_4 : SPV_ENV_VULKAN_1_1;
    case CoreEnvironment::Vulkan12: return SPV_ENV_VULKAN_1_2;
    case CoreEnvironment::Vulkan13: return SPV_ENV_VULKAN_1_3;
    case CoreEnvironment::Vulkan14: return SPV_ENV_VULKAN_1_4;
    case CoreEnvironment::Universal: return SPV_ENV_UNIVERSAL_1_6;
    case CoreEnvironment::FromModule: break;
  }
  if (!vulkan) return SPV_ENV_UNIVERSAL_1_6;
  if (version >= kSpirv16) return SPV_ENV_VULKAN_1_4;
  if (version >= kSpirv15) return SPV_ENV_VULKAN_1_2;
  if (version >= kSpirv14) return SPV_ENV_VULKAN_1_1_SPIRV_1_4;
  if (version >= kSpirv11) return SPV_ENV_VULKAN_1_1;
  return SPV_ENV_VULKAN_1_0;
}

// `ordinal`: the instruction's number, counted from 1; 0: no instruction.
void add(ValidateResult& result, const ValidateOptions& options, const spirv::Module& module,
         validator::Rule rule, std::string message, size_t ordinal) {
  const RuleDescription& description = validator::description(rule);
  for (std::string_view id : options.suppress) {
    if (id == description.id) return;
  }
  Finding f;
  f.rule = &description;
  f.severity = description.severity;
  f.message = std::move(message);
  f.clause = description.clause;
  f.instruction = kNoInstruction;
  if (ordinal != 0 && ordinal <= module.instructions.size()) {
    const uint32_t which[] = {uint32_t(ordinal - 1)};
    f.instruction = which[0];
    f.word = module.instructions[which[0]].at;
    f.disassembly = spirv::disassembleInstructions(module, which)[0];
  }
  result.findings.push_back(std::move(f));
}

// Owns the text that SPIRV-Tools allocates for a message, and frees it even if an exception is thrown.
struct Diagnostic {
  spv_diagnostic diagnostic = nullptr;

  Diagnostic() = default;
  Diagnostic(const Diagnostic&) = delete;
  Diagnostic& operator=(const Diagnostic&) = delete;
  ~Diagnostic() { spvDiagnosticDestroy(diagnostic); }

  std::string text(const char* none) const {
    return diagnostic != nullptr && diagnostic->error != nullptr ? diagnostic->error : none;
  }
};

// Extensions that share opcodes and capabilities with an older one of a vendor.
struct Promotion {
  std::string_view extension, vendors;
};
constexpr Promotion kPromotions[] = {
    {"SPV_EXT_cooperative_matrix_maintenance1", "SPV_NV_cooperative_matrix2"},
    {"SPV_EXT_split_barrier", "SPV_INTEL_split_barrier"}};

// Versions of SPIRV-Tools that do not support the newer extension demand the older one. Returns such a module
// with the older one declared as well. Empty for other modules, and for modules that use anything that only
// the older extension has.
std::vector<uint32_t> declaringOlder(std::span<const uint32_t> words, const spirv::Module& module,
                                     const Promotion& promotion) {
  bool promoted = false;
  for (const spirv::Instruction& i : module.instructions) {
    if (i.op() == spv::Op::OpExtension) {
      const std::string_view name = spirv::op::Extension(module, i).name();
      promoted = promoted || name == promotion.extension;
      if (name == promotion.vendors) return {};
    } else if (i.op() == spv::Op::OpCapability) {
      const spv::Capability capability = spirv::op::Capability(module, i).capability();
      if (&promotion == kPromotions && (capability == spv::Capability::CooperativeMatrixConversionsNV ||
                                        capability == spv::Capability::CooperativeMatrixTensorAddressingNV ||
                                        capability == spv::Capability::CooperativeMatrixBlockLoadsNV))
        return {};
    } else if (promoted) {
      std::vector<uint32_t> changed(words.begin(), words.begin() + i.at);
      std::vector<uint32_t> text(promotion.vendors.size() / 4 + 1);
      std::memcpy(text.data(), promotion.vendors.data(), promotion.vendors.size());
      changed.push_back(spirv::instructionHead(spv::Op::OpExtension, text.size() + 1));
      changed.insert(changed.end(), text.begin(), text.end());
      changed.insert(changed.end(), words.begin() + i.at, words.end());
      return changed;
    }
  }
  return {};
}

// Joins the lines of a message; those after the first, mostly the text of an instruction, go in parentheses.
std::string onOneLine(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    line.remove_prefix(std::min(line.find_first_not_of(" \t\r"), line.size()));
    line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
    if (line.empty()) continue;
    if (out.empty())
      out = line;
    else
      (((out += " (") += line) += ')');
  }
  return out;
}

// Returns what SPIRV-Tools reports, or "".
std::string verdict(spv_context context, std::span<const uint32_t> words, const CoreOptions& core) {
  spvtools::ValidatorOptions validatorOptions;
  validatorOptions.SetRelaxBlockLayout(core.relaxBlockLayout);
  validatorOptions.SetUniformBufferStandardLayout(core.uniformBufferStandardLayout);
  validatorOptions.SetScalarBlockLayout(core.scalarBlockLayout);
  validatorOptions.SetWorkgroupScalarBlockLayout(core.workgroupScalarBlockLayout);
  validatorOptions.SetSkipBlockLayout(core.skipBlockLayout);
  validatorOptions.SetRelaxLogicalPointer(core.relaxLogicalPointer);
  validatorOptions.SetRelaxStructStore(core.relaxStructStore);
  validatorOptions.SetBeforeHlslLegalization(core.beforeHlslLegalization);
  validatorOptions.SetAllowLocalSizeId(core.allowLocalSizeId);
  validatorOptions.SetAllowOffsetTextureOperand(core.allowOffsetTextureOperand);
  validatorOptions.SetAllowVulkan32BitBitwise(core.allowVulkan32BitBitwise);
  spv_const_binary_t binary{words.data(), words.size()};
  Diagnostic diagnostic;
  const spv_result_t valid =
      spvValidateWithOptions(context, validatorOptions, &binary, &diagnostic.diagnostic);
  if (valid == SPV_SUCCESS) return {};
  const std::string why = onOneLine(diagnostic.text("invalid"));
  return why.empty() ? "invalid" : why;
}

void check(spv_context context, std::span<const uint32_t> words, const spirv::Module& module,
           const CoreOptions& core, const ValidateOptions& options, ValidateResult& result) {
  std::string why = verdict(context, words, core);
  std::vector<uint32_t> changed;  // all insertions are before the same instruction
  for (const Promotion& promotion : kPromotions) {
    if (why.find(promotion.vendors) == std::string::npos) continue;
    std::vector<uint32_t> declared = declaringOlder(changed.empty() ? words : changed, module, promotion);
    if (declared.empty()) continue;
    changed = std::move(declared);
    why = verdict(context, changed, core);
  }
  if (!why.empty()) add(result, options, module, validator::Rule::Core, why, 0);
}

// SPIRV-Tools walks types recursively, and in a time that grows with the square of their depth.
constexpr uint32_t kDeepestType = 1000;

}  // namespace

void validateCore(std::span<const uint32_t> words, const CoreOptions& core, const ValidateOptions& options,
                  ValidateResult& result) {
  if (!result.readable || !result.error.empty()) return;
  for (const Finding& f : result.findings) {
    if (f.rule->level == RuleLevel::Module && f.rule->severity == FindingSeverity::Error) return;
  }
  // A suppressed rule may still be broken. SPIRV-Tools relies on these rules, so they are checked again
  // without suppression.
  if (!options.suppress.empty()) {
    ValidateOptions all;
    all.specializations = options.specializations;
    all.advice = false;
    for (const Finding& f : validate(words, all).findings) {
      if (f.rule->level == RuleLevel::Module && f.rule->severity == FindingSeverity::Error) return;
    }
  }
  spirv::ReadError error;
  const std::optional<spirv::Module> read = spirv::readModule(words, error, true);
  if (!read) return;
  const spirv::Module& module = *read;
  if (const auto deep = spirv::findTypeDeeperThan(module, kDeepestType)) {
    return add(result, options, module, validator::Rule::CoreUnchecked,
               "core rules are unchecked, types nest more than " + std::to_string(kDeepestType) + " deep",
               *deep + 1);
  }
  bool shader = false;
  for (const spirv::Instruction& i : module.instructions) {
    const auto declaration = spirv::as<spirv::op::Capability>(module, i);
    shader = shader || (declaration && declaration.capability() == spv::Capability::Shader);
  }

  const spv_target_env env = environmentOf(core.environment, module.version, shader);
  struct ToolsContext {
    spv_context context;
    ~ToolsContext() { spvContextDestroy(context); }
  } tools{spvContextCreate(env)};
  if (tools.context == nullptr) throw std::bad_alloc();
  // Parse first: if this fails, SPIRV-Tools does not support something that our reader accepts.
  Diagnostic unread;
  const spv_result_t parsed = spvBinaryParse(tools.context, nullptr, words.data(), words.size(), nullptr,
                                             nullptr, &unread.diagnostic);
  if (parsed != SPV_SUCCESS) {
    const size_t at = unread.diagnostic != nullptr ? unread.diagnostic->position.index : 0;
    add(result, options, module, validator::Rule::CoreUnchecked,
        "core rules are unchecked, the linked SPIRV-Tools cannot read the module: " +
            unread.text("it says no more"),
        at);
    return;
  }
  // Released versions of SPIRV-Tools index containers with at(), which throws for some invalid modules that
  // our rules accept.
  try {
    check(tools.context, words, module, core, options, result);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {
    add(result, options, module, validator::Rule::CoreUnchecked,
        std::string("core rules are unchecked, the linked SPIRV-Tools failed: ") + e.what(), 0);
  }
}

}  // namespace coopc
