// Programs that use the layer on a driver without matrices: queries, devices, every way in which shaders
// reach the driver, wrong and hostile calls, orders of destruction, threads. The loader finds the layer by
// environment variables, which this program sets itself.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "coopc/coopc.hpp"
#include "layer/settings.hpp"
#include "tests/layer/own_instance.hpp"
#include "tests/layer/requests.hpp"
#include "tests/layer/use_layer.hpp"
#include "tests/support/vulkan.hpp"
#include "vulkan/executor/commands.hpp"
#include "vulkan/executor/device.hpp"
#include "vulkan/executor/memory.hpp"
#include "vulkan/executor/module_info.hpp"
#include "vulkan/executor/pipeline.hpp"

using namespace coopc;
using namespace coopc::vk;
using coopc::tests::OwnInstance;

namespace {

// Before the loader is asked for the first instance.
const bool environmentIsSet = tests::useLayer(COOPC_LAYER_MANIFESTS);

std::vector<uint32_t> compileText(const std::string& text, TargetEnv environment = TargetEnv::Vulkan1_3) {
  Options options;
  options.targetEnv = environment;
  const auto result = compile(text, "shader.comp", options);
  if (!result.ok) FAIL(result.messages);
  return result.words;
}

const std::string kHead = R"(#version 460
#pragma shader_stage(compute)
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 8) in;
layout(constant_id = 0) const uint kFirst = 1;
layout(constant_id = 1) const uint kSecond = 20;
layout(binding = 0) buffer Out { uint result[]; };
)";

// Writes kFirst + kSecond to 64 numbers, by a matrix.
std::vector<uint32_t> sumModule(TargetEnv environment = TargetEnv::Vulkan1_3) {
  return compileText(kHead + R"(void main() {
    coopmat<uint32_t, gl_ScopeSubgroup, 8, 8, gl_MatrixUseAccumulator> a =
        coopmat<uint32_t, gl_ScopeSubgroup, 8, 8, gl_MatrixUseAccumulator>(kFirst);
    a = a + coopmat<uint32_t, gl_ScopeSubgroup, 8, 8, gl_MatrixUseAccumulator>(kSecond);
    coopMatStore(a, result, 0, 8, gl_CooperativeMatrixLayoutRowMajor);
  }
)",
                     environment);
}

// A matrix with 8192 components per invocation, which is declined.
std::vector<uint32_t> largeModule() {
  return compileText(kHead + R"(void main() {
    coopmat<uint32_t, gl_ScopeSubgroup, 256, 256, gl_MatrixUseAccumulator> a =
        coopmat<uint32_t, gl_ScopeSubgroup, 256, 256, gl_MatrixUseAccumulator>(kFirst);
    coopMatStore(a, result, 0, 256, gl_CooperativeMatrixLayoutRowMajor);
  }
)");
}

using StructureChain = std::vector<VkBaseOutStructure*>;

void linkChain(const StructureChain& chain) {
  for (size_t n = 0; n + 1 < chain.size(); ++n) chain[n]->pNext = chain[n + 1];
}
bool isLinked(const StructureChain& chain) {
  for (size_t n = 0; n + 1 < chain.size(); ++n) {
    if (chain[n]->pNext != chain[n + 1]) return false;
  }
  return chain.back()->pNext == nullptr;
}

// The tests named "results" run on any device (COOPC_TEST_DEVICE). The others expect lavapipe.
const PhysicalDevice& physical() { return tests::testDevice(); }

template <class Pfn>
Pfn procedure(const vk::Device& device, const char* name) {
  return reinterpret_cast<Pfn>(tests::vulkan().api().vkGetDeviceProcAddr(device.handle(), name));
}

// A device with the features that a module needs, a buffer, and the objects that a pipeline needs.
class Program {
 public:
  explicit Program(std::vector<uint32_t> module = sumModule()) : words(std::move(module)) {
    const auto info = readModuleInfo(words);
    REQUIRE(info);
    Requirements needs = requirementsOf(*info, physical(), {});
    for (const std::string& missing : needs.missing) FAIL(missing);
    const auto family = vk::computeFamily(tests::vulkan(), physical());
    REQUIRE(family);
    needs.features.add(Feature::shaderInt8);
    // Their features are not enabled: this driver does not require it.
    for (const char* extension : {"VK_EXT_shader_object", "VK_EXT_private_data"}) {
      if (physical().hasExtension(extension)) needs.extensions.emplace_back(extension);
    }
    auto made = vk::Device::create(tests::vulkan(), physical(), *family, needs, {});
    if (!made) FAIL(made.error().message);
    device = std::move(*made);
    const vk::Binding bindings[] = {{0, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}};
    REQUIRE_FALSE(layout.create(*device, bindings, 0));
    REQUIRE_FALSE(sets.create(*device, layout, bindings));
    REQUIRE_FALSE(buffer.create(*device, 64 * sizeof(uint32_t)));
    sets.write(bindings[0], {buffer.handle(), 0, VK_WHOLE_SIZE});
    REQUIRE_FALSE(commands.create(*device));
  }

  VkShaderModule module(const std::vector<uint32_t>& from) const {
    const VkShaderModuleCreateInfo info = tests::codeOf(from);
    VkShaderModule result = VK_NULL_HANDLE;
    REQUIRE(device->api().vkCreateShaderModule(device->handle(), &info, nullptr, &result) == VK_SUCCESS);
    return result;
  }
  void destroy(VkShaderModule m) const { device->api().vkDestroyShaderModule(device->handle(), m, nullptr); }
  void destroy(VkPipeline p) const { device->api().vkDestroyPipeline(device->handle(), p, nullptr); }

  VkComputePipelineCreateInfo info(VkShaderModule m) const { return tests::computeOf(m, layout.handle()); }

  VkResult create(const std::vector<VkComputePipelineCreateInfo>& infos,
                  std::vector<VkPipeline>& pipelines) const {
    // The call must overwrite these handles.
    pipelines.assign(infos.size(), reinterpret_cast<VkPipeline>(uintptr_t{0xDEAD}));
    return device->api().vkCreateComputePipelines(device->handle(), VK_NULL_HANDLE, uint32_t(infos.size()),
                                                  infos.data(), nullptr, pipelines.data());
  }

  // The number that the pipeline writes to all 64 places of the buffer, if they are equal.
  uint32_t run(VkPipeline pipeline) {
    const DeviceApi& api = device->api();
    std::memset(buffer.bytes(), 0xAA, 64 * sizeof(uint32_t));
    REQUIRE_FALSE(commands.begin());
    api.vkCmdBindPipeline(commands.handle(), VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    return finish();
  }
  uint32_t finish() {
    const DeviceApi& api = device->api();
    api.vkCmdBindDescriptorSets(commands.handle(), VK_PIPELINE_BIND_POINT_COMPUTE, layout.handle(), 0, 1,
                                sets.handles().data(), 0, nullptr);
    api.vkCmdDispatch(commands.handle(), 1, 1, 1);
    commands.barrier();
    REQUIRE_FALSE(commands.submit("the dispatch"));
    std::array<uint32_t, 64> numbers{};
    std::memcpy(numbers.data(), buffer.bytes(), sizeof numbers);
    for (const uint32_t n : numbers) REQUIRE(n == numbers[0]);
    return numbers[0];
  }

  std::vector<uint32_t> words;
  std::unique_ptr<vk::Device> device;
  vk::PipelineLayout layout;
  vk::DescriptorSets sets;
  vk::StagingBuffer buffer;
  vk::Commands commands;
};

}  // namespace

