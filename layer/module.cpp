// Digests, placeholders, specialization data.
#include "layer/module.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "base/spirv_version.hpp"
#include "spirv/builder.hpp"
#include "spirv/enums_supplement.hpp"
#include "spirv/instruction_walk.hpp"
#include "spirv/instructions.hpp"
#include "spirv/reader.hpp"
#include "spirv/tensors.hpp"
#include "spirv/workgroup_size.hpp"

namespace coopc::layer {
namespace {

// Capabilities whose modules the layer lowers. spirv/lower/software_matrix/software_matrix.cpp lists the
// capabilities that lowering to plain code removes.
bool isOfMatrices(spv::Capability capability) {
  switch (capability) {
    case spv::Capability::CooperativeMatrixKHR:
    case spv::Capability::TensorAddressingNV:
    case spv::Capability::CooperativeMatrixTensorAddressingNV:
    case spv::Capability::CooperativeMatrixBlockLoadsNV:
    case spv::Capability::CooperativeMatrixReductionsNV:
    case spv::Capability::CooperativeMatrixConversionsNV:
    case spv::Capability::CooperativeMatrixPerElementOperationsNV:
    case spirv::enums::CapabilityCooperativeMatrixDecodeVectorNV:
    case spirv::enums::CapabilityCooperativeMatrixConversionsEXT:
    case spirv::enums::CapabilityCooperativeMatrixGetCoordinateEXT:
    case spirv::enums::CapabilityBFloat16CooperativeMatrixKHR:
    case spirv::enums::CapabilityFloat8CooperativeMatrixEXT: return true;
    default: return false;
  }
}

// A capability, not of matrices, that the layer can provide: the feature that it needs, and its name in
// messages.
struct Provided {
  spv::Capability capability;
  spirv::vulkan::Feature feature;
  std::string_view what;
};
constexpr std::string_view kMixedDot = "dot products of small floats";
constexpr Provided kProvided[] = {
    {spirv::enums::CapabilityBFloat16TypeKHR, spirv::vulkan::Feature::shaderBFloat16Type, "bfloat16"},
    {spirv::enums::CapabilityBFloat16DotProductKHR, spirv::vulkan::Feature::shaderBFloat16DotProduct,
     "bfloat16"},
    {spirv::enums::CapabilityFloat8EXT, spirv::vulkan::Feature::shaderFloat8, "8-bit floats"},
    {spirv::enums::CapabilitySplitBarrierEXT, spirv::vulkan::Feature::shaderSplitBarrier,
     "barriers in two parts"},
    {spirv::enums::CapabilityDotProductFloat16AccFloat32VALVE,
     spirv::vulkan::Feature::shaderMixedFloatDotProductFloat16AccFloat32, kMixedDot},
    {spirv::enums::CapabilityDotProductFloat16AccFloat16VALVE,
     spirv::vulkan::Feature::shaderMixedFloatDotProductFloat16AccFloat16, kMixedDot},
    {spirv::enums::CapabilityDotProductBFloat16AccVALVE,
     spirv::vulkan::Feature::shaderMixedFloatDotProductBFloat16Acc, kMixedDot},
    {spirv::enums::CapabilityDotProductFloat8AccFloat32VALVE,
     spirv::vulkan::Feature::shaderMixedFloatDotProductFloat8AccFloat32, kMixedDot},
    {spirv::enums::CapabilityTensorsARM, spirv::vulkan::Feature::shaderTensorAccess, "tensors"},
    {spv::Capability::CooperativeVectorNV, spirv::vulkan::Feature::cooperativeVector, "cooperative vectors"},
    {spv::Capability::CooperativeVectorTrainingNV, spirv::vulkan::Feature::cooperativeVectorTraining,
     "cooperative vectors"},
};

const Provided* findProvided(spv::Capability capability, const GivenFeatures& given) {
  const auto* const found = std::ranges::find(kProvided, capability, &Provided::capability);
  return found != std::end(kProvided) && given[size_t(found->feature)] ? found : nullptr;
}

// "a", "a and b", "a, b and c".
std::string joinNames(const std::vector<std::string_view>& parts) {
  std::string text;
  for (size_t n = 0; n < parts.size(); ++n) {
    text += n == 0 ? "" : n + 1 == parts.size() ? " and " : ", ";
    text += parts[n];
  }
  return text;
}

// Multiplication mixes all bits of a word into the high ones; the next step shifts these down.
uint64_t mix(uint64_t state, uint64_t word, uint64_t factor) {
  state = (state ^ word) * factor;
  return state ^ (state >> 32);
}

}  // namespace

std::string Digest::hex() const {
  std::string text;
  for (const uint64_t part : parts) {
    for (int shift = 60; shift >= 0; shift -= 4) text += "0123456789abcdef"[part >> shift & 15];
  }
  return text;
}

Digest digestOf(std::span<const std::byte> bytes) {
  uint64_t a = 0x9E3779B97F4A7C15u ^ bytes.size(), b = 0xC2B2AE3D27D4EB4Fu;
  for (size_t n = 0; n < bytes.size(); n += 8) {
    uint64_t word = 0;
    std::memcpy(&word, bytes.data() + n, std::min<size_t>(8, bytes.size() - n));
    a = mix(a, word, 0xFF51AFD7ED558CCDu);
    b = mix(b, word + n, 0x9FB21C651E98DF25u);
  }
  return {{mix(a, b, 0xC4CEB9FE1A85EC53u), mix(b, a, 0xFF51AFD7ED558CCDu)}};
}

std::span<const uint32_t> wordsOf(const void* code, size_t bytes) {
  if (code == nullptr || bytes % sizeof(uint32_t) != 0 || bytes < spirv::kHeaderWords * sizeof(uint32_t))
    return {};
  const std::span<const uint32_t> words(static_cast<const uint32_t*>(code), bytes / sizeof(uint32_t));
  return words[0] == spv::MagicNumber ? words : std::span<const uint32_t>();
}

bool isForLowering(std::span<const uint32_t> words, const GivenFeatures& given) {
  spirv::InstructionWalk i(words);
  while (i.next() && i.op() == spv::Op::OpCapability) {
    const spv::Capability capability = spirv::op::Capability(i).capability();
    if (isOfMatrices(capability) || findProvided(capability, given) != nullptr) return true;
  }
  return false;
}

bool isForComputeOnly(std::span<const uint32_t> words, const GivenFeatures& given) {
  spirv::InstructionWalk i(words);
  while (i.next() && i.op() == spv::Op::OpCapability) {
    const spv::Capability capability = spirv::op::Capability(i).capability();
    const Provided* const provided = findProvided(capability, given);
    const bool isTensor =
        provided != nullptr && provided->feature == spirv::vulkan::Feature::shaderTensorAccess;
    if (isOfMatrices(capability) || isTensor) return true;
  }
  return false;
}

std::string whatIsLowered(std::span<const uint32_t> words, const GivenFeatures& given) {
  std::vector<std::string_view> parts;
  spirv::InstructionWalk i(words);
  while (i.next() && i.op() == spv::Op::OpCapability) {
    const spv::Capability capability = spirv::op::Capability(i).capability();
    if (isOfMatrices(capability)) return "cooperative matrices";
    const Provided* const provided = findProvided(capability, given);
    if (provided != nullptr && std::ranges::find(parts, provided->what) == parts.end()) {
      parts.push_back(provided->what);
    }
  }
  return joinNames(parts);
}

std::shared_ptr<const KeptModule> keep(std::span<const uint32_t> words) {
  auto kept = std::make_shared<KeptModule>();
  kept->words.assign(words.begin(), words.end());
  kept->digest = digestOf(std::as_bytes(words));
  return kept;
}

std::vector<uint32_t> placeholderFor(const KeptModule& module) {
  using spirv::Section;
  std::vector<std::string> names;
  spirv::InstructionWalk i(module.words);
  while (i.next()) {
    const auto declared = spirv::as<spirv::op::EntryPoint>(i);
    if (declared && declared.executionModel() == spv::ExecutionModel::GLCompute)
      names.emplace_back(declared.name());
    if (i.op() == spv::Op::OpFunction) break;
  }
  if (names.empty()) names.emplace_back("main");
  // An invalid module may have two equal names; one entry point is enough.
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());

