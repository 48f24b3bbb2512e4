// Modules on both sides of the edge of a rule. Other tests did not notice the faults that scripts/mutants put
// there. Each case lists the rules that have findings; no other rule has any.
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

// SPV_EXT_shader_64bit_indexing allows offsets of 64 bits. They must be aligned like offsets of 32 bits.
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

// An instruction that breaks a rule twice has one finding for it. Its slices are outside the layout as well.
TEST_CASE("two dimensions of a tensor layout that are 0 are one finding") {
  const Rules rules =
      rulesOf(changed(baseText("nv2"), {{"%t1 = OpTensorLayoutSetDimensionNV %layout %t0 %u64 %u64",
                                         "%t1 = OpTensorLayoutSetDimensionNV %layout %t0 %u0 %u0"}}));
  CHECK(std::count(rules.begin(), rules.end(), "tensor-zero") == 1);
}

// The made-up device allows accesses of up to 16 bytes; a boolean takes one byte (VK_FORMAT_R8_BOOL_ARM).
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

// The made-up device supports training with 16-bit numbers only, then no training at all.
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

// The type of a matrix B must be the device shape's type for B. The types of accumulators do not matter.
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
  const ValidateResult unnamed = validate(assembleModule(shader("%f32")), options);
  REQUIRE(!unnamed.findings.empty());
  CHECK(unnamed.findings[0].message.rfind("the device ", 0) == 0);
}

// Each of the four flags applies to integers only.
TEST_CASE("the flag of a product's result is for integers, too") {
  CHECK(rulesOf(changed(baseText("khr"),
                        {{"%prodS = OpCooperativeMatrixMulAddKHR %matC %loadA %nullB %prod NoneKHR",
                          "%prodS = OpCooperativeMatrixMulAddKHR %matC %loadA %nullB %prod "
                          "MatrixResultSignedComponentsKHR"}})) == Rules{"mul-add-signed-float"});
}

// Enumerants from 4096 on belong to vendors.
TEST_CASE("memory layouts of vendors are not judged") {
  const auto load = [](const std::string& layout) {
    return rulesOf(changed(baseText("khr"), {{"%n16 = ", "%given = OpConstant %u32 " + layout + "\n%n16 = "},
                                             {"%loadR = OpCooperativeMatrixLoadKHR %matA %refHalf %u0",
                                              "%loadR = OpCooperativeMatrixLoadKHR %matA %refHalf %given"}}));
  };
  CHECK(load("4096") == Rules{});
  CHECK(load("4095") == Rules{"matrix-layout-range"});
}

TEST_CASE("callbacks that call themselves through two others, and chains of calls in notes") {
  const auto functions = [](const std::string& lastBody, int count) {
    std::string text;
    for (int n = 0; n < count; ++n) {
      const std::string f = "%f" + std::to_string(n);
      text += f + " = OpFunction %f16 None %fnCombine\n" + f + "a = OpFunctionParameter %f16\n" + f +
              "b = OpFunctionParameter %f16\n" + f + "l = OpLabel\n";
      text += n + 1 < count
                  ? f + "r = OpFunctionCall %f16 %f" + std::to_string(n + 1) + " " + f + "a " + f + "b\n"
                  : lastBody;
      text += "OpReturnValue " + f + "r\nOpFunctionEnd\n";
    }
    return text;
  };
  const auto withChain = [&](const std::string& lastBody, int count) {
    return changed(baseText("nv2"),
                   {{"%leafV = OpFMul %f16 %leafA %leafB", "%leafV = OpFunctionCall %f16 %f0 %leafA %leafB"},
                    {"%leaf = OpFunction", functions(lastBody, count) + "%leaf = OpFunction"}});
  };
  CHECK(rulesOf(withChain("%f2r = OpFunctionCall %f16 %f0 %f2a %f2b\n", 3)) == Rules{"callback-recursion"});
  CHECK(rulesOf(withChain("%f2r = OpFMul %f16 %f2a %f2b\n", 3)) == Rules{});
  const std::string barrier = "OpControlBarrier %u2 %u2 %u72\n%f11r = OpFMul %f16 %f11a %f11b\n";
  const ValidateResult result = validate(assembleModule(withChain(barrier, 12)));
  REQUIRE(result.findings.size() == 1);
  CHECK(result.findings[0].rule->id == "callback-tangled");
  CHECK(result.findings[0].notes.size() == 9);  // eight calls, and the operation
}