TEST_CASE("instances: older versions of Vulkan, which take older versions of SPIR-V") {
  const struct {
    uint32_t version;
    TargetEnv environment;
    uint32_t spirv;
  } kVersions[] = {{VK_API_VERSION_1_1, TargetEnv::Vulkan1_1, 0x00010300},
                   {VK_API_VERSION_1_2, TargetEnv::Vulkan1_2, 0x00010500}};
  for (const auto& v : kVersions) {
    INFO(VK_API_VERSION_MINOR(v.version));
    const OwnInstance own(v.version);
    auto matrices = tests::matrixFeatures();
    const tests::DeviceRequest request(&matrices);
    VkDevice handle = VK_NULL_HANDLE;
    REQUIRE(own.api.vkCreateDevice(own.device, &request.info, nullptr, &handle) == VK_SUCCESS);
    const auto device = loadDeviceApi(own.api, handle);
    REQUIRE(device);
    const std::vector<uint32_t> words = sumModule(v.environment);
    REQUIRE(words[1] == v.spirv);
    const VkShaderModuleCreateInfo code = tests::codeOf(words);
    VkDescriptorSetLayoutBinding binding{};
    binding.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    binding.descriptorCount = 1;
    binding.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
    VkDescriptorSetLayoutCreateInfo setInfo{};
    setInfo.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
    setInfo.bindingCount = 1;
    setInfo.pBindings = &binding;
    VkDescriptorSetLayout set = VK_NULL_HANDLE;
    REQUIRE(device->vkCreateDescriptorSetLayout(handle, &setInfo, nullptr, &set) == VK_SUCCESS);
    VkPipelineLayoutCreateInfo layoutInfo{};
    layoutInfo.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
    layoutInfo.setLayoutCount = 1;
    layoutInfo.pSetLayouts = &set;
    VkComputePipelineCreateInfo create = tests::computeOf(VK_NULL_HANDLE);
    REQUIRE(device->vkCreatePipelineLayout(handle, &layoutInfo, nullptr, &create.layout) == VK_SUCCESS);
    REQUIRE(device->vkCreateShaderModule(handle, &code, nullptr, &create.stage.module) == VK_SUCCESS);
    VkPipeline pipeline = VK_NULL_HANDLE;
    CHECK(device->vkCreateComputePipelines(handle, VK_NULL_HANDLE, 1, &create, nullptr, &pipeline) ==
          VK_SUCCESS);
    device->vkDestroyPipeline(handle, pipeline, nullptr);
    device->vkDestroyShaderModule(handle, create.stage.module, nullptr);
    device->vkDestroyPipelineLayout(handle, create.layout, nullptr);
    device->vkDestroyDescriptorSetLayout(handle, set, nullptr);
    device->vkDestroyDevice(handle, nullptr);
  }
}

TEST_CASE("queries: lists are never written past the caller's array") {
  const InstanceApi& api = tests::vulkan().api();
  const VkPhysicalDevice device = physical().handle;
  const auto check = [&](auto call, auto blank, auto wrong) {
    uint32_t all = 0;
    REQUIRE(call(&all, nullptr) == VK_SUCCESS);
    REQUIRE(all > 3);
    for (const uint32_t room : {0u, 1u, all - 1, all, all + 5}) {
      std::vector items(all + 6, blank);
      uint32_t count = room;
      CHECK(call(&count, items.data()) == (room < all ? VK_INCOMPLETE : VK_SUCCESS));
      CHECK(count == std::min(room, all));
      for (uint32_t n = count; n < items.size(); ++n) CHECK_FALSE(wrong(items[n]));
      for (uint32_t n = 0; n < count; ++n) CHECK(wrong(items[n]));
    }
  };
  check(
      [&](uint32_t* count, VkExtensionProperties* items) {
        return api.vkEnumerateDeviceExtensionProperties(device, nullptr, count, items);
      },
      VkExtensionProperties{}, [](const VkExtensionProperties& e) { return e.extensionName[0] != 0; });
  VkCooperativeMatrixPropertiesKHR fixed{};
  fixed.sType = VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_KHR;
  check(
      [&](uint32_t* count, VkCooperativeMatrixPropertiesKHR* items) {
        return api.vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR(device, count, items);
      },
      fixed, [](const auto& p) { return p.MSize != 0; });
  VkCooperativeMatrixFlexibleDimensionsPropertiesNV flexible{};
  flexible.sType = VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_FLEXIBLE_DIMENSIONS_PROPERTIES_NV;
  check(
      [&](uint32_t* count, VkCooperativeMatrixFlexibleDimensionsPropertiesNV* items) {
        return api.vkGetPhysicalDeviceCooperativeMatrixFlexibleDimensionsPropertiesNV(device, count, items);
      },
      flexible, [](const auto& p) { return p.MGranularity != 0; });
}

// What the layer knows of compilers orders the list elsewhere (tests/layer/advice_tests.cpp).
TEST_CASE("queries: workgroups on a processor that the model does not know ascend up to the limit") {
  const InstanceApi& api = tests::vulkan().api();
  const VkPhysicalDevice device = physical().handle;
  VkPhysicalDeviceCooperativeMatrix2PropertiesNV nv{};
  nv.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_2_PROPERTIES_NV;
  VkPhysicalDeviceProperties2 properties{};
  properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  properties.pNext = &nv;
  api.vkGetPhysicalDeviceProperties2(device, &properties);
  VkCooperativeMatrixFlexibleDimensionsPropertiesNV blank{};
  blank.sType = VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_FLEXIBLE_DIMENSIONS_PROPERTIES_NV;
  uint32_t count = 0;
  REQUIRE(api.vkGetPhysicalDeviceCooperativeMatrixFlexibleDimensionsPropertiesNV(device, &count, nullptr) ==
          VK_SUCCESS);
  std::vector shapes(count, blank);
  REQUIRE(api.vkGetPhysicalDeviceCooperativeMatrixFlexibleDimensionsPropertiesNV(
              device, &count, shapes.data()) == VK_SUCCESS);
  std::vector<uint32_t> numbers;
  for (const auto& p : shapes) {
    if (p.scope == VK_SCOPE_WORKGROUP_KHR) numbers.push_back(p.workgroupInvocations);
  }
  REQUIRE_FALSE(numbers.empty());
  CHECK(std::ranges::is_sorted(numbers));
  CHECK(numbers.back() == nv.cooperativeMatrixWorkgroupScopeMaxWorkgroupSize);
}

