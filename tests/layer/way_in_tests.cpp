// Every way for shaders to reach the driver, on a driver that records forbidden requests (fake_driver.hpp).
// Inputs are random (random_requests.hpp), for several devices, from several threads. COOPC_FUZZ_SEED and
// COOPC_FUZZ_STEPS select others.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "coopc/coopc.hpp"
#include "layer/chain.hpp"
#include "layer/module.hpp"
#include "layer/offer.hpp"
#include "layer/settings.hpp"
#include "layer/state.hpp"
#include "spirv/instruction_walk.hpp"
#include "tests/layer/fake_driver.hpp"
#include "tests/layer/random_requests.hpp"
#include "tests/layer/requests.hpp"

using namespace coopc;
using tests::codeOf;
using tests::compileBody;
using tests::computeOf;
using tests::matrixModule;
using tests::must;
using tests::plainModule;
using tests::smallFloatModule;
using tests::workgroupModule;
using tests::fake::Driver;

namespace {

const bool environmentIsSet = [] {
  setenv("VK_COOPC_COOPERATIVE_MATRIX_CACHE", "off", 1);
  setenv("VK_COOPC_COOPERATIVE_MATRIX_LOG_LEVEL", "off", 1);
  return true;
}();

// An instance and a device with matrices, through the layer.
class Program {
 public:
  explicit Program(const void* chain = nullptr, uint32_t physical = 0) {
    must(tests::fake::createInstance(chain, &instance) == VK_SUCCESS);
    const auto devices = tests::fake::physicalDevices(instance);
    must(physical < devices.size());
    auto matrices = tests::matrixFeatures();
    VkDeviceCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
    info.pNext = &matrices;
    must(tests::fake::createDevice(devices[physical], info, &device) == VK_SUCCESS);
  }
  ~Program() {
    command<PFN_vkDestroyDevice>("vkDestroyDevice")(device, nullptr);
    tests::fake::instanceCommand<PFN_vkDestroyInstance>(instance, "vkDestroyInstance")(instance, nullptr);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  template <class Pfn>
  Pfn command(const char* name) const {
    const Pfn found = tests::fake::deviceCommand<Pfn>(device, name);
    must(found != nullptr);
    return found;
  }
  VkShaderModule module(const std::vector<uint32_t>& words) const {
    const VkShaderModuleCreateInfo info = codeOf(words);
    VkShaderModule made = VK_NULL_HANDLE;
    must(command<PFN_vkCreateShaderModule>("vkCreateShaderModule")(device, &info, nullptr, &made) ==
         VK_SUCCESS);
    return made;
  }
  void destroy(VkShaderModule m) const {
    command<PFN_vkDestroyShaderModule>("vkDestroyShaderModule")(device, m, nullptr);
  }
  void destroy(VkPipeline p) const {
    command<PFN_vkDestroyPipeline>("vkDestroyPipeline")(device, p, nullptr);
  }
  VkResult create(const VkComputePipelineCreateInfo& info, VkPipeline& pipeline) const {
    return command<PFN_vkCreateComputePipelines>("vkCreateComputePipelines")(device, VK_NULL_HANDLE, 1, &info,
                                                                             nullptr, &pipeline);
  }
  std::string key(const VkComputePipelineCreateInfo& info) const {
    VkPipelineCreateInfoKHR named{};
    named.sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_INFO_KHR;
    named.pNext = const_cast<VkComputePipelineCreateInfo*>(&info);
    VkPipelineBinaryKeyKHR k{};
    k.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_KEY_KHR;
    must(command<PFN_vkGetPipelineKeyKHR>("vkGetPipelineKeyKHR")(device, &named, &k) == VK_SUCCESS);
    return std::string(reinterpret_cast<const char*>(k.key), k.keySize);
  }

  VkInstance instance = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
};

void checkAllIsWell() {
  CHECK(tests::fake::takeFaults() == std::vector<std::string>{});
  CHECK(tests::fake::alive() == 0);
}

}  // namespace

TEST_CASE("pipeline binaries: keys are those of what the driver compiles") {
  tests::fake::become({});
  {
    const Program p;
    const VkShaderModule a = p.module(matrixModule()), b = p.module(workgroupModule());
    const VkComputePipelineCreateInfo ofA = computeOf(a);
    VkPipeline pipeline = VK_NULL_HANDLE;
    CHECK(p.key(ofA) == p.key(ofA));
    CHECK(p.key(ofA) != p.key(computeOf(b)));
    // Constants are part of what is lowered.
    const uint32_t data = 5;
    const VkSpecializationMapEntry entry{0, 0, 4};
    const VkSpecializationInfo five{1, &entry, sizeof data, &data};
    VkComputePipelineCreateInfo specialized = ofA;
    specialized.stage.pSpecializationInfo = &five;
    CHECK(p.key(specialized) != p.key(ofA));
    // A module that is passed in the stage's chain has the same key.
    const VkShaderModuleCreateInfo code = codeOf(matrixModule());
    VkComputePipelineCreateInfo inside = computeOf(VK_NULL_HANDLE);
    inside.stage.pNext = &code;
    CHECK(p.key(inside) == p.key(ofA));
    // A program that forbids compiling still gets a key.
    VkComputePipelineCreateInfo nothing = computeOf(b);
    nothing.flags = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
    CHECK(p.key(nothing) == p.key(computeOf(b)));

    VkPipelineCreateInfoKHR named{};
    named.sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_INFO_KHR;
    named.pNext = const_cast<VkComputePipelineCreateInfo*>(&ofA);
    VkPipelineBinaryCreateInfoKHR cached{};
    cached.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_CREATE_INFO_KHR;
    cached.pPipelineCreateInfo = &named;
    VkPipelineBinaryHandlesInfoKHR binaries{};
    binaries.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_HANDLES_INFO_KHR;
    const auto createBinaries = p.command<PFN_vkCreatePipelineBinariesKHR>("vkCreatePipelineBinariesKHR");
    CHECK(createBinaries(p.device, &cached, nullptr, &binaries) == VK_PIPELINE_BINARY_MISSING_KHR);
    REQUIRE(p.create(ofA, pipeline) == VK_SUCCESS);
    CHECK(createBinaries(p.device, &cached, nullptr, &binaries) == VK_SUCCESS);
    const std::string key = p.key(ofA);
    const uint64_t made = tests::fake::lastPipeline();
    CHECK(std::memcmp(key.data(), &made, sizeof made) == 0);

    // With binaries, the same request succeeds again, even if nothing may be compiled.
    const VkPipelineBinaryKHR binary = VkPipelineBinaryKHR(uint64_t{7});
    VkPipelineBinaryInfoKHR of{};
    of.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR;
    of.binaryCount = 1;
    of.pPipelineBinaries = &binary;
    VkComputePipelineCreateInfo fromBinaries = ofA;
    fromBinaries.pNext = &of;
    fromBinaries.flags = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
    VkPipeline second = VK_NULL_HANDLE;
    REQUIRE(p.create(fromBinaries, second) == VK_SUCCESS);
    CHECK(tests::fake::lastPipeline() == made);
    // A request without a module passes through.
    fromBinaries.stage.module = VK_NULL_HANDLE;
    VkPipeline third = VK_NULL_HANDLE;
    REQUIRE(p.create(fromBinaries, third) == VK_SUCCESS);
    // A module that is declined has no pipeline, and so neither a key nor binaries.
    const VkShaderModule large = p.module(compileBody(R"(void main() {
  coopmat<uint32_t, gl_ScopeSubgroup, 512, 512, gl_MatrixUseAccumulator> a =
      coopmat<uint32_t, gl_ScopeSubgroup, 512, 512, gl_MatrixUseAccumulator>(kFirst);
  coopMatStore(a, result, 0, 512, gl_CooperativeMatrixLayoutRowMajor);
})"));
    const VkComputePipelineCreateInfo declined = computeOf(large);
    named.pNext = const_cast<VkComputePipelineCreateInfo*>(&declined);
    VkPipelineBinaryKeyKHR none{};
    none.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_KEY_KHR;
    CHECK(p.command<PFN_vkGetPipelineKeyKHR>("vkGetPipelineKeyKHR")(p.device, &named, &none) ==
          VK_ERROR_UNKNOWN);
    VkPipelineBinaryKHR left = VkPipelineBinaryKHR(uint64_t{0xDEAD});
    binaries.pipelineBinaryCount = 1;
    binaries.pPipelineBinaries = &left;
    CHECK(createBinaries(p.device, &cached, nullptr, &binaries) == VK_ERROR_INITIALIZATION_FAILED);
    CHECK(left == VK_NULL_HANDLE);
    p.destroy(large);
    // Without a pipeline, the key is the device's global one.
    VkPipelineBinaryKeyKHR global{};
    global.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_KEY_KHR;
    CHECK(p.command<PFN_vkGetPipelineKeyKHR>("vkGetPipelineKeyKHR")(p.device, nullptr, &global) ==
          VK_SUCCESS);
    for (const VkPipeline made_ : {pipeline, second, third}) p.destroy(made_);
    p.destroy(a);
    p.destroy(b);
  }
  checkAllIsWell();
}

TEST_CASE("module identifiers: of a handle and of its code they are the same, and tell modules apart") {
  tests::fake::become({});
  {
    const Program p;
    const auto ofModule = p.command<PFN_vkGetShaderModuleIdentifierEXT>("vkGetShaderModuleIdentifierEXT");
    const auto ofCode =
        p.command<PFN_vkGetShaderModuleCreateInfoIdentifierEXT>("vkGetShaderModuleCreateInfoIdentifierEXT");
    std::vector<std::string> all;
    for (const auto* words : {&plainModule(), &matrixModule(), &workgroupModule(), &smallFloatModule()}) {
      VkShaderModuleIdentifierEXT a{}, b{};
      a.sType = b.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_IDENTIFIER_EXT;
      const VkShaderModule m = p.module(*words);
      const VkShaderModuleCreateInfo code = codeOf(*words);
      ofModule(p.device, m, &a);
      ofCode(p.device, &code, &b);
      all.emplace_back(reinterpret_cast<const char*>(a.identifier), a.identifierSize);
      CHECK(all.back() == std::string(reinterpret_cast<const char*>(b.identifier), b.identifierSize));
      p.destroy(m);
    }
    std::sort(all.begin(), all.end());
    CHECK(std::unique(all.begin(), all.end()) == all.end());
  }
  checkAllIsWell();
}

TEST_CASE(
    "module identifiers: alone they make no pipeline of a module with matrices, so that the program gives "
    "the module") {
  tests::fake::become({});
  {
    const Program p;
    const auto ofModule = p.command<PFN_vkGetShaderModuleIdentifierEXT>("vkGetShaderModuleIdentifierEXT");
    for (const auto* words : {&plainModule(), &matrixModule()}) {
      const VkShaderModule m = p.module(*words);
      VkShaderModuleIdentifierEXT identifier{};
      identifier.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_IDENTIFIER_EXT;
      ofModule(p.device, m, &identifier);
      VkPipeline whole = VK_NULL_HANDLE, named = VK_NULL_HANDLE;
      REQUIRE(p.create(computeOf(m), whole) == VK_SUCCESS);
      p.destroy(m);
      VkPipelineShaderStageModuleIdentifierCreateInfoEXT by{};
      by.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_MODULE_IDENTIFIER_CREATE_INFO_EXT;
      by.identifierSize = identifier.identifierSize;
      by.pIdentifier = identifier.identifier;
      VkComputePipelineCreateInfo info = computeOf(VK_NULL_HANDLE);
      info.stage.pNext = &by;
      info.flags = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
      // Only modules that the layer does not lower are in the driver's cache by identifier.
      CHECK(p.create(info, named) == (words == &plainModule() ? VK_SUCCESS : VK_PIPELINE_COMPILE_REQUIRED));
      p.destroy(named);
      p.destroy(whole);
    }
  }
  checkAllIsWell();
}

TEST_CASE("other pipelines: modules with matrices are refused wherever a stage stands") {
  tests::fake::become({});
  {
    const Program p;
    const VkShaderModule m = p.module(matrixModule()), plain = p.module(plainModule());
    const auto graphics = p.command<PFN_vkCreateGraphicsPipelines>("vkCreateGraphicsPipelines");
    const auto rays = p.command<PFN_vkCreateRayTracingPipelinesKHR>("vkCreateRayTracingPipelinesKHR");
    const VkShaderModuleCreateInfo code = codeOf(matrixModule());
    VkPipelineShaderStageCreateInfo stages[3] = {computeOf(plain).stage, computeOf(m).stage,
                                                 computeOf(VK_NULL_HANDLE).stage};
    stages[2].pNext = &code;
    for (auto& stage : stages) stage.stage = VK_SHADER_STAGE_FRAGMENT_BIT;
    for (const auto& stage : stages) {
      const VkResult wanted = &stage == &stages[0] ? VK_SUCCESS : VK_ERROR_INVALID_SHADER_NV;
      VkGraphicsPipelineCreateInfo infos[2] = {};
      for (auto& info : infos) info.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO;
      infos[1].stageCount = 1;
      infos[1].pStages = &stage;
      VkPipeline made[2] = {VkPipeline(uint64_t{0xDEAD}), VkPipeline(uint64_t{0xDEAD})};
      // The pipeline without the stage is created in any case.
      const auto check = [&](VkResult result, size_t withStage) {
        CHECK(result == wanted);
        for (size_t n = 0; n < 2; ++n) {
          CHECK((made[n] != VK_NULL_HANDLE) == (wanted == VK_SUCCESS || n != withStage));
          p.destroy(made[n]);
        }
      };
      check(graphics(p.device, VK_NULL_HANDLE, 2, infos, nullptr, made), 1);
      // The stage is in a shader group of another pipeline.
      VkGraphicsShaderGroupCreateInfoNV group{};
      group.sType = VK_STRUCTURE_TYPE_GRAPHICS_SHADER_GROUP_CREATE_INFO_NV;
      group.stageCount = 1;
      group.pStages = &stage;
      VkGraphicsPipelineShaderGroupsCreateInfoNV groups{};
      groups.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_SHADER_GROUPS_CREATE_INFO_NV;
      groups.groupCount = 1;
      groups.pGroups = &group;
      infos[0].pNext = &groups;
      infos[1].stageCount = 0;
      check(graphics(p.device, VK_NULL_HANDLE, 2, infos, nullptr, made), 0);
      VkRayTracingPipelineCreateInfoKHR ray[2] = {};
      for (auto& info : ray) info.sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR;
      ray[0].stageCount = 1;
      ray[0].pStages = &stage;
      check(rays(p.device, VK_NULL_HANDLE, VK_NULL_HANDLE, 2, ray, nullptr, made), 0);
    }
    p.destroy(m);
    p.destroy(plain);
  }
  checkAllIsWell();
}

namespace {

// Compiles a fragment shader with the extensions that are lowered in every stage.
std::vector<uint32_t> compileFragment(const std::string& body) {
  Options options;
  options.targetEnv = TargetEnv::Vulkan1_3;
  options.stage = Stage::Fragment;
  const auto result = compile(R"(#version 460
#extension GL_EXT_bfloat16 : enable
#extension GL_EXT_float_e4m3 : enable
#extension GL_NV_cooperative_vector : enable
#extension GL_EXT_shader_explicit_arithmetic_types : enable
layout(constant_id = 0) const uint kFirst = 1;
layout(location = 0) out uint result;
layout(binding = 1) buffer In { float16_t values[]; };
void main() {)" + body + "}\n",
                              "shader.frag", options);
  if (!result.ok) FAIL(result.messages);
  return result.words;
}

constexpr const char* kBfloat16Body =
    "const bf16vec2 v = bf16vec2(float(kFirst), 2.0); result = uint(float(dot(v, v)));";
constexpr const char* kFloat8Body = "result = uint(float(floate4m3_t(float(kFirst))));";
constexpr const char* kVectorBody = R"(
  coopvecNV<float16_t, 8> v = coopvecNV<float16_t, 8>(float16_t(kFirst)), r;
  coopVecMatMulNV(r, v, gl_ComponentTypeFloat16NV, values, 0, gl_ComponentTypeFloat16NV, 8, 8,
                  gl_CooperativeVectorMatrixLayoutInferencingOptimalNV, false, 0);
  result = uint(r[0]);
)";

