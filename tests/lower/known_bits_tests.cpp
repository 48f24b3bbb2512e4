// Lowest bits that are 0: what is stored, in order, with how many of them.
#include <catch2/catch_test_macros.hpp>

#include "spirv/lower/known_bits.hpp"
#include "tests/spirv/spirv_text.hpp"

namespace coopc::tests {
namespace {

constexpr const char* kModule = R"(
               OpCapability Shader
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %main "main" %in %out
               OpExecutionMode %main LocalSize 1 1 1
               OpDecorate %in BuiltIn LocalInvocationIndex
       %void = OpTypeVoid
       %func = OpTypeFunction %void
       %bool = OpTypeBool
       %uint = OpTypeInt 32 0
     %uint_0 = OpConstant %uint 0
     %uint_3 = OpConstant %uint 3
     %uint_7 = OpConstant %uint 7
    %uint_24 = OpConstant %uint 24
    %uint_64 = OpConstant %uint 64
   %uint_100 = OpConstant %uint 100
%uint_masked = OpConstant %uint 0xFFFFFFF0
         %ip = OpTypePointer Input %uint
         %op = OpTypePointer Private %uint
         %in = OpVariable %ip Input
        %out = OpVariable %op Private
       %test = OpTypeFunction %bool %uint
       %main = OpFunction %void None %func
      %entry = OpLabel
          %x = OpLoad %uint %in
          %a = OpBitwiseAnd %uint %x %uint_masked
          %b = OpIMul %uint %a %uint_24
          %c = OpIAdd %uint %b %uint_64
          %d = OpShiftLeftLogical %uint %x %uint_3
          %e = OpBitwiseOr %uint %d %a
          %f = OpUMod %uint %a %uint_24
          %g = OpUDiv %uint %a %uint_3
               OpBranch %header
     %header = OpLabel
          %i = OpPhi %uint %uint_0 %entry %next %body
          %l = OpULessThan %bool %i %x
               OpLoopMerge %merge %body None
               OpBranchConditional %l %body %merge
       %body = OpLabel
          %h = OpIMul %uint %i %x
          %j = OpIAdd %uint %i %uint_24
               OpStore %out %x
               OpStore %out %a
               OpStore %out %b
               OpStore %out %c
               OpStore %out %d
               OpStore %out %e
               OpStore %out %f
               OpStore %out %g
               OpStore %out %i
               OpStore %out %h
               OpStore %out %uint_0
       %next = OpCopyObject %uint %j
               OpBranch %header
      %merge = OpLabel
        %yes = OpFunctionCall %bool %tests %b
         %no = OpFunctionCall %bool %tests %d
               OpReturn
               OpFunctionEnd
      %tests = OpFunction %bool None %test
          %p = OpFunctionParameter %uint
      %start = OpLabel
          %q = OpIMul %uint %p %uint_3
          %r = OpBitwiseAnd %uint %q %uint_100
          %s = OpBitwiseAnd %uint %q %uint_7
          %t = OpIEqual %bool %s %uint_0
               OpReturnValue %t
               OpFunctionEnd
)";

TEST_CASE("the lowest bits of a number that are 0, whatever the input") {
  const spirv::Module m = read(assemble(kModule));
  std::vector<uint32_t> zeros;
  std::vector<bool> answers;
  for (const spirv::Instruction& i : m.instructions) {
    if (i.op() == spv::Op::OpStore) zeros.push_back(spirv::lower::lowZeroBits(m, m.idAt(i, 2)));
    if (i.op() == spv::Op::OpFunctionCall)
      answers.push_back(spirv::lower::returnsTrue(m, m.idAt(i, 3), {m.idAt(i, 4)}));
  }
  CHECK(zeros == std::vector<uint32_t>{0, 4, 7, 6, 3, 3, 3, 0, 3, 3, 32});
  CHECK(answers == std::vector<bool>{true, true});
}

// The same test fails for a number that nothing is known about.
TEST_CASE("a test of bits that nothing is known of is not passed over") {
  const spirv::Module m = read(assemble(kModule));
  spirv::Id function, unknown;
  for (const spirv::Instruction& i : m.instructions) {
    if (i.op() == spv::Op::OpFunctionCall) function = m.idAt(i, 3);
    if (i.op() == spv::Op::OpLoad) unknown = i.result;
  }
  CHECK_FALSE(spirv::lower::returnsTrue(m, function, {unknown}));
  CHECK_FALSE(spirv::lower::returnsTrue(m, unknown, {}));
}

}  // namespace
}  // namespace coopc::tests
