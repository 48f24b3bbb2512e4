// Reading modules, mapping capabilities to features, matching shapes, and running compilers.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <random>

#include <catch2/catch_test_macros.hpp>

#include "harness/compile.hpp"
#include "vulkan/executor/features.hpp"
#include "vulkan/executor/instance.hpp"
#include "vulkan/executor/module_info.hpp"
#include "vulkan/executor/preflight.hpp"

using namespace coopc::harness;
using namespace coopc::vk;

namespace {

std::vector<uint32_t> moduleOf(const std::vector<std::vector<uint32_t>>& instructions,
                               uint32_t version = 0x00010600) {
  std::vector<uint32_t> words{0x07230203, version, 0, 100, 0};
  for (std::vector<uint32_t> instruction : instructions) {
    instruction[0] |= static_cast<uint32_t>(instruction.size()) << 16;
    words.insert(words.end(), instruction.begin(), instruction.end());
  }
  return words;
}

constexpr uint32_t kMain = 0x6E69616D;  // "main"

// The module with an empty function %4 added.
std::vector<uint32_t> moduleWithMain(std::vector<std::vector<uint32_t>> instructions) {
  for (const std::vector<uint32_t>& i : {std::vector<uint32_t>{19, 3},  // void
                                         {33, 21, 3},
                                         {54, 3, 4, 0, 21},
                                         {248, 22},
                                         {253},
                                         {56}})
    instructions.push_back(i);
  return moduleOf(instructions);
}

// A compute module "main" with a workgroup size by specialization constants, and a workgroup scope matrix.
std::vector<uint32_t> sampleModule() {
  return moduleWithMain({{17, 1},                   // Shader
                         {17, 6022},                // CooperativeMatrixKHR
                         {17, 5345},                // VulkanMemoryModel
                         {15, 5, 4, kMain, 0},      // OpEntryPoint GLCompute %4 "main"
                         {331, 4, 38, 10, 11, 11},  // LocalSizeId
                         {71, 10, 1, 7},            // SpecId 7
                         {21, 2, 32, 0},            // uint
                         {50, 2, 10, 128},          // %10 = spec constant 128
                         {43, 2, 11, 1},
                         {43, 2, 12, 2},  // scope Workgroup
                         {4456, 20, 2, 12, 10, 10, 11}});
}

PhysicalDevice deviceWith(std::initializer_list<const char*> features) {
  PhysicalDevice device;
  device.apiVersion = VK_API_VERSION_1_3;
  device.usableVersion = VK_API_VERSION_1_3;
  device.subgroupOperations = VK_SUBGROUP_FEATURE_BASIC_BIT;
  for (const char* name : features) {
    const auto feature = findFeature(name);
    REQUIRE(feature.has_value());
    device.features.add(*feature);
  }
  auto& limits = device.limits;
  for (int i = 0; i < 3; ++i) {
    limits.maxComputeWorkGroupSize[i] = 1024;
    limits.maxComputeWorkGroupCount[i] = 65535;
  }
  limits.maxComputeWorkGroupInvocations = 1024;
  limits.maxPushConstantsSize = 128;
  limits.maxStorageBufferRange = 1 << 20;
  limits.maxUniformBufferRange = 1 << 14;
  return device;
}

bool contains(const std::vector<std::string>& texts, const std::string& part) {
  for (const std::string& text : texts) {
    UNSCOPED_INFO(text);
  }
  return std::any_of(texts.begin(), texts.end(),
                     [&](const std::string& t) { return t.find(part) != std::string::npos; });
}

}  // namespace

TEST_CASE("what a module says of itself") {
  const auto words = sampleModule();
  const auto info = readModuleInfo(words);
  REQUIRE(info);
  CHECK(info->version == 0x00010600);
  CHECK(info->capabilities == std::vector<uint32_t>{1, 6022, 5345});
  CHECK(info->matrices);
  CHECK(info->workgroupScopeMatrices);
  CHECK(info->usesLocalSizeId);
  const EntryPoint* entry = info->findEntry("main");
  REQUIRE(entry != nullptr);
  CHECK(info->findEntry("other") == nullptr);
  CHECK(entry->workgroupSize == std::array<uint32_t, 3>{128, 1, 1});
  const auto specialized = readModuleInfo(words, {{7, 64}});
  REQUIRE(specialized);
  CHECK(specialized->findEntry("main")->workgroupSize == std::array<uint32_t, 3>{64, 1, 1});
}

