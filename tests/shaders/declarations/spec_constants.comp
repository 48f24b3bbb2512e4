// CHECK-SPIRV
#version 450
// Specialization constants of every scalar type, expressions of them, arrays sized by them, the work-group size.
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x_id = 20, local_size_y = 4) in;
layout(constant_id = 0) const bool flag = true;
layout(constant_id = 1) const int i = -3;
layout(constant_id = 2) const uint n = 8u;
layout(constant_id = 3) const float f = 0.5;
layout(constant_id = 4) const double d = 0.25LF;
layout(constant_id = 5) const int64_t l = -5l;
layout(constant_id = 6) const uint16_t h = 7us;
layout(constant_id = 7) const float16_t e = 1.5hf;
layout(constant_id = 8) const int8_t c = int8_t(3);
layout(constant_id = 31) gl_MaxComputeUniformComponents;
const uint total = n * 2u + (flag ? 1u : 0u);
const ivec3 vector = ivec3(i, 1, int(n));
shared float tile[total][n];
layout(binding = 0) buffer B { int x[]; } b;
void main() {
  tile[gl_LocalInvocationIndex][0] = f;
  float local[n];
  local[0] = float(d) + float(l) + float(h) + float(e) + float(c);
  b.x[0] = vector.x + int(total) + tile.length() + local.length() + gl_MaxComputeUniformComponents;
  b.x[1] = int(gl_WorkGroupSize.x * gl_WorkGroupSize.y) + int(tile[1][2] + local[0]);
}
