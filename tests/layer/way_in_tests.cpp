// Every way in which shaders reach the driver, and anything that a program may send that way, on a driver
// that records forbidden requests (fake_driver.hpp). Inputs are generated: modules with changed words,
// specialization data of any form, chains of structures from the layer's own table and of some that it does
// not know, calls in any legal order, on several devices, from several threads. COOPC_FUZZ_SEED and
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
#include "tests/layer/requests.hpp"
#include "tests/support/random.hpp"

using namespace coopc;
using tests::codeOf;
using tests::computeOf;
using tests::fake::Driver;

namespace {

const bool environmentIsSet = [] {
  setenv("VK_COOPC_COOPERATIVE_MATRIX_CACHE", "off", 1);
  setenv("VK_COOPC_COOPERATIVE_MATRIX_LOG_LEVEL", "off", 1);
  return true;
}();

std::vector<uint32_t> compiled(const std::string& body) {
  Options options;
  options.targetEnv = TargetEnv::Vulkan1_3;
  const auto result = compile(R"(#version 460
#pragma shader_stage(compute)
#extension GL_KHR_cooperative_matrix : enable
#extension GL_NV_cooperative_matrix2 : enable
#extension GL_KHR_memory_scope_semantics : enable
#extension GL_EXT_cooperative_matrix_maintenance1 : enable
#extension GL_EXT_bfloat16 : enable
#extension GL_EXT_float_e4m3 : enable
#extension GL_EXT_shader_explicit_arithmetic_types : enable
layout(local_size_x = 64) in;
layout(constant_id = 0) const uint kFirst = 1;
layout(constant_id = 3) const uint kStride = 16;
layout(binding = 0) buffer Out { uint result[]; };
layout(binding = 1) buffer In { float16_t values[]; };
)" + body,
                              "shader.comp", options);
  if (!result.ok) FAIL(result.messages);
  return result.words;
}

const std::vector<uint32_t>& plainModule() {
  static const std::vector<uint32_t> words = compiled("void main() { result[0] = kFirst; }");
  return words;
}

const std::vector<uint32_t>& matrixModule() {
  static const std::vector<uint32_t> words = compiled(R"(void main() {
  coopmat<uint32_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> a =
      coopmat<uint32_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>(kFirst);
  coopMatStore(a, result, 0, kStride, gl_CooperativeMatrixLayoutRowMajor);
})");
  return words;
}

const std::vector<uint32_t>& workgroupModule() {
  static const std::vector<uint32_t> words = compiled(R"(
float16_t half_of(const in uint32_t row, const in uint32_t col, const in float16_t x) { return x / float16_t(2); }
void main() {
  tensorLayoutNV<2> layout_ = createTensorLayoutNV(2);
  layout_ = setTensorLayoutDimensionNV(layout_, 64, kStride);
  coopmat<float16_t, gl_ScopeWorkgroup, 32, 32, gl_MatrixUseA> a;
  coopmat<float16_t, gl_ScopeWorkgroup, 32, 32, gl_MatrixUseB> b;
  coopmat<float, gl_ScopeWorkgroup, 32, 32, gl_MatrixUseAccumulator> c =
      coopmat<float, gl_ScopeWorkgroup, 32, 32, gl_MatrixUseAccumulator>(0.0);
  coopMatLoadTensorNV(a, values, 0, sliceTensorLayoutNV(layout_, 0, 32, 0, 32));
  coopMatLoadTensorNV(b, values, 0, sliceTensorLayoutNV(layout_, 32, 32, 0, 32));
  c = coopMatMulAdd(a, b, c);
  coopmat<float16_t, gl_ScopeWorkgroup, 32, 32, gl_MatrixUseAccumulator> h =
      coopmat<float16_t, gl_ScopeWorkgroup, 32, 32, gl_MatrixUseAccumulator>(c);
  coopMatPerElementNV(h, h, half_of);
  coopMatStoreTensorNV(h, values, 0, sliceTensorLayoutNV(layout_, 0, 32, 0, 32));
})");
  return words;
}