TEST_CASE("a workgroup size may be computed from specialization constants") {
  // %10 = spec constant operation IAdd %13 %11, %13 = spec constant 128 of SpecId 7
  const auto info = [&](const SpecializationValues& values) {
    return readModuleInfo(moduleWithMain({{17, 1},
                                          {15, 5, 4, kMain, 0},
                                          {331, 4, 38, 10, 11, 11},
                                          {71, 13, 1, 7},
                                          {21, 2, 32, 0},
                                          {50, 2, 13, 128},
                                          {43, 2, 11, 1},
                                          {52, 2, 10, 128, 13, 11}}),
                          values);
  };
  const auto byDefault = info({});
  REQUIRE(byDefault);
  CHECK(byDefault->findEntry("main")->workgroupSize == std::array<uint32_t, 3>{129, 1, 1});
  const auto given = info({{7, 63}});
  REQUIRE(given);
  CHECK(given->findEntry("main")->workgroupSize == std::array<uint32_t, 3>{64, 1, 1});
}

TEST_CASE("damaged modules are refused with one reason, or run, or lack something") {
  CHECK_FALSE(readModuleInfo({}));
  const std::vector<uint32_t> noHeader{0x07230203, 1};
  CHECK_FALSE(readModuleInfo(noHeader));
  auto words = sampleModule();
  words[5] = 17;  // word count 0
  CHECK_FALSE(readModuleInfo(words));
  words[5] = 0xFFFF0011;
  CHECK_FALSE(readModuleInfo(words));

  std::mt19937 random(5);
  const auto good = sampleModule();
  const PhysicalDevice devices[] = {
      deviceWith({}), deviceWith({"cooperativeMatrix", "vulkanMemoryModel", "cooperativeMatrixWorkgroupScope",
                                  "maintenance4", "cooperativeMatrixFlexibleDimensions"})};
  size_t outcomes[3] = {};
  for (int round = 0; round < 20000; ++round) {
    auto changed = good;
    if (round % 2 == 0) changed.resize(5 + random() % (changed.size() - 4));
    for (int i = 0; i < 3; ++i) {
      uint32_t& word = changed[random() % changed.size()];
      word = random() % 2 == 0 ? static_cast<uint32_t>(random()) : word ^ (1u << random() % 32);
    }
    RunRequest request;
    request.module = changed;
    const Preflight outcome = preflight(devices[random() % 2], request);
    ++outcomes[static_cast<size_t>(outcome.kind)];
    REQUIRE(outcome.reasons.empty() == (outcome.kind == RunOutcome::Kind::Done));
    for (const std::string& reason : outcome.reasons)
      REQUIRE((!reason.empty() && reason.find('\n') == std::string::npos));
    const Result<ModuleInfo> read = readModuleInfo(changed);
    if (read) continue;
    REQUIRE(outcome.kind == RunOutcome::Kind::Failed);
    REQUIRE(outcome.reasons == std::vector<std::string>{read.error().message});
  }
  for (const size_t count : outcomes) CHECK(count > 100);
}

TEST_CASE("files that are not modules") {
  const std::string path = (std::filesystem::temp_directory_path() / "coopc_no_module.spv").string();
  const auto reads = [&](const std::vector<unsigned char>& bytes) {
    std::FILE* file = std::fopen(path.c_str(), "wb");
    REQUIRE(file != nullptr);
    if (!bytes.empty()) std::fwrite(bytes.data(), 1, bytes.size(), file);
    std::fclose(file);
    return readModuleFile(path);
  };
  CHECK_FALSE(reads({}));
  CHECK_FALSE(reads({3, 2, 0x23}));
  CHECK_FALSE(reads({1, 2, 3, 4}));
  CHECK_FALSE(reads({3, 2, 0x23, 7, 1}));
  const auto swapped = reads({7, 0x23, 2, 3, 0, 1, 6, 0});
  REQUIRE(swapped);
  CHECK(*swapped == std::vector<uint32_t>{0x07230203, 0x00010600});
  std::filesystem::remove(path);
  CHECK_FALSE(readModuleFile(path));
}

