// Compares our assembler with SPIRV-Tools': the same words for each text that both accept, and whole messages
// for texts that both refuse.
#include <filesystem>

#include <catch2/catch_test_macros.hpp>

#include "spirv/assembler.hpp"
#include "spirv/disassembler.hpp"
#include "spirv/grammar_names.hpp"
#include "tests/spirv/spirv_text.hpp"
#include "tests/support/text_file.hpp"

namespace coopc::tests {
namespace {

constexpr uint32_t kVersion = 0x00010600;

std::vector<uint32_t> ours(std::string_view text) {
  spirv::AssemblyError error;
  const auto words = spirv::assemble(text, kVersion, error);
  INFO(error.line << ":" << error.column << ": " << error.message);
  REQUIRE(words);
  return *words;
}

std::string errorOf(std::string_view text) {
  spirv::AssemblyError error;
  if (spirv::assemble(text, kVersion, error)) return "none";
  return std::to_string(error.line) + ":" + std::to_string(error.column) + ": " + error.message;
}

// Types and constants of each kind, instructions whose operands the grammar leaves open, several instructions
// a line and several lines an instruction.
const char kText[] = R"(; a comment
OpCapability Shader OpCapability Float16
OpExtension "SPV_KHR_\"quoted\"\\" ; of a line
%set = OpExtInstImport "GLSL.std.450"
%debug = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"
%print = OpExtInstImport "NonSemantic.DebugPrintf"
%other = OpExtInstImport "NonSemantic.Other"
OpMemoryModel
  Logical
  GLSL450
OpEntryPoint GLCompute %main "main" %a
  %b
OpExecutionMode %main LocalSize 1 0x10 017
OpDecorate %a BuiltIn SubgroupEqMaskKHR
OpDecorate %b Offset 4
OpMemberDecorate %s 1 MatrixStride 16
OpMemberName %s 0 "semicolon ; in a name"
%void = OpTypeVoid
%float = OpTypeFloat 32
%half = OpTypeFloat 16
%double = OpTypeFloat 64
%int = OpTypeInt 32 1
%uint = OpTypeInt 32 0
%short = OpTypeInt 16 1
%ushort = OpTypeInt 16 0
%char = OpTypeInt 8 1
%long = OpTypeInt 64 1
%ulong = OpTypeInt 64 0
%s = OpTypeStruct %float %int
%f0 = OpConstant %float 0.1
%f1 = OpConstant %float -0x1.8p+128
%f2 = OpConstant %float 0x1p-149
%f3 = OpConstant %float -1e-3
%f4 = OpConstant %float 7
%h0 = OpConstant %half 0x1.8p+3
%h1 = OpConstant %half 1.5
%h2 = OpConstant %half -0x1p-24
%d0 = OpConstant %double 1e300
%d1 = OpConstant %double 0x1.fffffffffffffp+1023
%i0 = OpConstant %int -2147483648
%i1 = OpConstant %int 0xffffffff
%u0 = OpConstant %uint 4294967295
%s0 = OpConstant %short -3
%s1 = OpConstant %short 0x8000
%s2 = OpConstant %ushort 0xffff
%c0 = OpConstant %char 0x7f
%l0 = OpConstant %long -5000000000
%l1 = OpConstant %ulong 18446744073709551615
%sum = OpSpecConstantOp %int IAdd %i0 %i1
%word = OpConstant %int !0x2a
%main = OpFunction %void Inline|DontInline|Pure %fn
%entry = OpLabel
%m = OpExtInst %float %set FMax %f0 %f1
%n = OpExtInst %void %other 40 %f0 %f1
%o = OpExtInst %void %debug DebugNoScope
%q = OpLoad %int %a Volatile|Aligned 4
OpStore %a %q None
%sel = OpCopyObject %long %l0
OpSelectionMerge %end None
OpSwitch %sel %end -1 %end 0x7000000000000000 %end
%i = OpImageSampleImplicitLod %float %img %xy Bias|ConstOffset %f0 %i0
%r = OpCooperativeMatrixLoadKHR %mat %ptr %i0 %i1 MakePointerVisible|NonPrivatePointer %i0
%t = OpSDotKHR %int %i0 %i1 PackedVectorFormat4x8BitKHR
OpFunctionEnd
!0x00030036 !1 %main
)";

TEST_CASE("assembler: every form of operand gives SPIRV-Tools' words") {
  CHECK(ours(kText) == tryAssemble(kText));
}

TEST_CASE("assembler: numbers of small formats, which old assemblers do not know") {
  const std::vector<uint32_t> words = ours(
      "%bf = OpTypeFloat 16 BFloat16KHR %a = OpConstant %bf 0x1.8p+1 %e = OpTypeFloat 8 Float8E4M3EXT "
      "%b = OpConstant %e -1.5 %f = OpTypeFloat 8 Float8E5M2EXT %c = OpConstant %f 0x1p+16");
  const std::vector<uint32_t> constants = {words[12], words[20], words[28]};
  CHECK(constants == std::vector<uint32_t>{0x4040, 0xBC, 0x7C});
}

TEST_CASE(
    "assembler: the modules of the tests give SPIRV-Tools' words, and those that it refuses are refused") {
  size_t same = 0;
  size_t newer = 0;
  size_t refused = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(COOPC_ASSEMBLY_CASES)) {
    if (entry.path().extension() != ".spvasm") continue;
    INFO(entry.path().string());
    const std::string text = fileText(entry.path());
    const std::optional<std::vector<uint32_t>> theirs = tryAssemble(text);
    spirv::AssemblyError error;
    const auto words = spirv::assemble(text, kVersion, error);
    INFO(error.line << ":" << error.column << ": " << error.message);
    if (theirs) {
      CHECK(words == theirs);
      ++same;
    } else {
      ++(words ? newer : refused);
    }
  }
  CHECK(same >= 100);
  CHECK(newer <= 30);    // types and operations that the tests' SPIRV-Tools does not support
  CHECK(refused <= 10);  // parts of modules
}