const std::vector<uint32_t>& smallFloatModule() {
  static const std::vector<uint32_t> words = compiled(R"(
shared floate4m3_t bytes[256];
void main() {
  const bf16vec2 v = bf16vec2(float(kFirst), 2.0);
  bytes[gl_LocalInvocationIndex] = floate4m3_t(float(dot(v, v)));
  barrier();
  coopmat<floate4m3_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> a;
  coopMatLoad(a, bytes, 0, kStride, gl_CooperativeMatrixLayoutRowMajor);
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> c =
      coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>(a);
  for (uint i = 0; i < c.length(); ++i) c[i] += float(coopMatGetCoordinateEXT(c, i).x);
  coopMatStore(c, result, 0, kStride, gl_CooperativeMatrixLayoutRowMajor);
})");
  return words;
}

// Catch2's assertions may only be used in one thread.
void must(bool condition) {
  if (!condition) std::abort();
}

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

    // From binaries: the same request succeeds again, even if nothing may be compiled.
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
    // Without a module there is nothing to look at.
    fromBinaries.stage.module = VK_NULL_HANDLE;
    VkPipeline third = VK_NULL_HANDLE;
    REQUIRE(p.create(fromBinaries, third) == VK_SUCCESS);
    // A module that is declined has no pipeline, so there are no keys or binaries of one.
    const VkShaderModule large = p.module(compiled(R"(void main() {
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
    // Without a pipeline: the part that all keys of a device have in common.
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
      // The driver keeps those of its own modules.
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
      // The pipeline without the stage is made in any case.
      const auto check = [&](VkResult result, size_t withStage) {
        CHECK(result == wanted);
        for (size_t n = 0; n < 2; ++n) {
          CHECK((made[n] != VK_NULL_HANDLE) == (wanted == VK_SUCCESS || n != withStage));
          p.destroy(made[n]);
        }
      };
      check(graphics(p.device, VK_NULL_HANDLE, 2, infos, nullptr, made), 1);
      // In a group of stages of another pipeline.
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

// A fragment shader with what is lowered in every stage.
std::vector<uint32_t> compiledFragment(const std::string& body) {
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
  const std::vector<uint32_t> modules[] = {compiledFragment(kBfloat16Body), compiledFragment(kFloat8Body),
                                           compiledFragment(kVectorBody)};
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
    // A program that wants nothing compiled gets what was lowered before.
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
    // A deferred operation is not deferred where the layer's own structures describe the pipeline.
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

struct KnownStructure {
  VkStructureType type;
  size_t size;
};
const KnownStructure kStructures[] = {
#define COOPC_CHAINED(type, structure) {type, sizeof(structure)},
#include "layer/structures.def"
};

uint32_t numberOf(const char* variable, uint32_t otherwise) {
  const char* text = std::getenv(variable);
  return text != nullptr ? uint32_t(std::strtoul(text, nullptr, 0)) : otherwise;
}

using Random = tests::Twister;

// Structures of a chain, with the memory that they are in. Those whose members the layer reads are made by
// the test that wants them: here they are left out.
class Chain {
 public:
  const void* make(Random& random, const void* last) {
    parts_.clear();
    const void* next = last;
    for (uint32_t n = random.below(6); n != 0; --n) {
      const KnownStructure& known = kStructures[random.below(uint32_t(std::size(kStructures)))];
      const bool isKnown = !random.one(12);
      if (isKnown && (isRead(known.type) || has(known.type))) continue;
      auto& part = parts_.emplace_back((isKnown ? known.size : sizeof(VkBaseInStructure)) / 4 + 1);
      // Booleans, as most members are, including values that programs must not use.
      for (uint32_t& word : part) word = random.one(8) ? random.word() : random.below(2);
      auto* s = reinterpret_cast<VkBaseInStructure*>(part.data());
      s->sType = isKnown ? known.type : VkStructureType(1999000000 + random.below(1000));
      s->pNext = static_cast<const VkBaseInStructure*>(next);
      next = s;
    }
    // A circle.
    if (random.one(40) && !parts_.empty()) {
      reinterpret_cast<VkBaseInStructure*>(parts_.front().data())->pNext =
          static_cast<const VkBaseInStructure*>(next);
    }
    return next;
  }

 private:
  static bool isRead(VkStructureType type) {
    switch (type) {
      case VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO:
      case VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_MODULE_IDENTIFIER_CREATE_INFO_EXT:
      case VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR:
      case VK_STRUCTURE_TYPE_DEVICE_PRIVATE_DATA_CREATE_INFO: return true;
      default: return false;
    }
  }
  bool has(VkStructureType type) const {
    return std::any_of(parts_.begin(), parts_.end(), [&](const auto& part) {
      return reinterpret_cast<const VkBaseInStructure*>(part.data())->sType == type;
    });
  }

  std::vector<std::vector<uint32_t>> parts_;
};

std::vector<uint32_t> hostileModule(Random& random) {
  const std::vector<uint32_t>* const from[] = {&plainModule(), &matrixModule(), &workgroupModule(),
                                               &smallFloatModule()};
  std::vector<uint32_t> words = *from[random.below(4)];
  for (uint32_t n = random.below(5); n != 0; --n) {
    const uint32_t at = random.below(uint32_t(words.size()));
    switch (random.below(6)) {
      case 0: words[at] ^= 1u << random.below(32); break;
      case 1: words[at] = random.word(); break;
      case 2: words[at] = words[random.below(uint32_t(words.size()))]; break;
      case 3: words.resize(std::max(1u, at)); break;
      case 4:
        words.erase(words.begin() + at, words.begin() + std::min<ptrdiff_t>(at + 3, ptrdiff_t(words.size())));
        break;
      default: words.insert(words.end(), words.begin() + at, words.end()); break;
    }
    if (words.empty()) words.push_back(0);
  }
  return words;
}

// Specialization data that overlaps, is too short, names constants that are not there, or one twice.
struct Specialization {
  explicit Specialization(Random& random) : data(random.below(24)), entries(random.below(6)) {
    for (auto& byte : data) byte = uint8_t(random.one(3) ? random.word() : random.below(33));
    for (auto& entry : entries) {
      const size_t sizes[] = {0, 1, 2, 3, 4, 4, 4, 8, size_t(-1)};
      entry = {random.below(5), random.one(9) ? random.word() : random.below(24), sizes[random.below(9)]};
    }
    info = {uint32_t(entries.size()), entries.data(), data.size(), data.data()};
    if (random.one(10)) info.pMapEntries = nullptr;
    if (random.one(10)) info.pData = nullptr;
  }
  std::vector<uint8_t> data;
  std::vector<VkSpecializationMapEntry> entries;
  VkSpecializationInfo info{};
};

// Everything of one device, made and destroyed in any order that Vulkan allows.
class Fuzzed {
 public:
  Fuzzed(VkDevice device, uint32_t seed) : device_(device), random_(seed) {
    get(createModule_, "vkCreateShaderModule");
    get(destroyModule_, "vkDestroyShaderModule");
    get(createCompute_, "vkCreateComputePipelines");
    get(createGraphics_, "vkCreateGraphicsPipelines");
    get(destroyPipeline_, "vkDestroyPipeline");
    get(createShaders_, "vkCreateShadersEXT");
    get(destroyShader_, "vkDestroyShaderEXT");
    get(key_, "vkGetPipelineKeyKHR");
    get(identifier_, "vkGetShaderModuleCreateInfoIdentifierEXT");
  }
  ~Fuzzed() {
    while (!modules_.empty()) destroyModule();
    while (!pipelines_.empty()) destroyPipeline();
  }
  Fuzzed(const Fuzzed&) = delete;
  Fuzzed& operator=(const Fuzzed&) = delete;

  void step() {
    switch (random_.below(10)) {
      case 0:
      case 1: createModule(); break;
      case 2: destroyModule(); break;
      case 3: destroyPipeline(); break;
      case 4: shaders(); break;
      case 5: graphics(); break;
      case 6: names(); break;
      default: compute(); break;
    }
  }

  size_t made = 0, refused = 0;

 private:
  template <class Pfn>
  void get(Pfn& pfn, const char* name) {
    pfn = tests::fake::deviceCommand<Pfn>(device_, name);
  }

  void createModule() {
    const std::vector<uint32_t> words = hostileModule(random_);
    VkShaderModuleCreateInfo info = codeOf(words);
    if (random_.one(10)) info.codeSize -= random_.below(uint32_t(info.codeSize));
    VkShaderModule module = VK_NULL_HANDLE;
    if (createModule_(device_, &info, nullptr, &module) == VK_SUCCESS) modules_.push_back(module);
  }
  void destroyModule() {
    if (modules_.empty()) return;
    const auto at = modules_.begin() + random_.below(uint32_t(modules_.size()));
    destroyModule_(device_, *at, nullptr);
    modules_.erase(at);
  }
  void destroyPipeline() {
    if (pipelines_.empty()) return;
    const auto at = pipelines_.begin() + random_.below(uint32_t(pipelines_.size()));
    destroyPipeline_(device_, *at, nullptr);
    pipelines_.erase(at);
  }

  // Keeps what a stage refers to until the next call.
  struct Stage {
    std::vector<uint32_t> words;
    VkShaderModuleCreateInfo code{};
    VkPipelineShaderStageRequiredSubgroupSizeCreateInfo size{};
    Chain chain;
    std::unique_ptr<Specialization> specialization;
  };
  VkPipelineShaderStageCreateInfo stage(Stage& parts) {
    VkPipelineShaderStageCreateInfo s = computeOf(VK_NULL_HANDLE).stage;
    const void* last = nullptr;
    if (modules_.empty() || random_.one(4)) {
      parts.words = hostileModule(random_);
      parts.code = codeOf(parts.words);
      if (random_.one(20)) parts.code.pCode = nullptr;
      last = &parts.code;
    } else {
      s.module = modules_[random_.below(uint32_t(modules_.size()))];
    }
    if (random_.one(4)) {
      parts.size.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO;
      parts.size.requiredSubgroupSize = random_.one(4) ? random_.word() : 8u << random_.below(5);
      parts.size.pNext = const_cast<void*>(last);
      last = &parts.size;
    }
    s.pNext = random_.one(3) ? parts.chain.make(random_, last) : last;
    if (random_.one(3)) s.flags = random_.below(4);
    if (random_.one(10)) s.pName = random_.one(2) ? nullptr : "another";
    if (!random_.one(3)) {
      parts.specialization = std::make_unique<Specialization>(random_);
      s.pSpecializationInfo = &parts.specialization->info;
    }
    return s;
  }

  void compute() {
    Stage parts[3];
    VkComputePipelineCreateInfo infos[3];
    const uint32_t count = 1 + random_.below(3);
    for (uint32_t n = 0; n < count; ++n) {
      infos[n] = computeOf(VK_NULL_HANDLE);
      infos[n].stage = stage(parts[n]);
      if (random_.one(4)) infos[n].flags = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
      if (random_.one(6)) infos[n].flags |= VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT;
      if (n != 0 && random_.one(4)) {
        infos[n].flags |= VK_PIPELINE_CREATE_DERIVATIVE_BIT;
        infos[n].basePipelineIndex = int32_t(random_.below(n));
      }
    }
    VkPipeline pipelines[3] = {};
    const VkResult result = createCompute_(device_, VK_NULL_HANDLE, count, infos, nullptr, pipelines);
    ++(result == VK_SUCCESS ? made : refused);
    for (const VkPipeline pipeline : pipelines) {
      if (pipeline != VK_NULL_HANDLE) pipelines_.push_back(pipeline);
    }
  }

  void graphics() {
    Stage parts;
    const VkPipelineShaderStageCreateInfo one = stage(parts);
    VkGraphicsPipelineCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO;
    info.stageCount = 1;
    info.pStages = random_.one(10) ? nullptr : &one;
    VkPipeline pipeline = VK_NULL_HANDLE;
    createGraphics_(device_, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
    if (pipeline != VK_NULL_HANDLE) pipelines_.push_back(pipeline);
  }

  void shaders() {
    const std::vector<uint32_t> words = hostileModule(random_);
    const Specialization specialization(random_);
    VkShaderCreateInfoEXT info{};
    info.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT;
    info.stage = random_.one(5) ? VK_SHADER_STAGE_FRAGMENT_BIT : VK_SHADER_STAGE_COMPUTE_BIT;
    info.codeType = random_.one(5) ? VK_SHADER_CODE_TYPE_BINARY_EXT : VK_SHADER_CODE_TYPE_SPIRV_EXT;
    info.codeSize = words.size() * sizeof(uint32_t);
    info.pCode = words.data();
    info.pName = random_.one(5) ? nullptr : "main";
    info.pSpecializationInfo = &specialization.info;
    VkShaderEXT shader = VK_NULL_HANDLE;
    if (createShaders_(device_, 1, &info, nullptr, &shader) == VK_SUCCESS)
      destroyShader_(device_, shader, nullptr);
  }

  void names() {
    const std::vector<uint32_t> words = hostileModule(random_);
    const VkShaderModuleCreateInfo code = codeOf(words);
    VkShaderModuleIdentifierEXT identifier{};
    identifier.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_IDENTIFIER_EXT;
    identifier_(device_, &code, &identifier);
    Stage parts;
    VkComputePipelineCreateInfo info = computeOf(VK_NULL_HANDLE);
    info.stage = stage(parts);
    VkPipelineCreateInfoKHR named{};
    named.sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_INFO_KHR;
    named.pNext = random_.one(5) ? nullptr : &info;
    VkPipelineBinaryKeyKHR key{};
    key.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_KEY_KHR;
    key_(device_, &named, &key);
  }

  VkDevice device_;
  Random random_;
  std::vector<VkShaderModule> modules_;
  std::vector<VkPipeline> pipelines_;
  PFN_vkCreateShaderModule createModule_ = nullptr;
  PFN_vkDestroyShaderModule destroyModule_ = nullptr;
  PFN_vkCreateComputePipelines createCompute_ = nullptr;
  PFN_vkCreateGraphicsPipelines createGraphics_ = nullptr;
  PFN_vkDestroyPipeline destroyPipeline_ = nullptr;
  PFN_vkCreateShadersEXT createShaders_ = nullptr;
  PFN_vkDestroyShaderEXT destroyShader_ = nullptr;
  PFN_vkGetPipelineKeyKHR key_ = nullptr;
  PFN_vkGetShaderModuleCreateInfoIdentifierEXT identifier_ = nullptr;
};

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
    Random random(seed);
    for (uint32_t n = 0; n < steps; ++n) {
      VkPhysicalDeviceCooperativeMatrixFeaturesKHR matrices{};
      matrices.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR;
      matrices.cooperativeMatrix = random.one(3) ? random.below(3) : VK_TRUE;
      Chain before, behind;
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

namespace {

// A chain of structures for a query. Behind each structure there is a word that nobody may change.
class QueryChain {
 public:
  explicit QueryChain(Random& random) {
    const KnownStructure properties[] = {
        {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_PROPERTIES_KHR,
         sizeof(VkPhysicalDeviceCooperativeMatrixPropertiesKHR)},
        {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_2_PROPERTIES_NV,
         sizeof(VkPhysicalDeviceCooperativeMatrix2PropertiesNV)},
        {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES, sizeof(VkPhysicalDeviceSubgroupProperties)}};
    const auto rows = layer::lowerableFeatures();
    for (uint32_t n = random.below(9); n != 0; --n) {
      KnownStructure s{VkStructureType(1999000000 + random.below(1000)), sizeof(VkBaseInStructure)};
      switch (random.below(4)) {
        case 0: s = kStructures[random.below(uint32_t(std::size(kStructures)))]; break;
        case 1: s = properties[random.below(3)]; break;
        case 2: {
          const layer::GivenFeature& g = rows[random.below(uint32_t(rows.size()))];
          s = {g.member.type, g.member.size};
          break;
        }
        default: break;
      }
      parts_.push_back(std::make_unique<std::byte[]>(s.size + sizeof kGuard));
      std::memset(parts_.back().get(), int(random.below(256)), s.size);
      std::memcpy(parts_.back().get() + s.size, &kGuard, sizeof kGuard);
      types_.push_back(s);
      at(parts_.size() - 1)->sType = s.type;
    }
    for (size_t n = 0; n < parts_.size(); ++n) at(n)->pNext = next(n);
  }
  VkBaseOutStructure* start() const { return parts_.empty() ? nullptr : at(0); }

  // Whether the chain, and all that the structures have no members for, are as they were.
  bool isIntact() const {
    for (size_t n = 0; n < parts_.size(); ++n) {
      if (at(n)->sType != types_[n].type || at(n)->pNext != next(n) ||
          std::memcmp(parts_[n].get() + types_[n].size, &kGuard, sizeof kGuard) != 0)
        return false;
    }
    return true;
  }
  // Whether each structure of features says what the device has. The driver of these tests says what it has
  // itself.
  bool tells(const layer::Offer* offer) const {
    for (size_t n = 0; offer != nullptr && n < parts_.size(); ++n) {
      for (const layer::GivenFeature& g : layer::lowerableFeatures()) {
        if (g.member.type == types_[n].type && offer->gives(g.feature) &&
            layer::readMember(at(n), g.member) != VK_TRUE)
          return false;
      }
    }
    return true;
  }

 private:
  static constexpr uint64_t kGuard = 0x0123456789ABCDEF;
  VkBaseOutStructure* at(size_t n) const { return reinterpret_cast<VkBaseOutStructure*>(parts_[n].get()); }
  VkBaseOutStructure* next(size_t n) const { return n + 1 < parts_.size() ? at(n + 1) : nullptr; }

  std::vector<std::unique_ptr<std::byte[]>> parts_;
  std::vector<KnownStructure> types_;
};

// Asks for a list with room for any number of items, and returns whether no other item was written.
template <class Item, class Query>
bool listStaysInside(Random& random, VkStructureType type, const Query& query) {
  Item blank;
  std::memset(&blank, 0x5A, sizeof blank);
  if constexpr (requires { blank.sType; }) {
    blank.sType = type;
    blank.pNext = nullptr;
  }
  uint32_t all = 0;
  if (query(&all, static_cast<Item*>(nullptr)) != VK_SUCCESS) return false;
  const uint32_t room = random.below(all + 3);
  std::vector<Item> items(room + 2, blank);
  uint32_t count = room;
  const VkResult result = query(&count, items.data());
  if (result != (room < all ? VK_INCOMPLETE : VK_SUCCESS) || count != std::min(room, all)) return false;
  return std::all_of(items.begin() + count, items.end(),
                     [&](const Item& item) { return std::memcmp(&item, &blank, sizeof item) == 0; });
}

}  // namespace

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
    Random random(seed);
    size_t broken = 0, untold = 0, outside = 0;
    for (uint32_t n = 0; n < steps; ++n) {
      const VkPhysicalDevice device = physical[random.below(2)];
      const QueryChain chain(random);
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
          outside += !listStaysInside<VkExtensionProperties>(
              random, {}, [&](uint32_t* count, VkExtensionProperties* items) {
                return extensions(device, nullptr, count, items);
              });
          break;
        case 1:
          outside += !listStaysInside<VkCooperativeMatrixPropertiesKHR>(
              random, VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_KHR,
              [&](uint32_t* count, VkCooperativeMatrixPropertiesKHR* items) {
                return fixed(device, count, items);
              });
          break;
        default:
          outside += !listStaysInside<VkCooperativeMatrixFlexibleDimensionsPropertiesNV>(
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
    Fuzzed fuzzed(p.device, seed);
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
          Fuzzed fuzzed(shared.device, seed + t);
          for (uint32_t n = 0; n < steps; ++n, ++done) fuzzed.step();
          return;
        }
        for (uint32_t n = 0; n < steps;) {
          const Program own(nullptr, n % 2);
          Fuzzed fuzzed(own.device, seed + t + n);
          for (uint32_t k = 0; k < 50 && n < steps; ++k, ++n, ++done) fuzzed.step();
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  CHECK(done == size_t{steps} * 6);
  checkAllIsWell();
}
