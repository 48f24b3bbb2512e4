// Matrices whose memory is in descriptor heaps (GL_EXT_structured_descriptor_heap): buffers that
// OpBufferPointerEXT gives instead of variables.
#include <string>
#include <string_view>

#include <catch2/catch_test_macros.hpp>

#include "coopc/coopc.hpp"
#include "coopc/lower.hpp"
#include "tests/spirv/spirv_text.hpp"

namespace coopc {
namespace {

std::string shaderOf(std::string_view body) {
  return std::string(R"(#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_structured_descriptor_heap : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(local_size_x = 32) in;
layout(constant_id = 0) const uint kStart = 256;
layout(buffer_type) readonly buffer Halves { float16_t values[]; };
layout(buffer_type) buffer Floats { float values[]; };
struct Operands { Halves a, b; uint stride; };
layout(heap_offset = kStart) resourceheap Heap {
  uint count;
  coherent Floats result;
  Operands operands[];
} heap;
void main() {
  uint n = heap.count - 1;
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> a;
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB> b;
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> c =
      coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>(0.0);
)") + std::string(body) +
         "  c = coopMatMulAdd(a, b, c);\n  heap.result.values[1024] += 1.0;\n"
         "  coopMatStore(c, heap.result.values, 0, 16, gl_CooperativeMatrixLayoutRowMajor);\n}\n";
}

constexpr const char* kMatrices =
    "  coopMatLoad(a, heap.operands[n].a.values, 0, heap.operands[n].stride, "
    "gl_CooperativeMatrixLayoutRowMajor);\n"
    "  coopMatLoad(b, heap.operands[0].b.values, 16, 16, gl_CooperativeMatrixLayoutColumnMajor);\n";
constexpr const char* kTensors =
    "  tensorLayoutNV<2> t = createTensorLayoutNV(2);\n"
    "  t = setTensorLayoutDimensionNV(t, 64, 64);\n"
    "  coopMatLoadTensorNV(a, heap.operands[n].a.values, 0, sliceTensorLayoutNV(t, 0, 16, 0, 16));\n"
    "  coopMatLoadTensorNV(b, heap.operands[0].b.values, 0, sliceTensorLayoutNV(t, 16, 16, 0, 16));\n";

Result compiled(const char* loads) {
  Options options;
  options.targetEnv = TargetEnv::Vulkan1_3;
  Result module = compile(shaderOf(loads), "heap.comp", options);
  INFO(module.messages);
  REQUIRE(module.ok);
  CHECK(tests::validate(module.words) == "");
  return module;
}

LowerResult loweredFor(std::string_view profile, std::string_view without, const Result& module) {
  LowerOptions how;
  how.profile = profile;
  how.without = without;
  return lower(module.words, how);
}

size_t countOf(const std::string& text, std::string_view word) {
  size_t count = 0;
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
  return count;
}

}  // namespace

TEST_CASE("matrices in descriptor heaps become plain code that is valid") {
  const Result module = compiled(kMatrices);
  CHECK(loweredFor("khr", "", module).kind == Lowering::Native);
  CHECK(loweredFor("maintenance1", "", module).kind == Lowering::Native);
  for (const char* profile : {"none", "rdna2", "rdna3"}) {
    for (const bool memoryModel : {true, false}) {
      INFO(profile << (memoryModel ? "" : ", without the Vulkan memory model"));
      const LowerResult lowered =
          loweredFor(profile, memoryModel ? "khr" : "khr,vulkan-memory-model", module);
      INFO(renderText(lowered));
      REQUIRE(lowered.kind == Lowering::Lowered);
      const std::string text = tests::textOf(lowered.words);
      INFO(text);
      CHECK(tests::validate(lowered.words) == "");
      CHECK(countOf(text, "OpBufferPointerEXT") >= 3);
      CHECK(countOf(text, "OffsetIdEXT") == 6);
      CHECK(countOf(text, "CooperativeMatrix") == 0);
      // `coherent` in the other memory model: the pointers to the buffer are decorated.
      CHECK(countOf(text, " Coherent") == (memoryModel ? 0 : 2));
    }
  }
}

// A function of tensor addressing takes indices, and reaches the memory from a variable of the module.
TEST_CASE("tensors in descriptor heaps are declined with a reason") {
  const Result module = compiled(kTensors);
  for (const char* profile : {"none", "khr", "rdna3"}) {
    const LowerResult lowered = loweredFor(profile, "", module);
    INFO(profile << "\n" << renderText(lowered));
    CHECK(lowered.kind == Lowering::Declined);
    CHECK(renderText(lowered).find("a tensor's pointer is not a chain of indices from a variable") !=
          std::string::npos);
  }
}

}  // namespace coopc