TEST_CASE("limits of ray tracing and of mesh shaders") {
  InstanceApi api{};
  api.vkGetPhysicalDeviceProperties2 = [](VkPhysicalDevice, VkPhysicalDeviceProperties2* all) {
    auto* next = static_cast<VkBaseOutStructure*>(all->pNext);
    if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_PROPERTIES_KHR) {
      auto* rays = reinterpret_cast<VkPhysicalDeviceRayTracingPipelinePropertiesKHR*>(next);
      rays->maxRayRecursionDepth = 2;
      rays->maxRayDispatchInvocationCount = 1 << 20;
    } else if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_PROPERTIES_EXT) {
      auto* meshes = reinterpret_cast<VkPhysicalDeviceMeshShaderPropertiesEXT*>(next);
      for (uint32_t& most : meshes->maxTaskWorkGroupCount) most = 100;
      for (uint32_t& most : meshes->maxMeshWorkGroupCount) most = 200;
      meshes->maxTaskWorkGroupTotalCount = 300;
      meshes->maxMeshWorkGroupTotalCount = 1000;
    }
  };
  RunRequest request;
  const auto exceeded = [&] { return exceededLimits(api, deviceWith({}), request); };
  CHECK(exceeded().empty());
  Tracing& tracing = request.tracing.emplace();
  tracing.size = {1024, 1024, 1};
  tracing.recursion = 2;
  CHECK(exceeded().empty());
  tracing.size = {0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF};
  tracing.recursion = 3;
  CHECK(contains(exceeded(), "rays nested 3 deep: the device allows 2"));
  CHECK(contains(exceeded(), "x 4294967295 rays: the device allows 1048576"));
  tracing = {{1024, 1024, 2}, 1};
  CHECK(exceeded().size() == 1);

  request.tracing.reset();
  request.drawing.emplace().groups = {10, 10, 4};
  CHECK(exceeded().empty());
  request.stages.resize(2);
  request.stages[0].stage = findStage("mesh");
  request.stages[1].stage = findStage("fragment");
  CHECK(exceeded().empty());
  request.stages[1].stage = findStage("task");
  CHECK(exceeded() == std::vector<std::string>{"10 x 10 x 4 task workgroups: the device allows 300"});
  request.drawing->groups = {101, 1, 1};
  CHECK(exceeded() == std::vector<std::string>{"101 task workgroups in dimension 0: the device allows 100"});
}