#ifdef VK_EXT_cooperative_matrix_maintenance1
TEST_CASE("queries: shapes by scope, workgroup, subgroup and kind") {
  const OwnInstance own(VK_API_VERSION_1_3);
  const VkPhysicalDevice device = own.device;
  const auto query = reinterpret_cast<PFN_vkGetPhysicalDeviceCooperativeMatrixProperties2EXT>(
      own.global.vkGetInstanceProcAddr(own.handle, "vkGetPhysicalDeviceCooperativeMatrixProperties2EXT"));
  REQUIRE(query != nullptr);
  VkCooperativeMatrixProperties2EXT blank{};
  blank.sType = VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_2_EXT;
  const auto shapes = [&](VkScopeKHR scope, uint32_t invocations, uint32_t subgroupSize,
                          VkCooperativeMatrixFlagsEXT flags) {
    VkPhysicalDeviceCooperativeMatrixInfo2EXT info{};
    info.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_INFO_2_EXT;
    info.scope = scope;
    info.invocations = invocations;
    info.subgroupSize = subgroupSize;
    info.flags = flags;
    uint32_t all = 0;
    REQUIRE(query(device, &info, &all, nullptr) == VK_SUCCESS);
    for (const uint32_t room : {0u, all / 2, all, all + 3}) {
      std::vector items(all + 4, blank);
      uint32_t count = room;
      CHECK(query(device, &info, &count, items.data()) == (room < all ? VK_INCOMPLETE : VK_SUCCESS));
      CHECK(count == std::min(room, all));
      for (uint32_t n = 0; n < items.size(); ++n) CHECK((items[n].MGranularity != 0) == (n < count));
    }
    return all;
  };
  const uint32_t size = physical().subgroupSize;
  // Ten combinations of types, each in two sizes, which become plain code.
  CHECK(shapes(VK_SCOPE_SUBGROUP_KHR, 0, size, 0) == 20);
  CHECK(shapes(VK_SCOPE_SUBGROUP_KHR, 77, 0, 0) == 20);
  CHECK(shapes(VK_SCOPE_SUBGROUP_KHR, 0, 3, 0) == 0);
  CHECK(shapes(VK_SCOPE_SUBGROUP_KHR, 0, size, VK_COOPERATIVE_MATRIX_SATURATING_ACCUMULATION_BIT_EXT) == 0);
  CHECK(shapes(VK_SCOPE_WORKGROUP_KHR, 64, size, 0) == 10);
  CHECK(shapes(VK_SCOPE_WORKGROUP_KHR, 48, size, 0) == 0);
  CHECK(shapes(VK_SCOPE_DEVICE_KHR, 64, size, 0) == 0);
}

TEST_CASE("queries: what is given beside matrices, in chains of any order, by both names of the commands") {
  const OwnInstance own(VK_API_VERSION_1_3, VK_KHR_GET_PHYSICAL_DEVICE_PROPERTIES_2_EXTENSION_NAME);
  const auto ofExtension = [&](const char* name) {
    return own.global.vkGetInstanceProcAddr(own.handle, name);
  };
  const auto featuresKhr =
      reinterpret_cast<PFN_vkGetPhysicalDeviceFeatures2>(ofExtension("vkGetPhysicalDeviceFeatures2KHR"));
  const auto propertiesKhr =
      reinterpret_cast<PFN_vkGetPhysicalDeviceProperties2>(ofExtension("vkGetPhysicalDeviceProperties2KHR"));
  REQUIRE((featuresKhr && propertiesKhr));
  VkPhysicalDeviceCooperativeMatrix2PropertiesNV limits{};
  limits.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_2_PROPERTIES_NV;
  VkPhysicalDeviceProperties2 properties{};
  properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  properties.pNext = &limits;
  propertiesKhr(own.device, &properties);
  CHECK(limits.cooperativeMatrixWorkgroupScopeMaxWorkgroupSize >= 256);
  for (const bool backwards : {false, true}) {
    VkPhysicalDeviceCooperativeMatrixMaintenance1FeaturesEXT maintenance{};
    maintenance.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_MAINTENANCE_1_FEATURES_EXT;
    VkPhysicalDeviceShaderBfloat16FeaturesKHR bfloat16{};
    bfloat16.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_BFLOAT16_FEATURES_KHR;
    VkPhysicalDeviceVulkan13Features core{};
    core.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES;
    VkPhysicalDeviceShaderFloat8FeaturesEXT float8{};
    float8.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT8_FEATURES_EXT;
    VkPhysicalDeviceFeatures2 features{};
    features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
    StructureChain chain = {
        reinterpret_cast<VkBaseOutStructure*>(&maintenance), reinterpret_cast<VkBaseOutStructure*>(&bfloat16),
        reinterpret_cast<VkBaseOutStructure*>(&core), reinterpret_cast<VkBaseOutStructure*>(&float8)};
    if (backwards) std::reverse(chain.begin(), chain.end());
    chain.insert(chain.begin(), reinterpret_cast<VkBaseOutStructure*>(&features));
    linkChain(chain);
    (backwards ? featuresKhr : own.api.vkGetPhysicalDeviceFeatures2)(own.device, &features);
    CHECK(maintenance.cooperativeMatrixProperties2 == VK_TRUE);
    CHECK(maintenance.cooperativeMatrixReductions == VK_TRUE);
    CHECK(maintenance.cooperativeMatrixConversions == VK_TRUE);
    CHECK(maintenance.cooperativeMatrixPerElementOperations == VK_TRUE);
    CHECK(maintenance.cooperativeMatrixGetCoordinate == VK_TRUE);
    CHECK(bfloat16.shaderBFloat16Type == VK_TRUE);
    CHECK(bfloat16.shaderBFloat16DotProduct == VK_TRUE);
    CHECK(bfloat16.shaderBFloat16CooperativeMatrix == VK_TRUE);
    CHECK(float8.shaderFloat8 == VK_TRUE);
    CHECK(float8.shaderFloat8CooperativeMatrix == VK_TRUE);
    CHECK(core.computeFullSubgroups == VK_TRUE);  // the driver's
    CHECK(isLinked(chain));
  }
}
#endif

TEST_CASE("queries: features and properties in chains of any order, which stay as they were") {
  const InstanceApi& api = tests::vulkan().api();
  for (const bool nvFirst : {false, true}) {
    VkPhysicalDeviceCooperativeMatrixFeaturesKHR khr{};
    khr.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR;
    khr.cooperativeMatrixRobustBufferAccess = 7;
    VkPhysicalDeviceCooperativeMatrix2FeaturesNV nv{};
    nv.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_2_FEATURES_NV;
    VkPhysicalDeviceVulkan12Features core{};
    core.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
    VkPhysicalDeviceFeatures2 features{};
    features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
    StructureChain chain = {
        reinterpret_cast<VkBaseOutStructure*>(&features), reinterpret_cast<VkBaseOutStructure*>(&khr),
        reinterpret_cast<VkBaseOutStructure*>(&core), reinterpret_cast<VkBaseOutStructure*>(&nv)};
    if (nvFirst) std::swap(chain[1], chain[3]);
    linkChain(chain);
    api.vkGetPhysicalDeviceFeatures2(physical().handle, &features);
    CHECK(khr.cooperativeMatrix == VK_TRUE);
    CHECK(khr.cooperativeMatrixRobustBufferAccess == VK_FALSE);
    CHECK(nv.cooperativeMatrixTensorAddressing == VK_TRUE);
    CHECK(nv.cooperativeMatrixBlockLoads == VK_TRUE);
    CHECK(core.shaderInt8 == VK_TRUE);  // the driver's
    CHECK(isLinked(chain));
  }
  VkPhysicalDeviceCooperativeMatrix2PropertiesNV nv{};
  nv.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_2_PROPERTIES_NV;
  VkPhysicalDeviceCooperativeMatrixPropertiesKHR khr{};
  khr.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_PROPERTIES_KHR;
  khr.pNext = &nv;
  VkPhysicalDeviceProperties2 properties{};
  properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  properties.pNext = &khr;
  api.vkGetPhysicalDeviceProperties2(physical().handle, &properties);
  CHECK(khr.cooperativeMatrixSupportedStages == VK_SHADER_STAGE_COMPUTE_BIT);
  CHECK(nv.cooperativeMatrixWorkgroupScopeMaxWorkgroupSize >= 256);
  CHECK(nv.cooperativeMatrixFlexibleDimensionsMaxDimension >= 256);
  CHECK(properties.properties.deviceName[0] != 0);
  CHECK(khr.pNext == &nv);
}

