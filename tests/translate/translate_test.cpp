// Tests of include/coopc/translate.hpp and translate.h: each language, entry points, and modules that are
// refused.
#include "coopc/translate.h"

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "coopc/coopc.hpp"
#include "coopc/lower.hpp"
#include "coopc/translate.hpp"
#include "tests/spirv/spirv_text.hpp"

using namespace coopc;
using coopc::tests::assemble;

namespace {

std::vector<uint32_t> compiled(const std::string& source, Optimization optimization = Optimization::None,
                               TargetEnv target = TargetEnv::Vulkan1_3) {
  Options options;
  options.optimization = optimization;
  options.targetEnv = target;
  Result result = compile(source, "a.comp", options);
  INFO(result.messages);
  REQUIRE(result.ok);
  return std::move(result.words);
}

const std::string kDouble = R"(#version 450
layout(local_size_x = 64) in;
layout(constant_id = 3) const uint kFactor = 2;
layout(set = 1, binding = 5) buffer Data { uint value[]; };
layout(push_constant) uniform Parameters { uint count; };
void main() {
  if (gl_GlobalInvocationID.x < count) value[gl_GlobalInvocationID.x] *= kFactor;
}
)";

const std::string kMatrix = R"(#version 450
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Data { float x[]; };
void main() {
  coopmat<float, gl_ScopeSubgroup, 8, 8, gl_MatrixUseAccumulator> m;
  coopMatLoad(m, x, 0, 8, gl_CooperativeMatrixLayoutRowMajor);
  coopMatStore(m + m, x, 0, 8, gl_CooperativeMatrixLayoutRowMajor);
}
)";

TranslateResult in(ShadingLanguage language, const std::vector<uint32_t>& words) {
  TranslateOptions options;
  options.language = language;
  return translate(words, options);
}

constexpr ShadingLanguage kLanguages[] = {ShadingLanguage::Glsl, ShadingLanguage::Hlsl, ShadingLanguage::Msl};

