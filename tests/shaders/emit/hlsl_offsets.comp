// -fhlsl-offsets: which members it moves, and how (docs/glslc.md).
// RUN: coopc --target-env=vulkan1.1 -fhlsl-offsets -S %s -o -
#version 460
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 1) in;

struct Nested { float a; vec2 b; vec3 c; float d[2]; mat2x3 m; vec4 e; };

// A block without a packing qualifier: its own members move, and those of structures.
layout(binding = 0) uniform Default {
  float a;
  vec3 b;   // 4
  vec2 c;   // 16
  vec3 d;   // 32: it would cross 32
  float e[2];
  float f;  // 68: in the last 16 bytes of the array
  mat2x3 g;
  vec4 h;
  layout(row_major) mat3x2 i;
  vec4 j;
  layout(offset = 256) float k;
  vec3 l;
  double m[2];  // no padding
  float n;
  dvec3 o;
  dmat2 p;
  float q;
  Nested r;
  float s;
} d;
// Blocks with a packing qualifier: only members of structures move.
layout(binding = 1, std140) uniform Stated { float a; vec3 b; Nested c; } s;
layout(binding = 2, std430) buffer Buffer { float a; vec3 b; Nested c; } b;
layout(binding = 3, scalar) buffer Scalar { float a; vec3 b; Nested c; } c;
layout(push_constant) uniform Push { float a; vec3 b; } p;

void main() { b.a = d.a + s.a + c.a + p.a; }
