// Tensor layouts and views as parameters, results and in loops; slices, clamping, blocks of memory, a decode function.
#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) readonly buffer In { float f[256]; int i[256]; uint u[256]; } in_;
layout(set = 0, binding = 1) buffer Floats { float x[4096]; } floats;
layout(set = 0, binding = 1) buffer Ints { int x[4096]; } ints;
#define ACC(T) coopmat<T, gl_ScopeSubgroup, 16, 16, gl_MatrixUseAccumulator>
#define LEFT(T, K) coopmat<T, gl_ScopeSubgroup, 16, K, gl_MatrixUseA>
#define RIGHT(T, K) coopmat<T, gl_ScopeSubgroup, K, 16, gl_MatrixUseB>
const int kRow = gl_CooperativeMatrixLayoutRowMajor, kColumn = gl_CooperativeMatrixLayoutColumnMajor;
uint base = gl_WorkGroupID.x * 2048;
#extension GL_EXT_buffer_reference : require
struct Tile { uint row, column; };
tensorLayoutNV<2, gl_CooperativeMatrixClampModeConstantNV> sliced(tensorLayoutNV<2, gl_CooperativeMatrixClampModeConstantNV> t,
                                                                  Tile at, uint side) {
  return sliceTensorLayoutNV(t, at.row, side, at.column, side);
}
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Block { uint8_t bits[4]; };
float16_t decode(const in Block block, const in uint at[2], const in uint in_block[2]) {
  return float16_t(int(block.bits[in_block[1]] & 7u) - 3);
}
layout(set = 0, binding = 0) readonly buffer Codes { uint8_t x[3072]; } codes;
layout(set = 0, binding = 1) buffer Halves { float16_t x[8192]; } halves;

void main() {
  tensorLayoutNV<2, gl_CooperativeMatrixClampModeConstantNV> t =
      createTensorLayoutNV(2, gl_CooperativeMatrixClampModeConstantNV);
  t = setTensorLayoutDimensionNV(t, 14, 18);
  t = setTensorLayoutClampValueNV(t, 0x40400000u);
  ACC(float) sum = ACC(float)(0.0), m;
  for (uint k = 0; k < 3; ++k) {
    coopMatLoadTensorNV(m, in_.f, 0, sliced(t, Tile(k * 4u, k), 16u));
    sum += m;
  }
  coopMatStore(sum, floats.x, base, 16, kRow);
  tensorViewNV<2, true, 1, 0> turned = createTensorViewNV(2, true, 1, 0);
  coopMatLoadTensorNV(m, in_.f, 0, sliceTensorLayoutNV(t, 2, 16, 0, 16), turned);
  coopMatStore(m, floats.x, base + 256, 16, kRow);
  tensorLayoutNV<3> o = createTensorLayoutNV(3);
  o = setTensorLayoutDimensionNV(o, 2, 20, 12);
  for (uint k = 0; k < 2; ++k)
    coopMatStoreTensorNV(sum * float(k + 1u), floats.x, base + 512, sliceTensorLayoutNV(o, k, 1, 3, 16, 0, 16));
  ACC(float) n;
  coopMatLoad(n, floats.x, base + 512, 12, kRow);
  coopMatStore(n, floats.x, base + 1280, 16, kRow);
  tensorLayoutNV<2> c = createTensorLayoutNV(2);
  c = setTensorLayoutDimensionNV(c, 32, 64);
  c = setTensorLayoutBlockSizeNV(c, 1, 4);
  LEFT(float16_t, 16) h;
  coopMatLoadTensorNV(h, codes.x, 1024, sliceTensorLayoutNV(c, 3, 16, 8, 16), decode);
  coopMatStore(coopMatMulAdd(h, RIGHT(float16_t, 16)(1.0), ACC(float)(0.0)), floats.x, base + 1536, 16, kRow);
  coopMatStore(h, halves.x, 2 * base + 3584, 16, kRow);
}