void checkEveryLanguage(const std::vector<uint32_t>& words) {
  for (const ShadingLanguage language : kLanguages) {
    const TranslateResult result = in(language, words);
    INFO(result.error << result.text);
    CHECK(result.ok());
  }
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("translate: languages by their names") {
  ShadingLanguage language{};
  CHECK(shadingLanguageByName("glsl", language));
  CHECK(language == ShadingLanguage::Glsl);
  CHECK(shadingLanguageByName("hlsl", language));
  CHECK(language == ShadingLanguage::Hlsl);
  CHECK(shadingLanguageByName("msl", language));
  CHECK(language == ShadingLanguage::Msl);
  CHECK_FALSE(shadingLanguageByName("wgsl", language));
}

TEST_CASE("translate: bindings, constants and workgroup sizes in each language") {
  const std::vector<uint32_t> words = compiled(kDouble);
  const TranslateResult glsl = in(ShadingLanguage::Glsl, words);
  REQUIRE(glsl.error.empty());
  for (const char* part :
       {"#version 460", "local_size_x = 64", "set = 1, binding = 5", "push_constant", "constant_id = 3"})
    CHECK(contains(glsl.text, part));
  // The text is an equivalent program: it compiles again, and its translation is the same text.
  CHECK(in(ShadingLanguage::Glsl, compiled(glsl.text)).text == glsl.text);
  const TranslateResult hlsl = in(ShadingLanguage::Hlsl, words);
  REQUIRE(hlsl.error.empty());
  for (const char* part : {"[numthreads(64, 1, 1)]", "register(u5, space1)", "SPIRV_CROSS_CONSTANT_ID_3 2u"})
    CHECK(contains(hlsl.text, part));
  const TranslateResult msl = in(ShadingLanguage::Msl, words);
  REQUIRE(msl.error.empty());
  for (const char* part : {"kernel void main0(", "function_constant(3)", "thread_position_in_grid"})
    CHECK(contains(msl.text, part));
}

TEST_CASE("translate: in GLSL, a size of workgroups that is also an operand is declared twice") {
  const std::string size = R"(#version 450
layout(local_size_x_id = 4, local_size_y = 2, local_size_z_id = 5) in;
layout(set = 0, binding = 0) buffer Data { uint value[]; };
shared uint kept[gl_WorkGroupSize.x];
void main() {
  kept[gl_LocalInvocationID.x] = gl_WorkGroupSize.z;
  barrier();
  for (uint n = gl_LocalInvocationID.x; n < 64; n += gl_WorkGroupSize.x) value[n] = kept[gl_WorkGroupSize.x - 1];
}
)";
  // The same SpecId as that of a constant which the program declares, with the same default and with another.
  const auto declared = [](const std::string& width) {
    return "#version 450\nlayout(constant_id = 4) const uint kWidth = " + width +
           ";\nlayout(local_size_x_id = 4, local_size_y = 2, local_size_z_id = 5) in;\n"
           "layout(set = 0, binding = 0) buffer Data { uint value[]; };\n"
           "void main() { value[gl_LocalInvocationID.x] = kWidth + gl_WorkGroupSize.x; }\n";
  };
  // One SpecId for two dimensions.
  const std::string square = R"(#version 450
layout(local_size_x_id = 4, local_size_y_id = 4, local_size_z_id = 5) in;
layout(set = 0, binding = 0) buffer Data { uint value; };
void main() { value = gl_WorkGroupSize.x * gl_WorkGroupSize.y; }
)";
  size_t ran = 0;
  const auto check = [&](const std::string& source, TargetEnv target, Optimization level) {
    const std::vector<uint32_t> words = compiled(source, level, target);
    const TranslateResult glsl = in(ShadingLanguage::Glsl, words);
    INFO(glsl.error << glsl.text);
    REQUIRE(glsl.ok());
    for (const char* part : {"local_size_x_id = 4", "local_size_z_id = 5"}) CHECK(contains(glsl.text, part));
    CHECK(in(ShadingLanguage::Glsl, compiled(glsl.text, level, target)).ok());
    CHECK(in(ShadingLanguage::Msl, words).ok());
    ++ran;
    return glsl.text;
  };
  // Below Vulkan 1.3, a constant declares the size; from then on, an execution mode does.
  for (const TargetEnv target : {TargetEnv::Vulkan1_0, TargetEnv::Vulkan1_3})
    for (const Optimization level : {Optimization::None, Optimization::Speed})
      for (const std::string& source : {size, declared("1"), square}) check(source, target, level);
  CHECK(ran == 12);
  CHECK(contains(check(size, TargetEnv::Vulkan1_0, Optimization::Speed), "constant_id = 4"));
  CHECK(contains(check(declared("8"), TargetEnv::Vulkan1_3, Optimization::Speed), "constant_id = 4"));
}

TEST_CASE("translate: matrices are lowered first") {
  const std::vector<uint32_t> words = compiled(kMatrix);
  for (const ShadingLanguage language : kLanguages)
    CHECK(in(language, words).error == "the module has cooperative matrices; lower it first (--lower=none)");
  LowerOptions options;
  options.profile = "none";
  const LowerResult lowered = lower(words, options);
  REQUIRE(lowered.kind == Lowering::Lowered);
  checkEveryLanguage(lowered.words);
}

TEST_CASE("translate: a value that moves on from variable to variable in a loop needs no copy") {
  const std::string before = R"(#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint value[]; };
void main() {
  uint newest = 1, newer = 2, old = 3;
  for (uint i = 0; i < value[63]; ++i) {
)",
                    behind = R"(  }
  value[64] = newest;
  value[65] = newer;
  value[66] = old;
}
)";
  // SPIRV-Cross declares some of its copies in a scope where they are not visible.
  const auto moved =
      in(ShadingLanguage::Glsl,
         compiled(before + "old = newer; newer = newest; newest = value[i];" + behind, Optimization::Speed));
  INFO(moved.error << moved.text);
  CHECK(moved.ok());
  CHECK_FALSE(contains(moved.text, "_copy"));
  // A cycle of assignments needs a copy.
  const auto around = in(ShadingLanguage::Glsl,
                         compiled(before + "uint o = old; old = newer; newer = newest; newest = o;" + behind,
                                  Optimization::Speed));
  INFO(around.error << around.text);
  CHECK(around.ok());
  CHECK(contains(around.text, "_copy"));
  CHECK(compile(around.text, "a.comp").ok);
}

