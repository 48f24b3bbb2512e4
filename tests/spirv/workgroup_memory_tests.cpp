// Extents of types in workgroup memory: alignment, specialization constants, and modules that try to overflow
// them.
#include <string>

#include <catch2/catch_test_macros.hpp>

#include "spirv/number_type.hpp"
#include "spirv/workgroup_memory.hpp"
#include "tests/spirv/spirv_text.hpp"

namespace coopc::tests {
namespace {

using spirv::Id;
using spirv::WorkgroupExtent;

constexpr const char* kHead =
    "OpCapability Shader\nOpCapability Float64\nOpCapability Int8\nOpMemoryModel Logical GLSL450\n"
    "OpDecorate %n SpecId 7\n"
    "%u8 = OpTypeInt 8 0\n%uint = OpTypeInt 32 0\n%half = OpTypeFloat 16\n%double = OpTypeFloat 64\n%bool = "
    "OpTypeBool\n"
    "%n = OpSpecConstant %uint 5\n%huge = OpConstant %uint 4294967295\n";

// The extent of the type that the last line of `types` defines.
WorkgroupExtent extentOf(const std::string& types, std::vector<spirv::SpecializationValue> given = {}) {
  const spirv::Module module = read(assemble(kHead + types));
  const spirv::ConstantEvaluator constants(module, given);
  spirv::WorkgroupMemory memory(module, constants);
  return memory.extent(module.instructions.back().result);
}

TEST_CASE("scalars are at multiples of their size, in structures and one after another") {
  const WorkgroupExtent bool_ = extentOf("%t = OpTypeVector %bool 3\n");
  CHECK((bool_.known && bool_.size == 12 && bool_.alignment == 4));
  const WorkgroupExtent whole = extentOf("%v = OpTypeVector %u8 3\n%t = OpTypeStruct %v %double %u8\n");
  CHECK((whole.known && whole.size == 24 && whole.alignment == 8));
  CHECK(spirv::WorkgroupMemory::append(3, whole) == 32);
}

TEST_CASE("lengths are what specialization says, or rest on defaults") {
  const std::string array = "%t = OpTypeArray %uint %n\n";
  const WorkgroupExtent byDefault = extentOf(array);
  CHECK((byDefault.known && byDefault.size == 20 && bool(byDefault.byDefault)));
  const WorkgroupExtent given = extentOf(array, {{7, 9}});
  CHECK((given.known && given.size == 36 && !bool(given.byDefault)));
  CHECK_FALSE(extentOf("%t = OpTypeRuntimeArray %uint\n").known);
  CHECK_FALSE(extentOf("%r = OpTypeRuntimeArray %uint\n%t = OpTypeStruct %uint %r\n").known);
}

TEST_CASE("sizes stop before they wrap round, and structures of structures are looked at once") {
  const WorkgroupExtent large =
      extentOf("%a = OpTypeArray %double %huge\n%b = OpTypeArray %a %huge\n%t = OpTypeArray %b %huge\n");
  CHECK((large.known && large.size == WorkgroupExtent::kMost));
  std::string types = "%s0 = OpTypeStruct %uint %uint\n";
  for (int n = 1; n < 60; ++n) {
    const std::string inner = " %s" + std::to_string(n - 1);
    types += "%s" + std::to_string(n) + " = OpTypeStruct" + inner + inner + "\n";
  }
  CHECK(extentOf(types).size == WorkgroupExtent::kMost);
}

TEST_CASE("what the size of a type is does not depend on what was asked before") {
  // Each type is an array of the previous one.
  std::string types = kHead;
  constexpr uint32_t kDepth = 100000;
  types += "%one = OpConstant %uint 1\n%a0 = OpTypeArray %uint %one\n";
  for (uint32_t n = 1; n <= kDepth; ++n)
    types += "%a" + std::to_string(n) + " = OpTypeArray %a" + std::to_string(n - 1) + " %one\n";
  const spirv::Module module = read(assemble(types));
  const spirv::ConstantEvaluator constants(module);
  const auto nested = [&](uint32_t n) { return Id(module.instructions.back().result.index() - kDepth + n); };
  REQUIRE(module.opOf(nested(0)) == spv::Op::OpTypeArray);
  const auto size = [&](std::initializer_list<uint32_t> asked) {
    spirv::WorkgroupMemory memory(module, constants);
    WorkgroupExtent last;
    for (const uint32_t n : asked) last = memory.extent(nested(n));
    return last.known ? last.size : 0;
  };
  CHECK(size({0}) == 4);
  CHECK(size({50}) == size({100, 50}));
  CHECK(size({100}) == size({50, 100}));
  CHECK(size({kDepth}) == 4);
}

TEST_CASE("number types have the names of profiles and cases") {
  const spirv::Module module =
      read(assemble(std::string(kHead) + "%s16 = OpTypeInt 16 1\n%v = OpTypeVector %uint 2\n"));
  std::string names;
  for (const spirv::Instruction& i : module.instructions)
    if (i.result) names += spirv::numberTypeName(module, i.result) + ",";
  CHECK(names == "u8,u32,f16,f64,,,,s16,,");
}

}  // namespace
}  // namespace coopc::tests
