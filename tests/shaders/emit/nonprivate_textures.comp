// `nonprivate` samplers (GL_KHR_memory_scope_semantics): every access of texels obeys the ordering of barriers.
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
#version 460
#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : require
nonprivate layout(set = 0, binding = 0) uniform sampler2D both[2];
nonprivate layout(set = 0, binding = 1) uniform texture2D alone;
layout(set = 0, binding = 2) uniform sampler how;
layout(set = 0, binding = 3) uniform sampler2D plain;
layout(set = 0, binding = 4) buffer Data { vec4 x[]; } data;

void main() {
  data.x[0] = texture(both[1], vec2(0.5));
  data.x[1] = texelFetch(both[0], ivec2(0), 0);
  data.x[2] = textureGather(both[0], vec2(0.5));
  data.x[3] = textureGrad(sampler2D(alone, how), vec2(0.5), vec2(1.0), vec2(1.0));
  data.x[4] = texture(plain, vec2(0.5));
}
