// ENV: vulkan1.3
// ENV: vulkan1.1
#version 450
layout(local_size_x_id = 10, local_size_y = 2) in;
layout(local_size_x = 16) in;
layout(constant_id = 0) const uint kCount = 6;
layout(constant_id = 1) const int kShift = 3;
layout(constant_id = 2) const bool kFlag = true;
layout(constant_id = 3) const float kScale = 2.5;
const ivec3 kVector = ivec3(kShift, 4, -kShift) * 2;
const uint kHalf = kCount / 2u;
layout(set = 0, binding = 0, std430) readonly buffer In { float f[256]; int i[256]; uint u[256]; double d[256]; };
layout(set = 0, binding = 1, std430) buffer Out { int r[2048]; } o;
shared float cache[kCount * 2u];
float total(float x[kHalf]) { float s = 0.0; for (uint k = 0; k < kHalf; ++k) s += x[k] * kScale; return s; }
void main() {
  uint g = gl_GlobalInvocationID.y * gl_NumWorkGroups.x * gl_WorkGroupSize.x + gl_GlobalInvocationID.x;
  uint base = g * 8u;
  float local[kHalf];
  for (uint k = 0; k < local.length(); ++k) local[k] = f[g + k];
  if (gl_LocalInvocationIndex < kCount * 2u) cache[gl_LocalInvocationIndex] = f[gl_LocalInvocationIndex];
  barrier();
  o.r[base] = int(total(local) * 4.0);
  o.r[base + 1] = kVector.x + kVector.z * 10 + kVector.y * 100;
  o.r[base + 2] = (i[g] << kShift) + (kFlag ? 1 : 2) + int(kFlag) * 5 + int(uint(kShift) ^ kCount);
  o.r[base + 3] = int(cache[g % (kCount * 2u)] * 8.0) + int(cache.length());
  if (kFlag && kShift > 2) o.r[base + 4] = int(gl_WorkGroupSize.x * 10u + gl_WorkGroupSize.y);
  float copy[kHalf];
  uint one = kCount - kHalf - 2u;
  copy[one - 1u] = local[one - 1u]; copy[one] = local[one];
  copy[one] += 1.0;
  o.r[base + 5] = int(copy[one - 1u] == local[one - 1u]) + int(copy[one] * 8.0);
  switch (kShift) { case 3: o.r[base + 6] = 33; break; default: o.r[base + 6] = 44; }
}