TEST_CASE("missing features are named with who needs them") {
  const auto words = sampleModule();
  RunRequest request;
  request.module = words;
  Preflight result = preflight(deviceWith({}), request);
  CHECK(result.kind == RunOutcome::Kind::Skipped);
  CHECK(contains(result.reasons, "feature cooperativeMatrix (capability CooperativeMatrixKHR) is missing"));
  CHECK(contains(result.reasons, "feature vulkanMemoryModel (capability VulkanMemoryModel) is missing"));
  CHECK(contains(result.reasons,
                 "feature cooperativeMatrixWorkgroupScope (workgroup scope matrices) is missing"));

  const auto able = {"cooperativeMatrix", "vulkanMemoryModel", "cooperativeMatrixWorkgroupScope",
                     "maintenance4", "cooperativeMatrixFlexibleDimensions"};
  PhysicalDevice device = deviceWith(able);
  result = preflight(device, request);
  INFO((result.reasons.empty() ? "" : result.reasons[0]));
  CHECK(result.kind == RunOutcome::Kind::Done);
  CHECK(result.requirements.features.has("cooperativeMatrixFlexibleDimensions"));
  CHECK_FALSE(result.requirements.features.has("shaderFloat64"));
  CHECK(result.requirements.extensions ==
        std::vector<std::string>{"VK_KHR_cooperative_matrix", "VK_NV_cooperative_matrix2"});

  device.usableVersion = VK_API_VERSION_1_1;
  CHECK(
      contains(preflight(device, request).reasons, "Vulkan 1.3 (SPIR-V 1.6) is missing: the device has 1.1"));
  const auto unknown = moduleOf({{17, 1}, {17, 65000}, {15, 5, 4, kMain, 0}});
  request.module = unknown;
  CHECK(contains(preflight(deviceWith(able), request).reasons, "no feature for capability 65000"));
  const auto vote = moduleOf({{17, 1}, {17, 62}, {15, 5, 4, kMain, 0}});
  request.module = vote;
  CHECK(contains(preflight(deviceWith(able), request).reasons,
                 "subgroup operations (capability GroupNonUniformVote)"));
  const auto rounding = moduleOf({{17, 1}, {17, 4467}, {15, 5, 4, kMain, 0}, {16, 4, 4462, 16}});
  request.module = rounding;
  CHECK(contains(preflight(deviceWith(able), request).reasons, "execution mode 4462 for 16-bit floats"));
  // OpAtomicExchange of a half in a buffer and OpAtomicStore of a double in shared memory need features, but
  // no capability.
  const auto atomics = moduleOf({{17, 1},
                                 {15, 5, 4, kMain, 0},
                                 {22, 2, 16},
                                 {22, 3, 64},
                                 {32, 5, 12, 2},
                                 {32, 6, 4, 3},
                                 {59, 6, 7, 4},
                                 {65, 5, 8, 20, 21},
                                 {229, 2, 9, 8, 21, 21, 22},
                                 {228, 7, 21, 21, 23}});
  request.module = atomics;
  const auto reasons = preflight(deviceWith(able), request).reasons;
  CHECK(contains(reasons, "feature shaderBufferFloat16Atomics (atomic loads, stores or exchanges of 16-bit"));
  CHECK(contains(reasons, "feature shaderSharedFloat64Atomics (atomic loads, stores or exchanges of 64-bit"));
  CHECK(preflight(deviceWith({"shaderBufferFloat16Atomics", "shaderSharedFloat64Atomics"}), request).kind ==
        RunOutcome::Kind::Done);
  const auto noEntry = moduleOf({{17, 1}});
  request.module = noEntry;
  CHECK(contains(preflight(deviceWith(able), request).reasons, "no compute entry point 'main'"));
}

TEST_CASE("a matrix's scope is the case's value of a specialization constant, not its default") {
  const auto moduleWithScope = [](uint32_t scope) {
    return moduleWithMain({{17, 1},
                           {17, 6022},
                           {17, 5345},
                           {15, 5, 4, kMain, 0},
                           {16, 4, 17, 128, 1, 1},
                           {71, 12, 1, 8},  // SpecId 8
                           {21, 2, 32, 0},
                           {50, 2, 12, scope},
                           {43, 2, 13, 16},
                           {4456, 20, 2, 12, 13, 13, 13}});
  };
  constexpr uint32_t kWorkgroup = 2;
  constexpr uint32_t kSubgroup = 3;
  const PhysicalDevice subgroupsOnly = deviceWith({"cooperativeMatrix", "vulkanMemoryModel"});
  PhysicalDevice small =
      deviceWith({"cooperativeMatrix", "vulkanMemoryModel", "cooperativeMatrixWorkgroupScope",
                  "cooperativeMatrixFlexibleDimensions"});
  small.matrices.workgroupScopeMaxWorkgroupSize = 64;
  RunRequest request;
  const auto workgroup = moduleWithScope(kWorkgroup);
  request.module = workgroup;
  CHECK(contains(preflight(subgroupsOnly, request).reasons, "cooperativeMatrixWorkgroupScope"));
  request.specializations = {{8, kSubgroup, 4}};
  CHECK(preflight(subgroupsOnly, request).kind == RunOutcome::Kind::Done);
  CHECK(preflight(small, request).kind == RunOutcome::Kind::Done);

  const auto subgroup = moduleWithScope(kSubgroup);
  request.module = subgroup;
  request.specializations.clear();
  CHECK(preflight(small, request).kind == RunOutcome::Kind::Done);
  request.specializations = {{8, kWorkgroup, 4}};
  CHECK(contains(preflight(subgroupsOnly, request).reasons, "cooperativeMatrixWorkgroupScope"));
  CHECK(contains(preflight(small, request).reasons,
                 "128 invocations with workgroup scope matrices: the device allows 64"));
}