VkPipelineShaderStageCreateInfo fragmentOf(VkShaderModule m) {
  VkPipelineShaderStageCreateInfo stage = computeOf(m).stage;
  stage.stage = VK_SHADER_STAGE_FRAGMENT_BIT;
  return stage;
}

VkShaderCreateInfoEXT fragmentObjectOf(const VkShaderModuleCreateInfo& code) {
  VkShaderCreateInfoEXT shader{};
  shader.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT;
  shader.stage = VK_SHADER_STAGE_FRAGMENT_BIT;
  shader.codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT;
  shader.codeSize = code.codeSize;
  shader.pCode = code.pCode;
  shader.pName = "main";
  return shader;
}

}  // namespace

TEST_CASE("other pipelines: what needs no workgroup is lowered in every stage") {
  tests::fake::become({});
  const std::vector<uint32_t> modules[] = {compileFragment(kBfloat16Body), compileFragment(kFloat8Body),
                                           compileFragment(kVectorBody)};
  for (const std::vector<uint32_t>& words : modules) {
    const Program p;
    const VkShaderModule m = p.module(words);
    const VkPipelineShaderStageCreateInfo stage = fragmentOf(m);
    VkGraphicsPipelineCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO;
    info.stageCount = 1;
    info.pStages = &stage;
    VkPipeline pipeline = VK_NULL_HANDLE;
    const auto graphics = p.command<PFN_vkCreateGraphicsPipelines>("vkCreateGraphicsPipelines");
    CHECK(graphics(p.device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline) == VK_SUCCESS);
    p.destroy(pipeline);
    // A request that forbids compiling gets the module that was lowered before.
    info.flags = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
    CHECK(graphics(p.device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline) == VK_SUCCESS);
    p.destroy(pipeline);
    const uint32_t value = 7;
    const VkSpecializationMapEntry entry{0, 0, sizeof value};
    const VkSpecializationInfo other{1, &entry, sizeof value, &value};
    VkPipelineShaderStageCreateInfo specialized = stage;
    specialized.pSpecializationInfo = &other;
    info.pStages = &specialized;
    CHECK(graphics(p.device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline) == VK_PIPELINE_COMPILE_REQUIRED);
    CHECK(pipeline == VK_NULL_HANDLE);
    // The operation is not deferred if the layer's structures describe the pipeline, because these are
    // destroyed after the call.
    VkRayTracingPipelineCreateInfoKHR ray{};
    ray.sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR;
    ray.stageCount = 1;
    ray.pStages = &stage;
    const auto rays = p.command<PFN_vkCreateRayTracingPipelinesKHR>("vkCreateRayTracingPipelinesKHR");
    const VkDeferredOperationKHR operation = VkDeferredOperationKHR(uint64_t{7});
    CHECK(rays(p.device, operation, VK_NULL_HANDLE, 1, &ray, nullptr, &pipeline) ==
          VK_OPERATION_NOT_DEFERRED_KHR);
    p.destroy(pipeline);
    CHECK(rays(p.device, VK_NULL_HANDLE, VK_NULL_HANDLE, 1, &ray, nullptr, &pipeline) == VK_SUCCESS);
    p.destroy(pipeline);
    const VkShaderModuleCreateInfo code = codeOf(words);
    const VkShaderCreateInfoEXT shader = fragmentObjectOf(code);
    VkShaderEXT made = VK_NULL_HANDLE;
    CHECK(p.command<PFN_vkCreateShadersEXT>("vkCreateShadersEXT")(p.device, 1, &shader, nullptr, &made) ==
          VK_SUCCESS);
    p.command<PFN_vkDestroyShaderEXT>("vkDestroyShaderEXT")(p.device, made, nullptr);
    p.destroy(m);
  }
  checkAllIsWell();
}