TEST_CASE("translate: blocks in workgroup memory are refused") {
  const std::vector<uint32_t> words = compiled(R"(#version 450
#extension GL_EXT_shared_memory_block : require
layout(set = 0, binding = 0) buffer Data { uint x; };
shared Block { uint a[4]; };
void main() { a[0] = x; x = a[0]; }
)");
  CHECK(in(ShadingLanguage::Glsl, words).error ==
        "the module has blocks in workgroup memory, which SPIRV-Cross does not declare");
}

TEST_CASE("translate: descriptor heaps are refused") {
  for (const char* heap : {"#extension GL_EXT_structured_descriptor_heap : require\n"
                           "layout(buffer_type) buffer Data { uint x; };\n"
                           "resourceheap Heap { uint count; Data data; };\nvoid main() { data.x = count; }\n",
                           "#extension GL_EXT_descriptor_heap : require\n"
                           "layout(descriptor_heap) buffer Data { uint x; } data[];\n"
                           "void main() { data[3].x = 1; }\n"})
    for (const ShadingLanguage language : kLanguages)
      CHECK(in(language, compiled("#version 460\n" + std::string(heap))).error ==
            "the module reads descriptor heaps, which SPIRV-Cross does not support");
}

TEST_CASE("translate: entry points") {
  Options options;
  options.entryPoint = "start";
  const Result named = compile(kDouble, "a.comp", options);
  REQUIRE(named.ok);
  TranslateOptions with;
  CHECK(translate(named.words, with).ok());
  with.entryPoint = "start";
  CHECK(translate(named.words, with).ok());
  with.entryPoint = "other";
  CHECK(translate(named.words, with).error == "the module has no entry point `other`");
}

TEST_CASE("translate: the stage of the entry point decides") {
  const auto of = [](const std::string& model, const std::string& modes) {
    return assemble(
        "OpCapability Shader\nOpCapability Geometry\nOpCapability MeshShadingNV\n"
        "OpExtension \"SPV_NV_mesh_shader\"\nOpMemoryModel Logical GLSL450\nOpEntryPoint " +
        model + " %main \"main\"\n" + modes +
        "%void = OpTypeVoid\n%type = OpTypeFunction %void\n%main = OpFunction %void None %type\n"
        "%label = OpLabel\nOpReturn\nOpFunctionEnd\n");
  };
  for (const ShadingLanguage language :
       {ShadingLanguage::Glsl, ShadingLanguage::Hlsl, ShadingLanguage::Msl}) {
    const TranslateResult fragment = in(language, of("Fragment", "OpExecutionMode %main OriginUpperLeft\n"));
    CHECK(fragment.error == "");
    CHECK(fragment.executionModel == 4);
    for (const char* unknown : {"Kernel", "MeshNV"})
      CHECK(in(language, of(unknown, "")).error ==
            "the entry point is not a Vulkan shader that SPIRV-Cross supports");
    const TranslateResult geometry =
        in(language, of("Geometry",
                        "OpExecutionMode %main Triangles\nOpExecutionMode %main Invocations 1\n"
                        "OpExecutionMode %main OutputTriangleStrip\n"
                        "OpExecutionMode %main OutputVertices 3\n"));
    CHECK(geometry.error ==
          (language == ShadingLanguage::Glsl
               ? ""
               : "the stage \"geometry\" is translated to GLSL only; HLSL and MSL get vertex, fragment and "
                 "compute shaders"));
  }
}

TEST_CASE("translate: words that are not a valid module are refused, in either byte order") {
  CHECK(in(ShadingLanguage::Glsl, {}).error.starts_with("not a module: word 0: "));
  std::vector<uint32_t> words = compiled(kDouble);
  std::vector<unsigned char> bytes(words.size() * 4);
  std::memcpy(bytes.data(), words.data(), bytes.size());
  CHECK(translateBytes(bytes, {}).text == in(ShadingLanguage::Glsl, words).text);
  for (size_t i = 0; i < bytes.size(); i += 4) {
    std::swap(bytes[i], bytes[i + 3]);
    std::swap(bytes[i + 1], bytes[i + 2]);
  }
  CHECK(translateBytes(bytes, {}).text == in(ShadingLanguage::Glsl, words).text);
  bytes.pop_back();
  CHECK(translateBytes(bytes, {}).error.starts_with("not a module: "));
}

