// Lowering of tensor addressing, by text. tests/lower/tensor_addressing/CASE.spvasm has the functions before
// the pass, without their prelude (prelude.spvasm). CASE.expected has the functions after it, or the whole
// module if the second line of the case begins with "; whole module is compared". Cases with "; wide loads"
// are lowered with that option. COOPC_UPDATE_EXPECTED=1 in the environment rewrites the expectations.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
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
using spirv::lower::TensorFunction;
using spirv::lower::TensorOptions;

const fs::path kCases = fs::path(COOPC_LOWER_CASES) / "tensor_addressing";

std::string functionsOf(const std::string& module) {
  const size_t function = module.find("OpFunction ");
  REQUIRE(function != std::string::npos);
  return module.substr(module.rfind('\n', function) + 1);
}

struct Lowered {
  std::vector<uint32_t> words;
  std::vector<TensorFunction> functions;
  Report report;
};

Lowered lower(const std::vector<uint32_t>& before, const TensorOptions& options = {}) {
  Lowered result;
  spirv::Module module = read(before);
  result.functions = spirv::lower::lowerTensorAddressing(module, options, result.report);
  result.words = spirv::writeModule(module);
  return result;
}

std::vector<uint32_t> assembleCase(const std::string& name) {
  return assemble(fileText(kCases / "prelude.spvasm") + fileText(kCases / (name + ".spvasm")));
}

TEST_CASE("tensor loads and stores become the expected functions") {
  size_t ran = 0;
  for (const fs::path& file : casesIn(kCases)) {
    DYNAMIC_SECTION(file.stem().string()) {
      const std::string source = fileText(file);
      const std::vector<uint32_t> before = assemble(fileText(kCases / "prelude.spvasm") + source);
      CHECK(validate(before) == "");
      const TensorOptions options = {.wideLoads = source.find("\n; wide loads") != std::string::npos};
      const Lowered after = lower(before, options);
      CHECK(after.report.reason == "");
      CHECK(validate(after.words) == "");
      CHECK(spirv::structureFault(read(after.words)) == "");
      CHECK(lower(before, options).words == after.words);
      std::string text = textOf(after.words);
      for (const char* gone :
           {"TensorLayoutNV", "TensorViewNV", "TensorAddressing", "LoadTensorNV", "StoreTensorNV"})
        CHECK(text.find(gone) == std::string::npos);
      if (source.find("\n; whole module") == std::string::npos) text = functionsOf(text);
      checkExpected(file, text);
    }
    ++ran;
  }
  CHECK(ran >= 17);
}

TEST_CASE("what the pass says of its functions") {
  const Lowered plain = lower(assembleCase("plain"));
  REQUIRE(plain.functions.size() == 2);
  for (const TensorFunction& f : plain.functions) {
    CHECK(f.rowStride);
    CHECK(f.columnStride);
    CHECK_FALSE(f.checks);
    CHECK_FALSE(f.clips);
    CHECK_FALSE(f.decode);
  }
  CHECK_FALSE(plain.functions[0].store);
  CHECK(plain.functions[1].store);
  CHECK(plain.report.rewrites.size() == 2);

  // Sixteen bytes are loaded at once, also from a buffer without an address, and also of decoded elements.
  for (const char* name : {"wide", "wide_decode"}) {
    const Lowered wide = lower(assembleCase(name), {.wideLoads = true});
    REQUIRE(wide.functions.size() == 1);
    CHECK(wide.functions[0].wide);
    CHECK(wide.functions[0].wideTest);
    CHECK(wide.functions[0].wideAlongRows);
  }

  // Three loads and stores need two functions.
  const Lowered constant = lower(assembleCase("constant"));
  REQUIRE(constant.functions.size() == 2);
  CHECK(constant.functions[0].checks);
  CHECK(constant.functions[0].rowStride);
  CHECK(constant.report.rewrites.size() == 3);

  const Lowered clip = lower(assembleCase("clip"));
  REQUIRE(clip.functions.size() == 2);
  CHECK(clip.functions[0].clips);
  CHECK_FALSE(clip.functions[0].rowStride);

  const Lowered decode = lower(assembleCase("decode"));
  REQUIRE(decode.functions.size() == 1);
  CHECK(decode.functions[0].decode);
}

TEST_CASE("components without a size in bytes are refused") {
  std::vector<uint32_t> words = assembleCase("alias");
  size_t changed = 0;
  for (size_t n = 5; n + 2 < words.size(); n += words[n] >> 16) {
    if ((words[n] & 0xFFFF) != uint32_t(spv::Op::OpTypeFloat) || words[n + 2] != 16) continue;
    words[n + 2] = 4;
    ++changed;
  }
  CHECK(changed == 1);
  CHECK(lower(words).report.refusal == spirv::lower::Refusal::Unsupported);
}

TEST_CASE("shared memory whose numbers have no usual width is refused") {
  for (const char* width : {"0", "12", "24", "48", "96"}) {
    INFO(width);
    const Lowered odd =
        lower(assemble(fileText(kCases / "prelude.spvasm") + "%odd = OpTypeInt " + width + R"( 0
%odds = OpTypeArray %odd %uint_256
%ptr_odds = OpTypePointer Workgroup %odds
%ptr_odd = OpTypePointer Workgroup %odd
%oddNumbers = OpVariable %ptr_odds Workgroup
%main = OpFunction %void None %func
%entry = OpLabel
%pointer = OpAccessChain %ptr_odd %oddNumbers %uint_8
%a = OpCreateTensorLayoutNV %layout2
%b = OpTensorLayoutSetDimensionNV %layout2 %a %uint_16 %uint_16
%m = OpCooperativeMatrixLoadTensorNV %matrix %pointer %undef %b None None
OpReturn
OpFunctionEnd
)"));
    CHECK(odd.report.refusal == spirv::lower::Refusal::Unsupported);
    CHECK(odd.report.reason ==
          std::string("a tensor in shared memory whose numbers have ") + width + " bits");
  }
}

TEST_CASE("what cannot be lowered is refused by name") {
  const std::string prelude = fileText(kCases / "prelude.spvasm");
  // A selected pointer is not a chain from a variable.
  const Lowered parameter = lower(assemble(prelude + R"(
%main = OpFunction %void None %func
%entry = OpLabel
%pointer = OpAccessChain %ptr_half %halves %uint_0 %uint_0
%called = OpFunctionCall %void %load %pointer
OpReturn
OpFunctionEnd
%load = OpFunction %void None %loadType
%p = OpFunctionParameter %ptr_half
%start = OpLabel
%a = OpCreateTensorLayoutNV %layout1
%m = OpCooperativeMatrixLoadTensorNV %matrix %p %undef %a None None
OpReturn
OpFunctionEnd
)"));
  CHECK(parameter.report.refusal == spirv::lower::Refusal::Unsupported);
  CHECK(parameter.report.reason == "a tensor's pointer is a function's parameter");
}

}  // namespace
}  // namespace coopc::tests