TEST_CASE("other pipelines: the message names what the module has that would be rewritten") {
  const std::vector<uint32_t> modules[] = {matrixModule(), smallFloatModule()};
  tests::fake::become({});
  for (const std::vector<uint32_t>& words : modules) {
    const Program p;
    std::vector<std::string> heard;
    VkDebugUtilsMessengerCreateInfoEXT messenger{};
    messenger.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
    messenger.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT;
    messenger.pfnUserCallback = [](VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                   const VkDebugUtilsMessengerCallbackDataEXT* data, void* user) -> VkBool32 {
      static_cast<std::vector<std::string>*>(user)->emplace_back(data->pMessage);
      return VK_FALSE;
    };
    messenger.pUserData = &heard;
    const VkDebugUtilsMessengerEXT handle{};
    layer::instances().find(p.instance)->messages().add(handle, messenger);
    const VkShaderModule m = p.module(words);
    const VkPipelineShaderStageCreateInfo stage = fragmentOf(m);
    VkGraphicsPipelineCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO;
    info.stageCount = 1;
    info.pStages = &stage;
    VkPipeline pipeline = VK_NULL_HANDLE;
    CHECK(p.command<PFN_vkCreateGraphicsPipelines>("vkCreateGraphicsPipelines")(
              p.device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline) == VK_ERROR_INVALID_SHADER_NV);
    const VkShaderModuleCreateInfo code = codeOf(words);
    const VkShaderCreateInfoEXT shader = fragmentObjectOf(code);
    VkShaderEXT made = VK_NULL_HANDLE;
    CHECK(p.command<PFN_vkCreateShadersEXT>("vkCreateShadersEXT")(p.device, 1, &shader, nullptr, &made) ==
          VK_ERROR_INITIALIZATION_FAILED);
    const std::string message =
        "a module with cooperative matrices is used in a stage that is not a compute shader";
    CHECK(heard == std::vector<std::string>{
                       "a shader (entry point main) cannot be lowered for this device: " + message,
                       "a shader object cannot be lowered for this device: " + message});
    layer::instances().find(p.instance)->messages().remove(handle);
    p.destroy(m);
  }
  checkAllIsWell();
}

