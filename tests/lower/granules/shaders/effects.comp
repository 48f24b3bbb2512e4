#version 460
// A function that is called only for its effect. Macro REDUCTION selects it.
#include "matrices.glsl"
#extension GL_EXT_shader_atomic_float : require
#extension GL_EXT_debug_printf : require

layout(set = 0, binding = 4, std430) buffer BufferE { float e[]; };
layout(set = 0, binding = 5, std430) buffer BufferF { uint f[]; };

float effect(const in uint row, const in uint column, const in float x) {
#if REDUCTION == 0
  atomicAdd(e[0], x);
#elif REDUCTION == 1
  debugPrintfEXT("%f", x);
#elif REDUCTION == 2
  atomicAdd(f[0], uint(x));
#else
  f[uint(x)] = 1;
#endif
  return x;
}

void main() {
  SUM(ROWS, COLUMNS) sum, unused;
  coopMatLoad(sum, c, PART * ROWS * COLUMNS, COLUMNS, kByRows);
  coopMatPerElementNV(unused, sum, effect);
  coopMatStore(sum, d, PART * ROWS * COLUMNS, COLUMNS, kByRows);
}
