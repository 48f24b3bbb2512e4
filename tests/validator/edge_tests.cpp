// Modules at both sides of an edge of a rule: faults that scripts/mutants put there were not noticed by other
// tests. Each says which rules have findings, and no others have.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "coopc/validate.hpp"
#include "tests/validator/cases.hpp"

namespace coopc::tests {
namespace {

using Changes = std::vector<std::pair<std::string, std::string>>;

std::string changed(std::string text, const Changes& changes) {
  for (const auto& [from, to] : changes) {
    INFO(from);
    const size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    text.replace(at, from.size(), to);
  }
  return text;
}

std::vector<std::string> rulesOf(const std::string& text, const ValidateOptions& options = {}) {
  const ValidateResult result = validate(assembleModule(text), options);
  CHECK(result.readable);
  CHECK(result.error.empty());
  std::vector<std::string> all;
  for (const Finding& f : result.findings) all.emplace_back(f.rule->id);
  return all;
}
using Rules = std::vector<std::string>;

// SPV_EXT_shader_64bit_indexing allows offsets of 64 bits, which must be aligned as those of 32 bits are.
TEST_CASE("offsets of cooperative vectors have 32 bits, or 64 by an extension") {
  const std::pair<std::string, std::string> extension = {
      "OpExtension \"SPV_NV_cooperative_vector\"\n",
      "OpExtension \"SPV_NV_cooperative_vector\"\nOpExtension \"SPV_EXT_shader_64bit_indexing\"\n"};
  const std::string store = "OpCooperativeVectorStoreNV %at %u16 %limited";
  const std::string base = baseText("vector");
  CHECK(rulesOf(changed(base, {extension, {store, "OpCooperativeVectorStoreNV %at %wide0 %limited"}})) ==
        Rules{});
  CHECK(rulesOf(changed(base, {{store, "OpCooperativeVectorStoreNV %at %wide0 %limited"}})) ==
        Rules{"coopvec-offset"});
  CHECK(rulesOf(changed(base, {extension,
                               {"%packed = ", "%wide8 = OpConstant %u64 8\n%packed = "},
                               {store, "OpCooperativeVectorStoreNV %at %wide8 %limited"}})) ==
        Rules{"coopvec-offset-alignment"});
  CHECK(rulesOf(changed(
            base, {extension,
                   {"OpCapability Int64\n", "OpCapability Int64\nOpCapability Int16\n"},
                   {"%packed = ", "%u16t = OpTypeInt 16 0\n%short0 = OpConstant %u16t 0\n%packed = "},
                   {store, "OpCooperativeVectorStoreNV %at %short0 %limited"}})) == Rules{"coopvec-offset"});
}

// A sum is added to memory of a buffer whose elements may be vectors; loads and stores may use shared memory.
TEST_CASE("sums and outer products of cooperative vectors go to arrays of scalars or vectors in buffers") {
  const std::string sum = "OpCooperativeVectorReduceSumAccumulateNV %at %u16 %limited";
  const Changes vectors = {
      {"OpDecorate %halfs ArrayStride 2\n",
       "OpDecorate %halfs ArrayStride 2\nOpDecorate %pairs ArrayStride 4\n"
       "OpDecorate %pairData DescriptorSet 0\nOpDecorate %pairData Binding 1\n"
       "OpDecorate %PairData Block\nOpMemberDecorate %PairData 0 Offset 0\n"},
      {"%data %tile %held", "%data %tile %held %pairData"},
      {"%ptrHalf = OpTypePointer StorageBuffer %f16\n",
       "%ptrHalf = OpTypePointer StorageBuffer %f16\n%pair = OpTypeVector %f16 2\n"
       "%pairs = OpTypeRuntimeArray %pair\n%PairData = OpTypeStruct %pairs\n"
       "%ptrPairData = OpTypePointer StorageBuffer %PairData\n"
       "%pairData = OpVariable %ptrPairData StorageBuffer\n"
       "%ptrPairs = OpTypePointer StorageBuffer %pairs\n"},
      {"%one = OpAccessChain", "%pairsAt = OpAccessChain %ptrPairs %pairData %u0\n%one = OpAccessChain"},
      {sum, "OpCooperativeVectorReduceSumAccumulateNV %pairsAt %u16 %limited"}};
  CHECK(rulesOf(changed(baseText("vector"), vectors)) == Rules{});
  CHECK(rulesOf(changed(baseText("vector"),
                        {{sum, "OpCooperativeVectorReduceSumAccumulateNV %tile %u16 %limited"}})) ==
        Rules{"coopvec-pointer-storage"});
}

TEST_CASE("a product of cooperative vectors says which operand is none") {
  const auto messageOf = [&](const std::string& instead) {
    const ValidateResult result = validate(assembleModule(
        changed(baseText("vector"), {{"OpCooperativeVectorMatrixMulNV %vec8 %input", instead}})));
    for (const Finding& f : result.findings)
      if (f.rule->id == "coopvec-object") return f.message;
    return std::string();
  };
  CHECK(messageOf("OpCooperativeVectorMatrixMulNV %vec8 %half1") ==
        "Input is float16_t, not a cooperative vector");
  CHECK(messageOf("OpCooperativeVectorMatrixMulNV %f16 %input") ==
        "the result type is float16_t, not a cooperative vector");
}

// A function that decodes eight components at once returns a long vector (SPV_EXT_long_vector).
TEST_CASE("vector decode functions may return eight components, which divide the block") {
  Changes eight = {
      {"OpCapability !5447\n", "OpCapability !5447\nOpCapability LongVectorEXT\n"},
      {"OpExtension \"SPV_NV_cooperative_matrix_decode_vector\"\n",
       "OpExtension \"SPV_NV_cooperative_matrix_decode_vector\"\nOpExtension \"SPV_EXT_long_vector\"\n"},
      {"%accW = OpType", "%v8f16 = OpTypeVectorIdEXT %f16 %u8c\n%accW = OpType"},
      {"%fnDecodeV = OpTypeFunction %v4f16", "%fnDecodeV = OpTypeFunction %v8f16"},
      {"%decode4 = OpFunction %v4f16", "%decode4 = OpFunction %v8f16"},
      {"%decode4V = OpCompositeConstruct %v4f16 %half1 %half1 %half1 %half1",
       "%decode4V = OpCompositeConstruct %v8f16 %half1 %half1 %half1 %half1 %half1 %half1 %half1 %half1"}};
  CHECK(rulesOf(changed(baseText("decode_vector"), eight)) == Rules{});
  eight.push_back({"%q1 = OpTensorLayoutSetBlockSizeNV %layout %q0 %u1 %u32c",
                   "%q1 = OpTensorLayoutSetBlockSizeNV %layout %q0 %u1 %u4"});
  CHECK(rulesOf(changed(baseText("decode_vector"), eight)) == Rules{"decode-vector-block-size"});
}

// One instruction that is wrong twice has one finding; its slices are outside, too.
TEST_CASE("two dimensions of a tensor layout that are 0 are one finding") {
  const Rules rules =
      rulesOf(changed(baseText("nv2"), {{"%t1 = OpTensorLayoutSetDimensionNV %layout %t0 %u64 %u64",
                                         "%t1 = OpTensorLayoutSetDimensionNV %layout %t0 %u0 %u0"}}));
  CHECK(std::count(rules.begin(), rules.end(), "tensor-zero") == 1);
}

// The accesses of the made-up device have at most 16 bytes; a boolean is one byte (VK_FORMAT_R8_BOOL_ARM).
TEST_CASE("booleans of tensors are bytes for a device's limit of accesses") {
  const std::string profile =
      changed(readText(std::string(COOPC_VALIDATOR_TESTS) + "/profiles/tensors.json"),
              {{"maxShaderAccessArrayLength\": 4", "maxShaderAccessArrayLength\": 64"}});
  ValidateOptions options;
  options.profile = profile;
  const auto read = [&](const std::string& count) {
    return rulesOf(
        changed(
            baseText("tensors"),
            {{"%bools2 = OpTypeArray", "%boolCount = OpConstant %u32 " + count +
                                           "\n%boolsN = OpTypeArray %bool %boolCount\n%bools2 = OpTypeArray"},
             {"%flags = OpTensorReadARM",
              "%moreFlags = OpTensorReadARM %boolsN %flag %atRank\n%flags = OpTensorReadARM"}}),
        options);
  };
  CHECK(read("16") == Rules{});
  CHECK(read("17") == Rules{"device-tensor-access"});
}

// The made-up device trains with 16-bit numbers only, then with none.
TEST_CASE("training with 16-bit numbers is a property of its own") {
  const std::string able = readText(std::string(COOPC_VALIDATOR_TESTS) + "/profiles/vectors.json");
  const std::string unable =
      changed(able, {{"trainingFloat16Accumulation\": true", "trainingFloat16Accumulation\": false"}});
  ValidateOptions options;
  options.profile = able;
  CHECK(rulesOf(baseText("vector"), options) == Rules{});
  options.profile = unable;
  CHECK(rulesOf(baseText("vector"), options) == Rules{"device-coopvec-training", "device-coopvec-training"});
}

// A matrix B has the type that the device's shape has for B, whatever its accumulators have.
TEST_CASE("matrices B of a device's shapes") {
  ValidateOptions options;
  options.profile =
      R"({"features": ["cooperativeMatrix", "shaderFloat16", "vulkanMemoryModel", "storageBuffer16BitAccess"],
    "extensions": ["VK_KHR_cooperative_matrix"], "flexibleShapes": [], "shapes": [{"m": 16, "n": 16, "k": 16, "a": "f16",
    "b": "f16", "c": "f32", "result": "f32", "scope": "subgroup", "saturating": false}]})";
  const auto shader = [](const char* component) {
    return std::string(
               "OpCapability Shader\nOpCapability Float16\nOpCapability VulkanMemoryModel\n"
               "OpCapability CooperativeMatrixKHR\nOpExtension \"SPV_KHR_cooperative_matrix\"\n"
               "OpMemoryModel Logical Vulkan\nOpEntryPoint GLCompute %main \"main\"\n"
               "OpExecutionMode %main LocalSize 32 1 1\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n"
               "%u32 = OpTypeInt 32 0\n%f16 = OpTypeFloat 16\n%f32 = OpTypeFloat 32\n%u1 = OpConstant %u32 "
               "1\n"
               "%u3 = OpConstant %u32 3\n%u16 = OpConstant %u32 16\n%b = OpTypeCooperativeMatrixKHR ") +
           component +
           " %u3 %u16 %u16 %u1\n%null = OpConstantNull %b\n%main = OpFunction %void None %fn\n"
           "%entry = OpLabel\n%copy = OpCopyObject %b %null\nOpReturn\nOpFunctionEnd\n";
  };
  CHECK(rulesOf(shader("%f16"), options) == Rules{});
  CHECK(rulesOf(shader("%f32"), options) == Rules{"device-matrix-type"});
}

}  // namespace
}  // namespace coopc::tests
