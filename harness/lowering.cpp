// The targets that runs lower for, and requests that run lowered modules.
#include "harness/lowering.hpp"

#include <algorithm>
#include <utility>

#include "spirv/targets/read_target.hpp"
#include "vulkan/device/lowering_target.hpp"
#include "vulkan/executor/module_info.hpp"

namespace coopc::harness {

namespace {

namespace lower = spirv::lower;

Result<lower::Target> readTarget(std::string_view profile) {
  if (!lower::isTargetName(profile) && profile.find('{') == std::string_view::npos)
    return Error{"there is no file, target or shipped profile '" + std::string(profile) + "'"};
  lower::Target target;
  if (std::string wrong = lower::readTarget(profile, target); !wrong.empty()) return Error{std::move(wrong)};
  return target;
}

bool isTensor(const vk::RunBuffer& buffer) { return !buffer.tensor.sizes.empty(); }

// The description by which lowering accesses a tensor.
vk::RunBuffer descriptionOf(const vk::RunBuffer& buffer, const lower::TensorBuffer& lowered) {
  vk::RunBuffer description;
  description.name = "description of " + buffer.name;
  description.kind = vk::RunBuffer::Kind::Uniform;
  description.set = lowered.set;
  description.binding = lowered.description;
  for (size_t d = 0; d < buffer.tensor.sizes.size(); ++d) {
    const uint32_t numbers[4] = {buffer.tensor.sizes[d], buffer.tensor.strides[d], 0, 0};
    const auto* bytes = reinterpret_cast<const uint8_t*>(numbers);
    description.contents.insert(description.contents.end(), bytes, bytes + sizeof numbers);
  }
  description.bytes = description.contents.size();
  return description;
}

lower::LowerRequest loweringRequest(const lower::Target& target, const vk::RunRequest& request,
                                    uint32_t subgroupSize) {
  lower::LowerRequest r;
  r.target = target;
  for (const vk::Specialization& s : request.specializations) r.values.push_back({s.id, s.bits});
  r.specDefaults = true;
  r.subgroupSize = subgroupSize;
  // Tensors are lowered even if the device has them, because runs use buffers in their place.
  if (std::any_of(request.buffers.begin(), request.buffers.end(), isTensor))
    lower::removeFeatures(r.target, "shaderTensorAccess");
  return r;
}

}  // namespace

Result<LoweringTargets> loweringTargets(const vk::PhysicalDevice& device, std::string_view without,
                                        std::string_view via) {
  LoweringTargets targets{vk::loweringTarget(device), std::nullopt};
  if (!via.empty()) {
    Result<lower::Target> other = readTarget(via);
    if (!other) return Error{"--via: " + other.error().message};
    const spirv::DeviceProfile& here = targets.device.device;
    spirv::DeviceProfile& there = other->device;
    there.subgroupSize = here.subgroupSize;
    there.minSubgroupSize = here.minSubgroupSize;
    there.maxSubgroupSize = here.maxSubgroupSize;
    there.sharedMemory = std::min(there.sharedMemory, here.sharedMemory);
    there.maxInvocations = std::min(there.maxInvocations, here.maxInvocations);
    other->shuffles = targets.device.shuffles;
    other->subgroupSizeRequired = targets.device.subgroupSizeRequired;
    targets.via = std::move(*other);
  }
  const std::string wrong = lower::removeFeatures(targets.via ? *targets.via : targets.device, without);
  if (!wrong.empty()) return Error{"--without: " + wrong};
  return targets;
}

lower::LowerAnswer lowerFor(const LoweringTargets& targets, const vk::RunRequest& request,
                            std::optional<spirv::Module> parsed) {
  const auto lowered = [&](const lower::Target& target) {
    const lower::LowerRequest r = loweringRequest(target, request, request.subgroupSize);
    return parsed ? lower::lower(request.module, std::move(*parsed), r) : lower::lower(request.module, r);
  };
  if (!targets.via) return lowered(targets.device);
  lower::LowerAnswer first = lowered(*targets.via);
  if (first.kind == lower::LowerAnswer::Kind::Declined) return first;
  const uint32_t size = first.subgroupSize != 0 ? first.subgroupSize : request.subgroupSize;
  lower::LowerAnswer second = lower::lower(first.words, loweringRequest(targets.device, request, size));
  if (second.kind == lower::LowerAnswer::Kind::Declined) return second;
  if (first.kind == lower::LowerAnswer::Kind::Lowered) second.kind = first.kind;
  if (second.tensors.empty()) second.tensors = std::move(first.tensors);
  if (second.subgroupSize == 0) second.subgroupSize = first.subgroupSize;
  return second;
}

void useLowered(const vk::PhysicalDevice& device, const lower::LowerAnswer& answer,
                const Result<vk::ModuleInfo>& read, vk::RunRequest& request) {
  request.module = answer.words;
  request.matrices.clear();
  for (const lower::TensorBuffer& t : answer.tensors) {
    for (size_t n = 0; n < request.buffers.size(); ++n) {
      vk::RunBuffer& buffer = request.buffers[n];
      if (!isTensor(buffer) || buffer.set != t.set || buffer.binding != t.binding ||
          buffer.tensor.sizes.size() != t.rank)
        continue;
      request.buffers.push_back(descriptionOf(buffer, t));
      request.buffers[n].tensor = {};
      break;
    }
  }
  if (answer.subgroupSize == 0) return;
  // Without subgroup size control, or with one size only, there is nothing to require.
  if (device.minSubgroupSize != device.maxSubgroupSize) request.subgroupSize = answer.subgroupSize;
  if (!read || !device.features.has(vk::Feature::computeFullSubgroups)) return;
  const vk::EntryPoint* entry = read->findEntry(request.entry);
  // VUID-VkPipelineShaderStageCreateInfo-flags-02758: full subgroups need a multiple of the size.
  if (entry != nullptr && entry->workgroupSize[0] % answer.subgroupSize == 0) request.fullSubgroups = true;
}

bool lowerWhereNeeded(const vk::PhysicalDevice& device, const LoweringTargets* targets,
                      vk::RunRequest& request, vk::Preflight& possible, lower::LowerAnswer& answer) {
  if (targets == nullptr || possible.kind == vk::RunOutcome::Kind::Failed) return false;
  if (possible.kind == vk::RunOutcome::Kind::Done && targets->device.removed.none() && !targets->via)
    return false;
  answer = lowerFor(*targets, request, std::exchange(possible.module.parsed, std::nullopt));
  if (answer.kind == lower::LowerAnswer::Kind::Lowered) {
    // The lowered module has no specialization constants.
    Result<vk::ModuleInfo> read = vk::readModuleInfo(answer.words);
    useLowered(device, answer, read, request);
    possible = vk::preflight(device, request, std::move(read));
    return true;
  }
  if (answer.kind == lower::LowerAnswer::Kind::Declined) {
    // Reasons that lowering repeats because no pass handles them are in the list already.
    const bool said = possible.kind == vk::RunOutcome::Kind::Skipped && answer.reasons == answer.lacking;
    possible.kind = vk::RunOutcome::Kind::Skipped;
    if (said) return false;
    for (const std::string& reason : answer.reasons) possible.reasons.push_back("not lowered: " + reason);
  }
  return false;
}

std::vector<std::string> lowerStagesWhereNeeded(const vk::PhysicalDevice& device,
                                                const LoweringTargets* targets, vk::RunRequest& request,
                                                vk::Preflight& possible,
                                                std::vector<lower::LowerAnswer>& answers) {
  if (targets == nullptr || possible.kind == vk::RunOutcome::Kind::Failed) return {};
  if (possible.kind == vk::RunOutcome::Kind::Done && targets->device.removed.none() && !targets->via)
    return {};
  std::vector<std::string> lacking;
  std::vector<std::string> declined;
  const auto addNew = [](std::vector<std::string>& to, const std::vector<std::string>& from) {
    for (const std::string& line : from) {
      if (std::find(to.begin(), to.end(), line) == to.end()) to.push_back(line);
    }
  };
  for (const vk::RunStage& stage : request.stages) {
    vk::RunRequest alone;
    alone.module = stage.module;
    alone.specializations = request.specializations;
    answers.push_back(lowerFor(*targets, alone));
    lower::LowerAnswer& answer = answers.back();
    // Only compute pipelines can be asked for a subgroup size here.
    if (answer.kind == lower::LowerAnswer::Kind::Lowered && answer.subgroupSize != 0 &&
        device.minSubgroupSize != device.maxSubgroupSize) {
      answer.kind = lower::LowerAnswer::Kind::Declined;
      answer.reasons = {"the " + std::string(stage.stage->word) + " shader needs a subgroup size"};
    }
    if (answer.kind == lower::LowerAnswer::Kind::Lowered) addNew(lacking, answer.lacking);
    if (answer.kind == lower::LowerAnswer::Kind::Declined) {
      // As in lowerWhereNeeded().
      const bool said = answer.reasons == answer.lacking;
      possible.kind = vk::RunOutcome::Kind::Skipped;
      if (said) continue;
      for (const std::string& reason : answer.reasons) addNew(declined, {"not lowered: " + reason});
    }
  }
  const auto any = [&](lower::LowerAnswer::Kind kind) {
    return std::any_of(answers.begin(), answers.end(),
                       [&](const lower::LowerAnswer& answer) { return answer.kind == kind; });
  };
  addNew(possible.reasons, declined);
  if (any(lower::LowerAnswer::Kind::Declined) || !any(lower::LowerAnswer::Kind::Lowered)) return {};
  for (size_t i = 0; i < answers.size(); ++i) request.stages[i].module = answers[i].words;
  possible = vk::preflight(device, request);
  return lacking;
}

}  // namespace coopc::harness