TEST_CASE("assembler: each opcode and each enumerant is known by all of its names") {
  size_t enumerants = 0;
  for (uint32_t kind = 0; kind < 256; ++kind) {
    const auto operand = spirv::OperandKind(kind);
    if (!spirv::isBitEnum(operand) && !spirv::isValueEnum(operand)) continue;
    for (uint32_t value = 0; value < 8192; ++value) {
      const std::string_view text = spirv::enumerantName(operand, value);
      if (text.empty()) continue;
      CHECK(spirv::enumerantValue(operand, text) == value);
      ++enumerants;
    }
  }
  CHECK(enumerants > 1000);
  CHECK(spirv::opAliases().size() > 50);
  for (const spirv::OpAlias& alias : spirv::opAliases()) CHECK(spirv::opInfo(alias.opcode) != nullptr);
  CHECK(spirv::enumerantValue(spirv::OperandKind::Capability, "StorageUniformBufferBlock16") ==
        uint32_t(spv::Capability::StorageBuffer16BitAccess));
  CHECK(spirv::enumerantValue(spirv::OperandKind::Capability, "NoSuchThing") == std::nullopt);
  CHECK(spirv::extInstNumber("GLSL.std.450", "FMax") == 40);
  CHECK(spirv::extInstNumber("NonSemantic.Shader.DebugInfo.101", "DebugSource") == 35);
  CHECK(spirv::extInstNumber("NonSemantic.DebugPrintf", "DebugPrintf") == 1);
  CHECK(spirv::extInstNumber("OpenCL.std", "fmax") == 27);
  CHECK(spirv::extInstNumber("SPV_AMD_shader_trinary_minmax", "FMin3AMD") == 1);
  CHECK(spirv::extInstNumber("Unknown", "FMax") == std::nullopt);
}

TEST_CASE("assembler: what the disassembler writes becomes the same module") {
  const std::vector<uint32_t> words = ours(
      "OpCapability Shader\nOpMemoryModel Logical GLSL450\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n"
      "%f = OpFunction %void None %fn\n%l = OpLabel\nOpReturn\nOpFunctionEnd\n");
  CHECK(ours(spirv::disassemble(read(words))) == words);
}

// After `!N`, the assembler takes words as they are, and accepts no names.
TEST_CASE("assembler: what the disassembler writes of unknown enumerants becomes the same module") {
  const std::vector<uint32_t> known = ours(
      "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %f \"main\"\n"
      "OpExecutionMode %f LocalSize 1 2 3\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n"
      "%f = OpFunction %void None %fn\n%l = OpLabel\nOpReturn\nOpFunctionEnd\n");
  const struct {
    size_t word;
    const char* line;
  } rows[] = {{8, "OpMemoryModel !32 !1"}, {11, "OpEntryPoint !32 %1 \"main\""}};
  for (const auto& row : rows) {
    std::vector<uint32_t> words = known;
    words[row.word] = 32;
    spirv::DisassemblyOptions options;
    options.friendlyNames = options.align = false;
    const std::string text = spirv::disassemble(read(words), options);
    INFO(text);
    CHECK(text.find(row.line) != std::string::npos);
    CHECK(ours(text) == words);
  }
}

// glslang writes the id 0 where debug information has no type for a variable.
TEST_CASE("assembler: the id 0 is written as %0 and read back, unless the text defines it") {
  const std::string head =
      "%1 = OpExtInstImport \"NonSemantic.Shader.DebugInfo.100\"\nOpMemoryModel Logical GLSL450\n";
  std::vector<uint32_t> words = ours("OpCapability Shader\nOpExtension \"SPV_KHR_non_semantic_info\"\n" +
                                     head + "%void = OpTypeVoid\n%none = OpExtInst %void %1 0 %void\n");
  words.back() = 0;
  const std::string text = spirv::disassemble(read(words));
  CHECK(text.find(" %0\n") != std::string::npos);
  CHECK(ours(text) == words);
  CHECK(ours("%0 = OpTypeVoid\n%1 = OpTypeFunction %0\n") ==
        ours("%a = OpTypeVoid\n%b = OpTypeFunction %a\n"));
}

