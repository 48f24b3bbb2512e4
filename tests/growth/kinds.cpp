// Helpers that make the texts of all kinds.
#include "tests/growth/kinds.hpp"

namespace coopc::tests::growth {

std::string numbered(const char* text, uint32_t number) {
  std::string out;
  for (; *text != '\0'; ++text) {
    if (*text == '#' && !(text[1] >= 'a' && text[1] <= 'z'))  // not a directive
      out += std::to_string(number);
    else if (*text == '@')
      out += std::to_string(number == 0 ? 0 : number - 1);
    else
      out += *text;
  }
  return out;
}

std::string repeated(const char* text, uint32_t n) {
  std::string out;
  for (uint32_t k = 0; k < n; ++k) out += numbered(text, k);
  return out;
}

std::string shader(const std::string& declarations, const std::string& statements) {
  return R"(#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_debug_printf : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0, std430) buffer Data { float x[]; } data;
layout(set = 0, binding = 1, std430) buffer Halves { float16_t x[]; } halves;
float k = 1;
)" + declarations +
         R"(
void main() {
)" + statements +
         R"(
  data.x[gl_LocalInvocationIndex] = k;
  tensorLayoutNV<2> wholeLayout = createTensorLayoutNV(2);
  wholeLayout = setTensorLayoutDimensionNV(wholeLayout, 16, 16);
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> whole;
  coopMatLoadTensorNV(whole, halves.x, 0, wholeLayout);
  coopMatStoreTensorNV(whole, halves.x, 0, wholeLayout);
}
)";
}

}  // namespace coopc::tests::growth
