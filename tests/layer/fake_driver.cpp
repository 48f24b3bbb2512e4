// There is one driver for the process, because Vulkan's commands have no parameter for a test's data.
#include "tests/layer/fake_driver.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <iterator>
#include <map>
#include <mutex>
#include <set>
#include <string_view>
#include <vulkan/vk_layer.h>

#include "layer/chain.hpp"
#include "layer/module.hpp"
#include "layer/offer.hpp"
#include "layer/state.hpp"
#include "tests/layer/fake_recording.hpp"

namespace coopc::tests::fake {
namespace {

// A dispatchable object: its first word is the key by which the loader and layers find its instance or
// device.
struct Object {
  void* key;
};
struct Instance {
  Object object;
  std::vector<Object> physicalDevices;
};

struct State {
  std::mutex mutex;
  Driver driver;
  std::vector<std::string> faults;
  std::set<const void*> instances, devices;
  uint64_t nextHandle = 1;
  std::map<uint64_t, std::vector<uint32_t>> modules;
  std::set<uint64_t> others;       // pipelines and shaders
  std::set<std::string> compiled;  // identifiers of modules that pipelines were made of
  uint64_t lastPipeline = 0;
};

State& state() {
  static State s;
  return s;
}

// The caller holds the mutex.
void fault(const std::string& text) { state().faults.push_back(text); }

// Whether a structure requests features that the layer provides. If it requests none, the layer may leave it
// in a chain that it cannot copy.
bool asksForOurs(const VkBaseInStructure& structure) {
  const auto rows = layer::lowerableFeatures();
  return std::any_of(rows.begin(), rows.end(), [&](const layer::GivenFeature& g) {
    return g.member.type == structure.sType && layer::readMember(&structure, g.member) == VK_TRUE;
  });
}

// Checks the chain of VkDeviceCreateInfo. The layer leaves a circular chain alone, and everything from the
// first structure on that it cannot copy, so these parts are not checked.
void lookAtDeviceChain(const void* chain) {
  std::set<VkStructureType> seen;
  std::set<const void*> passed;
  const auto* at = static_cast<const VkBaseInStructure*>(chain);
  for (; at != nullptr; at = at->pNext) {
    if (!passed.insert(at).second) return;
  }
  at = static_cast<const VkBaseInStructure*>(chain);
  for (; at != nullptr && layer::chainedSize(at->sType) != 0; at = at->pNext) {
    if (asksForOurs(*at) && !state().driver.hasMatrices) fault("a device is asked for features of matrices");
    if (!seen.insert(at->sType).second) fault("a structure stands twice in a device's chain");
  }
}

void lookAtWords(std::span<const uint32_t> words) {
  if (!state().driver.hasMatrices && layer::isForLowering(words, layer::GivenFeatures().set()))
    fault("the driver gets a module that the layer should have lowered");
}

VkResult VKAPI_CALL fakeCreateInstance(const VkInstanceCreateInfo*, const VkAllocationCallbacks*,
                                       VkInstance* instance) {
  State& s = state();
  const std::lock_guard<std::mutex> lock(s.mutex);
  auto* made = new Instance;
  made->object.key = made;
  made->physicalDevices.assign(s.driver.physicalDevices, Object{made});
  s.instances.insert(made);
  *instance = reinterpret_cast<VkInstance>(made);
  return VK_SUCCESS;
}

void VKAPI_CALL fakeDestroyInstance(VkInstance instance, const VkAllocationCallbacks*) {
  const std::lock_guard<std::mutex> lock(state().mutex);
  if (state().instances.erase(instance) == 0) return fault("an instance is destroyed that is not there");
  delete reinterpret_cast<Instance*>(instance);
}

VkResult VKAPI_CALL fakeEnumeratePhysicalDevices(VkInstance instance, uint32_t* count,
                                                 VkPhysicalDevice* devices) {
  auto& all = reinterpret_cast<Instance*>(instance)->physicalDevices;
  if (devices != nullptr) {
    for (uint32_t n = 0; n < std::min<size_t>(*count, all.size()); ++n)
      devices[n] = reinterpret_cast<VkPhysicalDevice>(&all[n]);
  }
  *count = uint32_t(all.size());
  return VK_SUCCESS;
}

VkResult VKAPI_CALL fakeEnumerateDeviceExtensionProperties(VkPhysicalDevice, const char*, uint32_t* count,
                                                           VkExtensionProperties* items) {
  const char* const names[] = {"VK_EXT_shader_object",
                               "VK_KHR_pipeline_binary",
                               "VK_KHR_ray_tracing_pipeline",
                               "VK_EXT_shader_module_identifier",
                               "VK_KHR_cooperative_matrix",
                               "VK_NV_cooperative_matrix2",
                               "VK_NV_cooperative_matrix_decode_vector",
                               "VK_EXT_cooperative_matrix_maintenance1",
                               "VK_KHR_shader_bfloat16",
                               "VK_EXT_shader_float8",
                               "VK_NV_cooperative_vector"};
  const uint32_t all = state().driver.hasMatrices ? uint32_t(std::size(names)) : 4;
  if (items == nullptr) {
    *count = all;
    return VK_SUCCESS;
  }
  const uint32_t given = std::min(*count, all);
  for (uint32_t n = 0; n < given; ++n) {
    items[n] = {};
    std::strncpy(items[n].extensionName, names[n], VK_MAX_EXTENSION_NAME_SIZE - 1);
  }
  *count = given;
  return given < all ? VK_INCOMPLETE : VK_SUCCESS;
}

void VKAPI_CALL fakeGetPhysicalDeviceProperties(VkPhysicalDevice, VkPhysicalDeviceProperties* p) {
  *p = {};
  p->apiVersion = VK_API_VERSION_1_3;
  std::strcpy(p->deviceName, "a device of the tests");
  p->limits.maxComputeSharedMemorySize = 49152;
  p->limits.maxComputeWorkGroupInvocations = 1024;
  for (uint32_t& size : p->limits.maxComputeWorkGroupSize) size = 1024;
}

void VKAPI_CALL fakeGetPhysicalDeviceProperties2(VkPhysicalDevice device, VkPhysicalDeviceProperties2* p) {
  fakeGetPhysicalDeviceProperties(device, &p->properties);
  auto* at = static_cast<VkBaseOutStructure*>(p->pNext);
  for (uint32_t n = 0; at != nullptr && n < layer::kMaxChain; ++n, at = at->pNext) {
    if (at->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES) {
      auto& subgroup = *reinterpret_cast<VkPhysicalDeviceSubgroupProperties*>(at);
      subgroup.subgroupSize = 32;
      subgroup.supportedStages = VK_SHADER_STAGE_COMPUTE_BIT;
      subgroup.supportedOperations = VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_SHUFFLE_BIT;
    } else if (at->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES) {
      auto& sizes = *reinterpret_cast<VkPhysicalDeviceSubgroupSizeControlProperties*>(at);
      sizes.minSubgroupSize = 16;
      sizes.maxSubgroupSize = 64;
      sizes.requiredSubgroupSizeStages = VK_SHADER_STAGE_COMPUTE_BIT;
    }
  }
}

void VKAPI_CALL fakeGetPhysicalDeviceFeatures2(VkPhysicalDevice, VkPhysicalDeviceFeatures2* features) {
  auto* at = reinterpret_cast<VkBaseOutStructure*>(features);
  for (uint32_t n = 0; at != nullptr && n < layer::kMaxChain; ++n, at = at->pNext) {
    for (const layer::UsedFeature& u : layer::featuresOfLoweredModules()) {
      if (u.member.type == at->sType) layer::memberOf(at, u.member) = VK_TRUE;
      if (u.aggregate.size != 0 && u.aggregate.type == at->sType) layer::memberOf(at, u.aggregate) = VK_TRUE;
    }
    // Needed for cooperative vectors, whose conversions take addresses.
    if (at->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES)
      reinterpret_cast<VkPhysicalDeviceBufferDeviceAddressFeatures*>(at)->bufferDeviceAddress = VK_TRUE;
    for (const layer::GivenFeature& g : layer::lowerableFeatures()) {
      if (g.member.type == at->sType && state().driver.hasMatrices) layer::memberOf(at, g.member) = VK_TRUE;
    }
  }
}

template <class Item>
void fillShape(Item& item) {
  item.AType = item.BType = VK_COMPONENT_TYPE_FLOAT16_KHR;
  item.CType = item.ResultType = VK_COMPONENT_TYPE_FLOAT32_KHR;
  item.scope = VK_SCOPE_SUBGROUP_KHR;
}

// A list of one item.
template <class Item, class Fill>
VkResult listOne(uint32_t* count, Item* items, const Fill& fill) {
  if (items != nullptr && *count == 0) return VK_INCOMPLETE;
  if (items != nullptr) fill(*items);
  *count = 1;
  return VK_SUCCESS;
}

VkResult VKAPI_CALL fakeMatrixProperties(VkPhysicalDevice, uint32_t* count,
                                         VkCooperativeMatrixPropertiesKHR* items) {
  return listOne(count, items, [](VkCooperativeMatrixPropertiesKHR& item) {
    item.MSize = item.NSize = item.KSize = 16;
    fillShape(item);
  });
}

VkResult VKAPI_CALL fakeFlexibleProperties(VkPhysicalDevice, uint32_t* count,
                                           VkCooperativeMatrixFlexibleDimensionsPropertiesNV* items) {
  return listOne(count, items, [](VkCooperativeMatrixFlexibleDimensionsPropertiesNV& item) {
    item.MGranularity = item.NGranularity = item.KGranularity = 16;
    fillShape(item);
  });
}

void VKAPI_CALL fakeGetPhysicalDeviceFormatProperties(VkPhysicalDevice, VkFormat, VkFormatProperties* p) {
  *p = {};
}
void VKAPI_CALL fakeGetPhysicalDeviceMemoryProperties(VkPhysicalDevice, VkPhysicalDeviceMemoryProperties* p) {
  *p = {};
}
void VKAPI_CALL fakeGetPhysicalDeviceQueueFamilyProperties(VkPhysicalDevice, uint32_t* count,
                                                           VkQueueFamilyProperties*) {
  *count = 0;
}

VkResult VKAPI_CALL fakeCreateDevice(VkPhysicalDevice, const VkDeviceCreateInfo* info,
                                     const VkAllocationCallbacks*, VkDevice* device) {
  State& s = state();
  const std::lock_guard<std::mutex> lock(s.mutex);
  lookAtDeviceChain(info->pNext);
  for (uint32_t n = 0; n < info->enabledExtensionCount; ++n) {
    const std::string_view name = info->ppEnabledExtensionNames[n];
    const auto isOf = [&](const char* part) { return name.find(part) != std::string_view::npos; };
    if (!s.driver.hasMatrices && (isOf("cooperative") || isOf("bfloat16") || isOf("float8")))
      fault("a device is asked for an extension that it has not");
  }
  auto* made = new Object;
  made->key = made;
  s.devices.insert(made);
  *device = reinterpret_cast<VkDevice>(made);
  return VK_SUCCESS;
}

void VKAPI_CALL fakeDestroyDevice(VkDevice device, const VkAllocationCallbacks*) {
  const std::lock_guard<std::mutex> lock(state().mutex);
  if (state().devices.erase(device) == 0) return fault("a device is destroyed that is not there");
  delete reinterpret_cast<Object*>(device);
}

VkResult VKAPI_CALL fakeCreateShaderModule(VkDevice, const VkShaderModuleCreateInfo* info,
                                           const VkAllocationCallbacks*, VkShaderModule* module) {
  State& s = state();
  const std::lock_guard<std::mutex> lock(s.mutex);
  const std::span<const uint32_t> words = layer::wordsOf(info->pCode, info->codeSize);
  lookAtWords(words);
  const uint64_t handle = s.nextHandle++;
  s.modules[handle].assign(words.begin(), words.end());
  *module = VkShaderModule(handle);
  return VK_SUCCESS;
}

void VKAPI_CALL fakeDestroyShaderModule(VkDevice, VkShaderModule module, const VkAllocationCallbacks*) {
  const std::lock_guard<std::mutex> lock(state().mutex);
  if (module != VK_NULL_HANDLE && state().modules.erase(uint64_t(module)) == 0)
    fault("a module is destroyed that is not there");
}

// A number that identifies the contents of a stage. The caller holds the mutex.
uint64_t nameOf(const VkPipelineShaderStageCreateInfo& stage) {
  std::span<const uint32_t> words;
  if (stage.module != VK_NULL_HANDLE) {
    const auto at = state().modules.find(uint64_t(stage.module));
    if (at == state().modules.end()) {
      fault("a pipeline is made of a module that is not there");
    } else {
      words = at->second;
    }
  } else if (const auto* inside = layer::findChained<VkShaderModuleCreateInfo>(
                 stage.pNext, VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO)) {
    words = layer::wordsOf(inside->pCode, inside->codeSize);
  }
  lookAtWords(words);
  uint64_t name = layer::digestOf(std::as_bytes(words)).parts[0];
  for (const spirv::SpecializationValue& v : layer::valuesOf(stage.pSpecializationInfo))
    name = name * 31 + v.specId * 7 + v.value;
  if (const auto* size = layer::findChained<VkPipelineShaderStageRequiredSubgroupSizeCreateInfo>(
          stage.pNext, VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO))
    name = name * 31 + size->requiredSubgroupSize;
  return name * 31 + stage.flags;
}

std::string identifierOf(std::span<const uint32_t> words) {
  const layer::Digest digest = layer::digestOf(std::as_bytes(words));
  return std::string(reinterpret_cast<const char*>(&digest.parts), sizeof digest.parts);
}

uint64_t newOther() {
  const uint64_t handle = state().nextHandle++;
  state().others.insert(handle);
  return handle;
}

VkResult VKAPI_CALL fakeCreateComputePipelines(VkDevice, VkPipelineCache, uint32_t count,
                                               const VkComputePipelineCreateInfo* infos,
                                               const VkAllocationCallbacks*, VkPipeline* pipelines) {
  const std::lock_guard<std::mutex> lock(state().mutex);
  VkResult result = VK_SUCCESS;
  for (uint32_t n = 0; n < count; ++n) {
    const VkPipelineShaderStageCreateInfo& stage = infos[n].stage;
    const auto* identifier = layer::findChained<VkPipelineShaderStageModuleIdentifierCreateInfoEXT>(
        stage.pNext, VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_MODULE_IDENTIFIER_CREATE_INFO_EXT);
    pipelines[n] = VK_NULL_HANDLE;
    // Only identifiers of modules from which pipelines were made are in the cache.
    if (stage.module == VK_NULL_HANDLE && identifier != nullptr && identifier->pIdentifier != nullptr &&
        state().compiled.count(std::string(reinterpret_cast<const char*>(identifier->pIdentifier),
                                           identifier->identifierSize)) == 0) {
      result = VK_PIPELINE_COMPILE_REQUIRED;
      continue;
    }
    state().lastPipeline = nameOf(stage);
    const auto module = state().modules.find(uint64_t(stage.module));
    if (module != state().modules.end()) state().compiled.insert(identifierOf(module->second));
    pipelines[n] = VkPipeline(newOther());
  }
  return result;
}

template <class Info>
VkResult createStaged(uint32_t count, const Info* infos, VkPipeline* pipelines) {
  const std::lock_guard<std::mutex> lock(state().mutex);
  for (uint32_t n = 0; n < count; ++n) {
    for (uint32_t s = 0; infos[n].pStages != nullptr && s < infos[n].stageCount; ++s)
      nameOf(infos[n].pStages[s]);
    pipelines[n] = VkPipeline(newOther());
  }
  return VK_SUCCESS;
}
VkResult VKAPI_CALL fakeCreateGraphicsPipelines(VkDevice, VkPipelineCache, uint32_t count,
                                                const VkGraphicsPipelineCreateInfo* infos,
                                                const VkAllocationCallbacks*, VkPipeline* pipelines) {
  return createStaged(count, infos, pipelines);
}
VkResult VKAPI_CALL fakeCreateRayTracingPipelinesKHR(VkDevice, VkDeferredOperationKHR, VkPipelineCache,
                                                     uint32_t count,
                                                     const VkRayTracingPipelineCreateInfoKHR* infos,
                                                     const VkAllocationCallbacks*, VkPipeline* pipelines) {
  return createStaged(count, infos, pipelines);
}

void VKAPI_CALL fakeDestroyPipeline(VkDevice, VkPipeline pipeline, const VkAllocationCallbacks*) {
  const std::lock_guard<std::mutex> lock(state().mutex);
  if (pipeline != VK_NULL_HANDLE && state().others.erase(uint64_t(pipeline)) == 0)
    fault("a pipeline is destroyed that is not there");
}

VkResult VKAPI_CALL fakeCreateShadersEXT(VkDevice, uint32_t count, const VkShaderCreateInfoEXT* infos,
                                         const VkAllocationCallbacks*, VkShaderEXT* shaders) {
  const std::lock_guard<std::mutex> lock(state().mutex);
  for (uint32_t n = 0; n < count; ++n) {
    if (infos[n].codeType == VK_SHADER_CODE_TYPE_SPIRV_EXT)
      lookAtWords(layer::wordsOf(infos[n].pCode, infos[n].codeSize));
    shaders[n] = VkShaderEXT(newOther());
  }
  return VK_SUCCESS;
}
void VKAPI_CALL fakeDestroyShaderEXT(VkDevice device, VkShaderEXT shader,
                                     const VkAllocationCallbacks* allocator) {
  fakeDestroyPipeline(device, VkPipeline(uint64_t(shader)), allocator);
}

uint64_t nameOf(const VkPipelineCreateInfoKHR* info) {
  const auto* compute = info == nullptr ? nullptr
                                        : layer::findChained<VkComputePipelineCreateInfo>(
                                              info->pNext, VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO);
  return compute == nullptr ? 1 : nameOf(compute->stage);
}

VkResult VKAPI_CALL fakeGetPipelineKeyKHR(VkDevice, const VkPipelineCreateInfoKHR* info,
                                          VkPipelineBinaryKeyKHR* key) {
  const std::lock_guard<std::mutex> lock(state().mutex);
  const uint64_t name = nameOf(info);
  key->keySize = sizeof name;
  std::memcpy(key->key, &name, sizeof name);
  return VK_SUCCESS;
}

// The driver's internal cache has just the pipeline that was made last.
VkResult VKAPI_CALL fakeCreatePipelineBinariesKHR(VkDevice, const VkPipelineBinaryCreateInfoKHR* info,
                                                  const VkAllocationCallbacks*,
                                                  VkPipelineBinaryHandlesInfoKHR* binaries) {
  const std::lock_guard<std::mutex> lock(state().mutex);
  binaries->pipelineBinaryCount = 0;
  if (info->pPipelineCreateInfo == nullptr || nameOf(info->pPipelineCreateInfo) != state().lastPipeline)
    return VK_PIPELINE_BINARY_MISSING_KHR;
  binaries->pipelineBinaryCount = 1;
  return VK_SUCCESS;
}

void VKAPI_CALL fakeGetShaderModuleCreateInfoIdentifierEXT(VkDevice, const VkShaderModuleCreateInfo* info,
                                                           VkShaderModuleIdentifierEXT* identifier) {
  const std::lock_guard<std::mutex> lock(state().mutex);
  const std::span<const uint32_t> words = layer::wordsOf(info->pCode, info->codeSize);
  lookAtWords(words);
  const std::string text = identifierOf(words);
  identifier->identifierSize = uint32_t(text.size());
  std::memcpy(identifier->identifier, text.data(), text.size());
}

void VKAPI_CALL fakeGetShaderModuleIdentifierEXT(VkDevice device, VkShaderModule module,
                                                 VkShaderModuleIdentifierEXT* identifier) {
  std::vector<uint32_t> words;
  {
    const std::lock_guard<std::mutex> lock(state().mutex);
    const auto at = state().modules.find(uint64_t(module));
    if (at == state().modules.end()) return fault("an identifier of a module that is not there");
    words = at->second;
  }
  VkShaderModuleCreateInfo info{};
  info.codeSize = words.size() * sizeof(uint32_t);
  info.pCode = words.data();
  fakeGetShaderModuleCreateInfoIdentifierEXT(device, &info, identifier);
}

PFN_vkVoidFunction VKAPI_CALL fakeGetDeviceProcAddr(VkDevice device, const char* name);
PFN_vkVoidFunction VKAPI_CALL fakeGetInstanceProcAddr(VkInstance instance, const char* name);

struct Row {
  std::string_view name;
  PFN_vkVoidFunction function;
};
#define COOPC_FAKE(name) \
  { "vk" #name, reinterpret_cast<PFN_vkVoidFunction>(&fake##name) }
const Row kInstanceRows[] = {
    COOPC_FAKE(CreateInstance),
    COOPC_FAKE(DestroyInstance),
    COOPC_FAKE(EnumeratePhysicalDevices),
    COOPC_FAKE(EnumerateDeviceExtensionProperties),
    COOPC_FAKE(GetPhysicalDeviceProperties),
    COOPC_FAKE(GetPhysicalDeviceProperties2),
    COOPC_FAKE(GetPhysicalDeviceFeatures2),
    COOPC_FAKE(GetPhysicalDeviceFormatProperties),
    COOPC_FAKE(GetPhysicalDeviceMemoryProperties),
    COOPC_FAKE(GetPhysicalDeviceQueueFamilyProperties),
    COOPC_FAKE(CreateDevice),
    COOPC_FAKE(GetDeviceProcAddr),
    COOPC_FAKE(GetInstanceProcAddr),
    {"vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR",
     reinterpret_cast<PFN_vkVoidFunction>(&fakeMatrixProperties)},
    {"vkGetPhysicalDeviceCooperativeMatrixFlexibleDimensionsPropertiesNV",
     reinterpret_cast<PFN_vkVoidFunction>(&fakeFlexibleProperties)},
};
const Row kDeviceRows[] = {
    COOPC_FAKE(GetDeviceProcAddr),
    COOPC_FAKE(DestroyDevice),
    COOPC_FAKE(CreateShaderModule),
    COOPC_FAKE(DestroyShaderModule),
    COOPC_FAKE(CreateComputePipelines),
    COOPC_FAKE(CreateGraphicsPipelines),
    COOPC_FAKE(CreateRayTracingPipelinesKHR),
    COOPC_FAKE(DestroyPipeline),
    COOPC_FAKE(CreateShadersEXT),
    COOPC_FAKE(DestroyShaderEXT),
    COOPC_FAKE(GetPipelineKeyKHR),
    COOPC_FAKE(CreatePipelineBinariesKHR),
    COOPC_FAKE(GetShaderModuleIdentifierEXT),
    COOPC_FAKE(GetShaderModuleCreateInfoIdentifierEXT),
};
#undef COOPC_FAKE

template <size_t n>
PFN_vkVoidFunction find(const Row (&rows)[n], std::string_view name) {
  const auto at =
      std::find_if(std::begin(rows), std::end(rows), [&](const Row& r) { return r.name == name; });
  return at == std::end(rows) ? nullptr : at->function;
}

PFN_vkVoidFunction VKAPI_CALL fakeGetDeviceProcAddr(VkDevice, const char* name) {
  const PFN_vkVoidFunction found = find(kDeviceRows, name);
  return found != nullptr ? found : recordingProc(name);
}
PFN_vkVoidFunction VKAPI_CALL fakeGetInstanceProcAddr(VkInstance, const char* name) {
  const PFN_vkVoidFunction found = find(kInstanceRows, name);
  return found != nullptr ? found : find(kDeviceRows, name);
}

}  // namespace

void become(const Driver& driver) {
  const std::lock_guard<std::mutex> lock(state().mutex);
  state().driver = driver;
  state().faults.clear();
  state().compiled.clear();
}

std::vector<std::string> takeFaults() {
  const std::lock_guard<std::mutex> lock(state().mutex);
  std::vector<std::string> faults;
  faults.swap(state().faults);
  return faults;
}

size_t alive() {
  const State& s = state();
  return s.instances.size() + s.devices.size() + s.modules.size() + s.others.size();
}

uint64_t lastPipeline() {
  const std::lock_guard<std::mutex> lock(state().mutex);
  return state().lastPipeline;
}

VkResult createInstance(const void* chain, VkInstance* instance) {
  VkLayerInstanceLink link{nullptr, &fakeGetInstanceProcAddr, nullptr};
  VkLayerInstanceCreateInfo loader{};
  loader.sType = VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO;
  loader.pNext = chain;
  loader.function = VK_LAYER_LINK_INFO;
  loader.u.pLayerInfo = &link;
  VkApplicationInfo application{};
  application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
  application.apiVersion = VK_API_VERSION_1_3;
  VkInstanceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  info.pNext = &loader;
  info.pApplicationInfo = &application;
  return layer::commands::vkCreateInstance(&info, nullptr, instance);
}

std::vector<VkPhysicalDevice> physicalDevices(VkInstance instance) {
  uint32_t count = 0;
  fakeEnumeratePhysicalDevices(instance, &count, nullptr);
  std::vector<VkPhysicalDevice> devices(count);
  fakeEnumeratePhysicalDevices(instance, &count, devices.data());
  return devices;
}

VkResult createDevice(VkPhysicalDevice physicalDevice, const VkDeviceCreateInfo& info, VkDevice* device) {
  VkLayerDeviceLink link{nullptr, &fakeGetInstanceProcAddr, &fakeGetDeviceProcAddr};
  VkLayerDeviceCreateInfo loader{};
  loader.sType = VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO;
  loader.pNext = info.pNext;
  loader.function = VK_LAYER_LINK_INFO;
  loader.u.pLayerInfo = &link;
  VkDeviceCreateInfo asked = info;
  asked.pNext = &loader;
  return layer::commands::vkCreateDevice(physicalDevice, &asked, nullptr, device);
}

PFN_vkVoidFunction instanceProc(VkInstance instance, const char* name) {
  return layer::commands::vkGetInstanceProcAddr(instance, name);
}
PFN_vkVoidFunction deviceProc(VkDevice device, const char* name) {
  return layer::commands::vkGetDeviceProcAddr(device, name);
}

}  // namespace coopc::tests::fake