  spirv::Builder b;
  b.capability(spv::Capability::Shader);
  b.memoryModel(spv::AddressingModel::Logical, spv::MemoryModel::GLSL450);
  const spirv::Id nothing = b.typeVoid(), type = b.typeFunction(nothing, {}), main = b.id(), block = b.id();
  for (const std::string& name : names) b.entryPoint(spv::ExecutionModel::GLCompute, main, name, {});
  b.make<spirv::op::ExecutionMode>(
      Section::ExecutionModes,
      {.entryPoint = main, .mode = spv::ExecutionMode::LocalSize, .parameters = {1, 1, 1}});
  b.make<spirv::op::ModuleProcessed>(
      Section::Names, {.process = "coopc's layer " COOPC_VERSION " in place of " + module.digest.hex()});
  b.beginFunction(main, nothing, spv::FunctionControlMask::MaskNone, type);
  b.label(block);
  b.make<spirv::op::Return>(Section::Functions);
  b.endFunction();
  return b.finish(kSpirv13, 0);
}

uint32_t workgroupWidth(std::span<const uint32_t> words, std::string_view entry) {
  // All declarations precede the functions, which are most of a module.
  size_t end = words.size();
  spirv::InstructionWalk walk(words);
  while (walk.next()) {
    if (walk.op() != spv::Op::OpFunction) continue;
    end = walk.at();
    break;
  }
  const std::optional<spirv::Module> declarations = spirv::indexModule(words.first(end));
  if (!declarations) return 0;
  const spirv::Module& m = *declarations;
  spirv::Id point;
  for (uint32_t n = 0; n < m.functionsAt && !point; ++n) {
    const auto declared = spirv::as<spirv::op::EntryPoint>(m, m.instructions[n]);
    if (declared && declared.executionModel() == spv::ExecutionModel::GLCompute && declared.name() == entry)
      point = declared.entryPoint();
  }
  if (!point) return 0;
  const spirv::ConstantEvaluator constants(m);
  for (const spirv::WorkgroupSize& size : spirv::workgroupSizes(m, constants)) {
    if (size.entryPoint && size.entryPoint != point) continue;
    const spirv::ConstantValue& width = size.n[0];
    return width.known && !width.byDefault ? width.u32() : 0;
  }
  return 0;
}

std::vector<spirv::SpecializationValue> valuesOf(const VkSpecializationInfo* info) {
  std::vector<spirv::SpecializationValue> values;
  if (info == nullptr || info->pMapEntries == nullptr || info->pData == nullptr) return values;
  for (uint32_t n = 0; n < info->mapEntryCount; ++n) {
    const VkSpecializationMapEntry& entry = info->pMapEntries[n];
    const bool size = entry.size == 1 || entry.size == 2 || entry.size == 4 || entry.size == 8;
    if (!size || entry.offset > info->dataSize || entry.size > info->dataSize - entry.offset) continue;
    uint64_t value = 0;
    std::memcpy(&value, static_cast<const unsigned char*>(info->pData) + entry.offset, entry.size);
    values.push_back({entry.constantID, value});
  }
  // If there are two entries for one constant, which is invalid, the first one counts.
  std::stable_sort(values.begin(), values.end(),
                   [](const auto& a, const auto& b) { return a.specId < b.specId; });
  values.erase(std::unique(values.begin(), values.end(),
                           [](const auto& a, const auto& b) { return a.specId == b.specId; }),
               values.end());
  return values;
}

}  // namespace coopc::layer
