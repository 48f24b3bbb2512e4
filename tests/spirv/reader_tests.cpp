// Modules that the reader accepts, and its errors for modules that it refuses.
#include <catch2/catch_test_macros.hpp>

#include "spirv/instruction_walk.hpp"
#include "spirv/opt/optimize.hpp"
#include "spirv/reader.hpp"
#include "spirv/writer.hpp"
#include "tests/spirv/spirv_text.hpp"

namespace coopc::tests {
namespace {

const char kModule[] = R"(
OpCapability Shader
OpCapability Int64
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
%void = OpTypeVoid
%fn = OpTypeFunction %void
%ulong = OpTypeInt 64 0
%c = OpConstant %ulong 5
%main = OpFunction %void None %fn
%entry = OpLabel
OpSelectionMerge %end None
OpSwitch %c %end 1 %a 4294967297 %a
%a = OpLabel
OpBranch %end
%end = OpLabel
OpReturn
OpFunctionEnd
)";

std::string failure(std::vector<uint32_t> words) {
  spirv::ReadError error;
  return spirv::readModule(words, error) ? std::string() : error.message;
}

// The word at which the `nth` instruction with that opcode starts.
size_t find(const std::vector<uint32_t>& words, spv::Op op, int nth = 0) {
  spirv::InstructionWalk i(words);
  while (i.next()) {
    if (i.op() == op && nth-- == 0) return i.at();
  }
  FAIL("no such instruction");
  return 0;
}

TEST_CASE("a module comes back word for word, with 64-bit switch literals") {
  const std::vector<uint32_t> words = assemble(kModule);
  CHECK(spirv::writeModule(read(words)) == words);
}

TEST_CASE("words that are indexed without checks are at least instructions with ids below the bound") {
  const std::vector<uint32_t> words = assemble(kModule);
  const auto isIndexed = [](const std::vector<uint32_t>& given) {
    return spirv::indexModule(given).has_value();
  };
  CHECK(isIndexed(words));
  for (size_t kept = 0; kept < spirv::kHeaderWords; ++kept)
    CHECK(!isIndexed(std::vector<uint32_t>(words.begin(), words.begin() + std::ptrdiff_t(kept))));
  const size_t choice = find(words, spv::Op::OpSwitch);
  CHECK(!isIndexed(std::vector<uint32_t>(words.begin(), words.begin() + std::ptrdiff_t(choice) + 2)));
  const size_t type = find(words, spv::Op::OpTypeInt);
  std::vector<uint32_t> changed = words;
  changed[type + 1] = words[spirv::kHeaderBound];
  CHECK(!isIndexed(changed));
  changed = words;
  changed[spirv::kHeaderBound] = 0xffffffffu;
  CHECK(!isIndexed(changed));
  // An instruction without its result.
  changed.assign(words.begin(), words.begin() + std::ptrdiff_t(spirv::kHeaderWords));
  changed.push_back(spirv::instructionHead(spv::Op::OpTypeVoid, 1));
  CHECK(!isIndexed(changed));
}

TEST_CASE("either byte order is read") {
  const std::vector<uint32_t> words = assemble(kModule);
  std::vector<unsigned char> bytes;
  for (uint32_t w : words) {
    for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(static_cast<unsigned char>(w >> shift));
  }
  spirv::ReadError error;
  CHECK(spirv::wordsFromBytes(bytes, error) == words);
  bytes.pop_back();
  CHECK_FALSE(spirv::wordsFromBytes(bytes, error));
  CHECK(error.message == "the length is " + std::to_string(bytes.size()) + " bytes: not a SPIR-V module");
  bytes.assign(20, 0);
  CHECK_FALSE(spirv::wordsFromBytes(bytes, error));
  CHECK(error.message == "wrong magic number");
}

TEST_CASE("debuggers' instructions may follow terminators, and stay when the code around them is optimized") {
  const char text[] = R"(
OpCapability Shader
OpExtension "SPV_KHR_non_semantic_info"
%debug = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%true = OpConstantTrue %bool
%main = OpFunction %void None %fn
%entry = OpLabel
%call = OpFunctionCall %void %other
OpReturn
%left = OpExtInst %void %debug DebugNoScope
OpFunctionEnd
%other = OpFunction %void None %fn
%begin = OpLabel
OpSelectionMerge %end None
OpBranchConditional %true %a %end
%between = OpExtInst %void %debug DebugNoScope
%a = OpLabel
OpBranch %end
%end = OpLabel
OpReturn
%last = OpExtInst %void %debug DebugNoScope
OpFunctionEnd
)";
  const std::vector<uint32_t> words = assemble(text);
  CHECK(validate(words) == "");
  CHECK(spirv::writeModule(read(words)) == words);
  for (const spirv::OptLevel level : {spirv::OptLevel::Speed, spirv::OptLevel::Size}) {
    std::vector<uint32_t> after = words;
    std::string error;
    CHECK(spirv::optimize(after, level, &error));
    CHECK(validate(after) == "");
  }
}

