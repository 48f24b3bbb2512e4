#version 460
// Two products of operands of different types, whose pieces take different amounts of workgroup memory.
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require

layout(local_size_x = 512) in;

layout(set = 0, binding = 0, std430) readonly buffer BufferA { float a[]; };
layout(set = 0, binding = 1, std430) readonly buffer BufferB { float b[]; };
layout(set = 0, binding = 2, std430) readonly buffer HalvesA { float16_t halvesA[]; };
layout(set = 0, binding = 3, std430) readonly buffer HalvesB { float16_t halvesB[]; };
layout(set = 0, binding = 4, std430) buffer BufferD { float d[]; };

#define TENSOR tensorLayoutNV<2, gl_CooperativeMatrixClampModeConstantNV>
#define PRODUCT(type, size, depth, left, right, start)                                                   \
  {                                                                                                      \
    coopmat<type, gl_ScopeWorkgroup, size, depth, gl_MatrixUseA> l;                                      \
    coopmat<type, gl_ScopeWorkgroup, depth, size, gl_MatrixUseB> r;                                      \
    coopmat<float, gl_ScopeWorkgroup, size, size, gl_MatrixUseAccumulator> sum =                         \
        coopmat<float, gl_ScopeWorkgroup, size, size, gl_MatrixUseAccumulator>(0);                       \
    TENSOR from = createTensorLayoutNV(2, gl_CooperativeMatrixClampModeConstantNV);                      \
    TENSOR to = createTensorLayoutNV(2, gl_CooperativeMatrixClampModeConstantNV);                        \
    from = setTensorLayoutDimensionNV(from, size, depth);                                                \
    to = setTensorLayoutDimensionNV(to, size, size);                                                     \
    coopMatLoadTensorNV(l, left, 0, from);                                                               \
    coopMatLoadTensorNV(r, right, 0, from, transposed);                                                  \
    sum = coopMatMulAdd(l, r, sum);                                                                      \
    coopMatStoreTensorNV(sum, d, start, to);                                                             \
  }

void main() {
  const tensorViewNV<2, false, 1, 0> transposed = createTensorViewNV(2, false, 1, 0);
  PRODUCT(float, 64, 16, a, b, 0)
  PRODUCT(float16_t, 128, 64, halvesA, halvesB, 64 * 64)
}
