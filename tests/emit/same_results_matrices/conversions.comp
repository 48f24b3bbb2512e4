// Constructors: scalars, component types, signedness, widths and uses.
#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) readonly buffer In { float f[256]; int i[256]; uint u[256]; } in_;
layout(set = 0, binding = 1) buffer Floats { float x[4096]; } floats;
layout(set = 0, binding = 1) buffer Ints { int x[4096]; } ints;
#define ACC(T) coopmat<T, gl_ScopeSubgroup, 8, 8, gl_MatrixUseAccumulator>
#define LEFT(T) coopmat<T, gl_ScopeSubgroup, 8, 8, gl_MatrixUseA>
#define RIGHT(T) coopmat<T, gl_ScopeSubgroup, 8, 8, gl_MatrixUseB>
const int kRow = gl_CooperativeMatrixLayoutRowMajor, kColumn = gl_CooperativeMatrixLayoutColumnMajor;
uint base = gl_WorkGroupID.x * 2048;
void main() {
  ACC(float) f;
  coopMatLoad(f, in_.f, 16, 8, kRow);
  ACC(int) s;
  coopMatLoad(s, in_.i, 0, 8, kRow);
  ACC(uint) u;
  coopMatLoad(u, in_.u, 0, 8, kColumn);
  ACC(float16_t) h = ACC(float16_t)(f);
  ACC(int8_t) s8 = ACC(int8_t)(s);
  ACC(uint8_t) u8 = ACC(uint8_t)(u);
  coopMatStore(ACC(float)(h), floats.x, base, 8, kRow);
  coopMatStore(ACC(float)(s), floats.x, base + 64, 8, kRow);
  coopMatStore(ACC(float)(u), floats.x, base + 128, 8, kRow);
  coopMatStore(ACC(float)(s8), floats.x, base + 192, 8, kRow);
  coopMatStore(ACC(float)(u8), floats.x, base + 256, 8, kRow);
  coopMatStore(ACC(int)(f), ints.x, base + 320, 8, kRow);
  coopMatStore(ACC(uint)(s), ints.x, base + 384, 8, kRow);
  coopMatStore(ACC(int)(u8), ints.x, base + 448, 8, kRow);
  coopMatStore(ACC(uint)(s8), ints.x, base + 512, 8, kRow);
  coopMatStore(ACC(int)(ACC(uint8_t)(s8)), ints.x, base + 576, 8, kRow);
  coopMatStore(ACC(int)(ACC(int8_t)(u)), ints.x, base + 640, 8, kRow);
  coopMatStore(ACC(int)(ACC(int8_t)(f)), ints.x, base + 704, 8, kRow);
  const LEFT(float16_t) a = LEFT(float16_t)(f);
  const RIGHT(float16_t) b = RIGHT(float16_t)(h);
  coopMatStore(coopMatMulAdd(a, b, f), floats.x, base + 768, 8, kRow);
  coopMatStore(coopMatMulAdd(LEFT(int8_t)(s), RIGHT(int8_t)(s8), s), ints.x, base + 832, 8, kRow);
  coopMatStore(coopMatMulAdd(LEFT(uint8_t)(u), RIGHT(uint8_t)(s), u), ints.x, base + 896, 8, kRow);
  coopMatStore(ACC(float)(in_.i[3]) + ACC(float)(in_.u[4]) + ACC(float)(3), floats.x, base + 960, 8, kRow);
  coopMatStore(ACC(int)(in_.f[7]) + ACC(int)(2.5), ints.x, base + 1024, 8, kRow);
}