TEST_CASE("devices that have it all: the driver's own functions, the driver's own answers") {
  tests::fake::become({true, 1});
  {
    const Program p;
#define COOPC_NOT_OURS(name) \
  CHECK(tests::fake::deviceCommand<PFN_##name>(p.device, #name) != &layer::commands::name)
    COOPC_NOT_OURS(vkCreateShaderModule);
    COOPC_NOT_OURS(vkDestroyShaderModule);
    COOPC_NOT_OURS(vkCreateComputePipelines);
    COOPC_NOT_OURS(vkCreateShadersEXT);
    COOPC_NOT_OURS(vkGetPipelineKeyKHR);
#undef COOPC_NOT_OURS
    const VkShaderModule m = p.module(workgroupModule());
    VkPipeline pipeline = VK_NULL_HANDLE;
    REQUIRE(p.create(computeOf(m), pipeline) == VK_SUCCESS);
    p.destroy(pipeline);
    p.destroy(m);
  }
  checkAllIsWell();
}

namespace {

uint32_t numberOf(const char* variable, uint32_t otherwise) {
  const char* text = std::getenv(variable);
  return text != nullptr ? uint32_t(std::strtoul(text, nullptr, 0)) : otherwise;
}

}  // namespace

TEST_CASE("hostile modules: vectors of more components than there are end in an error, in no more time") {
  tests::fake::become({});
  {
    const Program p;
    std::vector<uint32_t> words = smallFloatModule();
    spirv::InstructionWalk i(smallFloatModule());
    size_t changed = 0;
    while (i.next()) {
      if (i.op() != spv::Op::OpTypeVector) continue;
      words[i.at() + 3] = 0x10000000;
      ++changed;
    }
    REQUIRE(changed != 0);
    const VkShaderModule m = p.module(words);
    VkPipeline pipeline = VK_NULL_HANDLE;
    CHECK(p.create(computeOf(m), pipeline) == VK_ERROR_INVALID_SHADER_NV);
    CHECK(pipeline == VK_NULL_HANDLE);
    p.destroy(m);
  }
  checkAllIsWell();
}

TEST_CASE("fuzzed: devices, with chains of any structures") {
  tests::fake::become({false, 3});
  const uint32_t seed = numberOf("COOPC_FUZZ_SEED", 1), steps = numberOf("COOPC_FUZZ_STEPS", 4000);
  size_t made = 0, refused = 0;
  {
    VkInstance instance = VK_NULL_HANDLE;
    REQUIRE(tests::fake::createInstance(nullptr, &instance) == VK_SUCCESS);
    const auto physical = tests::fake::physicalDevices(instance);
    std::vector<VkDevice> devices;
    const auto destroy = [&](size_t n) {
      tests::fake::deviceCommand<PFN_vkDestroyDevice>(devices[n], "vkDestroyDevice")(devices[n], nullptr);
      devices.erase(devices.begin() + ptrdiff_t(n));
    };
    tests::SeededRandom random(seed);
    for (uint32_t n = 0; n < steps; ++n) {
      VkPhysicalDeviceCooperativeMatrixFeaturesKHR matrices{};
      matrices.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR;
      matrices.cooperativeMatrix = random.one(3) ? random.below(3) : VK_TRUE;
      tests::Chain before, behind;
      VkPhysicalDeviceFeatures features{};
      const char* const names[] = {"VK_KHR_cooperative_matrix", "VK_NV_cooperative_matrix2",
                                   "VK_EXT_shader_float8", "VK_EXT_cooperative_matrix_maintenance1",
                                   "VK_KHR_16bit_storage"};
      VkDeviceCreateInfo info{};
      info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
      matrices.pNext = const_cast<void*>(behind.make(random, nullptr));
      info.pNext = &matrices;
      info.enabledExtensionCount = random.below(6);
      info.ppEnabledExtensionNames = names;
      if (random.one(3)) info.pEnabledFeatures = &features;
      VkDevice device = VK_NULL_HANDLE;
      const VkResult result = tests::fake::createDevice(physical[random.below(3)], info, &device);
      CHECK((result == VK_SUCCESS || result == VK_ERROR_INITIALIZATION_FAILED));
      ++(result == VK_SUCCESS ? made : refused);
      if (result == VK_SUCCESS) devices.push_back(device);
      if (devices.size() > 20) destroy(random.below(uint32_t(devices.size())));
    }
    while (!devices.empty()) destroy(0);
    tests::fake::instanceCommand<PFN_vkDestroyInstance>(instance, "vkDestroyInstance")(instance, nullptr);
  }
  CHECK(made + refused == steps);
  CHECK(made > steps / 4);
  CHECK(refused > steps / 100);
  checkAllIsWell();
}

TEST_CASE("fuzzed: queries, with chains of any structures and room for any number of items") {
  const uint32_t seed = numberOf("COOPC_FUZZ_SEED", 1), steps = numberOf("COOPC_FUZZ_STEPS", 4000);
  for (const bool hasMatrices : {false, true}) {
    tests::fake::become({hasMatrices, 2});
    VkInstance instance = VK_NULL_HANDLE;
    REQUIRE(tests::fake::createInstance(nullptr, &instance) == VK_SUCCESS);
    const auto physical = tests::fake::physicalDevices(instance);
    const auto command = [&](auto& pfn, const char* name) {
      pfn = tests::fake::instanceCommand<std::decay_t<decltype(pfn)>>(instance, name);
      REQUIRE(pfn != nullptr);
    };
    PFN_vkGetPhysicalDeviceFeatures2 features = nullptr;
    PFN_vkGetPhysicalDeviceProperties2 properties = nullptr;
    PFN_vkEnumerateDeviceExtensionProperties extensions = nullptr;
    PFN_vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR fixed = nullptr;
    PFN_vkGetPhysicalDeviceCooperativeMatrixFlexibleDimensionsPropertiesNV flexible = nullptr;
    command(features, "vkGetPhysicalDeviceFeatures2");
    command(properties, "vkGetPhysicalDeviceProperties2");
    command(extensions, "vkEnumerateDeviceExtensionProperties");
    command(fixed, "vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR");
    command(flexible, "vkGetPhysicalDeviceCooperativeMatrixFlexibleDimensionsPropertiesNV");
    tests::SeededRandom random(seed);
    size_t broken = 0, untold = 0, outside = 0;
    for (uint32_t n = 0; n < steps; ++n) {
      const VkPhysicalDevice device = physical[random.below(2)];
      const tests::QueryChain chain(random);
      if (random.one(2)) {
        VkPhysicalDeviceFeatures2 all{};
        all.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
        all.pNext = chain.start();
        features(device, &all);
        untold += !chain.tells(layer::instances().find(instance)->offer(device));
      } else {
        VkPhysicalDeviceProperties2 all{};
        all.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
        all.pNext = chain.start();
        properties(device, &all);
      }
      broken += !chain.isIntact();
      switch (random.below(3)) {
        case 0:
          outside += !tests::listStaysInside<VkExtensionProperties>(
              random, {}, [&](uint32_t* count, VkExtensionProperties* items) {
                return extensions(device, nullptr, count, items);
              });
          break;
        case 1:
          outside += !tests::listStaysInside<VkCooperativeMatrixPropertiesKHR>(
              random, VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_KHR,
              [&](uint32_t* count, VkCooperativeMatrixPropertiesKHR* items) {
                return fixed(device, count, items);
              });
          break;
        default:
          outside += !tests::listStaysInside<VkCooperativeMatrixFlexibleDimensionsPropertiesNV>(
              random, VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_FLEXIBLE_DIMENSIONS_PROPERTIES_NV,
              [&](uint32_t* count, VkCooperativeMatrixFlexibleDimensionsPropertiesNV* items) {
                return flexible(device, count, items);
              });
          break;
      }
    }
    CHECK(broken == 0);
    CHECK(untold == 0);
    CHECK(outside == 0);
    tests::fake::instanceCommand<PFN_vkDestroyInstance>(instance, "vkDestroyInstance")(instance, nullptr);
    checkAllIsWell();
  }
}

TEST_CASE("fuzzed: modules, pipelines, shaders and their names, in any order") {
  tests::fake::become({});
  const uint32_t seed = numberOf("COOPC_FUZZ_SEED", 1), steps = numberOf("COOPC_FUZZ_STEPS", 4000);
  size_t made = 0, refused = 0;
  {
    const Program p;
    tests::SeededRandom random(seed);
    tests::Fuzzed fuzzed(p.device, random);
    for (uint32_t n = 0; n < steps; ++n) fuzzed.step();
    made = fuzzed.made;
    refused = fuzzed.refused;
  }
  CHECK(made > steps / 20);
  CHECK(refused > steps / 20);
  checkAllIsWell();
}

TEST_CASE("fuzzed: threads, on one device and each on its own, while instances come and go") {
  tests::fake::become({false, 2});
  const uint32_t seed = numberOf("COOPC_FUZZ_SEED", 1), steps = numberOf("COOPC_FUZZ_STEPS", 4000) / 8;
  plainModule();
  matrixModule();
  workgroupModule();
  smallFloatModule();
  std::atomic<size_t> done{0};
  {
    const Program shared;
    std::vector<std::thread> threads;
    for (uint32_t t = 0; t < 6; ++t) {
      threads.emplace_back([&, t] {
        if (t % 2 == 0) {
          tests::SeededRandom random(seed + t);
          tests::Fuzzed fuzzed(shared.device, random);
          for (uint32_t n = 0; n < steps; ++n, ++done) fuzzed.step();
          return;
        }
        for (uint32_t n = 0; n < steps;) {
          const Program own(nullptr, n % 2);
          tests::SeededRandom random(seed + t + n);
          tests::Fuzzed fuzzed(own.device, random);
          for (uint32_t k = 0; k < 50 && n < steps; ++k, ++n, ++done) fuzzed.step();
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  CHECK(done == size_t{steps} * 6);
  checkAllIsWell();
}