// A module may have any bits above those of a narrow number.
TEST_CASE("assembler: what the disassembler writes of numbers that are too wide becomes the same module") {
  const std::vector<uint32_t> known = ours(
      "OpCapability Shader\nOpMemoryModel Logical GLSL450\n%a = OpTypeInt 16 0\n%b = OpTypeInt 8 1\n"
      "%c = OpTypeFloat 16\n%d = OpConstant %a 1\n%e = OpConstant %b 1\n%f = OpConstant %c 1\n");
  size_t changed = 0;
  for (size_t at = 5; at < known.size(); at += known[at] >> spv::WordCountShift) {
    if ((known[at] & spv::OpCodeMask) != uint32_t(spv::Op::OpConstant)) continue;
    std::vector<uint32_t> words = known;
    words[at + 3] |= 0x12340000;
    CHECK(ours(spirv::disassemble(read(words))) == words);
    ++changed;
  }
  CHECK(changed == 3);
}

TEST_CASE("assembler: an empty text is a header") {
  const std::vector<uint32_t> header = {0x07230203, kVersion, 7u << 16, 1, 0};
  CHECK(ours("") == header);
  CHECK(ours(" ; only a comment") == header);
  CHECK(ours("\n\n") == header);
}

TEST_CASE("assembler: errors say where and what") {
  struct Row {
    const char *text, *error;
  };
  const Row rows[] = {
      {"OpNope", "1:1: `OpNope` is not an opcode"},
      {"hello", "1:1: `hello` is not an opcode"},
      {"%a =", "1:1: an opcode is missing after `=`"},
      {"%a = OpNop", "1:6: OpNop has no result"},
      {"OpTypeVoid", "1:1: OpTypeVoid has a result: `%id =` is missing"},
      {"\n  OpCapability", "2:3: OpCapability has too few operands: Capability is missing"},
      {"OpCapability Shadr", "1:14: `Shadr` is not a value of Capability"},
      {"OpCapability Shader Float16", "1:21: OpCapability has too many operands: `Float16`"},
      {"%f = OpFunction %v Inline|Slow %t", "1:20: `Slow` is not a bit of FunctionControl"},
      {"OpName 1 \"a\"", "1:8: an id is expected, not `1`"},
      {"OpName %a- \"a\"", "1:8: `%a-` is not an id: letters, digits and `_` follow the `%`"},
      {"OpName %a a", "1:11: a string is expected, not `a`"},
      {"OpName %a \"a", "1:11: the string has no end"},
      {"OpName %a \"a\"b", "1:11: the string has no end"},
      {"OpDecorate %a Offset x", "1:22: `x` is not an integer of 32 bits"},
      {"OpDecorate %a Offset 4294967296", "1:22: `4294967296` is not an integer of 32 bits"},
      {"%c = OpConstant %t 1", "1:20: the type of this number is not OpTypeInt or OpTypeFloat"},
      {"%t = OpTypeInt 16 0 %c = OpConstant %t -1", "1:40: `-1` is negative, and its type is unsigned"},
      {"%t = OpTypeInt 16 1 %c = OpConstant %t 32768", "1:40: `32768` is not an integer of 16 bits"},
      {"%t = OpTypeFloat 32 %c = OpConstant %t 1.0f",
       "1:40: `1.0f` is not a floating-point number of 32 bits"},
      {"%t = OpTypeFloat 32 %c = OpConstant %t 0x1p",
       "1:40: `0x1p` is not a floating-point number of 32 bits"},
      {"OpSwitch %a %b 1 %c", "1:16: the selector of OpSwitch is not an integer that precedes it"},
      {"%s = OpExtInstImport \"GLSL.std.450\" %a = OpExtInst %t %s Maxx",
       "1:58: `Maxx` is not an instruction of GLSL.std.450"},
      {"%a = OpExtInst %t %s Max",
       "1:22: the set of this instruction is not an OpExtInstImport that precedes it"},
      {"%a = OpSpecConstantOp %t Nope %b", "1:26: `Nope` is not an instruction of constants"},
      {"!4294967296", "1:1: `!4294967296` is not a word"},
  };
  size_t ran = 0;
  for (const Row& row : rows) {
    INFO(row.text);
    CHECK(errorOf(row.text) == row.error);
    CHECK_FALSE(tryAssemble(row.text));
    ++ran;
  }
  CHECK(ran == std::size(rows));
}

TEST_CASE("assembler: whatever the text is, the end is words or an error") {
  const std::string text = kText;
  size_t errors = 0;
  for (size_t n = 0; n < text.size(); n += 3) {
    std::string changed = text;
    changed[n] = "%\"!;|=-0 \n"[n / 3 % 10];
    spirv::AssemblyError error;
    if (!spirv::assemble(changed, kVersion, error)) {
      CHECK(error.line != 0);
      ++errors;
    }
    static_cast<void>(spirv::assemble(std::string_view(text).substr(0, n), kVersion, error));
  }
  CHECK(errors > 100);
}

}  // namespace
}  // namespace coopc::tests
