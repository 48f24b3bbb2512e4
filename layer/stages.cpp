// Decides what the driver gets for a shader, and changes a pipeline's stage to it.
#include "layer/stages.hpp"

namespace coopc::layer {
namespace {

using Kind = spirv::lower::LowerAnswer::Kind;

Decision refuse(std::string why) {
  Decision d;
  d.then = Decision::Then::Refuse;
  d.why = std::move(why);
  return d;
}

// The subgroup size of a lowered module's pipeline. `asked`: the size that the program itself requires, 0 for
// none.
void decideSubgroups(const Offer& offer, const char* entry, uint32_t asked, Decision& d) {
  const uint32_t size = d.lowered->subgroupSize;
  const vk::PhysicalDevice& device = offer.device;
  if (size == 0) return;
  if (asked == 0 && device.minSubgroupSize != device.maxSubgroupSize) {
    if (!offer.target.subgroupSizeRequired) {
      d = refuse("the lowered module needs subgroups of " + std::to_string(size) +
                 ", and the device cannot require a subgroup size");
      return;
    }
    d.requireSize = size;
  }
  if (!device.features.has(Feature::computeFullSubgroups)) return;
  // VUID-VkPipelineShaderStageCreateInfo-flags-02758: full subgroups need a multiple of the size.
  const uint32_t width = workgroupWidth(d.words, entry);
  d.fullSubgroups = width != 0 && width % size == 0;
}

uint32_t requiredSizeIn(const void* chain) {
  const auto* size = findChained<VkPipelineShaderStageRequiredSubgroupSizeCreateInfo>(
      chain, VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO);
  return size != nullptr ? size->requiredSubgroupSize : 0;
}

const char* entryOf(const char* name) { return name != nullptr ? name : "main"; }

}  // namespace

Decision decide(DeviceState& device, const std::shared_ptr<const KeptModule>& module,
                const ShaderRequest& request) {
  const GivenFeatures& given = device.offer()->given;
  if (request.stage != VK_SHADER_STAGE_COMPUTE_BIT && isForComputeOnly(module->words, given))
    return refuse("a module with " + whatIsLowered(module->words, given) +
                  " is used in a stage that is not a compute shader");
  Decision d;
  const uint32_t asked = requiredSizeIn(request.chain);
  const std::shared_ptr<const Lowered> lowered =
      device.lower(module, request.specialization, asked, request.cachedOnly);
  if (lowered == nullptr) {
    d.then = Decision::Then::CompileRequired;
    return d;
  }
  if (lowered->kind == Kind::Declined) return refuse(lowered->reasons);
  d.module = module;
  d.lowered = lowered;
  d.words = lowered->kind == Kind::Lowered ? lowered->words : module->words;
  d.specialized = lowered->kind == Kind::Lowered;
  if (d.specialized) decideSubgroups(*device.offer(), entryOf(request.entry), asked, d);
  return d;
}

bool isForLowering(const DeviceState& device, std::span<const uint32_t> words) {
  return device.offer() != nullptr && isForLowering(words, device.offer()->given);
}

std::shared_ptr<const KeptModule> keptModuleOf(const DeviceState& device,
                                               const VkPipelineShaderStageCreateInfo& stage) {
  if (stage.module != VK_NULL_HANDLE) return device.find(stage.module);
  const auto* inside =
      findChained<VkShaderModuleCreateInfo>(stage.pNext, VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
  if (inside == nullptr) return nullptr;
  const std::span<const uint32_t> words = wordsOf(inside->pCode, inside->codeSize);
  return isForLowering(device, words) ? keep(words) : nullptr;
}

StageRequest::~StageRequest() {
  if (module_ != VK_NULL_HANDLE) device_.next().vkDestroyShaderModule(device_.handle(), module_, nullptr);
}

VkResult StageRequest::build(VkPipelineShaderStageCreateInfo& stage, bool cachedOnly) {
  const std::shared_ptr<const KeptModule> module = keptModuleOf(device_, stage);
  if (module == nullptr) return VK_SUCCESS;
  const Decision d = decide(device_, module,
                            {.stage = stage.stage,
                             .entry = stage.pName,
                             .specialization = stage.pSpecializationInfo,
                             .chain = stage.pNext,
                             .cachedOnly = cachedOnly});
  if (d.then == Decision::Then::CompileRequired) return VK_PIPELINE_COMPILE_REQUIRED;
  if (d.then == Decision::Then::Refuse) {
    const bool isCompute = stage.stage == VK_SHADER_STAGE_COMPUTE_BIT;
    device_.messages().error("a " + std::string(isCompute ? "compute " : "") + "shader (entry point " +
                             entryOf(stage.pName) + ") cannot be lowered for this device: " + d.why);
    return VK_ERROR_INVALID_SHADER_NV;
  }
  return use(d, stage);
}

VkResult StageRequest::use(const Decision& d, VkPipelineShaderStageCreateInfo& stage) {
  const std::string wrong = chain_.copy(stage.pNext, [](VkStructureType type) {
    return type == VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO ? ChainCopy::Fate::Drop
                                                               : ChainCopy::Fate::Keep;
  });
  if (!wrong.empty()) {
    device_.messages().error("a pipeline's stage: " + wrong);
    return VK_ERROR_INVALID_SHADER_NV;
  }
  VkShaderModuleCreateInfo code{};
  code.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
  code.codeSize = d.words.size_bytes();
  code.pCode = d.words.data();
  const VkResult made = device_.next().vkCreateShaderModule(device_.handle(), &code, nullptr, &module_);
  if (made != VK_SUCCESS) return made;
  stage.module = module_;
  if (d.specialized) stage.pSpecializationInfo = nullptr;
  if (d.requireSize != 0) {
    size_.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO;
    size_.requiredSubgroupSize = d.requireSize;
    chain_.prepend(&size_);
  }
  if (d.fullSubgroups) stage.flags |= VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
  // Code cannot be written for a varying subgroup size.
  if (d.specialized) stage.flags &= ~VkFlags(VK_PIPELINE_SHADER_STAGE_CREATE_ALLOW_VARYING_SUBGROUP_SIZE_BIT);
  stage.pNext = chain_.start();
  return VK_SUCCESS;
}

}  // namespace coopc::layer
