// A pointer operand must be decorated NonUniform if the descriptor is not dynamically uniform (Vulkan,
// VUID-RuntimeSpirv-NonUniform-06274). Lowering must keep the decoration when it writes such pointers again.
#include <set>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "coopc/coopc.hpp"
#include "coopc/lower.hpp"
#include "spirv/memory_operands.hpp"
#include "tests/spirv/spirv_text.hpp"

namespace coopc {
namespace {

// Bodies of main(), with the macros of shaderOf().
constexpr struct {
  const char* name;
  const char* text;
} kAccesses[] = {
    {"loads and stores",
     "MATRIX m;"
     "coopMatLoad(m, h[nonuniformEXT(gl_SubgroupID)].x, 0, 64, gl_CooperativeMatrixLayoutRowMajor);"
     "coopMatStore(m, h[nonuniformEXT(gl_SubgroupID + 1)].x, 0, 64, gl_CooperativeMatrixLayoutRowMajor);"},
    {"tensors",
     "MATRIX m;"
     "tensorLayoutNV<2, gl_CooperativeMatrixClampModeConstantNV> t = createTensorLayoutNV(2, "
     "gl_CooperativeMatrixClampModeConstantNV);"
     "t = setTensorLayoutDimensionNV(t, n, n); t = sliceTensorLayoutNV(t, 0, 32, 0, 32);"
     "coopMatLoadTensorNV(m, h[nonuniformEXT(gl_SubgroupID)].x, 0, t);"
     "coopMatStoreTensorNV(m, h[nonuniformEXT(gl_SubgroupID + 1)].x, 0, t);"},
    {"tensors in another type's array",
     "MATRIX m; TENSOR "
     "coopMatLoadTensorNV(m, w[nonuniformEXT(gl_SubgroupID)].x, 0, t);"
     "coopMatStoreTensorNV(m, w[nonuniformEXT(gl_SubgroupID + 1)].x, 0, t);"},
    {"decoded tensors",
     "MATRIX m; TENSOR "
     "coopMatLoadTensorNV(m, q[nonuniformEXT(gl_SubgroupID)].x, 0, t, decode);"
     "coopMatStoreTensorNV(m, h[nonuniformEXT(gl_SubgroupID + 1)].x, 0, t);"},
    {"decoded by bytes",
     "MATRIX m; TENSOR "
     "coopMatLoadTensorNV(m, q[nonuniformEXT(gl_SubgroupID)].x, 0, t, decodeBytes);"
     "coopMatStoreTensorNV(m, h[nonuniformEXT(gl_SubgroupID + 1)].x, 0, t);"},
    {"decoded by a table",
     "MATRIX m; TENSOR "
     "coopMatLoadTensorNV(m, q[nonuniformEXT(gl_SubgroupID)].x, 0, t, decodeByTable);"
     "coopMatStoreTensorNV(m, h[nonuniformEXT(gl_SubgroupID + 1)].x, 0, t);"},
    // Components that are stored one by one are stored by atomic operations.
    {"stores of parts",
     "MATRIX m;"
     "coopMatLoad(m, h[nonuniformEXT(gl_SubgroupID)].x, 0, 64, gl_CooperativeMatrixLayoutRowMajor);"
     "coopMatStore(m, u[nonuniformEXT(gl_SubgroupID)].x, 0, 32, gl_CooperativeMatrixLayoutRowMajor);"},
    // The operands of addresses are computed again for the next iteration.
    {"loads that run ahead",
     "coopmat<float, gl_ScopeWorkgroup, 32, 32, gl_MatrixUseAccumulator> m ="
     " coopmat<float, gl_ScopeWorkgroup, 32, 32, gl_MatrixUseAccumulator>(0.0);"
     "for (uint k = 0; k < n; k += 16) {"
     "coopmat<float16_t, gl_ScopeWorkgroup, 32, 16, gl_MatrixUseA> a;"
     "coopmat<float16_t, gl_ScopeWorkgroup, 16, 32, gl_MatrixUseB> b;"
     "tensorLayoutNV<2> t = createTensorLayoutNV(2);"
     "t = setTensorLayoutDimensionNV(t, n, n);"
     "t = setTensorLayoutStrideNV(t, strides[nonuniformEXT(n)].n, 1);"
     "coopMatLoadTensorNV(a, h[nonuniformEXT(n)].x, 0, sliceTensorLayoutNV(t, 0, 32, k, 16));"
     "coopMatLoadTensorNV(b, h[nonuniformEXT(n)].x, 0, sliceTensorLayoutNV(t, k, 16, 0, 32));"
     "m = coopMatMulAdd(a, b, m); }"
     "coopMatStore(m, f[nonuniformEXT(n)].x, 0, 32, gl_CooperativeMatrixLayoutRowMajor);"},
    // A load with a uniform index next to one with an index that is not: each needs a different function.
    {"uniform ones first",
     "MATRIX m, u; TENSOR "
     "coopMatLoadTensorNV(u, h[n].x, 0, t);"
     "coopMatLoadTensorNV(m, h[nonuniformEXT(gl_SubgroupID)].x, 0, t);"
     "coopMatStoreTensorNV(m + u, h[nonuniformEXT(gl_SubgroupID + 1)].x, 0, t);"},
};

std::string shaderOf(const char* body) {
  return std::string(R"(#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#define MATRIX coopmat<float16_t, gl_ScopeSubgroup, 32, 32, gl_MatrixUseAccumulator>
#define TENSOR tensorLayoutNV<2> t = createTensorLayoutNV(2); t = setTensorLayoutDimensionNV(t, n, n); t = sliceTensorLayoutNV(t, 0, 32, 0, 32);
layout(local_size_x = 64) in;
layout(push_constant) uniform P { uint n; };
layout(binding = 0) buffer Halves { float16_t x[]; } h[];
layout(binding = 1) buffer Words { uvec4 x[]; } w[];
struct Block { float16_t scale; uint16_t numbers[4]; };
layout(binding = 2) buffer Blocks { Block x[]; } q[];
layout(binding = 3) readonly buffer Table { float16_t x[]; } table[];
layout(binding = 4) buffer Words32 { uint x[]; } u[];
layout(binding = 5) uniform Stride { uint n; } strides[];
layout(binding = 6) buffer Floats { float x[]; } f[];
layout(buffer_reference, std430, buffer_reference_align = 2) buffer Reference { Block block; };
layout(buffer_reference, std430, buffer_reference_align = 2) buffer Numbers { uint16_t x[5]; };
float16_t decode(const in Reference r, const in uint block[2], const in uint at[2]) {
  return r.block.scale * float16_t(r.block.numbers[at[1] & 3]);
}
float16_t decodeBytes(const in Reference r, const in uint block[2], const in uint at[2]) {
  return float16_t(Numbers(r).x[at[1] & 3]);
}
float16_t decodeByTable(const in Reference r, const in uint block[2], const in uint at[2]) {
  return r.block.scale * table[nonuniformEXT(uint(r.block.numbers[0]))].x[at[1]];
}
void main() { )") +
         body + " }";
}

struct Seen {
  size_t accesses = 0;  // in arrays of descriptors
  size_t undecorated = 0;
};

// Counts accesses of arrays of descriptors, and those whose pointer is not decorated.
Seen accessesOf(const std::vector<uint32_t>& words) {
  const spirv::Module m = tests::read(words);
  std::set<spirv::Id> nonUniform;
  for (const spirv::Instruction& i : m.instructions)
    if (i.op() == spv::Op::OpDecorate && spv::Decoration(m.word(i, 2)) == spv::Decoration::NonUniform)
      nonUniform.insert(m.idAt(i, 1));
  const auto variableOf = [&](spirv::Id pointer) {
    for (const spirv::Instruction* i = m.def(pointer); i != nullptr; i = m.def(m.idAt(*i, 3))) {
      if (i->op() == spv::Op::OpVariable) return i;
      if (i->op() != spv::Op::OpAccessChain && i->op() != spv::Op::OpInBoundsAccessChain) break;
    }
    return static_cast<const spirv::Instruction*>(nullptr);
  };
  Seen seen;
  for (uint32_t n = m.functionsAt; n < m.instructions.size(); ++n) {
    const spirv::Instruction& i = m.instructions[n];
    const bool atomic = i.op() >= spv::Op::OpAtomicLoad && i.op() <= spv::Op::OpAtomicXor;
    if (!atomic && spirv::memoryOperandsPosition(i.op()) == 0) continue;
    const spirv::Id pointer = m.idAt(i, i.result ? 3 : 1);
    const spirv::Instruction* variable = variableOf(pointer);
    const auto storage =
        variable == nullptr ? spv::StorageClass::Private : spv::StorageClass(m.word(*variable, 3));
    if (storage != spv::StorageClass::StorageBuffer && storage != spv::StorageClass::Uniform) continue;
    ++seen.accesses;
    seen.undecorated += nonUniform.contains(pointer) ? 0 : 1;
  }
  return seen;
}

}  // namespace

TEST_CASE("what replaces accesses of arrays of descriptors is NonUniform as they were") {
  size_t count = 0;
  for (const auto& [name, body] : kAccesses) {
    Options options;
    options.targetEnv = TargetEnv::Vulkan1_3;
    const Result module = compile(shaderOf(body), "non_uniform.comp", options);
    INFO(name << "\n" << module.messages);
    REQUIRE(module.ok);
    const bool uniformToo = std::string_view(name) == "uniform ones first";
    for (const char* profile : {"none", "khr", "radv"}) {
      INFO(profile);
      LowerOptions how;
      how.profile = profile;
      const LowerResult lowered = lower(module.words, how);
      INFO(renderText(lowered));
      if (lowered.kind == Lowering::Native) {
        // radv has flexible dimensions, so matrices of 32x32 are native there.
        CHECK((std::string_view(body).find("ensor") == std::string_view::npos &&
               std::string_view(profile) == "radv"));
        continue;
      }
      REQUIRE(lowered.kind == Lowering::Lowered);
      const Seen seen = accessesOf(lowered.words);
      INFO(tests::textOf(lowered.words));
      CHECK(tests::validate(lowered.words).empty());
      CHECK(seen.accesses >= 2);
      CHECK((seen.undecorated > 0) == uniformToo);
      CHECK(seen.undecorated < seen.accesses);
      ++count;
    }
  }
  CHECK(count == 25);
}

}  // namespace coopc
