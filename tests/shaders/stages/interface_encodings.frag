// RUN: coopc --target-env=vulkan1.3 %s
// Floats without arithmetic cannot be inputs or outputs (GL_EXT_bfloat16 and others).
#version 450
#extension GL_EXT_bfloat16 : require
#extension GL_EXT_float_e4m3 : require
#extension GL_EXT_float_e5m2 : require
struct S { vec2 a; bfloat16_t b; };
layout(location = 0) in bfloat16_t a;
layout(location = 1) flat in bf16vec2 b[2];
layout(location = 3) flat in S c;
layout(location = 5) in Block { vec2 x; fe4m3vec2 y; } d;
layout(location = 0) out floate5m2_t e;
layout(location = 1) out vec4 f;
void main() { f = vec4(d.x, 0, 0); }
