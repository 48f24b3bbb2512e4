// Kinds of modules that no GLSL text becomes, or not with so many parts. They are assembly text, which
// coopc's assembler reads.
#include "tests/growth/kinds.hpp"

namespace coopc::tests::growth {
namespace {

// A module with one matrix, loaded and stored, so that there is something to lower.
struct Parts {
  // Initialized, so that members that an initializer leaves out cause no warning.
  std::string capabilities = "", strings = "", names = "", decorations = "", globals = "", points = "",
              statements = "", functions = "", interface = "";
};

Input module(const Parts& p) {
  Input input;
  input.assembly = true;
  input.text =
      "OpCapability Shader\nOpCapability Float16\nOpCapability VulkanMemoryModel\nOpCapability "
      "CooperativeMatrixKHR\n" +
      p.capabilities +
      "OpExtension \"SPV_KHR_cooperative_matrix\"\n%glsl = OpExtInstImport \"GLSL.std.450\"\nOpMemoryModel "
      "Logical Vulkan\n"
      "OpEntryPoint GLCompute %main \"main\" %data %private" +
      p.interface + "\n" + p.points + "OpExecutionMode %main LocalSize 32 1 1\n" + p.strings + p.names +
      "OpDecorate %array ArrayStride 4\nOpDecorate %block Block\nOpMemberDecorate %block 0 Offset "
      "0\nOpDecorate %data DescriptorSet 0\n"
      "OpDecorate %data Binding 0\n" +
      p.decorations + R"(%void = OpTypeVoid
%void_function = OpTypeFunction %void
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%half = OpTypeFloat 16
%true = OpConstantTrue %bool
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%u2 = OpConstant %uint 2
%u3 = OpConstant %uint 3
%u16 = OpConstant %uint 16
%one = OpConstant %float 1
%vec4 = OpTypeVector %float 4
%array = OpTypeRuntimeArray %float
%block = OpTypeStruct %array
%pointer_block = OpTypePointer StorageBuffer %block
%pointer_float = OpTypePointer StorageBuffer %float
%private_float = OpTypePointer Private %float
%function_float = OpTypePointer Function %float
%data = OpVariable %pointer_block StorageBuffer
%private = OpVariable %private_float Private
%matrix = OpTypeCooperativeMatrixKHR %float %u3 %u16 %u16 %u2
%halves = OpTypeCooperativeMatrixKHR %half %u3 %u16 %u16 %u2
)" + p.globals +
      R"(%main = OpFunction %void None %void_function
%entry = OpLabel
%place = OpAccessChain %pointer_float %data %u0 %u0
%loaded = OpCooperativeMatrixLoadKHR %matrix %place %u0 %u16
%number = OpLoad %float %place
%ask = OpFOrdLessThan %bool %number %one
%which = OpConvertFToU %uint %number
)" + p.statements +
      R"(OpCooperativeMatrixStoreKHR %place %loaded %u0 %u16
OpReturn
OpFunctionEnd
)" + p.functions;
  return input;
}

std::string sequence(const char* text, uint32_t n) {
  std::string out;
  for (uint32_t k = 1; k <= n; ++k) out += numbered(text, k);
  return out;
}

std::string stored(const std::string& value) { return "OpStore %place " + value + "\n"; }
std::string last(const char* prefix, uint32_t n) { return prefix + std::to_string(n); }