TEST_CASE("modules whose ids go up to the limit are optimized") {
  const char text[] = R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %1 "main" %7
OpExecutionMode %1 OriginUpperLeft
OpDecorate %7 Location 0
%2 = OpTypeVoid
%3 = OpTypeFunction %2
%4 = OpTypeFloat 32
%5 = OpTypePointer Function %4
%6 = OpTypePointer Output %4
%7 = OpVariable %6 Output
%1 = OpFunction %2 None %3
%8 = OpLabel
%9 = OpVariable %5 Function
%10 = OpLoad %4 %9
OpStore %7 %10
OpReturn
OpFunctionEnd
)";
  std::vector<uint32_t> words = assemble(text);
  words[3] = spirv::kMaxIdBound;
  std::string error;
  CHECK(spirv::optimize(words, spirv::OptLevel::Speed, &error));
  CHECK(validate(words) == "");
  CHECK(words[3] < 20);
}

TEST_CASE("sets with literals are read by those who ask for them") {
  const char text[] = R"(
OpCapability Shader
%debug = OpExtInstImport "OpenCL.DebugInfo.100"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
%name = OpString "a.hlsl"
%void = OpTypeVoid
%fn = OpTypeFunction %void
%file = OpExtInst %void %debug DebugSource %name
%unit = OpExtInst %void %debug DebugCompilationUnit 1 4000 %file HLSL
%main = OpFunction %void None %fn
%entry = OpLabel
OpReturn
OpFunctionEnd
)";
  const std::vector<uint32_t> words = assemble(text);
  CHECK(validate(words) == "");
  CHECK(failure(words) == "OpExtInst has an id outside the bound");
  spirv::ReadError error;
  const std::optional<spirv::Module> module = spirv::readModule(words, error, true);
  REQUIRE(module);
  CHECK(spirv::writeModule(*module) == words);
}

TEST_CASE("what is wrong with a module is said") {
  const std::vector<uint32_t> good = assemble(kModule);
  REQUIRE(failure(good) == "");
  std::vector<uint32_t> w = good;
  SECTION("short") {
    w.resize(3);
    CHECK(failure(w) == "a module has at least 5 words, this one 3");
  }
  SECTION("bound") {
    w[3] = 0x400000;
    CHECK(failure(w) == "id bound 4194304 is outside 1 to 4194303");
  }
  SECTION("no length") {
    w[5] &= 0xFFFF;
    CHECK(failure(w) == "an instruction of 0 words");
  }
  SECTION("past the end") {
    w.pop_back();
    w.back() = 0x00020000 | w.back();
    CHECK(failure(w) == "an instruction goes past the end of the module");
  }
  SECTION("unknown opcode") {
    w[5] = (w[5] & 0xFFFF0000) | 0xFFF0;
    CHECK(failure(w) == "unknown opcode 65520");
  }
  SECTION("id outside the bound") {
    w[find(good, spv::Op::OpTypeVoid) + 1] = good[3];
    CHECK(failure(w) == "OpTypeVoid has an id outside the bound");
  }
  SECTION("a constant of its own type") {
    const size_t at = find(good, spv::Op::OpConstant);
    w[at + 1] = w[at + 2];
    CHECK(failure(w) == "OpConstant needs an integer or float type that is defined before");
  }
  SECTION("defined twice") {
    w[find(good, spv::Op::OpLabel, 1) + 1] = good[find(good, spv::Op::OpLabel) + 1];
    CHECK(failure(w).find("is defined twice") != std::string::npos);
  }
  SECTION("used but not defined") {
    w[3] += 1;
    w[find(good, spv::Op::OpBranch) + 1] = good[3];
    CHECK(failure(w) == "id " + std::to_string(good[3]) + " is used but not defined");
  }
  SECTION("a type that is none") {
    w[find(good, spv::Op::OpFunction) + 1] = good[find(good, spv::Op::OpLabel) + 1];
    CHECK(failure(w).find("is used as a type but is not one") != std::string::npos);
  }
  SECTION("a constant of the wrong size") {
    w[find(good, spv::Op::OpTypeInt) + 2] = 32;
    CHECK(failure(w) == "OpConstant has a value that does not fit its type");
  }
  SECTION("a block without end") {
    w[find(good, spv::Op::OpReturn)] = 0x00010000 | uint32_t(spv::Op::OpNop);
    CHECK(failure(w) == "OpFunctionEnd inside a block");
  }
  SECTION("no function end") {
    w.pop_back();
    CHECK(failure(w) == "OpFunctionEnd is missing");
  }
  SECTION("a string without end") {
    const size_t at = find(good, spv::Op::OpEntryPoint);
    w[at + 4] = 0x41414141;
    CHECK(failure(w) == "OpEntryPoint has operands that do not fit its grammar");
  }
  SECTION("something after the first function") {
    w.insert(w.end(), good.begin() + ptrdiff_t(find(good, spv::Op::OpMemoryModel)),
             good.begin() + ptrdiff_t(find(good, spv::Op::OpMemoryModel)) + 3);
    CHECK(failure(w) == "OpMemoryModel after the first function");
  }
}

}  // namespace
}  // namespace coopc::tests
