// Known bits of values: how many of the lowest bits are 0, and tests of them that always hold.
#include <cstdint>
#include <string_view>

#include <catch2/catch_test_macros.hpp>

#include "spirv/instructions.hpp"
#include "spirv/lower/known_bits.hpp"
#include "tests/spirv/spirv_text.hpp"

namespace coopc::tests {
namespace {

constexpr const char* kModule = R"spirv(
               OpCapability Shader
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %main "main" %in %out
               OpExecutionMode %main LocalSize 1 1 1
               OpName %x "x"
               OpName %a "x & ~15"
               OpName %b "(x & ~15) * 24"
               OpName %c "(x & ~15) * 24 + 64"
               OpName %d "x << 3"
               OpName %e "(x << 3) | (x & ~15)"
               OpName %f "(x & ~15) % 24"
               OpName %g "(x & ~15) / 3"
               OpName %i "multiple of 24, counted in a loop"
               OpName %h "multiple of 24, times x"
               OpName %uint_0 "0"
               OpName %tests "(p * 3 & 7) == 0"
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
       %next = OpCopyObject %uint %j
               OpBranch %header
      %merge = OpLabel
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
)spirv";

// The value with this name in kModule.
spirv::Id named(const spirv::Module& m, std::string_view name) {
  for (const spirv::Instruction& i : m.instructions)
    if (const auto view = spirv::as<spirv::op::Name>(m, i); view && view.name() == name) return view.target();
  FAIL("no value has the name " << name);
  return {};
}

TEST_CASE("the lowest bits of a number that are 0, whatever the input") {
  const spirv::Module m = read(assemble(kModule));
  struct Row {
    std::string_view value;
    uint32_t zeros;
  };
  constexpr Row kRows[] = {
      {"x", 0},
      {"x & ~15", 4},
      {"(x & ~15) * 24", 7},
      {"(x & ~15) * 24 + 64", 6},
      {"x << 3", 3},
      {"(x << 3) | (x & ~15)", 3},
      {"(x & ~15) % 24", 3},
      {"(x & ~15) / 3", 0},
      {"multiple of 24, counted in a loop", 3},
      {"multiple of 24, times x", 3},
      {"0", 32},
  };
  for (const Row& row : kRows) {
    INFO(row.value);
    CHECK(spirv::lower::lowZeroBits(m, named(m, row.value)) == row.zeros);
  }
}

TEST_CASE("a test of low bits always holds for numbers whose bits are known to be 0") {
  const spirv::Module m = read(assemble(kModule));
  const spirv::Id test = named(m, "(p * 3 & 7) == 0");
  for (const std::string_view multipleOfEight : {"(x & ~15) * 24", "x << 3"}) {
    INFO(multipleOfEight);
    CHECK(spirv::lower::returnsTrue(m, test, {named(m, multipleOfEight)}));
  }
  CHECK_FALSE(spirv::lower::returnsTrue(m, test, {named(m, "x")}));
  CHECK_FALSE(spirv::lower::returnsTrue(m, named(m, "x"), {}));  // not a function
}

}  // namespace
}  // namespace coopc::tests
