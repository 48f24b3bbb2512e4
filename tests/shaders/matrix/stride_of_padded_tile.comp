// Rows of a tile in shared memory are padded by one word, so that their stride is not a multiple of 16 bytes: the
// reference compiler says nothing, and -Werror must not fail (decision 66).
// RUN: coopc --target-env=vulkan1.1 -Werror %s
// RUN: coopc --target-env=vulkan1.1 -fstrict %s
#version 450
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require

layout(local_size_x = 32) in;
const uint kWords = 4u + 1u;
shared uint tile[16 * kWords];
layout(binding = 0) buffer Words { uint words[]; };

void main() {
  for (uint i = gl_LocalInvocationIndex; i < 16 * kWords; i += 32) tile[i] = words[i];
  barrier();
  coopmat<int8_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseB> b;
  coopMatLoad(b, tile, 0, kWords, gl_CooperativeMatrixLayoutColumnMajor);
  coopMatStore(b, words, 0, 4, gl_CooperativeMatrixLayoutColumnMajor);
}