namespace {

// Makes a device with a chain of structures and KHR's extension, and destroys it.
VkResult makeDevice(const void* chain, const VkPhysicalDeviceFeatures* core = nullptr) {
  const InstanceApi& api = tests::vulkan().api();
  tests::DeviceRequest request(chain);
  request.info.pEnabledFeatures = core;
  VkDevice device = VK_NULL_HANDLE;
  const VkResult result = api.vkCreateDevice(physical().handle, &request.info, nullptr, &device);
  if (result == VK_SUCCESS)
    reinterpret_cast<PFN_vkDestroyDevice>(api.vkGetDeviceProcAddr(device, "vkDestroyDevice"))(device,
                                                                                              nullptr);
  return result;
}

}  // namespace

TEST_CASE("devices: what the driver does not know is left out, in each form of a request") {
  auto matrices = tests::matrixFeatures();
  CHECK(makeDevice(&matrices) == VK_SUCCESS);
  const VkPhysicalDeviceFeatures core{};
  CHECK(makeDevice(&matrices, &core) == VK_SUCCESS);
  VkPhysicalDeviceVulkan13Features v13{};
  v13.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES;
  v13.pNext = &matrices;
  VkPhysicalDeviceVulkan12Features v12{};
  v12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
  v12.pNext = &v13;
  VkPhysicalDeviceFeatures2 all{};
  all.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  all.pNext = &v12;
  CHECK(makeDevice(&all) == VK_SUCCESS);
  CHECK(v12.shaderInt8 == VK_FALSE);  // the program's own structures are not written to
  CHECK(v13.pNext == &matrices);

  VkBaseInStructure unknown{VkStructureType(1999999999), reinterpret_cast<VkBaseInStructure*>(&matrices)};
  CHECK(makeDevice(&unknown) == VK_ERROR_INITIALIZATION_FAILED);
}

TEST_CASE("devices: of a group of physical devices") {
  auto matrices = tests::matrixFeatures();
  VkDeviceGroupDeviceCreateInfo group{};
  group.sType = VK_STRUCTURE_TYPE_DEVICE_GROUP_DEVICE_CREATE_INFO;
  group.physicalDeviceCount = 1;
  group.pPhysicalDevices = &physical().handle;
  group.pNext = &matrices;
  CHECK(makeDevice(&group) == VK_SUCCESS);
  group.pNext = nullptr;
  matrices.pNext = &group;
  CHECK(makeDevice(&matrices) == VK_SUCCESS);
}

TEST_CASE("devices: the layer is out of the way where nothing is asked of it") {
  const InstanceApi& api = tests::vulkan().api();
  const auto family = vk::computeFamily(tests::vulkan(), physical());
  REQUIRE(family);
  auto plain = vk::Device::create(tests::vulkan(), physical(), *family, {}, {});
  REQUIRE(plain);
  const Program p;
  const auto of = [&](const vk::Device& device, const char* name) {
    return api.vkGetDeviceProcAddr(device.handle(), name);
  };
  for (const char* name : {"vkCreateShaderModule", "vkDestroyShaderModule", "vkCreateComputePipelines",
                           "vkCreateGraphicsPipelines"})
    CHECK(of(**plain, name) != of(*p.device, name));
  CHECK(of(**plain, "vkCmdDispatch") == of(*p.device, "vkCmdDispatch"));
  CHECK(of(*p.device, "vkCreateRayTracingPipelinesKHR") == nullptr);  // the driver has none
}

namespace {

// Runs a shader in one subgroup. It must write 1 to each of 64 numbers, if it finds what it should.
void checkShader(const std::string& extensions, const std::string& body) {
  INFO(body);
  Program p(compileText(R"(#version 460
#pragma shader_stage(compute)
#extension GL_KHR_cooperative_matrix : enable
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
)" + extensions +
                        "layout(local_size_x = " + std::to_string(physical().subgroupSize) + R"() in;
layout(binding = 0) buffer Out { uint result[]; };
#define MAT(T, U) coopmat<T, gl_ScopeSubgroup, 8, 8, gl_MatrixUse##U>
#define ROWS gl_CooperativeMatrixLayoutRowMajor
// Small whole numbers, which all types have.
int valueA(uint i) { return int(i * 7u + 3u) % 5 - 2; }
int valueB(uint i) { return int(i * 5u + 1u) % 7 - 3; }
shared float sums[64];
)" + body));
  const VkShaderModule m = p.module(p.words);
  std::vector<VkPipeline> pipelines;
  REQUIRE(p.create({p.info(m)}, pipelines) == VK_SUCCESS);
  CHECK(p.run(pipelines[0]) == 1);
  p.destroy(pipelines[0]);
  p.destroy(m);
}

}  // namespace

TEST_CASE("results: products of bfloat16 and of 8-bit floats, with each type of sums that is listed") {
  const struct {
    const char *type, *sum, *extension;
    VkComponentTypeKHR a, c;
  } kCases[] = {
      {"bfloat16_t", "float", "GL_EXT_bfloat16", VK_COMPONENT_TYPE_BFLOAT16_KHR,
       VK_COMPONENT_TYPE_FLOAT32_KHR},
      {"bfloat16_t", "bfloat16_t", "GL_EXT_bfloat16", VK_COMPONENT_TYPE_BFLOAT16_KHR,
       VK_COMPONENT_TYPE_BFLOAT16_KHR},
      {"floate4m3_t", "float", "GL_EXT_float_e4m3", VK_COMPONENT_TYPE_FLOAT8_E4M3_EXT,
       VK_COMPONENT_TYPE_FLOAT32_KHR},
      {"floate4m3_t", "float16_t", "GL_EXT_float_e4m3", VK_COMPONENT_TYPE_FLOAT8_E4M3_EXT,
       VK_COMPONENT_TYPE_FLOAT16_KHR},
      {"floate5m2_t", "float", "GL_EXT_float_e5m2", VK_COMPONENT_TYPE_FLOAT8_E5M2_EXT,
       VK_COMPONENT_TYPE_FLOAT32_KHR},
      {"floate5m2_t", "float16_t", "GL_EXT_float_e5m2", VK_COMPONENT_TYPE_FLOAT8_E5M2_EXT,
       VK_COMPONENT_TYPE_FLOAT16_KHR},
  };
  size_t ran = 0;
  for (const auto& c : kCases) {
    // If the driver has matrices of the type itself, their shapes are others.
    const auto& listed = physical().matrices.fixed;
    const bool isListed = std::any_of(listed.begin(), listed.end(), [&](const MatrixProperty& p) {
      return p.m == 8 && p.n == 8 && p.k == 8 && p.a == c.a && p.b == c.a && p.c == c.c;
    });
    if (!isListed) continue;
    ++ran;
    std::string body = R"(
shared TYPE left[64], right[64];
shared SUM products[64];
void main() {
  for (uint i = gl_LocalInvocationIndex; i < 64; i += gl_WorkGroupSize.x) {
    left[i] = TYPE(float(valueA(i)));
    right[i] = TYPE(float(valueB(i)));
  }
  barrier();
  MAT(TYPE, A) a;
  MAT(TYPE, B) b;
  coopMatLoad(a, left, 0, 8, ROWS);
  coopMatLoad(b, right, 0, 8, ROWS);
  MAT(SUM, Accumulator) c = MAT(SUM, Accumulator)(SUM(1.0));
  c = coopMatMulAdd(a, b, c);
  coopMatStore(c, products, 0, 8, ROWS);
  barrier();
  for (uint i = gl_LocalInvocationIndex; i < 64; i += gl_WorkGroupSize.x) {
    int sum = 1;
    for (uint k = 0; k < 8; ++k) sum += valueA(i / 8 * 8 + k) * valueB(k * 8 + i % 8);
    result[i] = float(products[i]) == float(sum) ? 1 : 0;
  }
}
)";
    for (const auto& [name, text] : {std::pair("TYPE", c.type), std::pair("SUM", c.sum)}) {
      for (size_t at = body.find(name); at != std::string::npos; at = body.find(name, at))
        body.replace(at, std::strlen(name), text);
    }
    checkShader("#extension " + std::string(c.extension) + " : require\n", body);
  }
  // If the driver has bfloat16 itself, as an H200 does, it is not listed in this size.
  CHECK(ran == (physical().type == VK_PHYSICAL_DEVICE_TYPE_CPU ? 6 : 4));
}

