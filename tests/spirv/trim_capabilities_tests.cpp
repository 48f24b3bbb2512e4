// Each property of a module that needs a capability, in code that stays and in code that goes: the
// declaration goes with the code, and only with it.
#include <algorithm>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "spirv/instruction_walk.hpp"
#include "spirv/opt/optimize.hpp"
#include "tests/spirv/spirv_text.hpp"

namespace coopc::tests {
namespace {

struct Feature {
  const char* capabilities;  // "NAME NAME": removed with the code, if it goes
  const char* extensions;    // "NAME NAME": the same
  const char* types;         // declarations, among them %t
  const char* value;         // instructions, among them %x of type %t
  const char* kept = "";     // capabilities that stay either way
};

// clang-format off
constexpr Feature kFeatures[] = {
    {"Int8", "", "%t = OpTypeInt 8 0\n", "%x = OpUConvert %t %n\n"},
    {"Int8 StorageBuffer8BitAccess", "", "%t = OpTypeInt 8 0\n", "%x = OpUConvert %t %n\n"},
    {"Int8 UniformAndStorageBuffer8BitAccess", "", "%t = OpTypeInt 8 0\n", "%x = OpUConvert %t %n\n"},
    {"Int8 StoragePushConstant8", "", "%t = OpTypeInt 8 0\n", "%x = OpUConvert %t %n\n"},
    {"Int16", "", "%t = OpTypeInt 16 0\n", "%x = OpUConvert %t %n\n"},
    {"Int16 StorageBuffer16BitAccess", "", "%t = OpTypeInt 16 0\n", "%x = OpUConvert %t %n\n"},
    {"Float16", "", "%t = OpTypeFloat 16\n", "%x = OpConvertUToF %t %n\n"},
    {"Float16 UniformAndStorageBuffer16BitAccess", "", "%t = OpTypeFloat 16\n", "%x = OpConvertUToF %t %n\n"},
    {"Float16 StoragePushConstant16", "", "%t = OpTypeFloat 16\n", "%x = OpConvertUToF %t %n\n"},
    {"Float16 StorageInputOutput16", "", "%t = OpTypeFloat 16\n", "%x = OpConvertUToF %t %n\n"},
    {"Int64", "", "%t = OpTypeInt 64 0\n", "%x = OpUConvert %t %n\n"},
    {"Int64 Int64Atomics", "", "%t = OpTypeInt 64 0\n", "%x = OpUConvert %t %n\n"},
    {"Float64", "", "%t = OpTypeFloat 64\n", "%x = OpConvertUToF %t %n\n"},
    // 16-bit types of the other kind need no Int16 or Float16.
    {"Float16", "", "%t = OpTypeFloat 16\n", "%x = OpConvertUToF %t %n\n", "Int16"},
    {"Int16", "", "%t = OpTypeInt 16 0\n", "%x = OpUConvert %t %n\n", "Float16"},
    {"Float64", "", "%t = OpTypeFloat 64\n", "%x = OpConvertUToF %t %n\n", "Int64"},
    {"Int64", "", "%t = OpTypeInt 64 0\n", "%x = OpUConvert %t %n\n", "Float64"},
    {"Int8", "", "%t = OpTypeInt 8 0\n", "%x = OpUConvert %t %n\n", "StorageBuffer16BitAccess"},
    {"Int16", "", "%t = OpTypeInt 16 0\n", "%x = OpUConvert %t %n\n", "StorageBuffer8BitAccess"},
    // Formats that an operand of OpTypeFloat names.
    {"!5116", "SPV_KHR_bfloat16", "%t = OpTypeFloat !16 !0\n", "%x = OpFConvert %t %f\n", "Float16"},
    {"!5116 StorageBuffer16BitAccess", "SPV_KHR_bfloat16", "%t = OpTypeFloat !16 !0\n", "%x = OpFConvert %t %f\n"},
    {"!4212", "SPV_EXT_float8", "%t = OpTypeFloat !8 !4214\n", "%x = OpFConvert %t %f\n", "Int8"},
    {"!4212 StorageBuffer8BitAccess", "SPV_EXT_float8", "%t = OpTypeFloat !8 !4215\n", "%x = OpFConvert %t %f\n"},
    {"!5116 !5117", "SPV_KHR_bfloat16", "%t = OpTypeFloat !16 !0\n%v2 = OpTypeVector %t 2\n",
     "%y = OpFConvert %t %f\n%z = OpCompositeConstruct %v2 %y %y\n%x = OpDot %t %z %z\n"},
    // Vectors of more components than four.
    {"!5425", "SPV_EXT_long_vector", "%t = OpTypeVector %float 5\n", "%x = OpCompositeConstruct %t %f %f %f %f %f\n"},
    // Integer products, which one of two capabilities allows.
    {"DotProduct DotProductInputAll", "SPV_KHR_integer_dot_product", "%t = OpTypeVector %uint 2\n",
     "%y = OpCompositeConstruct %t %n %n\n%z = OpUDot %uint %y %y\n%x = OpCompositeConstruct %t %z %z\n"},
    {"DotProduct Int8 DotProductInput4x8Bit", "SPV_KHR_integer_dot_product",
     "%byte = OpTypeInt 8 1\n%bytes = OpTypeVector %byte 4\n%t = OpTypeInt 32 1\n",
     "%b = OpSConvert %byte %n\n%y = OpCompositeConstruct %bytes %b %b %b %b\n%x = OpSDot %t %y %y\n"},
    // Capabilities that an instruction, its mask or its enumerant needs.
    {"GroupNonUniformArithmetic", "", "%t = OpTypeVector %uint 2\n",
     "%y = OpGroupNonUniformIAdd %uint %three Reduce %n\n%x = OpCompositeConstruct %t %y %y\n"},
    {"GroupNonUniformClustered", "", "%t = OpTypeVector %uint 2\n",
     "%y = OpGroupNonUniformIAdd %uint %three ClusteredReduce %n %two\n%x = OpCompositeConstruct %t %y %y\n"},
    {"CooperativeMatrixKHR", "SPV_KHR_cooperative_matrix",
     "%t = OpTypeCooperativeMatrixKHR %float %three %two %two %zero\n", "%x = OpCompositeConstruct %t %f\n"},
    {"CooperativeMatrixKHR !5431", "SPV_KHR_cooperative_matrix SPV_NV_cooperative_matrix2",
     "%t = OpTypeCooperativeMatrixKHR %uint %three %two %two %zero\n%a = OpTypeCooperativeMatrixKHR %float %three %two %two %zero\n",
     "%y = OpCompositeConstruct %a %f\n%x = OpConvertFToU %t %y\n"},
    {"CooperativeMatrixKHR !5116 !5118", "SPV_KHR_cooperative_matrix SPV_KHR_bfloat16",
     "%b = OpTypeFloat !16 !0\n%t = OpTypeCooperativeMatrixKHR %b %three %two %two %zero\n",
     "%y = OpFConvert %b %f\n%x = OpCompositeConstruct %t %y\n"},
    {"CooperativeMatrixKHR !4212 !4213", "SPV_KHR_cooperative_matrix SPV_EXT_float8",
     "%b = OpTypeFloat !8 !4214\n%t = OpTypeCooperativeMatrixKHR %b %three %two %two %zero\n",
     "%y = OpFConvert %b %f\n%x = OpCompositeConstruct %t %y\n"},
};
// clang-format on

std::vector<std::string> wordsIn(const std::string& text) {
  std::vector<std::string> words;
  for (size_t at = 0; at < text.size();) {
    const size_t space = std::min(text.find(' ', at), text.size());
    words.push_back(text.substr(at, space - at));
    at = space + 1;
  }
  return words;
}

// A shader with the feature. Its value is stored to a volatile variable, which keeps it, or to another one.
std::vector<uint32_t> moduleOf(const Feature& feature, bool stays) {
  std::string text = "OpCapability Shader\n";
  for (const std::string& c : wordsIn(feature.capabilities)) text += "OpCapability " + c + "\n";
  for (const std::string& c : wordsIn(feature.kept)) text += "OpCapability " + c + "\n";
  for (const std::string& e : wordsIn(feature.extensions)) text += "OpExtension \"" + e + "\"\n";
  text +=
      "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\n"
      "OpExecutionMode %main LocalSize 1 1 1\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n"
      "%uint = OpTypeInt 32 0\n%float = OpTypeFloat 32\n%pair = OpTypeVector %float 2\n%zero = OpConstant "
      "%uint 0\n"
      "%two = OpConstant %uint 2\n%three = OpConstant %uint 3\n";
  text += feature.types;
  text +=
      "%uint_pointer = OpTypePointer Function %uint\n%float_pointer = OpTypePointer Function %float\n"
      "%pair_pointer = OpTypePointer Function %pair\n"
      "%pointer = OpTypePointer Function %t\n"
      "%main = OpFunction %void None %fn\n%entry = OpLabel\n%from = OpVariable %uint_pointer Function\n"
      "%pair_variable = OpVariable %pair_pointer Function\n"
      "%from_float = OpVariable %float_pointer Function\n%to = OpVariable %pointer Function\n"
      "%n = OpLoad %uint %from Volatile\n%f = OpLoad %float %from_float Volatile\n"
      "%two_floats = OpLoad %pair %pair_variable Volatile\n";
  text += feature.value;
  text += stays ? "OpStore %to %x Volatile\n" : "OpStore %to %x\n";
  return assemble(text + "OpReturn\nOpFunctionEnd\n");
}

struct Declarations {
  std::vector<uint32_t> capabilities;
  std::vector<std::string> extensions;
  bool operator==(const Declarations&) const = default;
};

Declarations declarationsOf(const std::vector<uint32_t>& words) {
  Declarations found;
  spirv::InstructionWalk i(words);
  while (i.next()) {
    if (i.op() == spv::Op::OpCapability) found.capabilities.push_back(i[1]);
    if (i.op() == spv::Op::OpExtension) found.extensions.emplace_back(i.text(1));
  }
  return found;
}

TEST_CASE("each declaration goes with the last code that needs it, and not before") {
  size_t tried = 0;
  for (const Feature& feature : kFeatures) {
    INFO(feature.capabilities << " in " << feature.types << feature.value);
    for (const bool stays : {true, false}) {
      const std::vector<uint32_t> before = moduleOf(feature, stays);
      std::vector<uint32_t> after = before;
      REQUIRE(spirv::optimize(after, spirv::OptLevel::Speed, nullptr));
      const Declarations declared = declarationsOf(after);
      if (stays) {
        CHECK(declared == declarationsOf(before));
      } else {
        CHECK(declared.capabilities.size() == 1 + wordsIn(feature.kept).size());
        CHECK(declared.extensions.empty());
      }
      ++tried;
    }
  }
  CHECK(tried == 2 * std::size(kFeatures));
}

// Built-in variables and controls of functions need capabilities, which no instruction or type names.
TEST_CASE("declarations that built-in variables and function controls need stay") {
  struct Row {
    const char* capability;
    const char* extension;
    const char* builtIn;  // of an input of type uint
    const char* control = "None";
  };
  const Row rows[] = {{"SampleRateShading", "", "SampleId"},
                      {"Geometry", "", "PrimitiveId"},
                      {"MultiView", "SPV_KHR_multiview", "ViewIndex"},
                      {"!6094", "SPV_EXT_optnone", "", "!65536"}};
  size_t tried = 0;
  for (const Row& row : rows) {
    INFO(row.capability);
    const std::string decorations = *row.builtIn != 0
                                        ? std::string("OpDecorate %in BuiltIn ") + row.builtIn + "\n"
                                        : "OpDecorate %in Location 0\n";
    const std::string extension =
        *row.extension != 0 ? std::string("OpExtension \"") + row.extension + "\"\n" : "";
    const std::vector<uint32_t> before = assemble(
        std::string("OpCapability Shader\nOpCapability ") + row.capability + "\n" + extension +
        "OpMemoryModel Logical GLSL450\nOpEntryPoint Fragment %main \"main\" %in %out\n"
        "OpExecutionMode %main OriginUpperLeft\nOpDecorate %in Flat\n" +
        decorations +
        "OpDecorate %out Location 0\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n"
        "%from = OpTypePointer Input %uint\n%to = OpTypePointer Output %uint\n%in = OpVariable %from Input\n"
        "%out = OpVariable %to Output\n%main = OpFunction %void " +
        row.control +
        " %fn\n%entry = OpLabel\n%x = OpLoad %uint %in\nOpStore %out %x\nOpReturn\nOpFunctionEnd\n");
    std::vector<uint32_t> after = before;
    REQUIRE(spirv::optimize(after, spirv::OptLevel::Speed, nullptr));
    CHECK(declarationsOf(after) == declarationsOf(before));
    ++tried;
  }
  CHECK(tried == std::size(rows));
}

}  // namespace
}  // namespace coopc::tests
