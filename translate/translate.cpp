// include/coopc/translate.hpp: checks what SPIRV-Cross relies on without checking, then calls it.
#include "coopc/translate.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>
#include <vector>

#include "spirv/composites.hpp"
#include "spirv/instructions.hpp"
#include "spirv/reader.hpp"
#include "spirv/stages.hpp"
#include "spirv/structure.hpp"
#include "spirv/writer.hpp"
#include "translate/addresses.hpp"
#include "translate/cross.hpp"
#include "translate/features.hpp"
#include "translate/integers.hpp"
#include "translate/isolation.hpp"
#include "translate/parameters.hpp"
#include "translate/phis.hpp"
#include "translate/work_group_constants.hpp"

namespace coopc {

namespace {

namespace op = spirv::op;

struct LanguageName {
  std::string_view name;
  ShadingLanguage language;
};
constexpr LanguageName kLanguages[] = {
    {"glsl", ShadingLanguage::Glsl}, {"hlsl", ShadingLanguage::Hlsl}, {"msl", ShadingLanguage::Msl}};

// Features that must be lowered first, because SPIRV-Cross does not support them.
constexpr std::pair<spv::Capability, const char*> kNotCore[] = {
    {spv::Capability::CooperativeMatrixKHR, "cooperative matrices"},
    {spv::Capability::CooperativeMatrixNV, "cooperative matrices of NV"},
    {spv::Capability::TensorAddressingNV, "tensor addressing"},
    {spv::Capability::CooperativeVectorNV, "cooperative vectors"},
};

// SPIRV-Cross walks types recursively.
constexpr uint32_t kDeepestType = 1000;

// SPIRV-Cross's reasons end in the number of a built-in variable that it does not know; its name says more.
std::string withBuiltinName(std::string reason) {
  constexpr std::string_view kBefore = "builtin in HLSL: ";
  const size_t at = reason.find(kBefore);
  if (at == std::string::npos) return reason;
  const std::string_view digits = std::string_view(reason).substr(at + kBefore.size());
  uint32_t number = 0;
  const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (fault != std::errc() || end != digits.data() + digits.size()) return reason;
  const std::string_view name = spirv::enumerantName(spirv::OperandKind::BuiltIn, number);
  return name.empty() ? reason : reason.substr(0, at + kBefore.size()) + std::string(name);
}

// "", or why SPIRV-Cross cannot translate the stage. GLSL has all stages of Vulkan. HLSL and Metal have no
// stages for ray tracing to which a single shader could be translated. For tessellation and mesh shaders,
// SPIRV-Cross's Metal code depends on the host.
std::string lackingStage(spv::ExecutionModel model, ShadingLanguage language) {
  const std::string_view stage = spirv::stageName(uint32_t(model));
  if (stage.empty() || model == spv::ExecutionModel::TaskNV || model == spv::ExecutionModel::MeshNV)
    return "the entry point is not a Vulkan shader that SPIRV-Cross supports";
  if (language == ShadingLanguage::Glsl || model == spv::ExecutionModel::Vertex ||
      model == spv::ExecutionModel::Fragment || model == spv::ExecutionModel::GLCompute)
    return {};
  return "the stage \"" + std::string(stage) +
         "\" is translated to GLSL only; HLSL and MSL get vertex, fragment and compute shaders";
}

struct EntryPoint {
  std::string name;
  spv::ExecutionModel model{};
};

// The module's first entry point, or the first one with that name.
std::optional<EntryPoint> findEntryPoint(const spirv::Module& module, std::string_view name) {
  for (const spirv::Instruction& i : module.instructions) {
    const auto declared = spirv::as<op::EntryPoint>(module, i);
    if (declared && (name.empty() || declared.name() == name))
      return EntryPoint{std::string(declared.name()), declared.executionModel()};
  }
  return std::nullopt;
}

// "", or which capability of the module SPIRV-Cross does not support.
std::string unsupportedCapability(const spirv::Module& module) {
  for (const spirv::Instruction& i : module.instructions) {
    const auto declaration = spirv::as<op::Capability>(module, i);
    if (!declaration) continue;
    for (const auto& [capability, what] : kNotCore) {
      if (declaration.capability() == capability)
        return std::string("the module has ") + what + "; lower it first (--lower=none)";
    }
    if (declaration.capability() == spv::Capability::WorkgroupMemoryExplicitLayoutKHR)
      return "the module has blocks in workgroup memory, which SPIRV-Cross does not declare";
  }
  return {};
}

// "", or why the module is not passed to SPIRV-Cross. `name`: of the entry point as requested; may be empty.
std::string unfit(const spirv::Module& module, ShadingLanguage language, std::string_view name,
                  const std::optional<EntryPoint>& entryPoint) {
  if (std::string why = unsupportedCapability(module); !why.empty()) return why;
  if (!entryPoint) {
    return name.empty() ? "the module has no entry point"
                        : "the module has no entry point `" + std::string(name) + "`";
  }
  if (std::string why = lackingStage(entryPoint->model, language); !why.empty()) return why;
  if (const std::string fault = spirv::structureFault(module); !fault.empty())
    return "the module is invalid: " + fault;
  if (spirv::findTypeDeeperThan(module, kDeepestType))
    return "types nest more than " + std::to_string(kDeepestType) + " deep";
  return {};
}

}  // namespace

bool shadingLanguageByName(std::string_view name, ShadingLanguage& language) {
  for (const LanguageName& row : kLanguages) {
    if (row.name != name) continue;
    language = row.language;
    return true;
  }
  return false;
}

TranslateResult translate(std::span<const uint32_t> words, const TranslateOptions& options) {
  TranslateResult result;
  spirv::ReadError wrong;
  std::optional<spirv::Module> read = spirv::readModule(words, wrong);
  if (!read) {
    result.error = describe(wrong);
    return result;
  }
  spirv::Module& module = *read;
  const std::optional<EntryPoint> entryPoint = findEntryPoint(module, options.entryPoint);
  result.error = unfit(module, options.language, options.entryPoint, entryPoint);
  if (!result.error.empty()) return result;
  result.error = translating::simplifyAddresses(module);
  if (result.error.empty()) result.error = translating::matchIntegers(module);
  if (result.error.empty()) result.error = translating::lacking(module, options.language);
  if (!result.error.empty()) return result;
  translating::CrossRequest request;
  request.language = options.language;
  request.entryPoint = entryPoint->name;
  request.executionModel = uint32_t(entryPoint->model);
  switch (options.language) {
    case ShadingLanguage::Glsl:
      result.error = translating::repeatWorkGroupConstants(module);
      request.extensions = translating::glslExtensions(module);
      request.layouts = translating::glslLayouts(module, request.extensions);
      break;
    case ShadingLanguage::Hlsl: result.error = translating::findMisplacedConstants(module); break;
    case ShadingLanguage::Msl: request.metalVersion = translating::metalVersion(module); break;
  }
  if (!result.error.empty()) return result;
  translating::keepParameterStores(module);
  translating::orderPhis(module);
  translating::escapeStrings(module);
  std::vector<uint32_t> written = spirv::writeModule(module);
  result = translating::runIsolated([&] { return translating::cross(std::move(written), request); });
  result.error =
      result.ok() ? translating::findUnfinished(result.text) : withBuiltinName(std::move(result.error));
  if (!result.ok()) result.text.clear();
  result.executionModel = request.executionModel;
  return result;
}

TranslateResult translateBytes(std::span<const unsigned char> bytes, const TranslateOptions& options) {
  spirv::ReadError wrong;
  if (const auto words = spirv::wordsFromBytes(bytes, wrong)) return translate(*words, options);
  TranslateResult result;
  result.error = describe(wrong);
  return result;
}

}  // namespace coopc