TEST_CASE("results: dot products of bfloat16, in a shader without matrices") {
  checkShader("#extension GL_EXT_bfloat16 : require\n", R"(
void main() {
  for (uint i = gl_LocalInvocationIndex; i < 64; i += gl_WorkGroupSize.x) {
    const bf16vec4 a = bf16vec4(float(valueA(i)), 2.0, 3.0, 4.0);
    const bf16vec4 b = bf16vec4(5.0, float(valueB(i)), -1.0, 2.0);
    result[i] = float(dot(a, b)) == float(valueA(i) * 5 + valueB(i) * 2 + 5) ? 1 : 0;
  }
}
)");
}

TEST_CASE("results: what VK_EXT_cooperative_matrix_maintenance1 adds") {
  const std::string extension = "#extension GL_EXT_cooperative_matrix_maintenance1 : require\n";
  const std::string fill = R"(
  for (uint i = gl_LocalInvocationIndex; i < 64; i += gl_WorkGroupSize.x) sums[i] = float(valueA(i));
  barrier();
  MAT(float, Accumulator) m;
  coopMatLoad(m, sums, 0, 8, ROWS);
  barrier();
)";
  const std::string compare = R"(
  barrier();
  for (uint i = gl_LocalInvocationIndex; i < 64; i += gl_WorkGroupSize.x) result[i] = sums[i] == wanted(i) ? 1 : 0;
}
)";
  checkShader(extension, R"(
float add(const in float x, const in float y) { return x + y; }
float wanted(uint i) {
  float sum = 0;
  for (uint k = 0; k < 8; ++k) sum += float(valueA(i / 8 * 8 + k));
  return sum;
}
void main() {)" + fill + R"(
  MAT(float, Accumulator) r;
  coopMatReduceEXT(r, m, gl_CooperativeMatrixReduceRowEXT, add);
  coopMatStore(r, sums, 0, 8, ROWS);
)" + compare);
  checkShader(extension, R"(
float place(const in uint32_t row, const in uint32_t column, const in float x) { return x * 100 + row * 8 + column; }
float wanted(uint i) { return float(valueA(i)) * 100 + i; }
void main() {)" + fill + R"(
  coopMatPerElementEXT(m, m, place);
  coopMatStore(m, sums, 0, 8, ROWS);
)" + compare);
  checkShader(extension, R"(
float wanted(uint i) { return float(valueA(i % 8 * 8 + i / 8)) * 2; }
void main() {)" + fill + R"(
  MAT(float, A) a;
  coopMatTransposeEXT(a, m);
  MAT(float, Accumulator) back = MAT(float, Accumulator)(a);
  coopMatStore(back + back, sums, 0, 8, ROWS);
)" + compare);
  // The driver may not give coordinates for its own matrices.
  if (!physical().features.has(Feature::maintenance1_cooperativeMatrixGetCoordinate)) return;
  checkShader(extension, R"(
float wanted(uint i) { return float(valueA(i)) * 100 + i; }
void main() {)" + fill + R"(
  for (uint i = 0; i < m.length(); ++i) {
    const uvec2 at = coopMatGetCoordinateEXT(m, i);
    sums[at.x * 8 + at.y] = m[i] * 100 + float(at.x * 8 + at.y);
  }
)" + compare);
}

TEST_CASE("pipelines: specialization, by data of any layout") {
  Program p;
  const VkShaderModule m = p.module(p.words);
  const auto result = [&](const VkSpecializationInfo* specialization) {
    VkComputePipelineCreateInfo info = p.info(m);
    info.stage.pSpecializationInfo = specialization;
    std::vector<VkPipeline> pipelines;
    REQUIRE(p.create({info}, pipelines) == VK_SUCCESS);
    const uint32_t value = p.run(pipelines[0]);
    p.destroy(pipelines[0]);
    return value;
  };
  CHECK(result(nullptr) == 21);
  const uint32_t data[] = {100, 7};
  const VkSpecializationMapEntry swapped[] = {{1, 0, 4}, {0, 4, 4}};
  const VkSpecializationInfo both{2, swapped, sizeof data, data};
  CHECK(result(&both) == 107);
  const VkSpecializationInfo missing{1, swapped, sizeof data, data};
  CHECK(result(&missing) == 101);
  const VkSpecializationMapEntry overlap[] = {{0, 4, 4}, {1, 4, 4}, {77, 0, 4}};
  const VkSpecializationInfo same{3, overlap, sizeof data, data};
  CHECK(result(&same) == 14);
  const VkSpecializationInfo none{0, nullptr, 0, nullptr};
  CHECK(result(&none) == 21);
  p.destroy(m);
}

TEST_CASE("pipelines: the module inside the stage, and modules that are destroyed first") {
  Program p;
  VkShaderModuleCreateInfo code = tests::codeOf(p.words);
  // The chain may have another structure of the stage before the module's.
  VkPipelineShaderStageRequiredSubgroupSizeCreateInfo size{};
  size.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO;
  size.requiredSubgroupSize = 8;
  size.pNext = &code;
  std::vector<VkPipeline> pipelines;
  for (const void* chain : {static_cast<const void*>(&code), static_cast<const void*>(&size)}) {
    VkComputePipelineCreateInfo info = p.info(VK_NULL_HANDLE);
    info.stage.pNext = chain;
    REQUIRE(p.create({info}, pipelines) == VK_SUCCESS);
    CHECK(p.run(pipelines[0]) == 21);
    p.destroy(pipelines[0]);
  }
  CHECK(size.pNext == &code);
  VkBaseInStructure unknown{VkStructureType(1999999999), reinterpret_cast<VkBaseInStructure*>(&code)};
  VkComputePipelineCreateInfo info = p.info(VK_NULL_HANDLE);
  info.stage.pNext = &unknown;
  CHECK(p.create({info}, pipelines) == VK_ERROR_INVALID_SHADER_NV);
  CHECK(pipelines[0] == VK_NULL_HANDLE);

  const VkShaderModule m = p.module(p.words);
  REQUIRE(p.create({p.info(m)}, pipelines) == VK_SUCCESS);
  p.destroy(m);
  CHECK(p.run(pipelines[0]) == 21);
  p.destroy(pipelines[0]);
  p.destroy(VkShaderModule{VK_NULL_HANDLE});
}

TEST_CASE("pipelines: of several, those that cannot be lowered are missing, and the others are there") {
  Program p;
  const VkShaderModule good = p.module(p.words), bad = p.module(largeModule());
  std::vector<VkPipeline> pipelines;
  REQUIRE(p.create({p.info(good), p.info(bad), p.info(good)}, pipelines) == VK_ERROR_INVALID_SHADER_NV);
  CHECK(pipelines[1] == VK_NULL_HANDLE);
  CHECK(p.run(pipelines[0]) == 21);
  CHECK(p.run(pipelines[2]) == 21);
  p.destroy(pipelines[0]);
  p.destroy(pipelines[2]);

  VkComputePipelineCreateInfo early = p.info(bad);
  early.flags = VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT;
  CHECK(p.create({p.info(good), early, p.info(good)}, pipelines) == VK_ERROR_INVALID_SHADER_NV);
  CHECK(pipelines[0] != VK_NULL_HANDLE);
  CHECK(pipelines[1] == VK_NULL_HANDLE);
  CHECK(pipelines[2] == VK_NULL_HANDLE);
  p.destroy(pipelines[0]);

  // A pipeline may be a derivative of another one in the same call.
  VkComputePipelineCreateInfo base = p.info(good), derived = p.info(good);
  base.flags = VK_PIPELINE_CREATE_ALLOW_DERIVATIVES_BIT;
  derived.flags = VK_PIPELINE_CREATE_DERIVATIVE_BIT;
  derived.basePipelineIndex = 0;
  REQUIRE(p.create({base, derived}, pipelines) == VK_SUCCESS);
  CHECK(p.run(pipelines[1]) == 21);
  for (const VkPipeline pipeline : pipelines) p.destroy(pipeline);
  REQUIRE(p.create({base, derived, p.info(bad)}, pipelines) == VK_ERROR_INVALID_SHADER_NV);
  CHECK(p.run(pipelines[1]) == 21);
  for (const VkPipeline pipeline : pipelines) p.destroy(pipeline);
  base.stage.module = bad;
  CHECK(p.create({base, derived}, pipelines) == VK_ERROR_INVALID_SHADER_NV);
  CHECK(pipelines[1] == VK_NULL_HANDLE);
  p.destroy(good);
  p.destroy(bad);
}

TEST_CASE("pipelines: a program that wants nothing compiled gets what was lowered before") {
  Program p;
  const VkShaderModule m = p.module(compileText(kHead + R"(void main() {
    coopmat<uint32_t, gl_ScopeSubgroup, 8, 8, gl_MatrixUseAccumulator> a =
        coopmat<uint32_t, gl_ScopeSubgroup, 8, 8, gl_MatrixUseAccumulator>(kFirst * 3 + 2);
    coopMatStore(a, result, 0, 8, gl_CooperativeMatrixLayoutRowMajor);
  }
)"));
  VkComputePipelineCreateInfo info = p.info(m);
  info.flags = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
  std::vector<VkPipeline> pipelines;
  CHECK(p.create({info}, pipelines) == VK_PIPELINE_COMPILE_REQUIRED);
  CHECK(pipelines[0] == VK_NULL_HANDLE);
  REQUIRE(p.create({p.info(m)}, pipelines) == VK_SUCCESS);
  CHECK(p.run(pipelines[0]) == 5);
  p.destroy(pipelines[0]);
  // From here on the driver decides.
  const VkResult again = p.create({info}, pipelines);
  CHECK((again == VK_SUCCESS || again == VK_PIPELINE_COMPILE_REQUIRED));
  p.destroy(pipelines[0]);
  p.destroy(m);
}

TEST_CASE("pipelines: a cache of the driver's, filled and read again") {
  Program p;
  const auto create = procedure<PFN_vkCreatePipelineCache>(*p.device, "vkCreatePipelineCache");
  const auto destroy = procedure<PFN_vkDestroyPipelineCache>(*p.device, "vkDestroyPipelineCache");
  const auto data = procedure<PFN_vkGetPipelineCacheData>(*p.device, "vkGetPipelineCacheData");
  REQUIRE((create && destroy && data));
  const VkShaderModule m = p.module(p.words);
  const VkComputePipelineCreateInfo info = p.info(m);
  std::vector<char> kept;
  for (int round = 0; round < 2; ++round) {
    VkPipelineCacheCreateInfo cacheInfo{};
    cacheInfo.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO;
    cacheInfo.initialDataSize = kept.size();
    cacheInfo.pInitialData = kept.data();
    VkPipelineCache cache = VK_NULL_HANDLE;
    REQUIRE(create(p.device->handle(), &cacheInfo, nullptr, &cache) == VK_SUCCESS);
    VkPipeline pipeline = VK_NULL_HANDLE;
    REQUIRE(p.device->api().vkCreateComputePipelines(p.device->handle(), cache, 1, &info, nullptr,
                                                     &pipeline) == VK_SUCCESS);
    CHECK(p.run(pipeline) == 21);
    size_t size = 0;
    REQUIRE(data(p.device->handle(), cache, &size, nullptr) == VK_SUCCESS);
    kept.resize(size);
    REQUIRE(data(p.device->handle(), cache, &size, kept.data()) == VK_SUCCESS);
    p.destroy(pipeline);
    destroy(p.device->handle(), cache, nullptr);
  }
  CHECK_FALSE(kept.empty());
  p.destroy(m);
}

TEST_CASE("fork: the child makes an instance and pipelines of its own, and the parent goes on") {
  Program p;
  const VkShaderModule m = p.module(p.words);
  std::vector<VkPipeline> pipelines;
  REQUIRE(p.create({p.info(m)}, pipelines) == VK_SUCCESS);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    alarm(60);
    const auto fresh = Instance::create({});
    if (!fresh || (*fresh)->devices().empty()) _exit(2);
    const PhysicalDevice& device = (*fresh)->devices()[0];
    if (!device.hasExtension("VK_NV_cooperative_matrix2")) _exit(3);
    const auto info = readModuleInfo(p.words);
    const auto family = vk::computeFamily(**fresh, device);
    if (!info || !family) _exit(4);
    auto made = vk::Device::create(**fresh, device, *family, requirementsOf(*info, device, {}), {});
    if (!made) _exit(5);
    const DeviceApi& api = (*made)->api();
    const VkDevice handle = (*made)->handle();
    vk::PipelineLayout layout;
    const vk::Binding bindings[] = {{0, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}};
    if (layout.create(**made, bindings, 0)) _exit(6);
    const VkShaderModuleCreateInfo code = tests::codeOf(p.words);
    VkComputePipelineCreateInfo create = p.info(VK_NULL_HANDLE);
    create.layout = layout.handle();
    VkPipeline pipeline = VK_NULL_HANDLE;
    if (api.vkCreateShaderModule(handle, &code, nullptr, &create.stage.module) != VK_SUCCESS) _exit(7);
    if (api.vkCreateComputePipelines(handle, VK_NULL_HANDLE, 1, &create, nullptr, &pipeline) != VK_SUCCESS)
      _exit(8);
    api.vkDestroyPipeline(handle, pipeline, nullptr);
    api.vkDestroyShaderModule(handle, create.stage.module, nullptr);
    _exit(0);
  }
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 0));
  CHECK(p.run(pipelines[0]) == 21);
  p.destroy(pipelines[0]);
  p.destroy(m);
}

