// Software matrices, by text. tests/lower/software_matrix/CASE.spvasm is the module before the pass. Its
// first line describes the device:
//
//     ; subgroup 8, shared 32768[, unroll][, shuffles][, dot][, whole][, few registers]
//
// CASE.expected has the reported rewrites, and the module's types and functions after the pass, or the reason
// if the module is refused. COOPC_UPDATE_EXPECTED=1 in the environment rewrites the expectations.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <tuple>
#include <utility>
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
using spirv::lower::Report;
using spirv::lower::SoftwareOptions;
using spirv::lower::Unroll;

std::vector<fs::path> cases() { return casesIn(fs::path(COOPC_LOWER_CASES) / "software_matrix"); }

SoftwareOptions optionsOf(const std::string& text) {
  const std::string line = text.substr(0, text.find('\n'));
  SoftwareOptions options;
  REQUIRE(std::sscanf(line.c_str(), "; subgroup %u, shared %u", &options.subgroupSize,
                      &options.sharedBytes) == 2);
  options.unroll = line.find(", unroll") != std::string::npos ? Unroll::Yes : Unroll::No;
  options.shuffles = line.find(", shuffles") != std::string::npos;
  options.dotProducts = line.find(", dot") != std::string::npos;
  options.wholeLines = line.find(", whole") != std::string::npos;
  options.registers = line.find(", few registers") != std::string::npos ? 1 : 0;
  return options;
}

// Whether an operation on matrices or a matrix type is left.
bool hasMatrices(const spirv::Module& module) {
  return std::any_of(module.instructions.begin(), module.instructions.end(), [](const spirv::Instruction& i) {
    const std::string_view name = spirv::opName(i.opcode);
    return name.find("CooperativeMatrix") != std::string_view::npos;
  });
}

TEST_CASE("software matrices: modules become the expected ones") {
  size_t lowered = 0, refused = 0;
  for (const fs::path& file : cases()) {
    INFO(file.string());
    const std::string source = fileText(file);
    const SoftwareOptions options = optionsOf(source);
    const std::vector<uint32_t> before = assemble(source);
    CHECK(validate(before) == "");
    spirv::Module module = read(before);
    Report report;
    lowerToSoftwareMatrices(module, options, report);
    std::string result;
    if (report.isRefused()) {
      result = "refused: " + report.reason + "\n";
      ++refused;
    } else {
      const std::vector<uint32_t> after = spirv::writeModule(module);
      CHECK(validate(after) == "");
      CHECK(spirv::structureFault(module) == "");
      CHECK_FALSE(hasMatrices(module));
      for (const Report::Rewrite& r : report.rewrites) result += "; " + r.what + "\n;   -> " + r.into + "\n";
      result += "; workgroup memory: " + std::to_string(report.sharedBytes) + " bytes\n";
      const std::string text = textOf(after);
      const size_t types = text.find("OpTypeVoid");
      REQUIRE(types != std::string::npos);
      result += text.substr(text.rfind('\n', types) + 1);
      spirv::Module again = read(before);
      Report second;
      lowerToSoftwareMatrices(again, options, second);
      CHECK(spirv::writeModule(again) == after);
      ++lowered;
    }
    checkExpected(file, result);
  }
  CHECK(lowered == 23);
  CHECK(refused == 3);
}