// A vector whose component type is the vector itself: asking about it would not end.
TEST_CASE("translate: nothing is asked of a module that is refused") {
  std::vector<uint32_t> words = assemble(
      "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\n"
      "OpExecutionMode %main LocalSize 1 1 1\nOpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n"
      "OpDecorate %b DescriptorSet 0\nOpDecorate %b Binding 0\n%void = OpTypeVoid\n%fn = OpTypeFunction "
      "%void\n"
      "%f32 = OpTypeFloat 32\n%vector = OpTypeVector %f32 4\n%block = OpTypeStruct %vector\n"
      "%pointer = OpTypePointer StorageBuffer %block\n%b = OpVariable %pointer StorageBuffer\n"
      "%main = OpFunction %void None %fn\n%label = OpLabel\nOpReturn\nOpFunctionEnd\n");
  size_t vectors = 0;
  for (size_t at = 5; at < words.size(); at += words[at] >> 16) {
    if ((words[at] & 0xFFFF) != uint32_t(spv::Op::OpTypeVector)) continue;
    words[at + 2] = words[at + 1];
    ++vectors;
  }
  CHECK(vectors == 1);
  for (const ShadingLanguage language : {ShadingLanguage::Glsl, ShadingLanguage::Hlsl, ShadingLanguage::Msl})
    CHECK(in(language, words).error.starts_with("the module is invalid: OpTypeVector"));
}

// SPIRV-Cross reinterprets the second operand as if both had the same size: unpack8() of a 32-bit number is
// four bytes.
TEST_CASE("translate: shifts of numbers by numbers of another width") {
  const std::vector<uint32_t> words = compiled(R"(#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(set = 0, binding = 0) buffer Data { uint8_t a; int8_t b; uint64_t c; u16vec2 d; uint by; int back; uvec2 both; };
void main() {
  a >>= by;
  b >>= back;
  c = c >> by;
  d >>= both;
}
)");
  const std::string text = in(ShadingLanguage::Glsl, words).text;
  INFO(text);
  for (const char* part : {">> uint8_t(", ">> uint64_t(", ">> u16vec2("}) CHECK(contains(text, part));
  CHECK_FALSE(contains(text, "unpack"));
  CHECK(in(ShadingLanguage::Glsl, compiled(text)).ok());
}

// unpack8() of an unsigned number gives unsigned bytes, and pack32() of signed bytes gives a signed number.
TEST_CASE("translate: bit casts between an integer and a vector that differ in their signs") {
  Options options;
  options.targetEnv = TargetEnv::Vulkan1_3;
  options.optimization = Optimization::Speed;  // merges the two into one bit cast
  const Result module = compile(R"(#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(set = 0, binding = 0) buffer Data { uint a; i8vec4 b; i16vec2 c; int d; u8vec4 e; };
void main() {
  if (a > 7) b = unpack8(int(a));
  e = unpack8(uint(d));
  a = uint(pack32(b)) + uint(pack32(c));
}
)",
                                "a.comp", options);
  REQUIRE(module.ok);
  const std::string text = in(ShadingLanguage::Glsl, module.words).text;
  INFO(text);
  for (const char* part : {"= unpack8(int(", "= unpack8(uint(", "uint(pack32(", "uint(packInt2x16("})
    CHECK(contains(text, part));
  CHECK(in(ShadingLanguage::Glsl, compiled(text)).ok());
}

// SPIRV-Cross supports none of these instructions. The tests that run the samples as GLSL execute the result.
TEST_CASE("translate: dot products of four 8-bit integers become sums of products") {
  const std::vector<uint32_t> words = compiled(R"(#version 450
#extension GL_EXT_integer_dot_product : require
layout(set = 0, binding = 0) buffer Data { uint a; int b; uint c; int d; };
void main() {
  c = dotPacked4x8EXT(a, c);
  b = dotPacked4x8EXT(b, d);
  d = dotPacked4x8EXT(b, a);
}
)");
  checkEveryLanguage(words);
  const std::string text = in(ShadingLanguage::Glsl, words).text;
  INFO(text);
  size_t extractions = 0;
  for (size_t at = text.find("bitfieldExtract("); at != std::string::npos;
       at = text.find("bitfieldExtract(", at + 1))
    ++extractions;
  CHECK(extractions == 3 * 2 * 4);
  CHECK(in(ShadingLanguage::Glsl, compiled(text)).ok());
}