TEST_CASE("modules: handles are the driver's wherever they stand") {
  Program p;
  const VkShaderModule m = p.module(p.words);
  const auto createSlot = procedure<PFN_vkCreatePrivateDataSlot>(*p.device, "vkCreatePrivateDataSlotEXT");
  const auto destroySlot = procedure<PFN_vkDestroyPrivateDataSlot>(*p.device, "vkDestroyPrivateDataSlotEXT");
  const auto set = procedure<PFN_vkSetPrivateData>(*p.device, "vkSetPrivateDataEXT");
  const auto get = procedure<PFN_vkGetPrivateData>(*p.device, "vkGetPrivateDataEXT");
  REQUIRE((createSlot && destroySlot && set && get));
  VkPrivateDataSlotCreateInfo slotInfo{};
  slotInfo.sType = VK_STRUCTURE_TYPE_PRIVATE_DATA_SLOT_CREATE_INFO;
  VkPrivateDataSlot slot = VK_NULL_HANDLE;
  REQUIRE(createSlot(p.device->handle(), &slotInfo, nullptr, &slot) == VK_SUCCESS);
  REQUIRE(set(p.device->handle(), VK_OBJECT_TYPE_SHADER_MODULE, uint64_t(m), slot, 42) == VK_SUCCESS);
  uint64_t value = 0;
  get(p.device->handle(), VK_OBJECT_TYPE_SHADER_MODULE, uint64_t(m), slot, &value);
  CHECK(value == 42);
  destroySlot(p.device->handle(), slot, nullptr);

  p.destroy(m);
}

