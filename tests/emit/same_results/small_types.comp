#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0, std430) readonly buffer In { float f[256]; int i[256]; uint u[256]; double d[256]; };
layout(set = 0, binding = 1, std430) buffer Out { int8_t b[256]; uint16_t h[256]; f16vec2 hv[256]; u8vec4 c[256]; i64vec2 l[128]; float16_t x[256]; };
shared uint8_t bytes[64];
shared f16vec4 halves[32];
float16_t half_(float16_t v) { return v * 0.5hf; }
void main() {
  uint g = gl_GlobalInvocationID.x, k = gl_LocalInvocationIndex;
  b[g] = int8_t(i[g]);
  h[g] = uint16_t(u[g]) + h[g];
  bytes[k] = uint8_t(u[g]);
  halves[k] = f16vec4(f[g], f[g + 1], f[g + 2], f[g + 3]);
  barrier();
  c[g] = u8vec4(bytes[31u - k], bytes[k], uint8_t(b[g]), 7);
  c[g].zw += u8vec2(1, 2);
  hv[g] = halves[31u - k].zx * half_(halves[k].w);
  hv[g].y -= 1.0hf;
  l[g] = i64vec2(int64_t(i[g]) << 35, -int64_t(u[g]));
  l[g].x /= 3L;
  x[g] = float16_t(b[g]) + max(halves[k].x, 0.0hf);
}
