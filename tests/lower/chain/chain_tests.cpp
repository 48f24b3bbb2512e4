// Targets, what a module lacks on them, and the answer as a whole.
#include <algorithm>
#include <utility>

#include <catch2/catch_test_macros.hpp>

#include "spirv/enums_supplement.hpp"
#include "spirv/lower/lower.hpp"
#include "spirv/lower/needs.hpp"
#include "spirv/lower/route.hpp"
#include "tests/spirv/spirv_text.hpp"

namespace coopc::tests {
namespace {

namespace lower = spirv::lower;
using spirv::vulkan::Feature;

lower::Target named(std::string_view name) {
  auto target = lower::findNamedTarget(name);
  REQUIRE(target);
  return *target;
}

// A shader that multiplies f16 matrices of this shape, with f32 sums.
std::string multiplyAdd(const std::string& scope, const std::string& m, const std::string& n,
                        const std::string& k) {
  return "OpCapability Shader\nOpCapability Float16\nOpCapability CooperativeMatrixKHR\n"
         "OpCapability VulkanMemoryModel\nOpExtension \"SPV_KHR_cooperative_matrix\"\n"
         "OpMemoryModel Logical Vulkan\nOpEntryPoint GLCompute %main \"main\"\n"
         "OpExecutionMode %main LocalSize 128 1 1\nOpDecorate %rows SpecId 7\n"
         "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n"
         "%half = OpTypeFloat 16\n%float = OpTypeFloat 32\n"
         "%u0 = OpConstant %uint 0\n%u1 = OpConstant %uint 1\n%u2 = OpConstant %uint 2\n"
         "%scope = OpConstant %uint " +
         scope + "\n%m = OpConstant %uint " + m + "\n%n = OpConstant %uint " + n +
         "\n%k = OpConstant %uint " + k + "\n%rows = OpSpecConstant %uint " + m +
         "\n"
         "%A = OpTypeCooperativeMatrixKHR %half %scope %rows %k %u0\n"
         "%B = OpTypeCooperativeMatrixKHR %half %scope %k %n %u1\n"
         "%C = OpTypeCooperativeMatrixKHR %float %scope %rows %n %u2\n"
         "%a = OpConstantNull %A\n%b = OpConstantNull %B\n%c = OpConstantNull %C\n"
         "%main = OpFunction %void None %fn\n%entry = OpLabel\n"
         "%d = OpCooperativeMatrixMulAddKHR %C %a %b %c\nOpReturn\nOpFunctionEnd\n";
}

TEST_CASE("targets have what they are described to have") {
  CHECK(named("none").lacks(Feature::cooperativeMatrix));
  CHECK_FALSE(named("khr").lacks(Feature::cooperativeMatrix));
  CHECK(named("khr").lacks(Feature::cooperativeMatrixReductions));
  CHECK_FALSE(named("radv").lacks(Feature::cooperativeMatrixReductions));
  CHECK(named("radv").lacks(Feature::cooperativeMatrixTensorAddressing));
  CHECK_FALSE(named("radv").measured);
  CHECK(named("khr").lacks(Feature::maintenance1_cooperativeMatrixReductions));
  CHECK(named("maintenance1").lacks(Feature::cooperativeMatrixReductions));
  CHECK_FALSE(named("maintenance1").lacks(Feature::maintenance1_cooperativeMatrixReductions));
  CHECK_FALSE(named("maintenance1").measured);
  CHECK(named("radv").lacks(Feature::shaderSplitBarrier));
  CHECK(named("none").lacks(Feature::shaderMixedFloatDotProductBFloat16Acc));
  // Features that have nothing to do with matrices are unknown, and assumed to be present.
  CHECK_FALSE(named("none").lacks(Feature::shaderFloat64));
  CHECK_FALSE(lower::findNamedTarget("some"));
}

TEST_CASE("features are taken away one by one and in groups") {
  lower::Target t = named("radv");
  CHECK(lower::removeFeatures(t, "cooperativeMatrixReductions,vulkan-memory-model").empty());
  CHECK(t.lacks(Feature::cooperativeMatrixReductions));
  CHECK_FALSE(t.lacks(Feature::cooperativeMatrixConversions));
  CHECK(t.lacks(Feature::vulkanMemoryModel));
  CHECK(lower::removeFeatures(t, "nv").empty());
  CHECK(t.lacks(Feature::cooperativeMatrixConversions));
  CHECK_FALSE(t.lacks(Feature::cooperativeMatrix));
  CHECK(lower::removeFeatures(t, "khr").empty());
  CHECK(t.lacks(Feature::cooperativeMatrix));
  lower::Target promoted = named("maintenance1");
  CHECK(lower::removeFeatures(promoted, "nv").empty());
  CHECK_FALSE(promoted.lacks(Feature::maintenance1_cooperativeMatrixConversions));
  CHECK(lower::removeFeatures(promoted, "khr").empty());
  CHECK(promoted.lacks(Feature::maintenance1_cooperativeMatrixConversions));
  CHECK(lower::removeFeatures(t, "reductions") == "there is no feature `reductions`");
}

using Missing = lower::MissingMatrices;

TEST_CASE("shapes decide what of matrices is lacking") {
  const auto needs = [](const lower::Target& target, const char* scope, const char* m, const char* n,
                        const char* k) {
    return lower::missingFeatures(read(assemble(multiplyAdd(scope, m, n, k))), target);
  };
  CHECK(needs(named("none"), "3", "16", "16", "16").matrices == Missing::Components);
  CHECK_FALSE(needs(named("khr"), "3", "16", "16", "16").any());
  CHECK(needs(named("khr"), "3", "32", "16", "16").matrices == Missing::Shapes);
  CHECK(needs(named("khr"), "2", "16", "16", "16").matrices == Missing::Shapes);
  // Multiples of a granularity, up to the largest dimension.
  CHECK_FALSE(needs(named("radv"), "3", "64", "32", "16").any());
  CHECK(needs(named("radv"), "3", "24", "16", "16").matrices == Missing::Shapes);
  CHECK(needs(named("radv"), "3", "2048", "16", "16").matrices == Missing::Shapes);
}

// VkCooperativeMatrixPropertiesKHR has no size of workgroups, whatever the scope; only flexible shapes have
// one (VkCooperativeMatrixFlexibleDimensionsPropertiesNV).
TEST_CASE("a fixed shape of workgroup scope is there for workgroups of any size") {
  lower::Target target = named("khr");
  for (spirv::MatrixShape& s : *target.device.fixed) s.workgroup = true;
  const std::string multiplied = multiplyAdd("2", "16", "16", "16");
  std::string declared = multiplied;
  const std::string product = "%d = OpCooperativeMatrixMulAddKHR %C %a %b %c\n";
  declared.erase(declared.find(product), product.size());
  CHECK_FALSE(lower::missingFeatures(read(assemble(multiplied)), target).any());
  CHECK_FALSE(lower::missingFeatures(read(assemble(declared)), target).any());
  // Flexible shapes are for workgroups of one size.
  target.device.features.insert("cooperativeMatrixFlexibleDimensions");
  target.device.features.insert("cooperativeMatrixWorkgroupScope");
  target.device.maxDimension = 1024;
  target.device.flexible = std::exchange(target.device.fixed, std::nullopt);
  for (const uint64_t invocations : {128, 256}) {
    for (spirv::MatrixShape& s : *target.device.flexible) s.invocations = invocations;
    for (const std::string& text : {multiplied, declared})
      CHECK(lower::missingFeatures(read(assemble(text)), target).any() == (invocations != 128));
  }
}

TEST_CASE("what is lacking of matrices and tensor addressing decides the route") {
  using Route = lower::LoweringRoute;
  const auto route = [](Missing matrices, bool tensors, const char* target) {
    lower::MissingFeatures missing;
    missing.lack(matrices);
    missing.tensorAddressing = tensors;
    return lower::chooseRoute(missing, named(target));
  };
  CHECK(route(Missing::Nothing, false, "khr").route == Route::Unchanged);
  CHECK(route(Missing::Nothing, true, "radv").route == Route::ElementCalls);
  CHECK(route(Missing::Nothing, true, "khr").route == Route::Granules);
  CHECK(route(Missing::Shapes, true, "radv").route == Route::Granules);
  CHECK(route(Missing::Shapes, false, "khr").route == Route::Granules);
  CHECK(route(Missing::Float8Operands, false, "khr").route == Route::HalfOperands);
  CHECK(route(Missing::Float8Operands, true, "none").route == Route::PlainCode);
  CHECK(route(Missing::Components, false, "none").reason.empty());
  const lower::RouteDecision plain = route(Missing::Components, true, "khr");
  CHECK(plain.route == Route::PlainCode);
  CHECK(plain.reason == "the device has no matrices with such components");
}

// For a device with VK_EXT_cooperative_matrix_maintenance1, these operations get other names. For one with
// neither extension they become other code. For one with the NV extension nothing changes.
TEST_CASE("operations that two extensions have") {
  const auto needs = [](const char* capability, const char* target) {
    std::string text = multiplyAdd("3", "16", "16", "16");
    text.insert(text.find("OpExtension"), std::string("OpCapability ") + capability + "\n");
    return lower::missingFeatures(read(assemble(text)), named(target));
  };
  for (const char* capability : {"CooperativeMatrixReductionsNV", "CooperativeMatrixConversionsNV",
                                 "CooperativeMatrixPerElementOperationsNV"}) {
    INFO(capability);
    CHECK(needs(capability, "maintenance1").maintenance);
    CHECK(needs(capability, "maintenance1").matrices == Missing::Nothing);
    CHECK_FALSE(needs(capability, "khr").maintenance);
    CHECK(needs(capability, "khr").matrices == Missing::Shapes);
    CHECK_FALSE(needs(capability, "radv").any());
    CHECK_FALSE(needs(capability, "none").maintenance);
  }
}

// In Vulkan's registry nothing enables SPV_ARM_cooperative_matrix_layouts.
TEST_CASE("a capability that Vulkan does not have is lacking, unless the driver may be newer") {
  std::string text = multiplyAdd("3", "16", "16", "16");
  text.insert(
      text.find("OpExtension"),
      "OpCapability CooperativeMatrixLayoutsARM\nOpExtension \"SPV_ARM_cooperative_matrix_layouts\"\n");
  const std::vector<uint32_t> words = assemble(text);
  lower::LowerRequest request;
  for (const char* target : {"khr", "none"}) {
    request.target = named(target);
    const lower::LowerAnswer declined = lower::lower(words, request);
    CHECK(declined.kind == lower::LowerAnswer::Kind::Declined);
    const auto& reasons = declined.reasons;
    INFO(target << (reasons.empty() ? "" : ": " + reasons[0]));
    CHECK(std::count(reasons.begin(), reasons.end(),
                     "Vulkan has no capability CooperativeMatrixLayoutsARM") == 1);
  }
  request.target = named("khr");
  request.target.newer = true;
  CHECK(lower::lower(words, request).kind == lower::LowerAnswer::Kind::Native);
}

TEST_CASE("a capability that the grammar does not know is named by its number") {
  std::vector<uint32_t> words = assemble(multiplyAdd("3", "16", "16", "16"));
  const uint32_t unknown[] = {2u << spv::WordCountShift | uint32_t(spv::Op::OpCapability), 65000};
  words.insert(words.begin() + 5, std::begin(unknown), std::end(unknown));
  const spirv::Module module = read(words);
  for (const char* target : {"khr", "none"}) {
    INFO(target);
    const std::vector<std::string> reasons = lower::listMissing(module, named(target));
    CHECK(std::count(reasons.begin(), reasons.end(), "Vulkan has no capability 65000") == 1);
  }
}

// radv has these operations by the NV extension, and does not support the other one.
TEST_CASE("operations of the other extension take the name that the device knows") {
  std::string text = multiplyAdd("3", "16", "16", "16");
  text.insert(text.find("OpExtension"),
              "OpCapability CooperativeMatrixReductionsNV\nOpExtension "
              "\"SPV_EXT_cooperative_matrix_maintenance1\"\n");
  lower::LowerRequest request;
  request.target = named("radv");
  const lower::LowerAnswer answer = lower::lower(assemble(text), request);
  REQUIRE(answer.kind == lower::LowerAnswer::Kind::Lowered);
  CHECK(textOf(answer.words).find("maintenance1") == std::string::npos);
}

// The assembler supports these instructions under the names of SPV_INTEL_split_barrier.
TEST_CASE("barriers in two parts stay where a device has them") {
  std::string text = multiplyAdd("3", "16", "16", "16");
  text.insert(text.find("OpExtension"),
              "OpCapability SplitBarrierINTEL\nOpExtension \"SPV_EXT_split_barrier\"\n");
  text.insert(text.find("%a = OpConstantNull"),
              "%release = OpConstant %uint 260\n%acquire = OpConstant %uint 258\n");
  text.insert(text.find("%d = OpCoop"), "OpControlBarrierArriveINTEL %u2 %u2 %release\n");
  text.insert(text.find("OpReturn"), "OpControlBarrierWaitINTEL %u2 %u2 %acquire\n");
  const std::vector<uint32_t> words = assemble(text);
  lower::LowerRequest request;
  request.target = named("khr");
  const lower::LowerAnswer without = lower::lower(words, request);
  REQUIRE(without.kind == lower::LowerAnswer::Kind::Lowered);
  const std::string lowered = textOf(without.words);
  INFO(lowered);
  CHECK(lowered.find("split_barrier") == std::string::npos);
  CHECK(lowered.find("SplitBarrier") == std::string::npos);
  CHECK(lowered.find("OpControlBarrierArrive") == std::string::npos);
  CHECK(lowered.find("OpControlBarrier ") != std::string::npos);
  CHECK(validate(without.words) == "");
  request.target.device.features.insert("shaderSplitBarrier");
  CHECK(lower::lower(words, request).kind == lower::LowerAnswer::Kind::Native);
  // On a device with split barriers, lowering the matrices leaves them as they are.
  request.target = named("none");
  request.target.device.features.insert("shaderSplitBarrier");
  const lower::LowerAnswer software = lower::lower(words, request);
  REQUIRE(software.kind == lower::LowerAnswer::Kind::Lowered);
  CHECK(textOf(software.words).find("OpControlBarrierArrive") != std::string::npos);
}

// bfloat16 becomes an integer type. The driver has no matrices of it, so the matrices are lowered too.
TEST_CASE("dot products of bfloat16 that a device lacks, beside matrices of bfloat16 that it has") {
  std::string text = multiplyAdd("3", "16", "16", "16");
  text.insert(text.find("OpExtension"), "OpCapability Int16\nOpCapability Int64\nOpCapability Float64\n");
  std::vector<uint32_t> words = assemble(text);  // the assembler does not support these capabilities
  const auto ofInt16 = std::find(words.begin(), words.end(), uint32_t(spv::Capability::Int16));
  REQUIRE(words.end() - ofInt16 > 4);
  ofInt16[0] = uint32_t(spirv::enums::CapabilityBFloat16TypeKHR);
  ofInt16[2] = uint32_t(spirv::enums::CapabilityBFloat16DotProductKHR);
  ofInt16[4] = uint32_t(spirv::enums::CapabilityBFloat16CooperativeMatrixKHR);
  lower::Target target = named("khr");
  target.complete = true;
  target.device.features.insert("shaderBFloat16Type");
  target.device.features.insert("shaderBFloat16CooperativeMatrix");
  const lower::MissingFeatures needs = lower::missingFeatures(read(words), target);
  CHECK(needs.bfloat16);
  CHECK(needs.matrices == lower::MissingMatrices::Components);
}

// Vulkan: LocalSizeId needs the feature maintenance4, in modules of any version.
TEST_CASE("a size of workgroups by ids is lacking where the device has no maintenance4") {
  const std::string text =
      "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\n"
      "OpExecutionModeId %main LocalSizeId %u8 %u8 %u8\n"
      "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n%u8 = OpConstant %uint 8\n"
      "%main = OpFunction %void None %fn\n%entry = OpLabel\nOpReturn\nOpFunctionEnd\n";
  const std::vector<uint32_t> words = assemble(text);
  lower::Target target = named("none");
  target.spirvVersion = 0x00010600;
  target.device.features.insert("maintenance4");
  CHECK_FALSE(lower::missingFeatures(read(words), target).version);
  target.complete = true;
  target.device.features.erase("maintenance4");
  CHECK(lower::missingFeatures(read(words), target).version);
}

TEST_CASE("a module that needs nothing lowered comes back as it is") {
  const std::vector<uint32_t> words = assemble(multiplyAdd("3", "16", "16", "16"));
  lower::LowerRequest request;
  request.target = named("khr");
  request.values = {{7, 16}};
  const lower::LowerAnswer answer = lower::lower(words, request);
  CHECK(answer.kind == lower::LowerAnswer::Kind::Native);
  CHECK(answer.words == words);
  // The constants are not frozen: the pipeline can still specialize them.
  CHECK(answer.frozen.empty());
}

TEST_CASE("specialization values decide whether a shape is there") {
  const std::vector<uint32_t> words = assemble(multiplyAdd("3", "16", "16", "16"));
  lower::LowerRequest request;
  request.target = named("khr");
  request.values = {{7, 32}};
  const lower::LowerAnswer answer = lower::lower(words, request);
  CHECK(answer.kind != lower::LowerAnswer::Kind::Native);
  REQUIRE(answer.lacking.size() == 1);
  CHECK(answer.lacking[0] ==
        "a multiply-add of 32x16x16 of f16, f16 -> f32, f32 in subgroup scope is not among the device's "
        "shapes");
}

TEST_CASE("the Vulkan memory model and the version are lowered where they are all that is lacking") {
  const std::string text =
      "OpCapability Shader\nOpCapability VulkanMemoryModel\nOpMemoryModel Logical Vulkan\n"
      "OpEntryPoint GLCompute %main \"main\"\nOpExecutionMode %main LocalSize 1 1 1\n"
      "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%main = OpFunction %void None %fn\n"
      "%entry = OpLabel\nOpReturn\nOpFunctionEnd\n";
  lower::LowerRequest request;
  request.target = named("none");
  CHECK(lower::removeFeatures(request.target, "vulkan-memory-model").empty());
  request.target.spirvVersion = 0x00010300;
  const lower::LowerAnswer answer = lower::lower(assemble(text), request);
  REQUIRE(answer.kind == lower::LowerAnswer::Kind::Lowered);
  CHECK(answer.words[1] == 0x00010300);
  CHECK(answer.rewrites.size() == 2);
  CHECK(answer.lacking.size() == 2);
  CHECK(textOf(answer.words).find("OpMemoryModel Logical GLSL450") != std::string::npos);
  CHECK(textOf(answer.words).find("VulkanMemoryModel") == std::string::npos);
}

}  // namespace
}  // namespace coopc::tests