TEST_CASE("memory layouts of cooperative vectors are those of matrices, not types of components") {
  const auto layout = [](const std::string& value) {
    return rulesOf(
        changed(baseText("vector"), {{"%packed = ", "%given = OpConstant %u32 " + value + "\n%packed = "},
                                     {"%e4m3 %u8 %u16 %u2 %true", "%e4m3 %u8 %u16 %given %true"}}));
  };
  CHECK(layout("3") == Rules{});
  CHECK(layout("5") == Rules{"coopvec-enumerant"});
}

// There is no conversion from use A to use B, whatever the specialization constant for the result's use is.
TEST_CASE("a conversion from a matrix A is an error, though the result's use is a specialization constant") {
  const ValidateResult result = validate(assembleModule(
      changed(baseText("nv2"),
              {{"OpDecorate %specN SpecId 7\n", "OpDecorate %specN SpecId 7\nOpDecorate %use SpecId 8\n"},
               {"%accW = OpType",
                "%use = OpSpecConstant %u32 1\n"
                "%matS = OpTypeCooperativeMatrixKHR %f16 %u3 %u16 %u32c %use\n%accW = OpType"},
               {"%useA = OpCoop", "%useS = OpCooperativeMatrixConvertNV %matS %nullA\n%useA = OpCoop"}})));
  REQUIRE(result.findings.size() == 1);
  CHECK(result.findings[0].rule->id == "convert-use");
  CHECK(result.findings[0].severity == FindingSeverity::Error);
}

// The advice is about loads without a clamp mode. Loads with one go component by component in any case.
TEST_CASE("a stride that is not known costs nothing where components are clamped") {
  const auto load = [](const std::string& layout, const std::string& from) {
    return rulesOf(
        changed(baseText("nv2"),
                {{"OpStore %heldLayout %t3",
                  "%strided = OpTensorLayoutSetStrideNV " + layout + " " + from + " %dynamic %u1\n" +
                      "%sliced = OpTensorLayoutSliceNV " + layout + " %strided %u0 %u16 %u32c %u32c\n" +
                      "%wide = OpCooperativeMatrixLoadTensorNV %accW %at %nullAccW %sliced !0 !0\n" +
                      "OpStore %heldLayout %t3"}}));
  };
  CHECK(load("%layoutC", "%c2") == Rules{});
  CHECK(load("%layout", "%t1") == Rules{"stride-unknown"});
}

// SPV_EXT_long_vector has the same opcode for its vectors, but a device's limits of cooperative vectors do
// not apply to them.
TEST_CASE("long vectors beside cooperative vectors are none for a device") {
  const std::string profile = readText(std::string(COOPC_VALIDATOR_TESTS) + "/profiles/vectors.json");
  ValidateOptions options;
  options.profile = profile;
  const Rules rules =
      rulesOf(changed(baseText("vector"),
                      {{"OpCapability CooperativeVectorNV\n",
                        "OpCapability CooperativeVectorNV\nOpCapability LongVectorEXT\n"},
                       {"OpExtension \"SPV_NV_cooperative_vector\"\n",
                        "OpExtension \"SPV_NV_cooperative_vector\"\nOpExtension \"SPV_EXT_long_vector\"\n"},
                       {"%null8 = OpConstantNull",
                        "%long = OpTypeVectorIdEXT %u64 %u4\n%nullLong = OpConstantNull %long\n"
                        "%null8 = OpConstantNull"}}),
              options);
  CHECK(std::count(rules.begin(), rules.end(), "device-feature") > 0);
  for (const std::string& rule : rules) CHECK(rule.find("device-coopvec") == std::string::npos);
}

