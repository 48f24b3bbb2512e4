// RUN: coopc --target-env=vulkan1.3 -std=320es %s
// CHECK-SPIRV
// The precision of built-in functions follows their operands (8, introduction): mediump operations are relaxed, results that
// prototypes declare highp are not, texture look-ups follow the sampler, counts of bit fields do not matter.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Data { mediump vec2 m; highp vec2 h; highp uint u; mediump int i; } data;
layout(set = 0, binding = 1) uniform mediump sampler2D t;
void main() {
  mediump vec2 a = sin(data.m);
  highp vec2 b = min(data.m, data.h);
  mediump float c = dot(data.m, a);
  highp ivec2 d = floatBitsToInt(data.m);
  mediump vec4 e = texture(t, data.h);
  mediump int f = bitfieldExtract(data.i, int(data.u), 3);
  highp uint g = packUnorm2x16(data.m);
  data.h = a + b + c + vec2(d) + e.xy + float(f) + float(g);
}
