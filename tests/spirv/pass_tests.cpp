// Tests of the passes, as text. tests/spirv/opt/PASS/CASE.spvasm is the module before the pass
// (prelude.spvasm is prepended), and CASE.expected has its functions after the pass. Cases whose first line
// is "; whole module" compare everything. COOPC_UPDATE_EXPECTED=1 in the environment rewrites the
// expectations.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "spirv/assembler.hpp"
#include "spirv/opt/optimize.hpp"
#include "spirv/opt/passes.hpp"
#include "spirv/reader.hpp"
#include "spirv/structure.hpp"
#include "spirv/writer.hpp"
#include "tests/spirv/spirv_text.hpp"
#include "tests/support/expected_file.hpp"
#include "tests/support/text_file.hpp"

namespace coopc::tests {
namespace {

namespace fs = std::filesystem;

struct Pass {
  const char* name;
  bool (*run)(spirv::Module&);
};

bool fold(spirv::Module& module) { return spirv::simplify(module, {.fold = true, .shareCommon = false}); }
bool shareCommon(spirv::Module& module) {
  return spirv::simplify(module, {.fold = false, .shareCommon = true});
}

constexpr Pass kPasses[] = {
    {"strip", spirv::stripDebug},
    {"merge_returns", spirv::mergeReturns},
    {"inline", spirv::inlineFunctions},
    {"inline_in_helpers", spirv::inlineInHelpers},
    {"private_to_local", spirv::privateToLocal},
    {"variables",
     [](spirv::Module& m) {
       const bool removed = spirv::removeUnreachable(m);
       return spirv::variablesToValues(m) || removed;
     }},
    {"fold", fold},
    {"common", shareCommon},
    {"control_flow", spirv::simplifyControlFlow},
    {"branches", spirv::foldBranches},
    {"memory", spirv::redundantMemory},
    {"dead_code", [](spirv::Module& m) { return spirv::eliminateDeadCode(m); }},
    {"compact_ids", spirv::compactIds},
};

// Indexing trusted words gives the same module as reading them.
void checkIndex(const std::vector<uint32_t>& words, const spirv::Module& module) {
  const std::optional<spirv::Module> result = spirv::indexModule(words);
  REQUIRE(result);
  const spirv::Module& indexed = *result;
  CHECK(indexed.bound == module.bound);
  CHECK(indexed.functionsAt == module.functionsAt);
  CHECK(indexed.definitions == module.definitions);
  CHECK(std::equal(indexed.instructions.begin(), indexed.instructions.end(), module.instructions.begin(),
                   module.instructions.end(), [](const spirv::Instruction& a, const spirv::Instruction& b) {
                     return a.at == b.at && a.opcode == b.opcode && a.length == b.length &&
                            a.type == b.type && a.result == b.result;
                   }));
  CHECK(spirv::writeModule(indexed) == words);
}

void check(const fs::path& file, bool (*run)(spirv::Module&)) {
  INFO(file.string());
  const std::string source = fileText(file);
  const bool whole = source.rfind("; whole module", 0) == 0;
  const std::string text = whole ? source : fileText(fs::path(COOPC_PASS_CASES) / "prelude.spvasm") + source;
  const std::vector<uint32_t> before = assemble(text);
  CHECK(validate(before) == "");
  spirv::Module module = read(before);
  checkIndex(before, module);
  const bool changed = run(module);
  const std::vector<uint32_t> after = spirv::writeModule(module);
  CHECK(validate(after) == "");
  CHECK(spirv::structureFault(module) == "");
  // A pass that reports no change has not changed anything.
  if (!changed) CHECK(spirv::writeModule(read(before)) == after);

  std::string result = textOf(after);
  if (!whole) {
    const size_t function = result.find("OpFunction ");
    REQUIRE(function != std::string::npos);
    result = result.substr(result.rfind('\n', function) + 1);
  }
  checkExpected(file, result);
}

TEST_CASE("each pass turns its modules into the expected ones") {
  for (const Pass& pass : kPasses) {
    DYNAMIC_SECTION(pass.name) {
      const std::vector<fs::path> files = casesIn(fs::path(COOPC_PASS_CASES) / pass.name);
      REQUIRE(!files.empty());
      for (const fs::path& file : files) check(file, pass.run);
    }
  }
}

// A variable that is stored to before and in the middle of a chain of selections, and loaded at its end. In a
// long chain, which blocks need a phi is found without following the variable through every block.
TEST_CASE("a variable needs as many phis in a long function as in a short one") {
  const auto phisAfter = [](int before, int after) {
    std::string text =
        fileText(fs::path(COOPC_PASS_CASES) / "prelude.spvasm") +
        "%main = OpFunction %void None %fn\n%entry = OpLabel\n%x = OpVariable %_ptr_Function_float "
        "Function\n%pn = OpAccessChain %_ptr_PushConstant_uint %push %uint_0\n%n = OpLoad %uint %pn\n"
        "%c = OpIEqual %bool %n %uint_1\n%q = OpAccessChain %_ptr_StorageBuffer_float %out %uint_0 "
        "%uint_0\nOpStore %x %float_1\n";
    const int count = before + 1 + after;
    for (int k = 0; k < count; ++k) {
      const std::string number = std::to_string(k);
      text += "OpSelectionMerge %merge" + number + " None\nOpBranchConditional %c %then" + number +
              " %merge" + number + "\n%then" + number + " = OpLabel\n" +
              (k == before ? "OpStore %x %float_2\n" : "OpStore %q %float_3\n") + "OpBranch %merge" + number +
              "\n%merge" + number + " = OpLabel\n";
    }
    text += "%last = OpLoad %float %x\nOpStore %q %last\nOpReturn\nOpFunctionEnd\n";
    const std::vector<uint32_t> words = assemble(text);
    REQUIRE(validate(words) == "");
    spirv::Module module = read(words);
    CHECK(spirv::variablesToValues(module));
    const std::vector<uint32_t> result = spirv::writeModule(module);
    CHECK(validate(result) == "");
    const std::string shown = textOf(result);
    CHECK(shown.find("= OpVariable %_ptr_Function_float") == std::string::npos);
    int phis = 0;
    for (size_t at = shown.find("OpPhi"); at != std::string::npos; at = shown.find("OpPhi", at + 1)) ++phis;
    return phis;
  };
  CHECK(phisAfter(1, 1) == 1);
  CHECK(phisAfter(2, 300) == 1);
  CHECK(phisAfter(300, 2) == 1);
  CHECK(phisAfter(300, 300) == 1);
}

// Runs all passes on every module of the cases: the result is valid, and the same each time.
TEST_CASE("the whole of -O and -Os leaves modules valid and is deterministic") {
  size_t modules = 0;
  for (const auto& entry : fs::recursive_directory_iterator(COOPC_PASS_CASES)) {
    if (entry.path().extension() != ".spvasm" || entry.path().stem() == "prelude") continue;
    const std::string source = fileText(entry.path());
    const bool whole = source.rfind("; whole module", 0) == 0;
    const std::vector<uint32_t> before =
        assemble(whole ? source : fileText(fs::path(COOPC_PASS_CASES) / "prelude.spvasm") + source);
    for (const spirv::OptLevel level : {spirv::OptLevel::Speed, spirv::OptLevel::Size}) {
      INFO(entry.path().string());
      std::vector<uint32_t> once = before, twice = before;
      std::string error;
      spirv::OptOptions options;
      options.level = level;
      options.checkPasses = true;
      INFO(error);
      REQUIRE(spirv::optimize(once, options, &error));
      REQUIRE(spirv::optimize(twice, level, &error));
      CHECK(once == twice);
      CHECK(validate(once) == "");
      CHECK(once.size() <= before.size());
      ++modules;
    }
  }
  CHECK(modules > 20);
}

// Wherever the ids run out, the remaining work is skipped, and nothing is lost.
TEST_CASE("a module stays valid where the ids run out") {
  size_t modules = 0, ranOut = 0;
  for (const auto& entry : fs::recursive_directory_iterator(COOPC_PASS_CASES)) {
    if (entry.path().extension() != ".spvasm" || entry.path().stem() == "prelude") continue;
    INFO(entry.path().string());
    const std::string source = fileText(entry.path());
    const bool whole = source.rfind("; whole module", 0) == 0;
    const std::vector<uint32_t> before =
        assemble(whole ? source : fileText(fs::path(COOPC_PASS_CASES) / "prelude.spvasm") + source);
    std::vector<uint32_t> unlimited = before;
    REQUIRE(spirv::optimize(unlimited, spirv::OptLevel::Speed, nullptr));
    for (uint32_t more = 0; more < 32; ++more) {
      INFO(more << " ids are left");
      std::vector<uint32_t> words = before;
      spirv::OptOptions options;
      options.idLimit = before[3] + more;
      REQUIRE(spirv::optimize(words, options, nullptr));
      CHECK(validate(words) == "");
      ranOut += words != unlimited ? 1 : 0;
    }
    ++modules;
  }
  CHECK(modules > 20);
  CHECK(ranOut > 20);
}

// A module's capabilities and extensions, as in its text.
std::vector<std::string> declarationsOf(const std::vector<uint32_t>& words) {
  std::vector<std::string> lines;
  std::istringstream after(textOf(words));
  for (std::string line; std::getline(after, line);) {
    if (line.rfind("OpCapability ", 0) == 0) lines.push_back(line.substr(13));
    if (line.rfind("OpExtension ", 0) == 0) lines.push_back(line.substr(12));
  }
  return lines;
}

// The module's capabilities and extensions after -O.
std::vector<std::string> declarationsAfter(const std::string& text) {
  std::vector<uint32_t> words = assemble(text);
  REQUIRE(validate(words) == "");
  REQUIRE(spirv::optimize(words, spirv::OptLevel::Speed, nullptr));
  CHECK(validate(words) == "");
  return declarationsOf(words);
}

// A compute shader with the declarations `head` and the body `body`; none of its results are used.
std::string unusedWork(const std::string& head, const std::string& types, const std::string& body) {
  return head +
         "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\nOpExecutionMode %main "
         "LocalSize 1 1 1\n"
         "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%bool = OpTypeBool\n%true = OpConstantTrue %bool\n"
         "%uint = OpTypeInt 32 0\n%uint_3 = OpConstant %uint 3\n" +
         types + "%main = OpFunction %void None %fn\n%entry = OpLabel\n" + body + "OpReturn\nOpFunctionEnd\n";
}

TEST_CASE("capabilities whose only use goes are no longer declared") {
  using Lines = std::vector<std::string>;
  // A capability that an opcode needs, and one that a type needs.
  CHECK(declarationsAfter(unusedWork("OpCapability Shader\nOpCapability GroupNonUniformVote\n", "",
                                     "%a = OpGroupNonUniformAll %bool %uint_3 %true\n")) == Lines{"Shader"});
  CHECK(declarationsAfter(unusedWork("OpCapability Shader\nOpCapability Int64\nOpCapability Float64\n",
                                     "%ulong = OpTypeInt 64 0\n%double = OpTypeFloat 64\n"
                                     "%one = OpConstant %ulong 1\n",
                                     "%a = OpConvertUToF %double %one\n")) == Lines{"Shader"});
  // An extension is removed with the capability that it provides.
  CHECK(declarationsAfter(unusedWork(
            "OpCapability Shader\nOpCapability ShaderClockKHR\nOpExtension \"SPV_KHR_shader_clock\"\n"
            "OpExtension \"SPV_KHR_storage_buffer_storage_class\"\n",
            "%v2uint = OpTypeVector %uint 2\n%private = OpTypePointer Function %v2uint\n",
            "%v = OpVariable %private Function\nOpSelectionMerge %merge None\n"
            "OpBranchConditional %true %merge %never\n%never = OpLabel\n"
            "%a = OpReadClockKHR %v2uint %uint_3\nOpStore %v %a\nOpBranch %merge\n%merge = OpLabel\n")) ==
        Lines{"Shader", "\"SPV_KHR_storage_buffer_storage_class\""});
}

// An untyped pointer does not say which object it points into by its type, so a store by it may change any.
TEST_CASE("a value that was stored is not taken for that of a load after a store by an untyped pointer") {
  const auto loadsAfter = [](const std::string& store) {
    const std::string text = R"(OpCapability Shader
OpCapability UntypedPointersKHR
OpExtension "SPV_KHR_untyped_pointers"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %in %out
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %array ArrayStride 4
OpDecorate %Buffer Block
OpMemberDecorate %Buffer 0 Offset 0
OpDecorate %in DescriptorSet 0
OpDecorate %in Binding 0
OpDecorate %out DescriptorSet 0
OpDecorate %out Binding 1
%void = OpTypeVoid
%fn = OpTypeFunction %void
%uint = OpTypeInt 32 0
%zero = OpConstant %uint 0
%one = OpConstant %uint 1
%array = OpTypeRuntimeArray %uint
%Buffer = OpTypeStruct %array
%block = OpTypePointer StorageBuffer %Buffer
%number = OpTypePointer StorageBuffer %uint
%untyped = OpTypeUntypedPointerKHR StorageBuffer
%in = OpVariable %block StorageBuffer
%out = OpVariable %block StorageBuffer
%main = OpFunction %void None %fn
%entry = OpLabel
%p = OpAccessChain %number %in %zero %zero
%q = OpAccessChain %number %out %zero %one
%u = OpUntypedAccessChainKHR %untyped %Buffer %in %zero %zero
OpStore %p %one
)" + store + R"(
%l = OpLoad %uint %p
OpStore %q %l
OpReturn
OpFunctionEnd
)";
    spirv::AssemblyError error;
    const auto words = spirv::assemble(text, 0x00010600, error);
    INFO(error.line << ": " << error.message);
    REQUIRE(words);
    spirv::Module module = read(*words);
    spirv::redundantMemory(module);
    return std::count_if(module.instructions.begin(), module.instructions.end(),
                         [](const spirv::Instruction& i) { return i.op() == spv::Op::OpLoad; });
  };
  CHECK(loadsAfter("") == 0);
  CHECK(loadsAfter("OpStore %u %zero") == 1);
}

// The operands of an image access are bits of one mask, and each bit has its own capabilities.
TEST_CASE("capabilities of the bits of a mask go with the instruction") {
  const auto sampled = [](const std::string& access, const std::string& after) {
    return "OpCapability Shader\nOpCapability ImageGatherExtended\nOpCapability MinLod\n"
           "OpMemoryModel Logical GLSL450\nOpEntryPoint Fragment %main \"main\" %texture %color\n"
           "OpExecutionMode %main OriginUpperLeft\nOpDecorate %texture DescriptorSet 0\n"
           "OpDecorate %texture Binding 0\nOpDecorate %color Location 0\n"
           "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%float = OpTypeFloat 32\n%int = OpTypeInt 32 1\n"
           "%v2 = OpTypeVector %float 2\n%v4 = OpTypeVector %float 4\n%iv2 = OpTypeVector %int 2\n"
           "%image = OpTypeImage %float 2D 0 0 0 1 Unknown\n%both = OpTypeSampledImage %image\n"
           "%pointer = OpTypePointer UniformConstant %both\n%output = OpTypePointer Output %v4\n"
           "%texture = OpVariable %pointer UniformConstant\n%color = OpVariable %output Output\n"
           "%half = OpConstant %float 0.5\n%at = OpConstantComposite %v2 %half %half\n"
           "%one = OpConstant %int 1\n%offset = OpConstantComposite %iv2 %one %one\n"
           "%main = OpFunction %void None %fn\n%entry = OpLabel\n%t = OpLoad %both %texture\n"
           "%texel = " +
           access + "\n" + after + "OpReturn\nOpFunctionEnd\n";
  };
  using Lines = std::vector<std::string>;
  const std::string store = "OpStore %color %texel\n";
  const std::string gather = "OpImageGather %v4 %t %at %one Offset %offset";
  const std::string sample = "OpImageSampleImplicitLod %v4 %t %at ConstOffset|MinLod %offset %half";
  // A declaration that the original module does not use is kept.
  CHECK(declarationsAfter(sampled(gather, "")) == Lines{"Shader", "MinLod"});
  CHECK(declarationsAfter(sampled(sample, "")) == Lines{"Shader", "ImageGatherExtended"});
  CHECK(declarationsAfter(sampled(gather, store)) == Lines{"Shader", "ImageGatherExtended", "MinLod"});
  CHECK(declarationsAfter(sampled(sample, store)) == Lines{"Shader", "ImageGatherExtended", "MinLod"});
}

// A decoration counts as a use of its capability as long as the decorated object exists.
TEST_CASE("capabilities of decorations go with what is decorated") {
  const auto decorated = [](const std::string& after) {
    return "OpCapability Shader\nOpCapability ShaderNonUniform\nOpMemoryModel Logical GLSL450\n"
           "OpEntryPoint Fragment %main \"main\" %in %out\nOpExecutionMode %main OriginUpperLeft\n"
           "OpDecorate %in Location 0\nOpDecorate %in Flat\nOpDecorate %out Location 0\n"
           "OpDecorate %value NonUniform\n"
           "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n"
           "%input = OpTypePointer Input %uint\n%output = OpTypePointer Output %uint\n"
           "%in = OpVariable %input Input\n%out = OpVariable %output Output\n"
           "%main = OpFunction %void None %fn\n%entry = OpLabel\n%value = OpLoad %uint %in\n" +
           after + "OpReturn\nOpFunctionEnd\n";
  };
  using Lines = std::vector<std::string>;
  CHECK(declarationsAfter(decorated("")) == Lines{"Shader"});
  CHECK(declarationsAfter(decorated("OpStore %out %value\n")) == Lines{"Shader", "ShaderNonUniform"});
}

// Lowering passes remove capabilities themselves. Only the declaration showed that the extension was for one
// of them.
TEST_CASE("an extension goes with the last capability that it brings") {
  const std::vector<uint32_t> original = assemble(unusedWork(
      "OpCapability Shader\nOpCapability CooperativeMatrixKHR\nOpCapability CooperativeMatrixReductionsNV\n"
      "OpCapability VariablePointersStorageBuffer\nOpExtension \"SPV_KHR_cooperative_matrix\"\n"
      "OpExtension \"SPV_KHR_variable_pointers\"\nOpExtension \"SPV_NV_cooperative_matrix2\"\n",
      "", ""));
  const auto extensionsWithout = [&](std::vector<spv::Capability> gone) {
    spirv::Module module = read(original);
    for (spirv::Instruction& i : module.instructions) {
      if (i.op() == spv::Op::OpCapability &&
          std::count(gone.begin(), gone.end(), spv::Capability(module.word(i, 1))) != 0)
        i.opcode = uint16_t(spv::Op::OpNop);
    }
    // An extension goes if a capability is gone, and nothing otherwise.
    CHECK(spirv::trimCapabilities(module, original) == !gone.empty());
    return textOf(spirv::writeModule(module));
  };
  const auto has = [](const std::string& text, const char* extension) {
    return text.find(extension) != std::string::npos;
  };
  const std::string all = extensionsWithout({});
  CHECK((has(all, "SPV_KHR_cooperative_matrix") && has(all, "SPV_NV_cooperative_matrix2")));
  CHECK(has(all, "SPV_KHR_variable_pointers"));
  const std::string one = extensionsWithout({spv::Capability::CooperativeMatrixReductionsNV});
  CHECK((has(one, "SPV_KHR_cooperative_matrix") && !has(one, "SPV_NV_cooperative_matrix2")));
  CHECK(has(one, "SPV_KHR_variable_pointers"));
}

// Lowering declares what its code needs, and the optimizer's passes may remove that code.
TEST_CASE("declarations that passes added go with their last use") {
  const std::vector<uint32_t> original =
      assemble(unusedWork("OpCapability Shader\nOpCapability ImageQuery\n", "", ""));
  const std::vector<uint32_t> extended = assemble(unusedWork(
      "OpCapability Shader\nOpCapability ImageQuery\nOpCapability Int64\n", "%ulong = OpTypeInt 64 0\n", ""));
  spirv::Module module = read(extended);
  const spirv::ExplainedDeclarations before = spirv::explainedDeclarations(module);
  spirv::eliminateDeadCode(module);
  spirv::Module same = module;
  spirv::trimCapabilities(same, original);
  using Lines = std::vector<std::string>;
  CHECK(declarationsOf(spirv::writeModule(same)) == Lines{"Shader", "ImageQuery", "Int64"});
  spirv::trimCapabilities(module, original, before);
  CHECK(declarationsOf(spirv::writeModule(module)) == Lines{"Shader", "ImageQuery"});
}

TEST_CASE("capabilities that something needs, or that nothing ever needed, stay") {
  using Lines = std::vector<std::string>;
  // Capabilities that were never used: there may be a reason for the declaration.
  CHECK(declarationsAfter(unusedWork("OpCapability Shader\nOpCapability ImageQuery\nOpCapability Int64\n", "",
                                     "")) == Lines{"Shader", "ImageQuery", "Int64"});
  // Kept with its extension, although the only use is removed.
  CHECK(declarationsAfter(unusedWork(
            "OpCapability Shader\nOpCapability DotProduct\nOpCapability DotProductInput4x8BitPacked\n"
            "OpExtension \"SPV_KHR_integer_dot_product\"\n",
            "", "%a = OpUDot %uint %uint_3 %uint_3 PackedVectorFormat4x8Bit\n")) ==
        Lines{"Shader", "DotProductInput4x8BitPacked", "\"SPV_KHR_integer_dot_product\""});
  // A capability that is needed only by another one that implies it.
  CHECK(declarationsAfter(
            "OpCapability Shader\nOpCapability GroupNonUniformVote\nOpMemoryModel Logical GLSL450\n"
            "OpEntryPoint GLCompute %main \"main\" %out\nOpExecutionMode %main LocalSize 1 1 1\n"
            "OpDecorate %Buffer Block\nOpMemberDecorate %Buffer 0 Offset 0\n"
            "OpDecorate %out DescriptorSet 0\nOpDecorate %out Binding 0\n"
            "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%bool = OpTypeBool\n"
            "%true = OpConstantTrue %bool\n%uint = OpTypeInt 32 0\n%uint_3 = OpConstant %uint 3\n"
            "%uint_0 = OpConstant %uint 0\n"
            "%Buffer = OpTypeStruct %uint\n%ptr = OpTypePointer StorageBuffer %Buffer\n"
            "%element = OpTypePointer StorageBuffer %uint\n%out = OpVariable %ptr StorageBuffer\n"
            "%main = OpFunction %void None %fn\n%entry = OpLabel\n"
            "%all = OpGroupNonUniformAll %bool %uint_3 %true\n"
            "%elected = OpGroupNonUniformElect %bool %uint_3\n"
            "%value = OpSelect %uint %elected %uint_3 %uint_0\n"
            "%to = OpAccessChain %element %out %uint_0\nOpStore %to %value\n"
            "OpReturn\nOpFunctionEnd\n") == Lines{"Shader", "GroupNonUniformVote"});
}

size_t count(const spirv::Module& module, spv::Op op) {
  return size_t(std::count_if(module.instructions.begin(), module.instructions.end(),
                              [&](const spirv::Instruction& i) { return i.op() == op; }));
}

// A shader with 64-bit integers; `globals` may follow its constants.
std::string shader64(const std::string& globals, const std::string& body) {
  return "OpCapability Shader\nOpCapability Int64\nOpExtension \"SPV_KHR_non_semantic_info\"\n"
         "OpExtension \"SPV_KHR_relaxed_extended_instruction\"\n%set = OpExtInstImport \"NonSemantic.Test\"\n"
         "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\n"
         "OpExecutionMode %main LocalSize 1 1 1\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n"
         "%bool = OpTypeBool\n%uint = OpTypeInt 32 0\n%ulong = OpTypeInt 64 0\n%uint_fn = OpTypeFunction "
         "%uint %uint\n"
         "%uint_0 = OpConstant %uint 0\n%uint_1 = OpConstant %uint 1\n%ulong_1 = OpConstant %ulong 1\n"
         "%ulong_2 = OpConstant %ulong 2\n%uint_pointer = OpTypePointer Function %uint\n"
         "%ulong_pointer = OpTypePointer Function %ulong\n" +
         globals + "%main = OpFunction %void None %fn\n%entry = OpLabel\n" + body + "OpFunctionEnd\n";
}

const std::string kCallee =
    "%callee = OpFunction %uint None %uint_fn\n%parameter = OpFunctionParameter %uint\n%start = OpLabel\n"
    "OpReturnValue %parameter\nOpFunctionEnd\n";

TEST_CASE("a function that debug information names stays when its calls are replaced") {
  for (const char* op : {"OpExtInst", "OpExtInstWithForwardRefsKHR"}) {
    INFO(op);
    // OpExtInst may not refer to a later instruction; the function must stay even then.
    const std::string note = "%note = " + std::string(op) + " %void %set 1 %callee\n";
    spirv::Module module = read(
        assemble(shader64(note, "%result = OpFunctionCall %uint %callee %uint_1\nOpReturn\nOpFunctionEnd\n" +
                                    kCallee.substr(0, kCallee.rfind("OpFunctionEnd")))));
    CHECK(spirv::inlineFunctions(module));
    CHECK(count(module, spv::Op::OpFunctionCall) == 0);
    CHECK(count(module, spv::Op::OpFunction) == 2);
  }
}

TEST_CASE("debug information at module scope is not dead code") {
  for (const spv::Op op : {spv::Op::OpExtInst, spv::Op::OpExtInstWithForwardRefsKHR}) {
    const std::string note =
        "%note = " + std::string(spirv::opName(uint32_t(op))) + " %void %set 1 %uint_1\n";
    spirv::Module module = read(assemble(
        shader64(note, "OpReturn\nOpFunctionEnd\n" + kCallee.substr(0, kCallee.rfind("OpFunctionEnd")))));
    spirv::eliminateDeadCode(module);
    CHECK(count(module, op) == 1);
  }
}

TEST_CASE("words that earlier passes left do not keep calls from being replaced") {
  spirv::Module module =
      read(assemble(shader64("", "%result = OpFunctionCall %uint %callee %uint_1\nOpReturn\nOpFunctionEnd\n" +
                                     kCallee.substr(0, kCallee.rfind("OpFunctionEnd")))));
  const size_t unused = size_t(1) << 22;
  std::fill_n(module.words.extend(unused), unused, 0u);
  CHECK(spirv::inlineFunctions(module));
  CHECK(count(module, spv::Op::OpFunctionCall) == 0);
}

// The upper halves of the literals of all switches; each switch has one literal.
std::vector<uint32_t> upperHalves(const spirv::Module& module) {
  std::vector<uint32_t> halves;
  for (const spirv::Instruction& i : module.instructions) {
    if (i.op() == spv::Op::OpSwitch) halves.push_back(module.word(i, 4));
  }
  return halves;
}

// The literal is 40 << 32 | 3. Its upper half must not be taken for the id %40, which is replaced.
TEST_CASE("the literals of switches on 64-bit integers are not ids") {
  SECTION("simplify") {
    spirv::Module module = read(
        assemble(shader64("",
                          "%40 = OpIAdd %uint %uint_1 %uint_0\n%selector = OpIAdd %ulong %ulong_1 %ulong_2\n"
                          "OpSelectionMerge %merge None\nOpSwitch %selector %merge 171798691843 %case\n"
                          "%case = OpLabel\nOpBranch %merge\n%merge = OpLabel\nOpReturn\n"
                          "%unreachable = OpLabel\n%x = OpIAdd %uint %40 %40\nOpReturn\n")));
    CHECK(spirv::simplify(module));
    CHECK(upperHalves(module) == std::vector<uint32_t>{40});
    CHECK(spirv::structureFault(module) == "");
  }
  SECTION("variables") {
    spirv::Module module = read(assemble(shader64(
        "",
        "%undefined = OpVariable %ulong_pointer Function\n%stored = OpVariable %ulong_pointer Function\n"
        "%v = OpVariable %uint_pointer Function\nOpStore %stored %ulong_1\nOpStore %v %uint_1\n"
        "%40 = OpLoad %uint %v\n%first = OpLoad %ulong %undefined\n%second = OpLoad %ulong %stored\n"
        "OpSelectionMerge %merge None\nOpSwitch %first %merge 171798691843 %case\n"
        "%case = OpLabel\nOpBranch %merge\n%merge = OpLabel\nOpReturn\n"
        "%unreachable = OpLabel\n%x = OpIAdd %uint %40 %40\n"
        "OpSelectionMerge %end None\nOpSwitch %second %end 171798691843 %other\n"
        "%other = OpLabel\nOpBranch %end\n%end = OpLabel\nOpReturn\n")));
    CHECK(spirv::variablesToValues(module));
    CHECK(upperHalves(module) == std::vector<uint32_t>{40, 40});
    CHECK(spirv::structureFault(module) == "");
  }
}

TEST_CASE("a variable in whose pointer a module calculates stays") {
  spirv::Module module = read(assemble(
      shader64("",
               "%v = OpVariable %uint_pointer Function\nOpStore %v %uint_1\n"
               "%sum = OpIAdd %uint %v %uint_1\n%not = OpNot %uint %v\n%x = OpLoad %uint %v\nOpReturn\n")));
  spirv::variablesToValues(module);
  CHECK(spirv::structureFault(module) == "");
}

// The words of a module of an older version of SPIR-V.
std::vector<uint32_t> ofVersion(uint32_t version, const std::string& text) {
  std::vector<uint32_t> words = assemble(text);
  words[1] = version;
  return words;
}

// Before version 1.6, both ways of a branch may lead to the same block.
TEST_CASE("a selection whose ways are one block is removed") {
  const std::vector<uint32_t> words =
      ofVersion(0x00010500, shader64("",
                                     "%v = OpVariable %uint_pointer Function\n%x = OpLoad %uint %v Volatile\n"
                                     "%c = OpIEqual %bool %x %uint_1\nOpSelectionMerge %merge None\n"
                                     "OpBranchConditional %c %merge %merge\n%merge = OpLabel\n"
                                     "%y = OpPhi %uint %x %entry\nOpStore %v %y Volatile\nOpReturn\n"));
  CHECK(validate(words) == "");
  spirv::Module module = read(words);
  CHECK(spirv::simplifyControlFlow(module));
  CHECK(spirv::structureFault(module) == "");
  CHECK(count(module, spv::Op::OpSelectionMerge) == 0);
  CHECK(count(module, spv::Op::OpPhi) == 0);
  CHECK(count(module, spv::Op::OpLabel) == 1);
  CHECK(validate(spirv::writeModule(module)) == "");
}

// Before version 1.3, a block that may be written was a BufferBlock in the storage class Uniform: two loads
// may give different values. Nothing can be stored in a Block.
TEST_CASE("loads of a BufferBlock are not shared") {
  const auto loads = [](const std::string& decoration) {
    spirv::Module module = read(ofVersion(
        0x00010000,
        "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\n"
        "OpExecutionMode %main LocalSize 1 1 1\nOpDecorate %In " +
            decoration +
            "\nOpMemberDecorate %In 0 Offset 0\nOpDecorate %in DescriptorSet 0\nOpDecorate %in Binding 0\n"
            "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n%uint_0 = OpConstant "
            "%uint 0\n%In = OpTypeStruct %uint\n%pointer = OpTypePointer Uniform %In\n"
            "%member = OpTypePointer Uniform %uint\n%in = OpVariable %pointer Uniform\n"
            "%local = OpTypePointer Function %uint\n%main = OpFunction %void None %fn\n%entry = OpLabel\n"
            "%v = OpVariable %local Function\n%at = OpAccessChain %member %in %uint_0\n"
            "%x = OpLoad %uint %at\nOpStore %v %x\n%y = OpLoad %uint %at\nOpStore %v %y\nOpReturn\n"
            "OpFunctionEnd\n"));
    spirv::simplify(module, {.fold = false, .shareCommon = true});
    return count(module, spv::Op::OpLoad);
  };
  CHECK(loads("Block") == 1);
  CHECK(loads("BufferBlock") == 2);
}

TEST_CASE("without a level of optimization a module stays as it is") {
  const std::vector<uint32_t> before =
      assemble(shader64("", "%unused = OpIAdd %uint %uint_1 %uint_1\nOpReturn\n"));
  std::vector<uint32_t> words = before;
  std::string error;
  CHECK(spirv::optimize(words, spirv::OptLevel::None, &error));
  CHECK(words == before);
  CHECK(error.empty());
  CHECK(spirv::optimize(words, spirv::OptLevel::Speed, &error));
  CHECK(words.size() < before.size());
}

TEST_CASE("each caller of a function gets variables of its own") {
  const std::string callee =
      "%callee = OpFunction %uint None %uint_fn\n%parameter = OpFunctionParameter %uint\n%start = OpLabel\n"
      "%own = OpVariable %uint_pointer Function\nOpStore %own %parameter\n%read = OpLoad %uint %own\n"
      "OpReturnValue %read\nOpFunctionEnd\n";
  const std::string between =
      "%between = OpFunction %uint None %uint_fn\n%given = OpFunctionParameter %uint\n%begin = OpLabel\n"
      "%inner = OpFunctionCall %uint %callee %given\nOpReturnValue %inner\n";
  spirv::Module module = read(
      assemble(shader64("",
                        "%a = OpFunctionCall %uint %callee %uint_1\n%b = OpFunctionCall %uint %between %a\n"
                        "OpReturn\nOpFunctionEnd\n" +
                            callee + between)));
  CHECK(spirv::inlineFunctions(module));
  CHECK(count(module, spv::Op::OpFunctionCall) == 0);
  CHECK(count(module, spv::Op::OpVariable) == 2);  // of the two copies in the entry point
  CHECK(spirv::structureFault(module) == "");
  CHECK(validate(spirv::writeModule(module)) == "");
}

TEST_CASE("passes say whether they changed a module") {
  spirv::Module module = read(assemble(
      shader64("", "OpReturn\n%unreachable = OpLabel\n%x = OpIAdd %uint %uint_1 %uint_1\nOpReturn\n")));
  CHECK(spirv::removeUnreachable(module));
  CHECK_FALSE(spirv::removeUnreachable(module));
  CHECK(spirv::compactIds(module));
  CHECK_FALSE(spirv::compactIds(module));
}

}  // namespace
}  // namespace coopc::tests