TEST_CASE("translate: dot products with saturating accumulation become sums that saturate") {
  const std::vector<uint32_t> words = compiled(R"(#version 450
#extension GL_EXT_integer_dot_product : require
layout(set = 0, binding = 0) buffer Data { uint a; int b; uint c; int d; };
void main() {
  c = dotPacked4x8AccSatEXT(a, c, c);
  b = dotPacked4x8AccSatEXT(b, d, b);
  d = dotPacked4x8AccSatEXT(b, a, d);
}
)");
  checkEveryLanguage(words);
  const std::string text = in(ShadingLanguage::Glsl, words).text;
  INFO(text);
  CHECK(text.find("4294967295u") != std::string::npos);      // the largest unsigned number,
  CHECK(text.find("2147483647") != std::string::npos);       // the largest signed one,
  CHECK(text.find("int(0x80000000)") != std::string::npos);  // and the least
  CHECK(in(ShadingLanguage::Glsl, compiled(text)).ok());
}

// Sums of signed numbers are computed as unsigned ones, which wrap. MSL leaves signed overflow undefined, as
// C++ does.
TEST_CASE("translate: the sum that a saturating dot product compares is unsigned") {
  const std::string text = in(ShadingLanguage::Msl, compiled(R"(#version 450
#extension GL_EXT_integer_dot_product : require
layout(set = 0, binding = 0) buffer Data { int a; int b; int c; };
void main() { c = dotPacked4x8AccSatEXT(a, b, c); }
)"))
                               .text;
  INFO(text);
  CHECK(contains(text, "uint(Data_1.c)"));
}

TEST_CASE("translate: dot products of vectors of 8- and 16-bit integers become sums of products") {
  const std::vector<uint32_t> words = compiled(R"(#version 450
#extension GL_EXT_integer_dot_product : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(set = 0, binding = 0) buffer Data { uint a; int b; uint c; int d; u16vec2 e; };
void main() {
  d = dotAccSatEXT(unpack8(b), unpack8(d), d);
  c = dotEXT(unpack8(a), unpack8(c)) + dotEXT(e, e.yx);
  b = dotEXT(unpack8(b), unpack8(a)) + dotEXT(ivec3(b), ivec3(d));
}
)");
  const TranslateResult glsl = in(ShadingLanguage::Glsl, words), msl = in(ShadingLanguage::Msl, words);
  INFO(glsl.error << glsl.text << msl.error);
  CHECK(glsl.ok());
  CHECK(msl.ok());
  CHECK(in(ShadingLanguage::Glsl, compiled(glsl.text)).ok());
}

// The sum of products of 16-bit integers may exceed 32 bits before the accumulator is added to it.
TEST_CASE("translate: other dot products are refused in every language") {
  const std::vector<uint32_t> words = compiled(R"(#version 450
#extension GL_EXT_integer_dot_product : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(set = 0, binding = 0) buffer Data { i16vec4 a; int b; };
void main() { b = dotAccSatEXT(a, a.wzyx, b); }
)");
  for (const ShadingLanguage language : kLanguages)
    CHECK(in(language, words).error ==
          "OpSDotAccSat of vectors of 4 16-bit integers is not translated: SPIRV-Cross does not support it");
}

// SPIRV-Cross writes the value of an element instead of its address.
TEST_CASE("translate: addresses of elements") {
  // Member 1 of the block, at byte 16, is an array with the stride `stride`. The index of the element is a
  // number of 32 or 64 bits.
  const auto text = [](const std::string& stride, const std::string& index) {
    return assemble(R"(
               OpCapability Shader
               OpCapability Int64
               OpCapability PhysicalStorageBufferAddresses
               OpMemoryModel PhysicalStorageBuffer64 GLSL450
               OpEntryPoint GLCompute %main "main" %constants
               OpExecutionMode %main LocalSize 1 1 1
               OpDecorate %pushed Block
               OpMemberDecorate %pushed 0 Offset 0
               OpMemberDecorate %pushed 1 Offset 8
               OpDecorate %block Block
               OpMemberDecorate %block 0 Offset 0
               OpMemberDecorate %block 1 Offset 16
               OpDecorate %array ArrayStride )" +
                    stride + R"(
       %void = OpTypeVoid
   %function = OpTypeFunction %void
       %uint = OpTypeInt 32 0
      %ulong = OpTypeInt 64 0
     %uint_0 = OpConstant %uint 0
     %uint_1 = OpConstant %uint 1
     %uint_3 = OpConstant %uint 3
               OpTypeForwardPointer %blockPointer PhysicalStorageBuffer
      %pair = OpTypeVector %uint 2
      %array = OpTypeRuntimeArray %pair
      %block = OpTypeStruct %ulong %array
%blockPointer = OpTypePointer PhysicalStorageBuffer %block
%pairPointer = OpTypePointer PhysicalStorageBuffer %pair
%ulongPointer = OpTypePointer PhysicalStorageBuffer %ulong
     %pushed = OpTypeStruct %blockPointer %ulong
%pushedPointer = OpTypePointer PushConstant %pushed
  %constants = OpVariable %pushedPointer PushConstant
   %pointers = OpTypePointer PushConstant %blockPointer
    %numbers = OpTypePointer PushConstant %ulong
       %main = OpFunction %void None %function
      %label = OpLabel
      %where = OpAccessChain %pointers %constants %uint_0
       %base = OpLoad %blockPointer %where
    %numberAt = OpAccessChain %numbers %constants %uint_1
       %long = OpLoad %ulong %numberAt
      %short = OpUConvert %uint %long
    %element = OpAccessChain %pairPointer %base %uint_1 )" +
                    index + R"(
    %address = OpConvertPtrToU %ulong %element
         %to = OpAccessChain %ulongPointer %base %uint_0
               OpStore %to %address Aligned 8
               OpReturn
               OpFunctionEnd
)");
  };
  const TranslateResult constant = in(ShadingLanguage::Glsl, text("8", "%uint_3"));
  INFO(constant.error << constant.text);
  CHECK(contains(constant.text, " + 40u"));
  CHECK(in(ShadingLanguage::Glsl, compiled(constant.text)).ok());
  const TranslateResult variable = in(ShadingLanguage::Glsl, text("8", "%short"));
  INFO(variable.error << variable.text);
  CHECK(contains(variable.text, " * 8u"));
  CHECK(contains(variable.text, " + 16u"));
  CHECK(in(ShadingLanguage::Glsl, compiled(variable.text)).ok());
  for (const auto& [stride, index] : {std::pair("8", "%long"), std::pair("65536", "%short")})
    CHECK(in(ShadingLanguage::Glsl, text(stride, index)).error ==
          "the address of an element is used as a number, and where the element lies is not known");
}

