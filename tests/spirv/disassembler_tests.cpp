// Assembly text: what it looks like, and that the assembler takes it back.
#include <bit>

#include <catch2/catch_test_macros.hpp>

#include "spirv/assembler.hpp"
#include "spirv/disassembler.hpp"
#include "spirv/enums_supplement.hpp"
#include "spirv/reader.hpp"
#include "spirv/unknown_module.hpp"
#include "tests/spirv/spirv_text.hpp"

namespace coopc::tests {
namespace {

const char kModule[] = R"(OpCapability Shader
OpCapability Float16
OpCapability Float64
OpCapability Int64
OpCapability Int16
OpExtension "SPV_KHR_non_semantic_info"
%1 = OpExtInstImport "GLSL.std.450"
%2 = OpExtInstImport "NonSemantic.DebugPrintf"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
%3 = OpString "say \"%d\" \\ done"
OpName %main "main"
OpName %x "x"
OpName %x_9 "x"
OpName %weird_name_ "weird name!"
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%half = OpTypeFloat 16
%double = OpTypeFloat 64
%int = OpTypeInt 32 1
%short = OpTypeInt 16 1
%ulong = OpTypeInt 64 0
%v3float = OpTypeVector %float 3
%float_0_5 = OpConstant %float 0.5
%c1 = OpConstant %float -0x1p+128
%c2 = OpConstant %float 0x1.8p+128
%c3 = OpConstant %float 1e-45
%c4 = OpConstant %half 1.5
%c5 = OpConstant %double -1e300
%c6 = OpConstant %int -7
%c7 = OpConstant %short -3
%c8 = OpConstant %ulong 18446744073709551615
%c9 = OpConstant %float -0.0
%main = OpFunction %void Inline|Pure %fn
%entry = OpLabel
%x = OpExtInst %float %1 FMax %float_0_5 %c9
%x_9 = OpCompositeConstruct %v3float %x %x %x
%weird_name_ = OpCompositeExtract %float %x_9 2
%4 = OpExtInst %void %2 1 %3 %c6
OpReturn
OpFunctionEnd
)";

TEST_CASE("text goes through the assembler and back word for word") {
  const std::vector<uint32_t> words = assemble(kModule);
  spirv::DisassemblyOptions options;
  options.friendlyNames = false;
  const std::string text = spirv::disassemble(read(words), options);
  CHECK(assemble(text) == words);
  // With friendly names, assembling renumbers the ids, so only the text can be compared.
  const std::string friendly = textOf(words);
  CHECK(friendly.find("%x = OpExtInst %float %1 FMax %float_0_5 %float_n0\n") != std::string::npos);
  CHECK(friendly.find("%weird_name_ = OpCompositeExtract %float ") != std::string::npos);
  CHECK(friendly.find("= OpString \"say \\\"%d\\\" \\\\ done\"\n") != std::string::npos);
  CHECK(friendly.find("OpFunction %void Inline|Pure ") != std::string::npos);
  CHECK(assemble(friendly).size() == words.size());
  CHECK(textOf(assemble(friendly)).size() == friendly.size());
}

TEST_CASE("instructions of no grammar, or that do not fit theirs, are words that the assembler takes back") {
  std::vector<uint32_t> words = assemble(kModule);
  const std::vector<uint32_t> unknown = {3u << 16 | 60001, 1, 0xFFFFFFFF, 2u << 16 | 128, 1,
                                         3u << 16 | 54,    2, 9};
  words.insert(words.end(), unknown.begin(), unknown.end());
  spirv::ReadError error;
  CHECK(!spirv::readModule(words, error));
  const std::optional<spirv::Module> module = spirv::readUnknownModule(words);
  REQUIRE(module);
  spirv::DisassemblyOptions options;
  options.friendlyNames = false;
  const std::string text = spirv::disassemble(*module, options);
  INFO(text);
  CHECK(text.find(" !" + std::to_string(unknown[0]) + " !1 !4294967295\n") != std::string::npos);
  CHECK(assemble(text) == words);
  // Whatever the words are, the walk ends.
  for (size_t n = 0; n < words.size(); ++n) {
    std::vector<uint32_t> changed = words;
    changed[n] ^= 0x00010003u;
    if (const auto read = spirv::readUnknownModule(changed))
      CHECK(!spirv::disassemble(*read, options).empty());
    changed.resize(n);
    if (const auto read = spirv::readUnknownModule(changed)) CHECK(!spirv::disassemble(*read).empty());
  }
}

// Found by the fuzz target spirv_text.
TEST_CASE("literals of invalid modules whose form our assembler cannot know are words") {
  const std::string head = "OpCapability Shader\nOpMemoryModel Logical GLSL450\n";
  const std::string function =
      "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%float = OpTypeFloat 32\n%f = OpConstant %float 1\n"
      "%main = OpFunction %void None %fn\n%entry = OpLabel\n";
  const std::string end = "%a = OpLabel\nOpBranch %b\n%b = OpLabel\nOpReturn\nOpFunctionEnd\n";
  for (const std::string& text : {
           // A width that no literal has.
           head + "%1 = OpTypeFloat 63\n%2 = OpConstant %1 !0 !1073741824\n",
           // An encoding that does not exist.
           head + "%1 = OpTypeFloat 32 !4294967295\n%2 = OpConstant %1 !65536\n",
           // A constant of two words whose type has one.
           head + "%1 = OpTypeInt 32 0\n%2 = OpSpecConstantOp %1 !50 !6 !21\n",
           // A set that is imported after its use.
           "%1 = OpTypeFloat 32\n%4 = OpConstant %1 1\n%2 = OpExtInst %1 %3 40 %4 %4\n" + head +
               "%3 = OpExtInstImport \"GLSL.std.450\"\n",
           // Selectors: a label that follows the instruction, and a floating-point number.
           head + function + "OpSelectionMerge %b None\nOpSwitch %a %b !1 %a !2 %b\n" + end,
           head + function + "OpSelectionMerge %b None\nOpSwitch %f %b !1024 %a\n" + end,
       }) {
    INFO(text);
    const auto ours = [](const std::string& assembly) {
      spirv::AssemblyError error;
      const auto made = spirv::assemble(assembly, 0x00010600, error);
      INFO(error.line << ": " << error.message << "\n" << assembly);
      REQUIRE(made.has_value());
      return *made;
    };
    const std::vector<uint32_t> words = ours(text);
    const spirv::Module module = read(words);
    for (const bool friendly : {false, true}) {
      spirv::DisassemblyOptions options;
      options.friendlyNames = friendly;
      const std::string again = spirv::disassemble(module, options);
      CHECK(ours(again) == words);
    }
  }
}

// Names made of other names: pointers to pointers, and constants of a type whose name is long. Without a
// limit they would take quadratic space.
TEST_CASE("names that are made of others have a bounded length, and remain different") {
  std::string chain = "OpCapability Shader\nOpMemoryModel Logical GLSL450\n%t0 = OpTypeInt 32 0\n";
  for (int n = 1; n <= 2000; ++n)
    chain += "%t" + std::to_string(n) + " = OpTypePointer Function %t" + std::to_string(n - 1) + "\n";
  const std::string pointers = textOf(assemble(chain));
  CHECK(pointers.size() < 2000 * 700);
  CHECK(assemble(pointers).size() == assemble(chain).size());
  CHECK(textOf(assemble(pointers)).size() == pointers.size());

  const std::string name(20000, 'x');
  std::string many =
      "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpName %t \"" + name + "\"\n%t = OpTypeInt 32 0\n";
  for (int n = 0; n < 1000; ++n)
    many += "%c" + std::to_string(n) + " = OpConstant %t " + std::to_string(n) + "\n";
  const std::string constants = textOf(assemble(many));
  CHECK(constants.size() < 1000 * 700 + 20000);
  CHECK(constants.find(" \"" + name + "\"\n") != std::string::npos);  // OpName's text is data and stays whole
  CHECK(assemble(constants).size() == assemble(many).size());
}

std::string floatText(uint64_t bits, uint32_t width, uint32_t encoding = spirv::kNone) {
  std::string text;
  spirv::appendFloat(text, bits, width, encoding);
  return text;
}

TEST_CASE("floating-point literals keep every bit") {
  CHECK(floatText(0x3F800000, 32) == "1");
  CHECK(floatText(0x80000000, 32) == "-0");
  CHECK(floatText(0x7F800000, 32) == "0x1p+128");
  CHECK(floatText(0xFFC00000, 32) == "-0x1.8p+128");
  CHECK(floatText(0x00000001, 32) == "0x1p-149");
  CHECK(floatText(0x00400000, 32) == "0x1p-127");
  CHECK(floatText(0x3DCCCCCD, 32) == "0.1");
  CHECK(floatText(0x3C00, 16) == "0x1p+0");
  CHECK(floatText(0x0001, 16) == "0x1p-24");
  CHECK(floatText(0xFBFF, 16) == "-0x1.ffcp+15");
  CHECK(floatText(std::bit_cast<uint64_t>(0.1), 64) == "0.1");
  CHECK(floatText(0x3F80, 16, spirv::enums::FPEncodingBFloat16KHR) == "0x1p+0");
  CHECK(floatText(0x38, 8, spirv::enums::FPEncodingFloat8E4M3EXT) == "0x1p+0");
}

}  // namespace
}  // namespace coopc::tests