TEST_CASE("shader objects: lowered like pipelines") {
  Program p;
  const auto create = procedure<PFN_vkCreateShadersEXT>(*p.device, "vkCreateShadersEXT");
  const auto destroy = procedure<PFN_vkDestroyShaderEXT>(*p.device, "vkDestroyShaderEXT");
  const auto bind = procedure<PFN_vkCmdBindShadersEXT>(*p.device, "vkCmdBindShadersEXT");
  REQUIRE((create && destroy && bind));
  const auto request = [&](const std::vector<uint32_t>& words) {
    VkShaderCreateInfoEXT info{};
    info.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT;
    info.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT;
    info.codeSize = words.size() * sizeof(uint32_t);
    info.pCode = words.data();
    info.pName = "main";
    info.setLayoutCount = uint32_t(p.layout.sets().size());
    info.pSetLayouts = p.layout.sets().data();
    return info;
  };
  const uint32_t data = 30;
  const VkSpecializationMapEntry entry{1, 0, 4};
  const VkSpecializationInfo specialization{1, &entry, sizeof data, &data};
  VkShaderCreateInfoEXT info = request(p.words);
  info.pSpecializationInfo = &specialization;
  VkShaderEXT shader = VK_NULL_HANDLE;
  REQUIRE(create(p.device->handle(), 1, &info, nullptr, &shader) == VK_SUCCESS);
  std::memset(p.buffer.bytes(), 0xAA, 64 * sizeof(uint32_t));
  REQUIRE_FALSE(p.commands.begin());
  const VkShaderStageFlagBits stage = VK_SHADER_STAGE_COMPUTE_BIT;
  bind(p.commands.handle(), 1, &stage, &shader);
  CHECK(p.finish() == 31);
  destroy(p.device->handle(), shader, nullptr);

  const std::vector<uint32_t> large = largeModule();
  const VkShaderCreateInfoEXT two[] = {request(p.words), request(large)};
  VkShaderEXT shaders[2] = {reinterpret_cast<VkShaderEXT>(uintptr_t{1}),
                            reinterpret_cast<VkShaderEXT>(uintptr_t{2})};
  CHECK(create(p.device->handle(), 2, two, nullptr, shaders) == VK_ERROR_INITIALIZATION_FAILED);
  CHECK(shaders[0] == VK_NULL_HANDLE);
  CHECK(shaders[1] == VK_NULL_HANDLE);
}

TEST_CASE("graphics pipelines: a module with matrices is refused") {
  Program p;
  const auto create = procedure<PFN_vkCreateGraphicsPipelines>(*p.device, "vkCreateGraphicsPipelines");
  REQUIRE(create != nullptr);
  const VkShaderModule m = p.module(p.words);
  VkPipelineShaderStageCreateInfo stage = p.info(m).stage;
  stage.stage = VK_SHADER_STAGE_FRAGMENT_BIT;
  VkGraphicsPipelineCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO;
  info.stageCount = 1;
  info.pStages = &stage;
  VkPipeline pipeline = reinterpret_cast<VkPipeline>(uintptr_t{1});
  CHECK(create(p.device->handle(), VK_NULL_HANDLE, 1, &info, nullptr, &pipeline) ==
        VK_ERROR_INVALID_SHADER_NV);
  CHECK(pipeline == VK_NULL_HANDLE);
  p.destroy(m);
}

TEST_CASE("hostile modules end in errors") {
  Program p;
  size_t tried = 0, refused = 0;
  // Truncated after every 16 bytes. If the result still declares matrices, the layer handles it, and the
  // driver gets a placeholder. A result without matrices would go to the driver, so it is not tried.
  for (size_t words = 40; words + 8 < p.words.size(); words += 4) {
    const std::vector<uint32_t> cut(p.words.begin(), p.words.begin() + ptrdiff_t(words));
    const VkShaderModule m = p.module(cut);
    std::vector<VkPipeline> pipelines;
    ++tried;
    if (p.create({p.info(m)}, pipelines) == VK_ERROR_INVALID_SHADER_NV) {
      CHECK(pipelines[0] == VK_NULL_HANDLE);
      ++refused;
    } else {
      p.destroy(pipelines[0]);
    }
    p.destroy(m);
  }
  CHECK(tried > 50);
  CHECK(refused == tried);
}