constexpr Kind kKinds[] = {
    {"names of the module", 1000,
     [](uint32_t n) {
       return module({.names = repeated("OpName %c# \"name#\"\n", n),
                      .globals = repeated("%c# = OpConstant %uint #\n", n)});
     }},
    {"equal names", 1000,
     [](uint32_t n) {
       return module({.names = repeated("OpName %v# \"name\"\n", n),
                      .globals = repeated("%v# = OpVariable %private_float Private\n", n)});
     }},
    {"characters of names", 100,
     [](uint32_t n) { return module({.names = "OpName %private \"" + repeated("n", n) + "\"\n"}); }},
    {"strings of the module", 500,
     [](uint32_t n) { return module({.strings = repeated("%s# = OpString \"string #\"\n", n)}); }},
    {"line information", 500,
     [](uint32_t n) {
       return module({.strings = "%file = OpString \"file.comp\"\n",
                      .statements = "%x0 = OpFAdd %float %number %one\n" +
                                    sequence("OpLine %file # 3\n%x# = OpFMul %float %x@ %one\n", n) +
                                    stored(last("%x", n))});
     }},
    {"decorations", 500,
     [](uint32_t n) {
       return module({.decorations = sequence("OpDecorate %x# NoContraction\n", n),
                      .statements = "%x0 = OpFAdd %float %number %one\n" +
                                    sequence("%x# = OpFMul %float %x@ %one\n", n) + stored(last("%x", n))});
     }},
    {"decorated loads", 300,
     [](uint32_t n) {
       return module({.decorations = sequence("OpDecorate %x# RelaxedPrecision\n", n),
                      .statements = sequence("%x# = OpLoad %float %place\nOpStore %private %x#\n", n)});
     }},
    {"decoration groups", 200,
     [](uint32_t n) {
       return module(
           {.decorations = sequence(
                "OpDecorate %g# NoContraction\n%g# = OpDecorationGroup\nOpGroupDecorate %g# %x#\n", n),
            .statements = "%x0 = OpFAdd %float %number %one\n" +
                          sequence("%x# = OpFMul %float %x@ %one\n", n) + stored(last("%x", n))});
     }},
    {"members of decorated groups", 300,
     [](uint32_t n) {
       return module(
           {.decorations = "OpDecorate %g NoContraction\n%g = OpDecorationGroup\nOpGroupDecorate %g" +
                           sequence(" %x#", n) + "\n",
            .statements = "%x0 = OpFAdd %float %number %one\n" +
                          sequence("%x# = OpFMul %float %x@ %one\n", n) + stored(last("%x", n))});
     }},
    {"constants of the module", 500,
     [](uint32_t n) {
       return module({.globals = repeated("%c# = OpConstant %uint 1#\n", n),
                      .statements = "%x0 = OpIAdd %uint %which %u1\n" +
                                    sequence("%x# = OpBitwiseXor %uint %x@ %c@\n", n) +
                                    "%y = OpConvertUToF %float " + last("%x", n) + "\n" + stored("%y")});
     }},
    {"equal constants", 500,
     [](uint32_t n) {
       return module({.globals = repeated("%c# = OpConstant %uint 7\n", n),
                      .statements = "%x0 = OpIAdd %uint %which %u1\n" +
                                    sequence("%x# = OpBitwiseXor %uint %x@ %c@\n", n) +
                                    "%y = OpConvertUToF %float " + last("%x", n) + "\n" + stored("%y")});
     }},
    {"composite constants", 500,
     [](uint32_t n) {
       return module(
           {.globals =
                "%n0 = OpConstant %float 2\n" +
                sequence("%n# = OpConstant %float #\n%c# = OpConstantComposite %vec4 %n# %n@ %n# %n@\n", n),
            .statements = "%x0 = OpCompositeConstruct %vec4 %number %one %one %one\n" +
                          sequence("%x# = OpFAdd %vec4 %x@ %c#\n", n) + "%y = OpCompositeExtract %float " +
                          last("%x", n) + " 1\n" + stored("%y")});
     }},
    {"constant operations", 200,
     [](uint32_t n) {
       return module({.decorations = "OpDecorate %s0 SpecId 0\n",
                      .globals = "%s0 = OpSpecConstant %uint 1\n" +
                                 sequence("%s# = OpSpecConstantOp %uint IAdd %s@ %u1\n", n),
                      .statements = "%y = OpConvertUToF %float " + last("%s", n) + "\n" + stored("%y")});
     }},
    {"types", 200,
     [](uint32_t n) {
       return module({.globals = repeated("%n# = OpConstant %uint 2#\n%t# = OpTypeArray %float %n#\n%p# = "
                                          "OpTypePointer Private %t#\n%v# = OpVariable %p# Private\n",
                                          n)});
     }},
    {"structures of the module", 200,
     [](uint32_t n) {
       return module(
           {.globals = repeated("%t# = OpTypeStruct %float %uint\n%p# = OpTypePointer Private %t#\n%v# = "
                                "OpVariable %p# Private\n",
                                n),
            .statements = repeated(
                "%a# = OpAccessChain %private_float %v# %u0\nOpStore %a# %one\n%x# = OpLoad %float %a#\n",
                n)});
     }},
    {"function types", 200,
     [](uint32_t n) {
       return module({.globals = "%t0 = OpTypeStruct %float\n" +
                                 sequence("%t# = OpTypeStruct %t@\n%f# = OpTypeFunction %void %t#\n", n)});
     }},
    {"private variables", 300,
     [](uint32_t n) {
       return module({.globals = repeated("%v# = OpVariable %private_float Private\n", n),
                      .statements = "OpStore %v0 %one\n" +
                                    sequence("%x# = OpLoad %float %v@\nOpStore %v# %x#\n", n - 1)});
     }},
    {"local variables", 300,
     [](uint32_t n) {
       return module({.statements = stored("%one"),
                      .functions = "%f = OpFunction %void None %void_function\n%fentry = OpLabel\n" +
                                   repeated("%v# = OpVariable %function_float Function\n", n) +
                                   "OpStore %v0 %one\n" +
                                   sequence("%x# = OpLoad %float %v@\nOpStore %v# %x#\n", n - 1) +
                                   "OpReturn\nOpFunctionEnd\n"});
     }},
    {"entry points", 100,
     [](uint32_t n) {
       return module(
           {.points =
                repeated("OpEntryPoint GLCompute %f# \"f#\"\nOpExecutionMode %f# LocalSize 32 1 1\n", n),
            .functions = repeated(
                "%f# = OpFunction %void None %void_function\n%l# = OpLabel\nOpReturn\nOpFunctionEnd\n", n)});
     }},
    {"entry points of one function", 100,
     [](uint32_t n) {
       return module({.points = repeated("OpEntryPoint GLCompute %main \"f#\" %data %private\n", n)});
     }},
    {"entry points that call one function", 100,
     [](uint32_t n) {
       return module(
           {.points = repeated(
                "OpEntryPoint GLCompute %f# \"f#\" %data %private\nOpExecutionMode %f# LocalSize 32 1 1\n",
                n),
            .functions = repeated("%f# = OpFunction %void None %void_function\n%l# = OpLabel\n%c# = "
                                  "OpFunctionCall %void %common\nOpReturn\nOpFunctionEnd\n",
                                  n) +
                         "%common = OpFunction %void None %void_function\n%cl = OpLabel\nOpStore %private "
                         "%one\nOpReturn\nOpFunctionEnd\n"});
     }},
    {"interface variables", 300,
     [](uint32_t n) {
       return module({.globals = repeated("%v# = OpVariable %private_float Private\n", n),
                      .interface = repeated(" %v#", n)});
     }},
    {"extended instructions", 300,
     [](uint32_t n) {
       return module({.statements = "%x0 = OpFAdd %float %number %one\n" +
                                    sequence("%x# = OpExtInst %float %glsl Sin %x@\n", n) +
                                    stored(last("%x", n))});
     }},
    {"equal instructions", 300,
     [](uint32_t n) {
       return module({.statements = "%x0 = OpFAdd %float %number %one\n" +
                                    sequence("%x# = OpFAdd %float %number %one\nOpStore %private %x#\n", n)});
     }},
    {"selects", 300,
     [](uint32_t n) {
       return module({.statements = "%x0 = OpFAdd %float %number %one\n" +
                                    sequence("%x# = OpSelect %float %ask %x@ %one\n", n) +
                                    stored(last("%x", n))});
     }},
    {"vectors taken apart", 300,
     [](uint32_t n) {
       return module(
           {.statements =
                "%v0 = OpCompositeConstruct %vec4 %number %one %one %one\n" +
                sequence("%e# = OpCompositeExtract %float %v@ 0\n%v# = OpCompositeInsert %vec4 %e# %v@ 1\n",
                         n) +
                "%y = OpCompositeExtract %float " + last("%v", n) + " 3\n" + stored("%y")});
     }},
    {"vectors inserted into", 300,
     [](uint32_t n) {
       return module({.statements = "%v0 = OpCompositeConstruct %vec4 %number %one %one %one\n" +
                                    sequence("%v# = OpCompositeInsert %vec4 %number %v@ 1\n", n) +
                                    "%y = OpCompositeExtract %float " + last("%v", n) + " 3\n" +
                                    stored("%y")});
     }},
    {"vectors shuffled", 300,
     [](uint32_t n) {
       return module({.statements = "%v0 = OpCompositeConstruct %vec4 %number %one %one %one\n" +
                                    sequence("%v# = OpVectorShuffle %vec4 %v@ %v@ 3 2 1 4\n", n) +
                                    "%y = OpCompositeExtract %float " + last("%v", n) + " 3\n" +
                                    stored("%y")});
     }},
    {"copies of objects", 300,
     [](uint32_t n) {
       return module({.statements = "%x0 = OpCopyObject %float %number\n" +
                                    sequence("%x# = OpCopyObject %float %x@\n", n) + stored(last("%x", n))});
     }},
    {"chains of access chains", 300,
     [](uint32_t n) {
       return module({.statements = "%a0 = OpAccessChain %pointer_block %data\n" +
                                    sequence("%a# = OpAccessChain %pointer_block %a@\n", n) +
                                    "%p = OpAccessChain %pointer_float " + last("%a", n) +
                                    " %u0 %u1\n%x = OpLoad %float %p\nOpStore %p %x\n"});
     }},
    {"blocks in a row", 300,
     [](uint32_t n) { return module({.statements = repeated("OpBranch %b#\n%b# = OpLabel\n", n)}); }},
    {"blocks that are not reached", 300,
     [](uint32_t n) {
       return module({.statements = "OpBranch %end\n" + repeated("%b# = OpLabel\nOpBranch %end\n", n) +
                                    "%end = OpLabel\n"});
     }},
    {"blocks that are not reached, in a row", 300,
     [](uint32_t n) {
       return module(
           {.statements = "OpBranch %end\n" +
                          repeated("%b# = OpLabel\nOpBranch %a#\n%a# = OpLabel\nOpBranch %end\n", n) +
                          "%end = OpLabel\n"});
     }},
    {"phis in a row", 200,
     [](uint32_t n) {
       return module({.statements = "%x0 = OpFAdd %float %number %one\nOpBranch %m0\n%m0 = OpLabel\n" +
                                    sequence("OpSelectionMerge %m# None\nOpBranchConditional %ask %b# "
                                             "%m#\n%b# = OpLabel\n%y# = OpFAdd %float %x@ %one\nOpBranch "
                                             "%m#\n%m# = OpLabel\n%x# = OpPhi %float %x@ %m@ %y# %b#\n",
                                             n) +
                                    stored(last("%x", n))});
     }},
    {"phis of a block", 300,
     [](uint32_t n) {
       return module({.statements = "OpSelectionMerge %m None\nOpBranchConditional %ask %b %c\n%b = "
                                    "OpLabel\nOpBranch %m\n%c = OpLabel\nOpBranch %m\n%m = OpLabel\n" +
                                    sequence("%x# = OpPhi %float %number %b %one %c\n", n) +
                                    sequence("OpStore %private %x#\n", n)});
     }},
    {"phis of a loop", 100,
     [](uint32_t n) {
       return module({.statements = "OpBranch %h\n%h = OpLabel\n" +
                                    sequence("%x# = OpPhi %float %number %entry %y# %c\n", n) +
                                    "OpLoopMerge %m %c None\nOpBranchConditional %ask %c %m\n%c = OpLabel\n" +
                                    sequence("%y# = OpFAdd %float %x# %one\n", n) +
                                    "OpBranch %h\n%m = OpLabel\n" + sequence("OpStore %private %x#\n", n)});
     }},
    {"phis that are equal around a loop", 100,
     [](uint32_t n) {
       return module({.statements = "OpBranch %h\n%h = OpLabel\n%x0 = OpPhi %float %number %entry %x1 %c\n" +
                                    [n] {
                                      std::string s;
                                      for (uint32_t k = 1; k <= n; ++k)
                                        s += "%x" + std::to_string(k) + " = OpPhi %float %number %entry %x" +
                                             std::to_string(k == n ? 0 : k + 1) + " %c\n";
                                      return s;
                                    }() +
                                    "OpLoopMerge %m %c None\nOpBranchConditional %ask %c %m\n%c = "
                                    "OpLabel\nOpBranch %h\n%m = OpLabel\nOpStore %private %x0\n"});
     }},
    {"predecessors of a phi", 300,
     [](uint32_t n) {
       return module(
           {.statements = "OpSelectionMerge %m None\nOpSwitch %which %b0" + sequence(" # %b#", n - 1) + "\n" +
                          repeated("%b# = OpLabel\nOpBranch %m\n", n) + "%m = OpLabel\n%x = OpPhi %float" +
                          repeated(" %one %b#", n) + "\n" + stored("%x")});
     }},
    {"loops nested in a module", 100,
     [](uint32_t n) {
       std::string s = "OpBranch %h1\n", end;
       for (uint32_t k = 1; k <= n; ++k) {
         s += numbered(
             "%h# = OpLabel\nOpLoopMerge %m# %c# None\nOpBranchConditional %ask %b# %m#\n%b# = OpLabel\n", k);
         s += "OpBranch " + (k == n ? std::string("%inner") : last("%h", k + 1)) + "\n";
       }
       s += "%inner = OpLabel\nOpStore %private %number\nOpBranch " + last("%c", n) + "\n";
       for (uint32_t k = n; k >= 1; --k) {
         s += numbered("%c# = OpLabel\nOpBranch %h#\n%m# = OpLabel\n", k);
         if (k > 1) s += "OpBranch " + last("%c", k - 1) + "\n";
       }
       return module({.statements = s});
     }},
    {"functions of the module", 200,
     [](uint32_t n) {
       return module({.statements = repeated("%r# = OpFunctionCall %void %f#\n", n),
                      .functions = repeated("%f# = OpFunction %void None %void_function\n%l# = "
                                            "OpLabel\nOpStore %private %one\nOpReturn\nOpFunctionEnd\n",
                                            n)});
     }},
    {"functions that call the next one", 100,
     [](uint32_t n) {
       std::string s =
           "%f0 = OpFunction %void None %void_function\n%l0 = OpLabel\nOpStore %private "
           "%one\nOpReturn\nOpFunctionEnd\n";
       s += sequence(
           "%f# = OpFunction %void None %void_function\n%l# = OpLabel\n%r# = OpFunctionCall %void "
           "%f@\nOpReturn\nOpFunctionEnd\n",
           n);
       return module({.statements = "%r = OpFunctionCall %void " + last("%f", n) + "\n", .functions = s});
     }},
    {"conversions of matrices in a module", 30,
     [](uint32_t n) {
       return module(
           {.statements = "%x0 = OpFConvert %halves %loaded\n" +
                          sequence("%y# = OpFConvert %matrix %x@\n%x# = OpFConvert %halves %y#\n", n)});
     }},
    {"transposed conversions", 10,
     [](uint32_t n) {
       return module({.capabilities = "OpCapability CooperativeMatrixConversionsEXT\nOpExtension "
                                      "\"SPV_EXT_cooperative_matrix_maintenance1\"\n",
                      .decorations = sequence("OpDecorate %x# CooperativeMatrixTransposeEXT\n", n),
                      .statements = sequence("%x# = OpFConvert %halves %loaded\n%y# = OpFConvert %matrix "
                                             "%x#\nOpCooperativeMatrixStoreKHR %place %y# %u0 %u16\n",
                                             n)});
     }},
    {"matrix types of the module", 10,
     [](uint32_t n) {
       return module({.globals =
                          [n] {
                            std::string s;
                            for (uint32_t k = 1; k <= n; ++k) {
                              const std::string id = std::to_string(k);
                              s += "%d" + id + " = OpConstant %uint " + std::to_string(16 * k) + "\n%t" + id +
                                   " = OpTypeCooperativeMatrixKHR %half %u3 %u16 %d" + id + " %u2\n";
                            }
                            return s;
                          }(),
                      .statements = sequence("%x# = OpCooperativeMatrixLoadKHR %t# %place %u0 "
                                             "%u16\nOpCooperativeMatrixStoreKHR %place %x# %u0 %u16\n",
                                             n)});
     }},
    {"memory made available", 200,
     [](uint32_t n) {
       return module(
           {.decorations = sequence("OpDecorate %v# DescriptorSet 0\nOpDecorate %v# Binding #\n", n),
            .globals = sequence("%v# = OpVariable %pointer_block StorageBuffer\n", n),
            .statements = sequence("%p# = OpAccessChain %pointer_float %v# %u0 %u0\nOpStore %p# %one "
                                   "MakePointerAvailable|NonPrivatePointer %u2\n",
                                   n),
            .interface = sequence(" %v#", n)});
     }},
    {"functions of small floats", 100,
     [](uint32_t n) {
       return module(
           {.capabilities = "OpCapability BFloat16TypeKHR\nOpExtension \"SPV_KHR_bfloat16\"\n",
            .globals = "%small = OpTypeFloat 16 BFloat16KHR\n%t0 = OpTypeStruct %float\n" +
                       sequence("%t# = OpTypeStruct %t@\n%f# = OpTypeFunction %void %small %t#\n", n),
            .statements = "%s = OpFConvert %small %number\n" +
                          sequence("%z# = OpUndef %t#\n%c# = OpFunctionCall %void %g# %s %z#\n", n),
            .functions = sequence("%g# = OpFunction %void None %f#\n%a# = OpFunctionParameter %small\n%b# = "
                                  "OpFunctionParameter %t#\n%l# = OpLabel\n%w# = OpFConvert %float "
                                  "%a#\nOpStore %private %w#\nOpReturn\nOpFunctionEnd\n",
                                  n)});
     }},
    {"undefined values", 300,
     [](uint32_t n) {
       return module({.statements = sequence("%x# = OpUndef %float\nOpStore %private %x#\n", n)});
     }},
    {"findings", 200,
     [](uint32_t n) {
       return module({.statements = sequence(
                          "%x# = OpCooperativeMatrixMulAddKHR %matrix %loaded %loaded %loaded\n", n)});
     }},
    {"findings in called functions", 50,
     [](uint32_t n) {
       std::string s =
           "%f0 = OpFunction %void None %void_function\n%l0 = OpLabel\n%p0 = OpAccessChain %pointer_float "
           "%data %u0 %u0\n%m0 = OpCooperativeMatrixLoadKHR %matrix %p0 %u0 %u16\n%x0 = "
           "OpCooperativeMatrixMulAddKHR %matrix %m0 %m0 %m0\nOpReturn\nOpFunctionEnd\n";
       s += sequence(
           "%f# = OpFunction %void None %void_function\n%l# = OpLabel\n%r# = OpFunctionCall %void %f@\n%p# = "
           "OpAccessChain %pointer_float %data %u0 %u0\n%m# = OpCooperativeMatrixLoadKHR %matrix %p# %u0 "
           "%u16\n%x# = OpCooperativeMatrixMulAddKHR %matrix %m# %m# %m#\nOpReturn\nOpFunctionEnd\n",
           n);
       return module({.statements = "%r = OpFunctionCall %void " + last("%f", n) + "\n", .functions = s});
     }},
};

}  // namespace

std::span<const Kind> moduleKinds() { return kKinds; }

}  // namespace coopc::tests::growth
