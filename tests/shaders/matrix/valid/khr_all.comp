// Everything of GL_KHR_cooperative_matrix at once: types by literals, constant expressions and specialization constants, loads and
// stores from every storage, arithmetic, conversion, component access, functions, arrays, structs.
// RUN: coopc --target-env=vulkan1.1 %s
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
#version 450
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_buffer_reference : require
#pragma use_vulkan_memory_model

layout(local_size_x = 32) in;
layout(constant_id = 0) const int rows = 0;
layout(constant_id = 1) const int columns = 0;
const int kDepth = 4 * 4;

layout(buffer_reference, std430, buffer_reference_align = 16) buffer Ref { float16_t x[]; };
layout(set = 0, binding = 0) readonly buffer In { float16_t a[]; } src[2];
layout(set = 0, binding = 1) coherent buffer Out { uint pad[4]; uvec4 v[]; } dst;
layout(set = 0, binding = 2) buffer Rows { float grid[4][256]; } rows2d;
layout(push_constant) uniform Push { Ref ref; uint offset; uint stride; } push;
shared f16vec4 tile[64];

struct Pair {
  coopmat<float16_t, gl_ScopeSubgroup, 16, kDepth, gl_MatrixUseA> a;
  coopmat<float16_t, gl_ScopeSubgroup, kDepth, 16, gl_MatrixUseB> b;
};

coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> gTotal;

coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> product(Pair p, inout coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> c) {
  c = coopMatMulAdd(p.a, p.b, c);
  return c;
}

void main() {
  Pair p;
  coopMatLoad(p.a, src[1].a, push.offset, push.stride, gl_CooperativeMatrixLayoutRowMajor);
  coopMatLoad(p.b, tile, 0u, 4, gl_CooperativeMatrixLayoutColumnMajor);
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> c = coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>(0.0);
  c = product(p, c);
  for (int i = 0; i < c.length(); ++i) {
    c[i] = max(c[i], 0.0);
    c[i] *= 2.0;
  }
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> tiles[2];
  tiles[0] = c + c;
  tiles[1] = -c * 0.5;
  tiles[1] /= c;
  tiles[push.offset & 1] -= tiles[0];
  gTotal = 2.0 * tiles[0];
  gTotal = push.offset > 4u ? gTotal : c;
  coopMatStore(gTotal, rows2d.grid[2], 0, 16, gl_CooperativeMatrixLayoutRowMajor);
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator> narrow = coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>(gTotal);
  coopMatStore(narrow, dst.v, push.offset, 2, gl_CooperativeMatrixLayoutRowMajor);
  coopMatStore(narrow, push.ref.x, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
  coopmat<uint8_t, gl_ScopeSubgroup, rows, columns, gl_MatrixUseAccumulator> spec = coopmat<uint8_t, gl_ScopeSubgroup, rows, columns, gl_MatrixUseAccumulator>(1);
  coopmat<int, gl_ScopeSubgroup, rows, columns, gl_MatrixUseAccumulator> wide = coopmat<int, gl_ScopeSubgroup, rows, columns, gl_MatrixUseAccumulator>(spec);
  coopmat<uint, gl_ScopeSubgroup, rows, columns, gl_MatrixUseAccumulator> bits = coopmat<uint, gl_ScopeSubgroup, rows, columns, gl_MatrixUseAccumulator>(wide);
  coopMatStore(bits, dst.v, 64, columns / 4, gl_CooperativeMatrixLayoutColumnMajor);
}