TEST_CASE("threads: modules and pipelines of one device at the same time") {
  Program p;
  std::atomic<int> made{0}, wrong{0};
  const std::vector<uint32_t> large = largeModule();
  std::vector<std::thread> threads;
  for (uint32_t t = 0; t < 6; ++t) {
    threads.emplace_back([&, t] {
      const DeviceApi& api = p.device->api();
      for (uint32_t n = 0; n < 20; ++n) {
        const bool bad = (t + n) % 5 == 0;
        const VkShaderModuleCreateInfo code = tests::codeOf(bad ? large : p.words);
        VkShaderModule m = VK_NULL_HANDLE;
        if (api.vkCreateShaderModule(p.device->handle(), &code, nullptr, &m) != VK_SUCCESS) ++wrong;
        VkComputePipelineCreateInfo info = p.info(m);
        const uint32_t data = n % 4;
        const VkSpecializationMapEntry entry{0, 0, 4};
        const VkSpecializationInfo specialization{1, &entry, sizeof data, &data};
        info.stage.pSpecializationInfo = &specialization;
        VkPipeline pipeline = VK_NULL_HANDLE;
        const VkResult result =
            api.vkCreateComputePipelines(p.device->handle(), VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
        if (result != (bad ? VK_ERROR_INVALID_SHADER_NV : VK_SUCCESS)) ++wrong;
        api.vkDestroyShaderModule(p.device->handle(), m, nullptr);
        api.vkDestroyPipeline(p.device->handle(), pipeline, nullptr);
        ++made;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(made == 120);
  CHECK(wrong == 0);
}

TEST_CASE("devices: several at once, destroyed in any order") {
  for (const bool firstFirst : {true, false}) {
    auto a = std::make_unique<Program>(), b = std::make_unique<Program>();
    const VkShaderModule ma = a->module(a->words), mb = b->module(b->words);
    std::vector<VkPipeline> pa, pb;
    REQUIRE(a->create({a->info(ma)}, pa) == VK_SUCCESS);
    REQUIRE(b->create({b->info(mb)}, pb) == VK_SUCCESS);
    CHECK(a->run(pa[0]) == 21);
    const auto endOf = [](std::unique_ptr<Program>& p, VkShaderModule m, VkPipeline pipeline) {
      p->destroy(pipeline);
      p->destroy(m);
      p.reset();
    };
    if (firstFirst) endOf(a, ma, pa[0]);
    CHECK(b->run(pb[0]) == 21);
    endOf(b, mb, pb[0]);
    if (!firstFirst) endOf(a, ma, pa[0]);
  }
}

namespace {

struct Heard {
  std::vector<std::string> texts;
  static VKAPI_ATTR VkBool32 VKAPI_CALL receive(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                                VkDebugUtilsMessageTypeFlagsEXT,
                                                const VkDebugUtilsMessengerCallbackDataEXT* data,
                                                void* user) {
    const bool isOurs =
        data->pMessageIdName != nullptr && std::strcmp(data->pMessageIdName, layer::kLayerName) == 0;
    if (isOurs && severity == VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT)
      static_cast<Heard*>(user)->texts.emplace_back(data->pMessage);
    return VK_FALSE;
  }
};

// Modules that cannot be lowered, and modules in stages other than compute. Destroys the device.
void refusePipelines(const InstanceApi& api, VkDevice device) {
  const auto command = [&](auto& pfn, const char* name) {
    pfn = reinterpret_cast<std::decay_t<decltype(pfn)>>(api.vkGetDeviceProcAddr(device, name));
    REQUIRE(pfn != nullptr);
  };
  PFN_vkCreateShaderModule createModule = nullptr;
  PFN_vkDestroyShaderModule destroyModule = nullptr;
  PFN_vkCreateComputePipelines createCompute = nullptr;
  PFN_vkCreateGraphicsPipelines createGraphics = nullptr;
  PFN_vkDestroyDevice destroyDevice = nullptr;
  command(createModule, "vkCreateShaderModule");
  command(destroyModule, "vkDestroyShaderModule");
  command(createCompute, "vkCreateComputePipelines");
  command(createGraphics, "vkCreateGraphicsPipelines");
  command(destroyDevice, "vkDestroyDevice");
  const std::vector<uint32_t> large = largeModule();
  const VkShaderModuleCreateInfo code = tests::codeOf(large);
  VkComputePipelineCreateInfo compute = tests::computeOf(VK_NULL_HANDLE);
  REQUIRE(createModule(device, &code, nullptr, &compute.stage.module) == VK_SUCCESS);
  VkPipeline pipeline = VK_NULL_HANDLE;
  CHECK(createCompute(device, VK_NULL_HANDLE, 1, &compute, nullptr, &pipeline) == VK_ERROR_INVALID_SHADER_NV);
  VkPipelineShaderStageCreateInfo stage = compute.stage;
  stage.stage = VK_SHADER_STAGE_FRAGMENT_BIT;
  VkGraphicsPipelineCreateInfo graphics{};
  graphics.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO;
  graphics.stageCount = 1;
  graphics.pStages = &stage;
  CHECK(createGraphics(device, VK_NULL_HANDLE, 1, &graphics, nullptr, &pipeline) ==
        VK_ERROR_INVALID_SHADER_NV);
  destroyModule(device, compute.stage.module, nullptr);
  destroyDevice(device, nullptr);
}

}  // namespace

TEST_CASE("messages and settings: an instance that asks for both") {
  const auto global = loadGlobalApi();
  REQUIRE(global);
  Heard heard;
  VkDebugUtilsMessengerCreateInfoEXT messenger{};
  messenger.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT;
  messenger.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  messenger.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT;
  messenger.pfnUserCallback = &Heard::receive;
  messenger.pUserData = &heard;
  const char* const only = "VK_KHR_cooperative_matrix";
  const VkLayerSettingEXT setting{layer::kLayerName, "give", VK_LAYER_SETTING_TYPE_STRING_EXT, 1, &only};
  VkLayerSettingsCreateInfoEXT settings{};
  settings.sType = VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT;
  settings.settingCount = 1;
  settings.pSettings = &setting;
  VkApplicationInfo application{};
  application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
  application.apiVersion = VK_API_VERSION_1_3;
  const char* const extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME};
  VkInstanceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  info.pNext = &settings;
  info.pApplicationInfo = &application;
  info.enabledExtensionCount = 1;
  info.ppEnabledExtensionNames = extensions;
  VkInstance instance = VK_NULL_HANDLE;
  REQUIRE(global->vkCreateInstance(&info, nullptr, &instance) == VK_SUCCESS);
  const auto api = loadInstanceApi(*global, instance);
  REQUIRE(api);
  VkDebugUtilsMessengerEXT handle = VK_NULL_HANDLE;
  REQUIRE(api->vkCreateDebugUtilsMessengerEXT(instance, &messenger, nullptr, &handle) == VK_SUCCESS);
  uint32_t count = 1;
  VkPhysicalDevice first = VK_NULL_HANDLE;
  REQUIRE(api->vkEnumeratePhysicalDevices(instance, &count, &first) >= 0);
  const PhysicalDevice described = describeDevice(*api, first, 0, VK_API_VERSION_1_3);
  CHECK(described.hasExtension("VK_KHR_cooperative_matrix"));
  CHECK_FALSE(described.hasExtension("VK_NV_cooperative_matrix2"));
  CHECK(described.features.has(Feature::cooperativeMatrix));

  auto matrices = tests::matrixFeatures();
  VkBaseInStructure unknown{VkStructureType(1999999999), reinterpret_cast<VkBaseInStructure*>(&matrices)};
  tests::DeviceRequest request(&unknown);
  VkDevice device = VK_NULL_HANDLE;
  CHECK(api->vkCreateDevice(first, &request.info, nullptr, &device) == VK_ERROR_INITIALIZATION_FAILED);
  REQUIRE(heard.texts.size() == 1);
  CHECK(heard.texts[0] ==
        "vkCreateDevice: a structure of type 1999999999, which the layer does not know, stands before one "
        "that it must "
        "change");

  request.info.pNext = &matrices;
  REQUIRE(api->vkCreateDevice(first, &request.info, nullptr, &device) == VK_SUCCESS);
  refusePipelines(*api, device);
  REQUIRE(heard.texts.size() == 3);
  CHECK(heard.texts[1].find("a compute shader (entry point main) cannot be lowered for this device: ") == 0);
  CHECK(heard.texts[2] ==
        "a shader (entry point main) cannot be lowered for this device: "
        "a module with cooperative matrices is used in a stage that is not a compute shader");
  api->vkDestroyDebugUtilsMessengerEXT(instance, handle, nullptr);
  api->vkDestroyInstance(instance, nullptr);
}