TEST_CASE("translate: the number of a group operation is not an id") {
  // Ids are numbered by their first use: %main is 1, and %half is 2, the number of ExclusiveScan.
  const TranslateResult result = in(ShadingLanguage::Glsl, assemble(R"(
    OpCapability Shader
    OpCapability Float16
    OpCapability GroupNonUniformArithmetic
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main "main"
    OpExecutionMode %main LocalSize 32 1 1
    OpName %half "half"
    OpDecorate %array ArrayStride 4
    OpMemberDecorate %block 0 Offset 0
    OpDecorate %block Block
    OpDecorate %data DescriptorSet 0
    OpDecorate %data Binding 0
    %void = OpTypeVoid
    %function = OpTypeFunction %void
    %u32 = OpTypeInt 32 0
    %f16 = OpTypeFloat 16
    %f32 = OpTypeFloat 32
    %half = OpConstant %f16 0.5
    %subgroup = OpConstant %u32 3
    %zero = OpConstant %u32 0
    %array = OpTypeRuntimeArray %f32
    %block = OpTypeStruct %array
    %toBlock = OpTypePointer StorageBuffer %block
    %toFloat = OpTypePointer StorageBuffer %f32
    %data = OpVariable %toBlock StorageBuffer
    %main = OpFunction %void None %function
    %entry = OpLabel
    %element = OpAccessChain %toFloat %data %zero %zero
    %value = OpLoad %f32 %element
    %sum = OpGroupNonUniformFAdd %f32 %subgroup ExclusiveScan %value
    OpStore %element %sum
    OpReturn
    OpFunctionEnd)"));
  INFO(result.error << result.text);
  REQUIRE(result.ok());
  CHECK(contains(result.text, "subgroupExclusiveAdd("));
  CHECK_FALSE(contains(result.text, "GL_EXT_shader_subgroup_extended_types_float16"));
}

// // SPIRV-Cross copies an array parameter that is written by an initialization, which GLSL does not allow if
// the size is a specialization constant.
TEST_CASE("translate: a text in GLSL that does not compile again is an error") {
  const std::vector<uint32_t> words = compiled(R"(#version 450
layout(constant_id = 1) const uint kCount = 4;
layout(set = 0, binding = 0) buffer Data { float x[]; };
float total(float a[kCount]) {
  float sum = 0.0;
  for (uint k = 0; k < kCount; ++k) {
    a[k] *= 2.0;
    sum += a[k];
  }
  return sum;
}
void main() {
  float a[kCount];
  for (uint k = 0; k < kCount; ++k) a[k] = x[k];
  x[0] = total(a);
}
)");
  const TranslateResult text = in(ShadingLanguage::Glsl, words);
  CHECK(text.ok());
  TranslateOptions options;
  const std::string why =
      "the translated text does not compile again: line 13: `a_1` contains an array sized by a "
      "specialization constant and cannot be initialized";
  const TranslateResult checked = translateChecked(words, options);
  CHECK(checked.error == why);
  CHECK(checked.text.empty());
  const auto* bytes = reinterpret_cast<const unsigned char*>(words.data());
  CHECK(translateBytesChecked({bytes, words.size() * 4}, options).error == why);
  coopc_translation* t =
      coopc_translate_checked(words.data(), words.size(), COOPC_SHADING_LANGUAGE_GLSL, nullptr);
  CHECK(std::string(coopc_translation_error(t)) == why);
  CHECK(coopc_translation_status(t) == COOPC_STATUS_INPUT_ERROR);
  coopc_translation_destroy(t);
  options.language = ShadingLanguage::Msl;
  CHECK(translateChecked(words, options).text == in(ShadingLanguage::Msl, words).text);
}

TEST_CASE("translate: the C interface") {
  const std::vector<uint32_t> words = compiled(kDouble);
  coopc_translation* t = coopc_translate(words.data(), words.size(), COOPC_SHADING_LANGUAGE_MSL, nullptr);
  REQUIRE(t != nullptr);
  size_t length = 0;
  CHECK(coopc_translation_text(t, &length) == in(ShadingLanguage::Msl, words).text);
  CHECK(length == std::strlen(coopc_translation_text(t, nullptr)));
  CHECK(std::strlen(coopc_translation_error(t)) == 0);
  CHECK(coopc_translation_status(t) == COOPC_STATUS_OK);
  coopc_translation_destroy(t);
  t = coopc_translate(words.data(), words.size(), COOPC_SHADING_LANGUAGE_GLSL, "none");
  REQUIRE(t != nullptr);
  CHECK(std::string(coopc_translation_error(t)) == "the module has no entry point `none`");
  CHECK(coopc_translation_status(t) == COOPC_STATUS_INPUT_ERROR);
  coopc_translation_destroy(t);
  t = coopc_translate_checked(words.data(), words.size(), COOPC_SHADING_LANGUAGE_GLSL, "main");
  CHECK(coopc_translation_text(t, nullptr) == in(ShadingLanguage::Glsl, words).text);
  coopc_translation_destroy(t);
  t = coopc_translate(nullptr, 3, COOPC_SHADING_LANGUAGE_GLSL, nullptr);
  CHECK(coopc_translation_status(t) == COOPC_STATUS_BAD_ARGUMENT);
  coopc_translation_destroy(t);
  t = coopc_translate(words.data(), words.size(), static_cast<coopc_shading_language>(3), nullptr);
  CHECK(coopc_translation_status(t) == COOPC_STATUS_BAD_ARGUMENT);
  CHECK(std::string(coopc_translation_error(t)) == "there is no such language");
  coopc_translation_destroy(t);
  CHECK(coopc_translation_status(nullptr) == COOPC_STATUS_OUT_OF_MEMORY);
  CHECK(std::strlen(coopc_translation_text(nullptr, &length)) == 0);
  CHECK(length == 0);
  CHECK(std::strlen(coopc_translation_error(nullptr)) == 0);
}
