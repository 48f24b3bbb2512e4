// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.1 %s
// CHECK-SPIRV
#version 450
layout(local_size_x_id = 0, local_size_y = 4, local_size_z_id = 2) in;
layout(constant_id = 0) const uint kBlock = 32;
layout(constant_id = 3) const int kInt = -5;
layout(constant_id = 4) const bool kFlag = true;
layout(constant_id = 5) const float kFloat = 1.5;
const uint kTwice = kBlock * 2u + 1u;
const bool kBoth = kFlag && kInt < 3;
const int kPick = kFlag ? kInt : 7;
layout(set = 0, binding = 0) buffer B { uint data[]; };
shared uint cache[kTwice];

void main() {
  uint local[kBlock / 4u];
  local[0] = gl_WorkGroupSize.x + gl_WorkGroupSize.y;
  cache[gl_LocalInvocationIndex] = local[0] + uint(cache.length());
  ivec2 v = ivec2(kInt, kPick);
  data[gl_GlobalInvocationID.x] = cache[0] + uint(v.y) + uint(kBoth) + uint(kFloat * 2.0) + uint(float(kInt));
  if (kFlag) data[0] = kTwice;
}
