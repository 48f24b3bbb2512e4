// Frozen specialization constants, in the words of the written module.
#include <catch2/catch_test_macros.hpp>

#include "spirv/lower/specialize.hpp"
#include "spirv/writer.hpp"
#include "tests/spirv/spirv_text.hpp"

namespace coopc::tests {
namespace {

TEST_CASE("frozen constants are written as plain ones") {
  spirv::Module module = read(assemble(R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpDecorate %a SpecId 0
OpDecorate %b SpecId 1
OpDecorate %c SpecId 2
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%v2uint = OpTypeVector %uint 2
%a = OpSpecConstant %uint 3
%b = OpSpecConstant %uint 4
%c = OpSpecConstantTrue %bool
%d = OpSpecConstantOp %uint IMul %a %b
%e = OpSpecConstantComposite %v2uint %a %b
)"));
  const spirv::SpecializationValue given[] = {{0, 5}, {2, 0}};
  CHECK(spirv::lower::specialize(module, given, true).size() == 3);
  const std::string text = textOf(spirv::writeModule(module));
  CHECK(text.find("Spec") == std::string::npos);
  CHECK(text.find("= OpConstant %uint 5") != std::string::npos);
  CHECK(text.find("= OpConstant %uint 20") != std::string::npos);
  CHECK(text.find("OpConstantFalse") != std::string::npos);
}

}  // namespace
}  // namespace coopc::tests
