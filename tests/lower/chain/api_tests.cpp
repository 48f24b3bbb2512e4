// The public calls of lowering, C++ and C.
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "coopc/coopc.hpp"
#include "coopc/lower.h"
#include "coopc/lower.hpp"
#include "spirv/instruction_walk.hpp"
#include "spirv/memory_operands.hpp"

namespace coopc {
namespace {

std::vector<uint32_t> compileBody(const char* body) {
  Options options;
  options.targetEnv = TargetEnv::Vulkan1_3;
  const Result result = compile(std::string("#version 460\n") + body, "a.comp", options);
  INFO(result.messages);
  REQUIRE(result.ok);
  return result.words;
}

const char* const kPlain =
    "layout(constant_id = 3) const uint n = 4; shared uint s[n]; void main() { s[0] = 1u; }";
const char* const kMatrix =
    "#extension GL_KHR_cooperative_matrix : require\n#extension GL_KHR_memory_scope_semantics : require\n"
    "#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require\n"
    "void main() { coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> a ="
    " coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA>(1.0); }";

TEST_CASE("lower() takes names and texts of profiles") {
  const std::vector<uint32_t> words = compileBody(kPlain);
  for (const char* profile : {"none", "khr", "radv", "h200", "lavapipe"}) {
    LowerOptions options;
    options.profile = profile;
    const LowerResult result = lower(words, options);
    CHECK(result.error.empty());
    CHECK(result.kind == Lowering::Native);
    CHECK(result.words == words);
    CHECK(renderText(result) == "native\n");
  }
  LowerOptions options;
  options.profile = shippedProfiles()[0].text;
  CHECK(lower(words, options).kind == Lowering::Native);
  options.profile = "{}";
  CHECK_FALSE(lower(words, options).error.empty());
  options.profile = "none";
  options.without = "matrices";
  CHECK(lower(words, options).error == "there is no feature `matrices`");
}

TEST_CASE("lower() says what is lacking") {
  LowerOptions options;
  options.profile = "none";
  const LowerResult result = lower(compileBody(kMatrix), options);
  REQUIRE(!result.lacking.empty());
  CHECK(result.lacking[0] == "feature cooperativeMatrix (capability CooperativeMatrixKHR) is missing");
  CHECK(renderJson(result).find("\"lacking\"") != std::string::npos);
}

// The driver of an H200 has tensor loads and block loads, but no decode functions for vectors. Its loads
// decode one element at a time, and are still many times as fast as lowered loads.
TEST_CASE("a device that only lacks decode functions for vectors loads tensors itself") {
  const std::vector<uint32_t> words = compileBody(R"(
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_NV_cooperative_matrix_decode_vector : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 32) in;
layout(buffer_reference, std430, buffer_reference_align = 2) readonly buffer Block { float16_t x[32]; };
layout(binding = 0) buffer Data { float16_t x[]; } data;
float16_t decode(const in Block b, const in uint block[2], const in uint at[2]) { return b.x[at[1]]; }
f16vec2 decodeTwo(const in Block b, const in uint block[2], const in uint at[2]) {
  return f16vec2(b.x[at[1]], b.x[at[1] + 1]);
}
void main() {
  tensorLayoutNV<2> t = setTensorLayoutBlockSizeNV(createTensorLayoutNV(2), 1, 32);
  t = setTensorLayoutDimensionNV(t, 64, 64);
  tensorViewNV<2, false, 1, 0> turned = createTensorViewNV(2, false, 1, 0);
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> a, b;
  coopMatLoadTensorNV(a, data.x, 0, sliceTensorLayoutNV(t, 0, 16, 0, 16), decode, decodeTwo);
  coopMatLoadTensorNV(b, data.x, 0, sliceTensorLayoutNV(t, 0, 16, 0, 16), turned, decode, decodeTwo);
  coopMatStore(a + b, data.x, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
})");
  const auto countLoads = [](const std::vector<uint32_t>& module, bool vectors) {
    int loads = 0;
    for (spirv::InstructionWalk i(module); i.next();) {
      if (i.op() != spv::Op::OpCooperativeMatrixLoadTensorNV) continue;
      const spirv::TensorAddressingOperands t = spirv::tensorAddressingOperandsOf(i.words());
      if (t.decodeFunction && bool(t.decodeVectorFunction) == vectors) ++loads;
    }
    return loads;
  };
  CHECK(countLoads(words, true) == 2);
  LowerOptions options;
  options.profile = "h200";
  const LowerResult result = lower(words, options);
  REQUIRE(result.kind == Lowering::Lowered);
  CHECK(countLoads(result.words, false) == 2);
  REQUIRE(result.rewrites.size() == 1);
  CHECK(result.rewrites[0].first == "functions that decode vectors");
  CHECK(lower(result.words, options).kind == Lowering::Native);
  // Without block loads, the loads are lowered, and call the function for vectors.
  options.without = "cooperativeMatrixBlockLoads";
  const LowerResult lowered = lower(words, options);
  REQUIRE(lowered.kind == Lowering::Lowered);
  CHECK(countLoads(lowered.words, false) == 0);
}

// A product of `rows` x `columns` x 16 of 16-bit floats, by one subgroup of 32 or a workgroup of 64. `sums`
// is float or float16_t.
std::string product(const char* scope, int rows, int columns, const char* sums) {
  const auto matrix = [&](const char* type, int r, int c, const char* use) {
    return std::string("coopmat<") + type + ", gl_Scope" + scope + ", " + std::to_string(r) + ", " +
           std::to_string(c) + ", gl_MatrixUse" + use + ">";
  };
  const std::string a = matrix("float16_t", rows, 16, "A"), b = matrix("float16_t", 16, columns, "B"),
                    d = matrix(sums, rows, columns, "Accumulator");
  return std::string() +
         "#extension GL_KHR_cooperative_matrix : require\n#extension GL_NV_cooperative_matrix2 : require\n"
         "#extension GL_KHR_memory_scope_semantics : require\n"
         "#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require\n"
         "#extension GL_EXT_shader_16bit_storage : require\n"
         "layout(local_size_x = 64) in; layout(binding = 0) buffer D { " +
         sums + " x[]; } d; void main() { " + d + " sum = coopMatMulAdd(" + a + "(1.0), " + b + "(1.0), " +
         d + "(0.0)); coopMatStore(sum, d.x, 0, 64, gl_CooperativeMatrixLayoutRowMajor); }";
}

TEST_CASE("lower() says how fast plain code is beside a scalar shader") {
  struct Expected {
    const char* profile;
    const char* scope;
    int rows, columns;
    const char* sums;
    double share;
    const char* percent;  // of the note; nullptr: there is no note
  };
  // In plain code, an invocation has 2 x 4, 8 x 8, 16 x 8, 16 x 16 and 16 x 16 sums, which are in pairs in
  // the last case. The first case has operands in registers. The others read 4, 6, 8 and 4 vectors for each
  // k.
  const Expected expected[] = {
      {"none", "Subgroup", 16, 16, "float", 1 / (1.1 + 4.5 * 0.2 * 6 / 8), "56 %"},
      {"none", "Workgroup", 64, 64, "float", 1 / (1.1 + 4.5 * 4 / 64), "72 %"},
      {"none", "Workgroup", 128, 64, "float", 1 / (1.1 + 4.5 * 6 / 128), "76 %"},
      {"none", "Workgroup", 128, 128, "float", 0.16, "16 %"},
      {"none", "Workgroup", 128, 128, "float16_t", 1.3 / (1.1 + 4.5 * 4 / 128), nullptr},
      {"khr", "Workgroup", 64, 64, "float", 0, nullptr},
  };
  for (const Expected& e : expected) {
    INFO(e.profile << " " << e.scope << " " << e.rows << "x" << e.columns);
    LowerOptions options;
    options.profile = e.profile;
    const LowerResult result =
        lower(compileBody(product(e.scope, e.rows, e.columns, e.sums).c_str()), options);
    REQUIRE(result.kind == Lowering::Lowered);
    CHECK(std::abs(result.scalarShare - e.share) < 1e-9);
    const std::string json = renderJson(result), key = "\"scalarShare\": ";
    const size_t at = json.find(key);
    REQUIRE(at != std::string::npos);
    CHECK(json.find_first_of("0123456789", at) == at + key.size());
    CHECK(std::strtod(json.c_str() + at + key.size(), nullptr) == result.scalarShare);
    const std::string text = renderText(result);
    CHECK((text.find("slower than a scalar shader") != std::string::npos) == (e.percent != nullptr));
    if (e.percent != nullptr)
      CHECK(text.find(std::string("expected to reach ") + e.percent) != std::string::npos);
  }
}

TEST_CASE("the C calls give what the C++ calls give") {
  const std::vector<uint32_t> words = compileBody(kPlain);
  coopc_lower_options* options = coopc_lower_options_create();
  REQUIRE(options != nullptr);
  CHECK(coopc_lower_options_set_profile(options, "none", 4) == 1);
  CHECK(coopc_lower_options_set_without(options, "vulkan-memory-model,maintenance4") == 1);
  CHECK(coopc_lower_options_specialize(options, 3, 9) == 1);
  coopc_lower_options_set_spec_defaults(options, 1);
  coopc_lower_options_set_subgroup_size(options, 16);
  coopc_lower_options_set_optimize(options, 1);
  coopc_lower_options_set_keep_debug(options, 0);
  coopc_lowered* result = coopc_lower(words.data(), words.size(), options);
  REQUIRE(result != nullptr);
  CHECK(std::strcmp(coopc_lowered_error(result), "") == 0);
  CHECK(coopc_lowered_kind(result) == COOPC_LOWERING_NATIVE);
  size_t count = 0;
  CHECK(coopc_lowered_words(result, &count) != nullptr);
  CHECK(count == words.size());
  CHECK(coopc_lowered_reason(result, 0) == nullptr);
  CHECK(coopc_lowered_frozen_spec_ids(result, nullptr, 0) == 0);
  CHECK(coopc_lowered_subgroup_size(result) == 0);
  CHECK(coopc_lowered_shared_bytes(result) == 0);
  CHECK(coopc_lowered_scalar_share(result) == 0);
  CHECK(std::strcmp(coopc_lowered_text(result), "native\n") == 0);
  CHECK(std::strlen(coopc_lowered_json(result)) > 10);
  coopc_lowered_destroy(result);
  coopc_lower_options_destroy(options);
}

const char* const kTensors =
    "#extension GL_ARM_tensors : require\n#extension GL_EXT_nonuniform_qualifier : require\n"
    "layout(constant_id = 0) const uint RANK = 2;\n"
    "layout(set = 0, binding = 3) uniform readonly tensorARM<float, RANK> b;\n"
    "layout(set = 0, binding = 1) uniform tensorARM<float, 2> a[4];\n"
    "layout(set = 1, binding = 0) uniform writeonly tensorARM<int, 1> c;\n"
    "layout(set = 0, binding = 7) buffer O { float o; };\n"
    "void main() { const uint n = gl_WorkGroupID.x; float v; uint at[RANK]; at[0] = 1; at[1] = 2; "
    "tensorReadARM(b, at, v);\n"
    "  tensorWriteARM(a[nonuniformEXT(n)], uint[](n, 0), v); tensorWriteARM(c, uint[](n), 1); o = v; }";

TEST_CASE("tensors that cannot become buffers are declined with their reason") {
  const auto reasonOf = [](const std::vector<uint32_t>& words) {
    LowerOptions options;
    options.profile = "none";
    const LowerResult result = lower(words, options);
    REQUIRE(result.kind == Lowering::Declined);
    return result.reasons[0];
  };
  CHECK(reasonOf(compileBody(
            "#extension GL_ARM_tensors : require\n"
            "layout(binding = 0) uniform tensorARM<float, 2> t[2][3];\n"
            "layout(binding = 7) buffer O { float o; };\n"
            "void main() { float v; uint at[2] = uint[](1, 2); tensorReadARM(t[1][2], at, v); o = v; }")) ==
        "an array of arrays of tensors");
  const auto aliases = [&](const char* other) {
    return compileBody((std::string("#extension GL_ARM_tensors : require\n"
                                    "#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
                                    "layout(set = 1, binding = 3) uniform tensorARM<float, 2> a;\n"
                                    "layout(set = 1, binding = 3) uniform ") +
                        other +
                        " b;\nlayout(binding = 7) buffer O { uint o; };\n"
                        "void main() { o = tensorSizeARM(a, 0) + tensorSizeARM(b, 0); }")
                           .c_str());
  };
  const std::string different =
      "tensors of different ranks or sizes of elements at set 1, binding 3: one description cannot be for "
      "both";
  CHECK(reasonOf(aliases("tensorARM<float, 3>")) == different);
  CHECK(reasonOf(aliases("tensorARM<float16_t, 2>")) == different);
  LowerOptions options;
  options.profile = "none";
  CHECK(lower(aliases("tensorARM<int, 2>"), options).kind == Lowering::Lowered);

  // SPIR-V has tensor types without a rank, but GLSL does not. The rank is the type's last word.
  std::vector<uint32_t> words = compileBody(
      "#extension GL_ARM_tensors : require\nlayout(binding = 0) uniform tensorARM<float, 2> t;\n"
      "layout(binding = 7) buffer O { uint o; };\nvoid main() { o = tensorSizeARM(t, 0); }");
  constexpr uint32_t kTypeTensor = 4163;
  bool found = false;
  for (size_t at = 5; at < words.size() && !found; at += words[at] >> 16) {
    if (words[at] != (4u << 16 | kTypeTensor)) continue;
    found = true;
    words[at] -= 1u << 16;
    words.erase(words.begin() + ptrdiff_t(at) + 3);
  }
  REQUIRE(found);
  CHECK(reasonOf(words) == "a tensor whose type has no rank");
}

TEST_CASE("tensors become buffers whose descriptions are where the result says") {
  const std::vector<uint32_t> words = compileBody(kTensors);
  LowerOptions options;
  options.profile = "none";
  const LowerResult open = lower(words, options);
  REQUIRE(open.kind == Lowering::Declined);
  CHECK(open.reasons[0] ==
        "the rank of a tensor depends on a specialization constant that has no value: `RANK` (SpecId 0)");
  options.specDefaults = true;
  const LowerResult behind = lower(words, options);
  REQUIRE(behind.kind == Lowering::Lowered);
  REQUIRE(behind.tensors.size() == 3);
  CHECK(behind.tensors[0].set == 0);
  CHECK(behind.tensors[0].binding == 1);
  CHECK(behind.tensors[0].description == 8);
  CHECK(behind.tensors[0].rank == 2);
  CHECK(behind.tensors[1].binding == 3);
  CHECK(behind.tensors[1].description == 9);
  CHECK(behind.tensors[2].set == 1);
  CHECK(behind.tensors[2].description == 1);
  CHECK(renderText(behind).find("tensor at set 0, binding 3: described at binding 9\n") != std::string::npos);
  CHECK(renderJson(behind).find("\"description\": 9") != std::string::npos);
  options.tensorDescriptions = 100;
  const LowerResult where = lower(words, options);
  REQUIRE(where.tensors.size() == 3);
  CHECK(where.tensors[0].description == 101);
  CHECK(where.tensors[1].description == 103);
  CHECK(where.tensors[2].description == 100);
  options.tensorDescriptions = 2;
  CHECK(lower(words, options).reasons[0] ==
        "the description of the tensor at set 0, binding 1 would be at binding 3, which is taken");
  options.tensorDescriptions = UINT32_MAX;
  CHECK(lower(words, options).reasons[0] ==
        "the description of the tensor at set 0, binding 1 would be at binding 4294967296, which does not "
        "exist");
  options.tensorDescriptions = 100;
  // With another rank, the number of coordinates would not match the read either.
  options.specializations = {{0, 65}};
  CHECK(lower(words, options).reasons[0] == "a tensor of rank 65");

  coopc_lower_options* c = coopc_lower_options_create();
  CHECK(coopc_lower_options_set_profile(c, "none", 4) == 1);
  CHECK(coopc_lower_options_set_spec_defaults(c, 1) == 1);
  CHECK(coopc_lower_options_set_tensor_descriptions(c, 100) == 1);
  CHECK(coopc_lower_options_set_tensor_descriptions(nullptr, 100) == 0);
  coopc_lowered* lowered = coopc_lower(words.data(), words.size(), c);
  coopc_lowered_tensor tensors[2] = {};
  CHECK(coopc_lowered_tensors(lowered, tensors, 2) == 3);
  CHECK(tensors[1].set == 0);
  CHECK(tensors[1].binding == 3);
  CHECK(tensors[1].description == 103);
  CHECK(tensors[1].rank == 2);
  CHECK(coopc_lowered_tensors(nullptr, nullptr, 0) == 0);
  coopc_lowered_destroy(lowered);
  coopc_lower_options_destroy(c);
}

}  // namespace
}  // namespace coopc