// A long vector has the opcode of cooperative vectors, but its size in bytes is known if its length is.
TEST_CASE("strides of matrices count the bytes of long vectors") {
  const auto store = [](const std::string& stride) {
    return rulesOf(
        changed(baseText("khr"),
                {{"OpCapability CooperativeMatrixKHR\n",
                  "OpCapability CooperativeMatrixKHR\nOpCapability LongVectorEXT\n"},
                 {"OpExtension \"SPV_KHR_cooperative_matrix\"\n",
                  "OpExtension \"SPV_KHR_cooperative_matrix\"\nOpExtension \"SPV_EXT_long_vector\"\n"},
                 {"%push %holder\n", "%push %holder %longTile\n"},
                 {"%tileArray = ",
                  "%long = OpTypeVectorIdEXT %f16 %u6\n%longs = OpTypeArray %long %u64c\n"
                  "%ptrLongs = OpTypePointer Workgroup %longs\n%longTile = OpVariable %ptrLongs Workgroup\n"
                  "%ptrLong = OpTypePointer Workgroup %long\n%tileArray = "},
                 {"OpCooperativeMatrixStoreKHR %tileAt %made %u1 %u16",
                  "%longAt = OpAccessChain %ptrLong %longTile %u0\n"
                  "OpCooperativeMatrixStoreKHR %longAt %made %u1 " +
                      stride}}));
  };
  CHECK(store("%u4") == Rules{});                           // 48 bytes
  CHECK(store("%u3") == Rules{"matrix-stride-alignment"});  // 36 bytes
}

// SPV_ARM_cooperative_matrix_layouts: a block has 128 bits in each row, whatever the components are.
TEST_CASE("matrices in blocks of 32-bit components") {
  const auto load = [](const std::string& rows, const std::string& columns, const std::string& stride) {
    return rulesOf(changed(
        baseText("khr"),
        {{"OpCapability CooperativeMatrixKHR\n",
          "OpCapability CooperativeMatrixKHR\nOpCapability CooperativeMatrixLayoutsARM\n"},
         {"OpExtension \"SPV_KHR_cooperative_matrix\"\n",
          "OpExtension \"SPV_KHR_cooperative_matrix\"\nOpExtension \"SPV_ARM_cooperative_matrix_layouts\"\n"},
         {"%zeroC = ",
          "%blocked = OpConstant %u32 4202\n%u24 = OpConstant %u32 24\n"
          "%matF = OpTypeCooperativeMatrixKHR %f32 %u3 " +
              rows + " " + columns + " %u2\n%zeroC = "},
         {"%prod = ",
          "%loadF = OpCooperativeMatrixLoadKHR %matF %start %blocked " + stride + "\n%prod = "}}));
  };
  CHECK(load("%u16", "%u16", "%u4") == Rules{});  // four rows, and 4 * 4 columns
  CHECK(load("%u16", "%u24", "%u2") == Rules{});
  CHECK(load("%u16", "%u24", "%u4") == Rules{"matrix-blocked-shape"});
  CHECK(load("%u6", "%u16", "%u1") == Rules{"shape-unknown", "matrix-blocked-shape"});
}

TEST_CASE("each parameter of a combine function, and its result, has the type of the components") {
  const auto reduce = [](const std::string& result, const std::string& first, const std::string& second) {
    return rulesOf(changed(
        baseText("nv2"), {{"%fnCombine32 =", "%fnOther = OpTypeFunction " + result + " " + first + " " +
                                                 second + "\n%fnCombine32 ="},
                          {"!1 %combine", "!1 %other"},
                          {"%combine = OpFunction", "%other = OpFunction " + result +
                                                        " None %fnOther\n%otherA = OpFunctionParameter " +
                                                        first + "\n%otherB = OpFunctionParameter " + second +
                                                        "\n%otherL = OpLabel\n%otherR = OpUndef " + result +
                                                        "\nOpReturnValue %otherR\nOpFunctionEnd\n"
                                                        "%combine = OpFunction"}}));
  };
  CHECK(reduce("%s32", "%f16", "%f16") == Rules{"reduce-function"});
  CHECK(reduce("%f16", "%s32", "%f16") == Rules{"reduce-function"});
  CHECK(reduce("%f16", "%f16", "%s32") == Rules{"reduce-function"});
}

// What is converted to a use that no conversion has needs no finding about its shape, too.
TEST_CASE("a conversion to a wrong use is one finding, whatever the shape is") {
  CHECK(rulesOf(changed(
            baseText("nv2"),
            {{"%useA = OpCoop", "%useBT = OpCooperativeMatrixConvertNV %matBT %nullA\n%useA = OpCoop"}})) ==
        Rules{"convert-use"});
  CHECK(rulesOf(changed(
            baseText("nv2"),
            {{"%useA = OpCoop", "%useBT = OpCooperativeMatrixConvertNV %matBT %nullAcc\n%useA = OpCoop"}})) ==
        Rules{"convert-shape", "convert-shape"});
}

