// Without GL_EXT_shader_64bit_indexing offsets have 32 bits and there is no length64(); strides have 32 bits with it too.
// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.3 -DWITH %s
#version 460
#extension GL_KHR_cooperative_matrix : require
#ifdef WITH
#extension GL_EXT_shader_64bit_indexing : require
#endif
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Data { float x[]; } data;

void main() {
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> m;
  coopMatLoad(m, data.x, 16ul, 16, gl_CooperativeMatrixLayoutRowMajor);
  coopMatLoad(m, data.x, 16, 16ul, gl_CooperativeMatrixLayoutRowMajor);
  int64_t n = data.x.length64();
}
