// A device's answers as a profile, and requests that run lowered modules.
#include "harness/lowering.hpp"

#include "harness/module_info.hpp"

namespace coopc::harness {

namespace {

namespace lower = spirv::lower;

spirv::DeviceShape shapeOf(const MatrixProperty& p) {
  spirv::DeviceShape s;
  s.m = p.m;
  s.n = p.n;
  s.k = p.k;
  s.a = componentTypeName(p.a);
  s.b = componentTypeName(p.b);
  s.c = componentTypeName(p.c);
  s.result = componentTypeName(p.result);
  s.workgroup = p.scope == VK_SCOPE_WORKGROUP_KHR;
  s.saturating = p.saturating;
  s.invocations = p.workgroupInvocations;
  return s;
}

}  // namespace

lower::Target loweringTarget(const PhysicalDevice& device) {
  spirv::DeviceProfile d;
  d.name = device.name;
  d.cpu = device.type == VK_PHYSICAL_DEVICE_TYPE_CPU;
  d.version = spirv::vulkan::Version::V1_1;
  for (const auto version :
       {spirv::vulkan::Version::V1_2, spirv::vulkan::Version::V1_3, spirv::vulkan::Version::V1_4}) {
    if (device.usableVersion >= apiVersion(version)) d.version = version;
  }
  for (const std::string& name : device.features.names()) d.features.insert(name);
  d.extensions.insert(device.extensions.begin(), device.extensions.end());
  d.fixed.emplace();
  d.flexible.emplace();
  for (const MatrixProperty& p : device.matrices.fixed) d.fixed->push_back(shapeOf(p));
  for (const MatrixProperty& p : device.matrices.flexible) d.flexible->push_back(shapeOf(p));
  d.sharedMemory = device.limits.maxComputeSharedMemorySize;
  d.reserved = device.matrices.workgroupScopeReservedSharedMemory;
  d.maxInvocations = device.limits.maxComputeWorkGroupInvocations;
  d.maxScopeInvocations = device.matrices.workgroupScopeMaxWorkgroupSize;
  d.maxDimension = device.matrices.flexibleDimensionsMaxDimension;
  d.subgroupSize = device.subgroupSize;
  d.minSubgroupSize = device.minSubgroupSize;
  d.maxSubgroupSize = device.maxSubgroupSize;
  lower::Target target = lower::targetOf(std::move(d));
  target.shuffles = (device.subgroupOperations & VK_SUBGROUP_FEATURE_SHUFFLE_BIT) != 0;
  target.subgroupSizeRequired =
      (device.requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT) != 0 && device.maxSubgroupSize != 0;
  return target;
}

lower::LowerAnswer lowerFor(const lower::Target& target, const RunRequest& request) {
  lower::LowerRequest r;
  r.target = target;
  for (const Specialization& s : request.specializations) r.values.push_back({s.id, s.bits});
  r.specDefaults = true;
  r.subgroupSize = request.subgroupSize;
  return lower::lower(request.module, r);
}

void useLowered(const PhysicalDevice& device, const lower::LowerAnswer& answer, RunRequest& request) {
  request.module = answer.words;
  request.matrices.clear();
  if (answer.subgroupSize == 0) return;
  // Without size control, or with one size only, there is nothing to require.
  if (device.minSubgroupSize != device.maxSubgroupSize) request.subgroupSize = answer.subgroupSize;
  if (!device.features.has(Feature::computeFullSubgroups)) return;
  const Result<ModuleInfo> info = readModuleInfo(answer.words);
  if (!info) return;
  const EntryPoint* entry = info->findEntry(request.entry);
  // VUID-VkPipelineShaderStageCreateInfo-flags-02758: full subgroups need a multiple of the size.
  if (entry != nullptr && entry->workgroupSize[0] % answer.subgroupSize == 0) request.fullSubgroups = true;
}

bool lowerWhereNeeded(const PhysicalDevice& device, const lower::Target* target, RunRequest& request,
                      Preflight& possible, lower::LowerAnswer& answer) {
  if (target == nullptr || possible.kind == RunOutcome::Kind::Failed) return false;
  if (possible.kind == RunOutcome::Kind::Done && target->removed.none()) return false;
  answer = lowerFor(*target, request);
  if (answer.kind == lower::LowerAnswer::Kind::Lowered) {
    useLowered(device, answer, request);
    possible = preflight(device, request);
    return true;
  }
  if (answer.kind == lower::LowerAnswer::Kind::Declined) {
    // What is left where no pass knows it stands there already.
    const bool said = possible.kind == RunOutcome::Kind::Skipped && answer.reasons == answer.lacking;
    possible.kind = RunOutcome::Kind::Skipped;
    if (said) return false;
    for (const std::string& reason : answer.reasons) possible.reasons.push_back("not lowered: " + reason);
  }
  return false;
}

}  // namespace coopc::harness