// A finding that follows from the default of a specialization constant is not an error: the application may
// choose another value. Which of the three sizes the constant is does not matter.
TEST_CASE("each size of a workgroup may be a default") {
  RuleCase h200;
  h200.profile = "h200";
  const ValidateOptions options = optionsOf(h200);
  const auto severityOf = [&](const std::string& x, const std::string& y, const std::string& z) {
    const ValidateResult result =
        validate(assembleModule(changed(
                     baseText("device"),
                     {{"OpExecutionMode %main LocalSize 32 1 1",
                       "OpExecutionModeId %main LocalSizeId " + x + " " + y + " " + z},
                      {"%void = OpTypeVoid", "OpDecorate %many SpecId 3\n%void = OpTypeVoid"},
                      {"%u0 = ", "%u64 = OpConstant %u32 64\n%many = OpSpecConstant %u32 64\n%u0 = "}})),
                 options);
    std::vector<FindingSeverity> all;
    for (const Finding& f : result.findings)
      if (f.rule->id == "device-workgroup-size") all.push_back(f.severity);
    return all;
  };
  using Severities = std::vector<FindingSeverity>;
  CHECK(severityOf("%u64", "%u64", "%u1") == Severities{FindingSeverity::Error});
  CHECK(severityOf("%many", "%u64", "%u1") == Severities{FindingSeverity::Warning});
  CHECK(severityOf("%u64", "%many", "%u1") == Severities{FindingSeverity::Warning});
  CHECK(severityOf("%u1", "%u64", "%many") == Severities{FindingSeverity::Warning});
  CHECK(severityOf("%u1", "%u1", "%many").empty());
}

// The loop's last block is the one before its merge block, whether another block stands between or not.
TEST_CASE("loops of one step whose body is the continue target, too") {
  const auto loop = [](const std::string& continueTarget, const std::string& after) {
    return rulesOf(changed(
        baseText("nv2"),
        {{"%layout = OpTypeTensorLayoutNV",
          "%stepA = OpTypeCooperativeMatrixKHR %f16 %u2 %u16 %u32c %u0\n"
          "%stepB = OpTypeCooperativeMatrixKHR %f16 %u2 %u32c %u16 %u1\n"
          "%stepC = OpTypeCooperativeMatrixKHR %f16 %u2 %u16 %u16 %u2\n%nullStepA = OpConstantNull %stepA\n"
          "%nullStepB = OpConstantNull %stepB\n%nullStepC = OpConstantNull %stepC\n"
          "%layout = OpTypeTensorLayoutNV"},
         {"%toWide = OpFConvert %acc32 %nullAcc\n",
          "%toWide = OpFConvert %acc32 %nullAcc\nOpBranch %header\n%header = OpLabel\nOpLoopMerge %end " +
              continueTarget +
              " None\nOpBranch %body\n%body = OpLabel\n"
              "%step = OpCooperativeMatrixLoadTensorNV %stepA %at %nullStepA %t3 !0 !0\n"
              "%product = OpCooperativeMatrixMulAddKHR %stepC %step %nullStepB %nullStepC\n" +
              after + "OpBranchConditional %true %header %end\n%end = OpLabel\n"}}));
  };
  CHECK(loop("%body", "") == Rules{"loop-of-one-step"});
  CHECK(loop("%next", "OpBranch %next\n%next = OpLabel\n") == Rules{"loop-of-one-step"});
}

TEST_CASE("the message about a clip region names the start and the length of its rows or columns") {
  const auto messageOf = [](const std::string& clip) {
    const ValidateResult result = validate(
        assembleModule(changed(baseText("nv2"), {{"%v3 = OpTensorViewSetClipNV %view %v2 %u0 %u8c %u0 %u8c",
                                                  "%v3 = OpTensorViewSetClipNV %view %v2 " + clip}})));
    std::string message;
    for (const Finding& f : result.findings)
      if (f.rule->id == "clip-hides-matrix") message = f.message;
    return message;
  };
  CHECK(messageOf("%u17 %u7 %u0 %u8c") ==
        "the clip region's rows start at 17 over 7: nothing of the matrix is left");
  CHECK(messageOf("%u0 %u8c %u60 %u5") ==
        "the clip region's columns start at 60 over 5: nothing of the matrix is left");
}