TEST_CASE("workgroup memory is limited, with the case's values of specialization constants") {
  // shared uint words[N], N of SpecId 8
  const auto words = moduleWithMain({{17, 1},
                                     {15, 5, 4, kMain, 0, 15},
                                     {16, 4, 17, 1, 1, 1},
                                     {71, 12, 1, 8},
                                     {21, 2, 32, 0},
                                     {50, 2, 12, 4096},
                                     {28, 13, 2, 12},
                                     {32, 14, 4, 13},
                                     {59, 14, 15, 4}});
  RunRequest request;
  request.module = words;
  PhysicalDevice device = deviceWith({});
  device.limits.maxComputeSharedMemorySize = 16384;
  INFO((preflight(device, request).reasons.empty() ? "" : preflight(device, request).reasons[0]));
  CHECK(preflight(device, request).kind == RunOutcome::Kind::Done);
  request.specializations = {{8, 4097, 4}};
  CHECK(preflight(device, request).kind == RunOutcome::Kind::Skipped);
  CHECK(contains(preflight(device, request).reasons,
                 "16388 bytes of workgroup memory: the device allows 16384"));
}

TEST_CASE("limits are checked before anything runs") {
  const auto words = sampleModule();
  RunRequest request;
  request.module = words;
  PhysicalDevice device =
      deviceWith({"cooperativeMatrix", "vulkanMemoryModel", "cooperativeMatrixWorkgroupScope", "maintenance4",
                  "cooperativeMatrixFlexibleDimensions"});
  device.matrices.workgroupScopeMaxWorkgroupSize = 256;
  request.specializations = {{7, 512, 4}};
  CHECK(contains(preflight(device, request).reasons,
                 "512 invocations with workgroup scope matrices: the device allows 256"));
  request.specializations = {{7, 2000, 4}};
  CHECK(contains(preflight(device, request).reasons, "workgroup size 2000 in dimension 0"));
  request.specializations = {{7, 0, 4}};
  CHECK(preflight(device, request).kind == RunOutcome::Kind::Failed);
  request.specializations.clear();
  request.groups = {70000, 1, 1};
  CHECK(contains(preflight(device, request).reasons, "70000 workgroups"));
  request.groups = {1, 1, 1};
  request.buffers.push_back({"big", RunBuffer::Kind::Uniform, 0, 0, 1 << 15, {}});
  CHECK(contains(preflight(device, request).reasons, "buffer 'big' has 32768 bytes"));
  request.buffers.clear();
  request.pushConstants.resize(200);
  CHECK(contains(preflight(device, request).reasons, "200 bytes of push constants"));
  request.pushConstants.clear();
  request.subgroupSize = 16;
  CHECK(preflight(device, request).kind == RunOutcome::Kind::Skipped);
  request.subgroupSize = 0;
  request.matrices.push_back(
      {64, 64, 16, NumberType::F16, NumberType::F16, NumberType::F32, NumberType::F32, true});
  CHECK(contains(preflight(device, request).reasons,
                 "64x64x16 of f16, f16 -> f32, f32 in workgroup scope with 128"));
}

TEST_CASE("shapes: equal, or multiples of a granularity for the workgroup's size") {
  PhysicalDevice device;
  const auto f16 = VK_COMPONENT_TYPE_FLOAT16_KHR;
  const auto f32 = VK_COMPONENT_TYPE_FLOAT32_KHR;
  device.matrices.fixed.push_back({16, 8, 16, f16, f16, f32, f32, false, VK_SCOPE_SUBGROUP_KHR, 0});
  device.matrices.flexible.push_back({32, 16, 16, f16, f16, f32, f32, false, VK_SCOPE_WORKGROUP_KHR, 128});
  device.matrices.flexibleDimensionsMaxDimension = 256;
  const auto shape = [](bool workgroup, uint32_t m, uint32_t n, uint32_t k) {
    return coopc::spirv::MatrixShape{
        m, n, k, NumberType::F16, NumberType::F16, NumberType::F32, NumberType::F32, workgroup};
  };
  CHECK(missingShape(device, shape(false, 16, 8, 16), 32).empty());
  CHECK_FALSE(missingShape(device, shape(false, 16, 16, 16), 32).empty());
  CHECK(missingShape(device, shape(true, 64, 16, 32), 128).empty());
  CHECK_FALSE(missingShape(device, shape(true, 64, 16, 32), 256).empty());
  CHECK_FALSE(missingShape(device, shape(true, 48, 16, 32), 128).empty());
  CHECK_FALSE(missingShape(device, shape(true, 512, 16, 32), 128).empty());
  coopc::spirv::MatrixShape integers = shape(false, 16, 8, 16);
  integers.a = NumberType::S8;
  CHECK_FALSE(missingShape(device, integers, 32).empty());
}

