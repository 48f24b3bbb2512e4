// Features are checked first: they name what is missing more clearly than limits and shapes do.
#include "vulkan/executor/preflight.hpp"

#include <algorithm>

#include "vulkan/executor/kept_devices.hpp"

namespace coopc::vk {
namespace {

std::string text(uint64_t number) { return std::to_string(number); }

// Push constants and buffers, of every kind of work.
void checkMemory(const PhysicalDevice& device, const RunRequest& request, Preflight& result) {
  const VkPhysicalDeviceLimits& limits = device.limits;
  const auto skip = [&](std::string reason) {
    if (result.kind == RunOutcome::Kind::Done) result.kind = RunOutcome::Kind::Skipped;
    result.reasons.push_back(std::move(reason));
  };
  if (request.pushConstants.size() > limits.maxPushConstantsSize) {
    skip(text(request.pushConstants.size()) + " bytes of push constants: the device allows " +
         text(limits.maxPushConstantsSize));
  }
  for (const RunBuffer& buffer : request.buffers) {
    if (!buffer.tensor.sizes.empty())
      skip("tensor '" + buffer.name + "', of rank " + text(buffer.tensor.sizes.size()) +
           ": tensors run only where lowering makes buffers of them, and the module has none of that rank "
           "there");
    const uint64_t range = buffer.kind == RunBuffer::Kind::Uniform   ? limits.maxUniformBufferRange
                           : buffer.kind == RunBuffer::Kind::Storage ? limits.maxStorageBufferRange
                                                                     : UINT64_MAX;
    if (buffer.bytes > range) {
      skip("buffer '" + buffer.name + "' has " + text(buffer.bytes) + " bytes: the device binds " +
           text(range));
    }
  }
}

void checkLimits(const PhysicalDevice& device, const RunRequest& request, const EntryPoint& entry,
                 Preflight& result) {
  const auto skip = [&](std::string reason) {
    if (result.kind == RunOutcome::Kind::Done) result.kind = RunOutcome::Kind::Skipped;
    result.reasons.push_back(std::move(reason));
  };
  const auto fail = [&](std::string reason) {
    result.kind = RunOutcome::Kind::Failed;
    result.reasons.push_back(std::move(reason));
  };

  const std::array<uint32_t, 3>& size = entry.workgroupSize;
  const VkPhysicalDeviceLimits& limits = device.limits;
  uint64_t invocations = 1;
  for (size_t i = 0; i < 3; ++i) {
    if (size[i] == 0) return fail("the workgroup size has a zero");
    if (size[i] > limits.maxComputeWorkGroupSize[i]) {
      return skip("workgroup size " + text(size[i]) + " in dimension " + text(i) + ": the device allows " +
                  text(limits.maxComputeWorkGroupSize[i]));
    }
    invocations *= size[i];
    if (request.groups[i] > limits.maxComputeWorkGroupCount[i]) {
      skip(text(request.groups[i]) + " workgroups in dimension " + text(i) + ": the device allows " +
           text(limits.maxComputeWorkGroupCount[i]));
    }
  }
  if (invocations > limits.maxComputeWorkGroupInvocations) {
    skip(text(invocations) + " invocations in a workgroup: the device allows " +
         text(limits.maxComputeWorkGroupInvocations));
  }
  if (entry.workgroupBytes > limits.maxComputeSharedMemorySize) {
    skip(text(entry.workgroupBytes) + " bytes of workgroup memory: the device allows " +
         text(limits.maxComputeSharedMemorySize));
  }
  const uint32_t most = device.matrices.workgroupScopeMaxWorkgroupSize;
  if (result.module.workgroupScopeMatrices && most != 0 && invocations > most) {
    skip(text(invocations) + " invocations with workgroup scope matrices: the device allows " + text(most));
  }
  if (request.subgroupSize != 0) {
    if ((request.subgroupSize & (request.subgroupSize - 1)) != 0)
      fail("the subgroup size is not a power of two");
    // A device with one size has it without being asked to.
    const bool onlySize = device.minSubgroupSize == device.maxSubgroupSize;
    if (request.subgroupSize < device.minSubgroupSize || request.subgroupSize > device.maxSubgroupSize ||
        (!onlySize && (device.requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT) == 0)) {
      skip("subgroup size " + text(request.subgroupSize) + ": the device has " +
           text(device.minSubgroupSize) + " to " + text(device.maxSubgroupSize));
    }
  }
  checkMemory(device, request, result);
  if (result.kind != RunOutcome::Kind::Done) return;
  for (const spirv::MatrixShape& shape : request.matrices) {
    std::string missing = missingShape(device, shape, invocations);
    if (!missing.empty()) skip(std::move(missing));
  }
}

// A descriptor that the shader uses but the case does not provide may crash the driver; a push constant would
// have an undefined value.
void checkBindings(const RunRequest& request, const ModuleInfo& module, const EntryPoint& entry,
                   Preflight& result) {
  for (const BoundVariable& variable : module.boundVariables) {
    if (!module.mayUse(entry, variable.id)) continue;
    const bool given =
        (request.scene && request.scene->set == variable.set && request.scene->binding == variable.binding) ||
        std::any_of(request.buffers.begin(), request.buffers.end(),
                    [&](const RunBuffer& buffer) {
                      return buffer.kind != RunBuffer::Kind::AddressOnly && buffer.set == variable.set &&
                             buffer.binding == variable.binding;
                    }) ||
        std::any_of(request.images.begin(), request.images.end(), [&](const RunImage& image) {
          return image.spec.set == variable.set && image.spec.binding == variable.binding;
        });
    if (given) continue;
    result.kind = RunOutcome::Kind::Failed;
    result.reasons.push_back("the shader uses set " + text(variable.set) + ", binding " +
                             text(variable.binding) + ", for which nothing is given");
  }
  for (const PushConstantVariable& variable : module.pushConstants) {
    if (!module.mayUse(entry, variable.id) || variable.lastOffset < request.pushConstants.size()) continue;
    result.kind = RunOutcome::Kind::Failed;
    result.reasons.push_back("the shader has a push constant at byte " + text(variable.lastOffset) +
                             ", and " + text(request.pushConstants.size()) + " bytes are given");
  }
}

// The features that the request's work needs, whatever its modules declare.
ExtraNeeds extraNeeds(const RunRequest& request) {
  ExtraNeeds extra;
  extra.bufferDeviceAddress = !request.addresses.empty();
  extra.requiredSubgroupSize = request.subgroupSize != 0;
  extra.fullSubgroups = request.fullSubgroups;
  const auto need = [&](Feature feature, const char* why) { extra.features.emplace_back(feature, why); };
  if (request.scene) {
    need(Feature::accelerationStructure, "a scene");
    need(Feature::bufferDeviceAddress, "a scene");
  }
  if (request.tracing) need(Feature::bufferDeviceAddress, "a shader binding table");
  if (!request.drawing) return extra;
  const Drawing& drawing = *request.drawing;
  need(Feature::dynamicRendering, "a drawing");
  if (drawing.views > 1) need(Feature::multiview, "several views");
  if (!drawing.feedback.empty()) need(Feature::transformFeedback, "transform feedback");
  for (const RenderTarget& target : drawing.targets) {
    if (target.blend == Blend::Dual) need(Feature::dualSrcBlend, "two sources of blending");
    if (target.blend != drawing.targets[0].blend) need(Feature::independentBlend, "targets that differ");
  }
  const bool stores = std::any_of(request.buffers.begin(), request.buffers.end(),
                                  [](const RunBuffer& b) { return b.kind == RunBuffer::Kind::Storage; }) ||
                      std::any_of(request.images.begin(), request.images.end(),
                                  [](const RunImage& i) { return i.spec.kind == ImageSpec::Kind::Storage; });
  for (const RunStage& stage : request.stages) {
    const VkShaderStageFlagBits bit = stage.stage->bit;
    if (bit == VK_SHADER_STAGE_TASK_BIT_EXT) need(Feature::taskShader, "a task shader");
    if (bit == VK_SHADER_STAGE_MESH_BIT_EXT) need(Feature::meshShader, "a mesh shader");
    const bool fragment = bit == VK_SHADER_STAGE_FRAGMENT_BIT;
    if (stores && fragment) need(Feature::fragmentStoresAndAtomics, "storage in a fragment shader");
    // Task and mesh shaders are not among the stages of this feature.
    if (stores && !fragment && bit < VK_SHADER_STAGE_FRAGMENT_BIT)
      need(Feature::vertexPipelineStoresAndAtomics, "storage before the fragment shader");
  }
  return extra;
}

template <typename T>
void queryProperties(const InstanceApi& api, const PhysicalDevice& device, T& structure) {
  VkPhysicalDeviceProperties2 all{};
  all.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  all.pNext = &structure;
  api.vkGetPhysicalDeviceProperties2(device.handle, &all);
}

// Whether a grid has more than `most` positions.
bool hasMore(const std::array<uint32_t, 3>& size, uint32_t most) {
  const uint64_t layer = uint64_t{size[0]} * size[1];
  return size[2] != 0 && (layer > most || layer * size[2] > most);
}

std::string grid(const std::array<uint32_t, 3>& size) {
  return text(size[0]) + " x " + text(size[1]) + " x " + text(size[2]);
}

void checkDrawing(const PhysicalDevice& device, const Drawing& drawing, Preflight& result) {
  const auto skip = [&](std::string reason) {
    result.kind = RunOutcome::Kind::Skipped;
    result.reasons.push_back(std::move(reason));
  };
  const VkPhysicalDeviceLimits& limits = device.limits;
  if (drawing.size[0] > limits.maxFramebufferWidth || drawing.size[1] > limits.maxFramebufferHeight)
    skip("a drawing of " + text(drawing.size[0]) + " x " + text(drawing.size[1]) + ": the device allows " +
         text(limits.maxFramebufferWidth) + " x " + text(limits.maxFramebufferHeight));
  if (drawing.targets.size() > limits.maxColorAttachments)
    skip(text(drawing.targets.size()) + " targets: the device allows " + text(limits.maxColorAttachments));
  if ((limits.framebufferColorSampleCounts & limits.framebufferDepthSampleCounts & drawing.samples) == 0)
    skip(text(drawing.samples) + " samples: the device does not have them");
}

Preflight preflightOfStages(const PhysicalDevice& device, const RunRequest& request) {
  Preflight result;
  SpecializationValues values;
  for (const Specialization& s : request.specializations) values[s.id] = s.bits;
  for (const RunStage& stage : request.stages) {
    const Result<ModuleInfo> read = readModuleInfo(stage.module, values);
    const EntryPoint* entry = read ? read->findEntry(stage.entry, stage.stage->model) : nullptr;
    const std::string word(stage.stage->word);
    if (entry == nullptr) {
      result.kind = RunOutcome::Kind::Failed;
      result.reasons.push_back(read ? "the module has no " + word + " entry point '" + stage.entry + "'"
                                    : word + ": " + read.error().message);
      continue;
    }
    const Requirements needs = requirementsOf(*read, device, extraNeeds(request));
    add(result.requirements, needs);
    for (const std::string& missing : needs.missing) {
      if (std::find(result.reasons.begin(), result.reasons.end(), missing) == result.reasons.end())
        result.reasons.push_back(missing);
    }
    if (!needs.missing.empty() && result.kind == RunOutcome::Kind::Done)
      result.kind = RunOutcome::Kind::Skipped;
    checkBindings(request, *read, *entry, result);
  }
  checkMemory(device, request, result);
  if (request.drawing) checkDrawing(device, *request.drawing, result);
  return result;
}

}  // namespace

Preflight preflight(const PhysicalDevice& device, const RunRequest& request) {
  if (!request.stages.empty()) return preflightOfStages(device, request);
  SpecializationValues values;
  for (const Specialization& s : request.specializations) values[s.id] = s.bits;
  return preflight(device, request, readModuleInfo(request.module, values));
}

Preflight preflight(const PhysicalDevice& device, const RunRequest& request, Result<ModuleInfo> read) {
  Preflight result;
  const auto fail = [&](std::string reason) {
    result.kind = RunOutcome::Kind::Failed;
    result.reasons.push_back(std::move(reason));
  };
  if (!read) {
    fail(read.error().message);
    return result;
  }
  result.module = std::move(*read);
  const EntryPoint* entry = result.module.findEntry(request.entry);
  if (entry == nullptr) {
    fail("the module has no compute entry point '" + request.entry + "'");
    return result;
  }
  result.requirements = requirementsOf(result.module, device, extraNeeds(request));
  if (!result.requirements.missing.empty()) {
    result.kind = RunOutcome::Kind::Skipped;
    result.reasons = result.requirements.missing;
    return result;
  }
  checkLimits(device, request, *entry, result);
  checkBindings(request, result.module, *entry, result);
  return result;
}

std::vector<std::string> exceededLimits(const InstanceApi& api, const PhysicalDevice& device,
                                        const RunRequest& request) {
  std::vector<std::string> reasons;
  if (request.tracing) {
    VkPhysicalDeviceRayTracingPipelinePropertiesKHR rays{};
    rays.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_PROPERTIES_KHR;
    queryProperties(api, device, rays);
    if (request.tracing->recursion > rays.maxRayRecursionDepth)
      reasons.push_back("rays nested " + text(request.tracing->recursion) + " deep: the device allows " +
                        text(rays.maxRayRecursionDepth));
    if (hasMore(request.tracing->size, rays.maxRayDispatchInvocationCount))
      reasons.push_back(grid(request.tracing->size) + " rays: the device allows " +
                        text(rays.maxRayDispatchInvocationCount));
  }
  const auto has = [&](VkShaderStageFlagBits bit) {
    return std::any_of(request.stages.begin(), request.stages.end(),
                       [&](const RunStage& stage) { return stage.stage->bit == bit; });
  };
  const bool tasks = has(VK_SHADER_STAGE_TASK_BIT_EXT);
  if (!request.drawing || (!tasks && !has(VK_SHADER_STAGE_MESH_BIT_EXT))) return reasons;
  VkPhysicalDeviceMeshShaderPropertiesEXT meshes{};
  meshes.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_PROPERTIES_EXT;
  queryProperties(api, device, meshes);
  const std::string kind = tasks ? "task" : "mesh";
  const std::array<uint32_t, 3>& groups = request.drawing->groups;
  const uint32_t* most = tasks ? meshes.maxTaskWorkGroupCount : meshes.maxMeshWorkGroupCount;
  for (size_t i = 0; i < groups.size(); ++i) {
    if (groups[i] > most[i])
      reasons.push_back(text(groups[i]) + " " + kind + " workgroups in dimension " + text(i) +
                        ": the device allows " + text(most[i]));
  }
  const uint32_t total = tasks ? meshes.maxTaskWorkGroupTotalCount : meshes.maxMeshWorkGroupTotalCount;
  if (hasMore(groups, total))
    reasons.push_back(grid(groups) + " " + kind + " workgroups: the device allows " + text(total));
  return reasons;
}

std::string missingShape(const PhysicalDevice& device, const spirv::MatrixShape& shape,
                         uint64_t invocations) {
  for (const MatrixProperty& property : device.matrices.fixed) {
    const std::optional<spirv::MatrixShape> p = matrixShape(property);
    if (p && haveSameTypes(*p, shape) && p->m == shape.m && p->n == shape.n && p->k == shape.k) return {};
  }
  const uint32_t most = device.matrices.flexibleDimensionsMaxDimension;
  for (const MatrixProperty& property : device.matrices.flexible) {
    const std::optional<spirv::MatrixShape> p = matrixShape(property);
    if (!p || !haveSameTypes(*p, shape)) continue;
    if (shape.workgroup && p->invocations != invocations) continue;
    if (isMultiple(shape, *p) && std::max({shape.m, shape.n, shape.k}) <= most) return {};
  }
  return "cooperative matrices " + describe(shape) +
         (shape.workgroup ? " with " + text(invocations) + " invocations" : std::string()) +
         " are not among the device's shapes";
}

}  // namespace coopc::vk