// A name is cut between two characters of UTF-8.
TEST_CASE("long names in messages are cut between characters") {
  const auto messageOf = [](const std::string& name) {
    const ValidateResult result = validate(assembleModule(changed(
        baseText("nv2"),
        {{"OpName %scale \"scale\"", "OpName %scale \"" + name + "\""}, {"!1 %combine", "!1 %scale"}})));
    REQUIRE(!result.findings.empty());
    return result.findings[0].message;
  };
  const std::string letters(255, 'a');
  CHECK(messageOf(letters + "\u00e4").find("`" + letters + "`") != std::string::npos);
  CHECK(messageOf(letters + "bc").find("`" + letters + "b`") != std::string::npos);
  CHECK(messageOf(letters.substr(1) + "\u00e4").find("`" + letters.substr(1) + "\u00e4`") !=
        std::string::npos);
}

// Interpretation 4 is an integer type, not a memory layout, which has no more than four values.
TEST_CASE("the interpretation of an outer product is no memory layout") {
  CHECK(rulesOf(
            changed(baseText("vector"), {{"OuterProductAccumulateNV %at %u64c %input %limited %u3 %u0",
                                          "OuterProductAccumulateNV %at %u64c %input %limited %u3 %u4"}})) ==
        Rules{"coopvec-outer-product"});
}

// A device accumulates floats. A sum of integers is wrong on every device, which is the finding.
TEST_CASE("a sum of integers is no training with 32-bit floats") {
  const std::string profile = readText(std::string(COOPC_VALIDATOR_TESTS) + "/profiles/vectors.json");
  ValidateOptions options;
  options.profile = profile;
  CHECK(rulesOf(changed(baseText("vector"), {{"ReduceSumAccumulateNV %at %u16 %limited",
                                              "ReduceSumAccumulateNV %at %u16 %bits"}}),
                options) == Rules{"coopvec-reduce-sum"});
}

TEST_CASE("loads by rows without a stride") {
  CHECK(rulesOf(changed(baseText("khr"), {{"%loadA = OpCooperativeMatrixLoadKHR %matA %start %u0 %u16",
                                           "%loadA = OpCooperativeMatrixLoadKHR %matA %start %u0"}})) ==
        Rules{"matrix-stride-missing"});
}

// SPV_EXT_cooperative_matrix_maintenance1: 2x2 halves both sizes.
TEST_CASE("reductions by 2x2 halve rows and columns, and a wrong mask is one finding") {
  const auto reduce = [](const std::string& rows, const std::string& columns, const std::string& rest) {
    return rulesOf(
        changed(baseText("nv2"), {{"%accI = ", "%accOther = OpTypeCooperativeMatrixKHR %f16 %u3 " + rows +
                                                   " " + columns + " %u2\n%accI = "},
                                  {"%quarter = OpCooperativeMatrixReduceNV %accQuarter %nullAcc !4 %combine",
                                   "%quarter = OpCooperativeMatrixReduceNV %accOther %nullAcc " + rest}}));
  };
  CHECK(reduce("%u8c", "%u32c", "!4 %combine") == Rules{"reduce-shape"});
  CHECK(reduce("%u16", "%u16", "!4 %combine") == Rules{"reduce-shape"});
  CHECK(reduce("%u8c", "%u32c", "!5 %scale") == Rules{"reduce-mask"});
}

// SPV_NV_cooperative_matrix2, 2.16.1: the constants of LocalSizeId come before types of scope Workgroup.
TEST_CASE("the size of the workgroup is known before matrices that a workgroup holds") {
  const auto sizedBy = [](const std::string& x) {
    return rulesOf(changed(
        baseText("nv2"),
        {{"OpExecutionMode %main LocalSize 32 1 1", "OpExecutionModeId %main LocalSizeId " + x + " %u1 %u1"},
         {"%matA = OpType", "%late = OpConstant %u32 32\n%matA = OpType"}}));
  };
  CHECK(sizedBy("%u32c") == Rules{});
  CHECK(sizedBy("%late") == Rules{"matrix-workgroup-size"});
}

}  // namespace
}  // namespace coopc::tests