TEST_CASE("devices are picked by kind, index and name") {
  std::vector<PhysicalDevice> devices(3);
  devices[0].name = "llvmpipe";
  devices[0].type = VK_PHYSICAL_DEVICE_TYPE_CPU;
  devices[1].name = "Big GPU";
  devices[1].type = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
  devices[2].name = "Small GPU";
  devices[2].type = VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU;
  const auto picked = [&](const std::string& wish) {
    const auto device = pickDevice(devices, wish);
    return device ? (*device)->name : device.error().message;
  };
  CHECK(picked("") == "Big GPU");
  CHECK(picked("0") == "llvmpipe");
  CHECK(picked("LLVM") == "llvmpipe");
  CHECK(picked("small") == "Small GPU");
  CHECK(picked("gpu") == "Big GPU");
  const std::string there = "; there is 0: llvmpipe, 1: Big GPU, 2: Small GPU";
  CHECK(picked("7") == "there is no device 7" + there);
  CHECK(picked("99999999999999999999") == "there is no device 99999999999999999999" + there);
  CHECK(picked("nobody") == "no device's name contains 'nobody'" + there);
  CHECK_FALSE(pickDevice({}, ""));
}

TEST_CASE("processes: output, exit codes, crashes, timeouts") {
  auto result = runProcess({"sh", "-c", "echo out; echo err >&2; exit 3"}, 10);
  REQUIRE(result);
  CHECK(result->exitCode == 3);
  CHECK(result->output == "out\nerr\n");
  result = runProcess({"sh", "-c", "kill -SEGV $$"}, 10);
  REQUIRE(result);
  CHECK(result->exitCode == -1);
  CHECK_FALSE(result->timedOut);
  result = runProcess({"sh", "-c", "sleep 100 & sleep 100"}, 1);
  REQUIRE(result);
  CHECK(result->timedOut);
  result = runProcess({"sh", "-c", "exec >/dev/null 2>&1; sleep 100"}, 1);
  REQUIRE(result);
  CHECK(result->timedOut);
  result = runProcess({"sh", "-c", "head -c 3000000 /dev/zero"}, 20);
  REQUIRE(result);
  CHECK(result->exitCode == 0);
  CHECK(result->output.size() >= size_t{1} << 20);
  CHECK(result->output.size() < size_t{2} << 20);
  CHECK_FALSE(runProcess({"/nowhere/compiler"}, 1));
  CHECK_FALSE(runProcess({}, 1));
}

TEST_CASE("compilers get glslc's command line") {
  auto subject = parseCase(
      "name='n'\n[shader]\nsource='s.comp'\ntarget-env='vulkan1.2'\noptions=['-O']\n"
      "macros = { A = 'x y', B = '' }",
      "folder/x.toml", {});
  REQUIRE(subject);
  CHECK(compilerArguments(subject->shaders[0], subject->file, {"cc", 5}, "o.spv") ==
        std::vector<std::string>{"cc", "-fshader-stage=compute", "--target-env=vulkan1.2", "-DA=x y", "-DB",
                                 "-O", "folder/s.comp", "-o", "o.spv"});
  CHECK_FALSE(obtainModules(*subject, {"false", 5}));
  CHECK_FALSE(obtainModules(*subject, {"true", 5}));  // succeeds, but writes nothing
}