// Nested loops with the Unroll hint, and a product in the innermost one.
std::string nestedLoops(uint32_t depth) {
  std::string heads, ends, before = "%entry";
  for (uint32_t n = 0; n < depth; ++n) {
    const std::string k = std::to_string(n);
    heads += "OpBranch %head" + k + "\n%head" + k + " = OpLabel\n%i" + k + " = OpPhi %uint %uint_0 " +
             before + " %j" + k + " %next" + k + "\n%more" + k + " = OpULessThan %bool %i" + k +
             " %uint_2\nOpLoopMerge %after" + k + " %next" + k + " Unroll\nOpBranchConditional %more" + k +
             " %body" + k + " %after" + k + "\n%body" + k + " = OpLabel\n";
    ends = "OpBranch %next" + k + "\n%next" + k + " = OpLabel\n%j" + k + " = OpIAdd %uint %i" + k +
           " %uint_1\nOpBranch %head" + k + "\n%after" + k + " = OpLabel\n" + ends;
    before = "%body" + k;
  }
  return R"(
OpCapability Shader
OpCapability VulkanMemoryModel
OpCapability CooperativeMatrixKHR
OpExtension "SPV_KHR_cooperative_matrix"
OpMemoryModel Logical Vulkan
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 8 1 1
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%float = OpTypeFloat 32
%uint = OpTypeInt 32 0
%uint_0 = OpConstant %uint 0
%uint_1 = OpConstant %uint 1
%uint_2 = OpConstant %uint 2
%uint_8 = OpConstant %uint 8
%float_1 = OpConstant %float 1
%A = OpTypeCooperativeMatrixKHR %float %uint_2 %uint_8 %uint_8 %uint_0
%B = OpTypeCooperativeMatrixKHR %float %uint_2 %uint_8 %uint_8 %uint_1
%C = OpTypeCooperativeMatrixKHR %float %uint_2 %uint_8 %uint_8 %uint_2
%a = OpConstantComposite %A %float_1
%b = OpConstantComposite %B %float_1
%c = OpConstantComposite %C %float_1
%main = OpFunction %void None %fn
%entry = OpLabel
)" + heads +
         "%product = OpCooperativeMatrixMulAddKHR %C %a %b %c\n" + ends + "OpReturn\nOpFunctionEnd\n";
}

TEST_CASE("software matrices: of nested loops around a product, the outer 16 lose their Unroll hints") {
  for (const auto& [depth, dropped] : {std::pair(1, 1), std::pair(16, 16), std::pair(20, 16)}) {
    INFO(depth);
    const std::vector<uint32_t> before = assemble(nestedLoops(uint32_t(depth)));
    CHECK(validate(before) == "");
    spirv::Module module = read(before);
    Report report;
    SoftwareOptions options;
    options.subgroupSize = 8;
    options.sharedBytes = 32768;
    options.unroll = Unroll::Yes;
    lowerToSoftwareMatrices(module, options, report);
    CHECK_FALSE(report.isRefused());
    CHECK(std::ranges::count_if(report.rewrites, [](const Report::Rewrite& r) {
            return r.what.starts_with("an Unroll hint");
          }) == dropped);
  }
}

// Lowers each case for every size of subgroups, both forms of loops, and much, little and no workgroup
// memory.
TEST_CASE("software matrices: every case is valid for every size of subgroups") {
  size_t lowered = 0, refused = 0;
  std::set<std::string> reasons;
  for (const fs::path& file : cases()) {
    INFO(file.string());
    const std::vector<uint32_t> before = assemble(fileText(file));
    for (const uint32_t size : {1u, 4u, 8u, 16u, 32u, 64u, 128u}) {
      for (const uint32_t shared : {0u, 512u, 16384u}) {
        for (const auto& [unroll, whole, registers] :
             {std::tuple(Unroll::Yes, false, 0), std::tuple(Unroll::No, false, 0),
              std::tuple(Unroll::Yes, true, 0), std::tuple(Unroll::Yes, false, 1)}) {
          INFO("subgroups of " << size << ", " << shared << " bytes");
          SoftwareOptions options;
          options.wholeLines = whole;
          options.subgroupSize = size;
          options.sharedBytes = shared;
          options.shuffles = true;
          options.dotProducts = true;
          options.unroll = unroll;
          options.registers = uint64_t(registers);
          spirv::Module module = read(before);
          Report report;
          lowerToSoftwareMatrices(module, options, report);
          if (report.isRefused()) {
            ++refused;
            reasons.insert(report.reason.substr(0, report.reason.find_first_of("0123456789")));
            continue;
          }
          ++lowered;
          CHECK(report.sharedBytes <= shared);
          CHECK(validate(spirv::writeModule(module)) == "");
          CHECK(spirv::structureFault(module) == "");
        }
      }
    }
  }
  CHECK(lowered + refused == 26 * 7 * 3 * 4);
  CHECK(lowered > 500);
  INFO(reasons.size());
  CHECK(reasons.size() >= 3);
}

}  // namespace
}  // namespace coopc::tests
