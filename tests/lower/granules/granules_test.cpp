// The pass by text. cases/CASE.spvasm is a module, whose first lines give the device and the bytes of shared
// memory. CASE.expected has its functions afterwards. COOPC_UPDATE_EXPECTED=1 in the environment rewrites the
// expectations. Refusals are tested with their reasons.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "spirv/lower/passes.hpp"
#include "spirv/structure.hpp"
#include "spirv/writer.hpp"
#include "tests/spirv/spirv_text.hpp"
#include "tests/support/expected_file.hpp"
#include "tests/support/text_file.hpp"

namespace coopc::tests {
namespace {

namespace fs = std::filesystem;
using spirv::MatrixShape;
using spirv::lower::GranuleOptions;
using C = NumberType;

// A device whose native matrices are size x size x size, with operands of halves, and sums of halves or
// floats.
GranuleOptions device(uint32_t size, uint32_t subgroupSize) {
  GranuleOptions options;
  options.shapes = {{size, size, size, C::F16, C::F16, C::F16, C::F16},
                    {size, size, size, C::F16, C::F16, C::F32, C::F32}};
  options.subgroupSize = subgroupSize;
  options.sharedBytes = 32768;
  return options;
}

// Lowers a module. Checks that obstacleToGranules(), by which lowering chooses its route, predicts a refusal
// and its reason. If several instructions of an invalid module are wrong, the predicted reason may be another
// one's.
spirv::lower::Report lowerToGranules(spirv::Module& module, const GranuleOptions& options,
                                     bool valid = true) {
  const std::optional<std::string> obstacle = obstacleToGranules(module, options);
  spirv::lower::Report report;
  spirv::lower::lowerToGranules(module, options, report);
  const bool unsupported = report.refusal == spirv::lower::Refusal::Unsupported;
  INFO(obstacle.value_or("nothing is expected") << " | " << report.reason);
  CHECK(obstacle.has_value() == unsupported);
  if (valid && unsupported) CHECK(obstacle == report.reason);
  return report;
}

TEST_CASE("modules become those of native matrices") {
  size_t cases = 0;
  for (const fs::path& file : casesIn(COOPC_GRANULE_CASES)) {
    INFO(file.string());
    const std::string text = fileText(file);
    GranuleOptions options = device(16, 32);
    if (text.find("; bfloat16") != std::string::npos)
      options.shapes.push_back({16, 16, 16, C::BF16, C::BF16, C::F32, C::F32});
    if (text.find("; native operations") != std::string::npos)
      options.perElement = options.reductions = options.conversions = true;
    if (text.find("; registers are spared") != std::string::npos) options.compiler.registers = 128;
    options.splitBarriers = text.find("; barriers in two parts") != std::string::npos;
    constexpr std::string_view kMemory = "; shared memory: ";
    if (const size_t at = text.find(kMemory); at != std::string::npos)
      options.sharedBytes = uint32_t(std::stoul(text.substr(at + kMemory.size())));
    const std::vector<uint32_t> before = assemble(text);
    CHECK(validate(before) == "");
    std::vector<uint32_t> results[2];
    for (std::vector<uint32_t>& words : results) {
      spirv::Module module = read(before);
      const spirv::lower::Report report = lowerToGranules(module, options);
      INFO(report.reason);
      REQUIRE_FALSE(report.isRefused());
      CHECK(report.sharedBytes <= options.sharedBytes);
      CHECK(spirv::structureFault(module) == "");
      words = spirv::writeModule(module);
    }
    CHECK(results[0] == results[1]);
    CHECK(validate(results[0]) == "");
    std::string result = textOf(results[0]);
    const size_t function = result.find("OpFunction ");
    REQUIRE(function != std::string::npos);
    result = result.substr(result.rfind('\n', function) + 1);
    checkExpected(file, result);
    ++cases;
  }
  CHECK(cases == 16);
}

// workgroup_stream.spvasm, which is lowered for one device above, is refused for others.
TEST_CASE("what no native matrix fits is refused with the reason") {
  const std::vector<uint32_t> words =
      assemble(fileText(fs::path(COOPC_GRANULE_CASES) / "workgroup_stream.spvasm"));
  const auto refusal = [&](const GranuleOptions& options) {
    spirv::Module module = read(words);
    const spirv::lower::Report report = lowerToGranules(module, options);
    CHECK(report.isRefused());
    return report.reason;
  };
  GranuleOptions options = device(16, 32);
  options.shapes.clear();
  CHECK(refusal(options) == "the device lists no native shape");
  CHECK(refusal(device(64, 32)) ==
        "no native shape of the device makes up the multiply-add of f16 and f16 to f32 of 32x32x32");
  options = device(16, 32);
  for (MatrixShape& s : options.shapes) s.a = s.b = C::BF16;
  CHECK(refusal(options) ==
        "no native shape of the device makes up the multiply-add of f16 and f16 to f32 of 32x32x32");
  CHECK(refusal(device(16, 48)) == "a workgroup of 64 invocations is not made of full subgroups of 48");
  CHECK(refusal(device(16, 0)) == "the size of the workgroup or of its subgroups is not known");
  options = device(16, 32);
  options.sharedBytes = 1024;
  CHECK(refusal(options) ==
        "matrices need 2048 bytes of workgroup memory, and 1024 are available: 2048 for operands of "
        "multiply-adds, 128 for elements of workgroup matrices in the same place");
}

// Loads a B of halves, converts it to bytes, and stores these.
constexpr const char* kConversion = R"(
               OpCapability Shader
               OpCapability VulkanMemoryModel
               OpCapability CooperativeMatrixKHR
               OpCapability StorageBuffer16BitAccess
               OpCapability StorageBuffer8BitAccess
               OpCapability Int8
               OpCapability Float16
               OpExtension "SPV_KHR_cooperative_matrix"
               OpMemoryModel Logical Vulkan
               OpEntryPoint GLCompute %main "main" %in %out
               OpExecutionMode %main LocalSize 32 1 1
               OpDecorate %halves ArrayStride 2
               OpMemberDecorate %inBlock 0 Offset 0
               OpDecorate %inBlock Block
               OpDecorate %in DescriptorSet 0
               OpDecorate %in Binding 0
               OpDecorate %bytes ArrayStride 1
               OpMemberDecorate %outBlock 0 Offset 0
               OpDecorate %outBlock Block
               OpDecorate %out DescriptorSet 0
               OpDecorate %out Binding 1
       %void = OpTypeVoid
   %function = OpTypeFunction %void
       %half = OpTypeFloat 16
       %byte = OpTypeInt 8 0
       %uint = OpTypeInt 32 0
     %uint_0 = OpConstant %uint 0
     %uint_1 = OpConstant %uint 1
     %uint_3 = OpConstant %uint 3
    %uint_16 = OpConstant %uint 16
    %uint_64 = OpConstant %uint 64
    %halfMat = OpTypeCooperativeMatrixKHR %half %uint_3 %uint_64 %uint_16 %uint_1
    %byteMat = OpTypeCooperativeMatrixKHR %byte %uint_3 %uint_64 %uint_16 %uint_1
     %halves = OpTypeRuntimeArray %half
    %inBlock = OpTypeStruct %halves
      %bytes = OpTypeRuntimeArray %byte
   %outBlock = OpTypeStruct %bytes
    %inBlockPointer = OpTypePointer StorageBuffer %inBlock
   %outBlockPointer = OpTypePointer StorageBuffer %outBlock
      %halfPointer = OpTypePointer StorageBuffer %half
      %bytePointer = OpTypePointer StorageBuffer %byte
         %in = OpVariable %inBlockPointer StorageBuffer
        %out = OpVariable %outBlockPointer StorageBuffer
       %main = OpFunction %void None %function
      %label = OpLabel
       %from = OpAccessChain %halfPointer %in %uint_0 %uint_0
         %to = OpAccessChain %bytePointer %out %uint_0 %uint_0
     %loaded = OpCooperativeMatrixLoadKHR %halfMat %from %uint_0 %uint_16
  %converted = OpConvertFToU %byteMat %loaded
               OpCooperativeMatrixStoreKHR %to %converted %uint_0 %uint_16
               OpReturn
               OpFunctionEnd
)";

// With a depth of 32, the B of bytes consists of other native matrices than the B of halves, so the
// components cannot be converted in place.
TEST_CASE("a conversion between matrices that are cut in different ways is refused") {
  const std::vector<uint32_t> words = assemble(kConversion);
  CHECK(validate(words) == "");
  const auto lowered = [&](uint32_t depthOfBytes) {
    GranuleOptions options = device(16, 32);
    options.shapes.push_back({16, 16, depthOfBytes, C::U8, C::U8, C::U32, C::U32});
    spirv::Module module = read(words);
    const spirv::lower::Report report = lowerToGranules(module, options);
    if (!report.isRefused()) CHECK(validate(spirv::writeModule(module)) == "");
    return report;
  };
  CHECK_FALSE(lowered(16).isRefused());
  const spirv::lower::Report report = lowered(32);
  CHECK(report.refusal == spirv::lower::Refusal::Unsupported);
  CHECK(report.reason ==
        "a subgroup matrix B of 64x16 16-bit floats, made of native ones of 16x16, becomes a subgroup matrix "
        "B of "
        "64x16 8-bit integers, made of native ones of 32x16");
}

// Modules with these instructions are invalid, but lowering does not validate.
TEST_CASE("instructions that the pass does not lower are refused by name") {
  const auto refusal = [](const std::string& operation) {
    std::string text = kConversion;
    const std::string conversion = "OpConvertFToU %byteMat %loaded";
    text.replace(text.find(conversion), conversion.size(), operation);
    spirv::Module module = read(assemble(text));
    GranuleOptions options = device(16, 32);
    options.shapes.push_back({16, 16, 16, C::U8, C::U8, C::U32, C::U32});
    return lowerToGranules(module, options).reason;
  };
  CHECK(refusal("OpTranspose %halfMat %loaded") == "OpTranspose with a cooperative matrix");
  CHECK(refusal("OpCooperativeMatrixTransposeNV %halfMat %loaded") ==
        "OpCooperativeMatrixTransposeNV with matrices whose shapes do not match");
}

// The device need not have an A or B of the other component type in the granules' size.
TEST_CASE("a conversion of the use and the components of a matrix that is not an accumulator is refused") {
  std::string text = kConversion;
  const std::string type = "OpTypeCooperativeMatrixKHR %byte %uint_3 %uint_64 %uint_16 ";
  text.replace(text.find(type + "%uint_1"), type.size() + 7, type + "%uint_0");
  GranuleOptions options = device(16, 32);
  options.shapes.push_back({16, 16, 16, C::U8, C::U8, C::U8, C::U8});
  spirv::Module module = read(assemble(text));
  const spirv::lower::Report report = lowerToGranules(module, options);
  CHECK(report.refusal == spirv::lower::Refusal::Unsupported);
  CHECK(report.reason ==
        "a conversion of a subgroup matrix B of 64x16 16-bit floats to a subgroup matrix A of 64x16 8-bit "
        "integers");
}

// Modules that violate the rules of matrices: in a module's functions, one matrix type replaces another, for
// each pair of types. The result may be a refusal or a module, but nothing may read out of bounds.
TEST_CASE("modules with matrices that do not fit one another end in an answer") {
  size_t modules = 0, refused = 0;
  for (const fs::path& file : casesIn(COOPC_GRANULE_CASES)) {
    INFO(file.string());
    const std::vector<uint32_t> words = assemble(fileText(file));
    const spirv::Module original = read(words);
    spirv::lower::Report ignored;
    const auto types = matrixTypes(original, ignored);
    for (size_t a = 0; a < types.size(); ++a) {
      for (size_t b = 0; b < types.size(); ++b) {
        if (a == b) continue;
        spirv::Module module = original;
        for (uint32_t n = module.functionsAt; n < module.instructions.size(); ++n) {
          spirv::Instruction& i = module.instructions[n];
          if (i.type != types[a].type) continue;
          i.type = types[b].type;
          module.setIdAt(i, 1, i.type);
        }
        const spirv::lower::Report report = lowerToGranules(module, device(16, 32), false);
        refused += report.isRefused() ? 1 : 0;
        ++modules;
      }
    }
  }
  CHECK(modules > 20);
  CHECK(refused > 10);
}

}  // namespace
}  // namespace coopc::tests
