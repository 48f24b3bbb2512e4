// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.3 -DMODEL %s
// CHECK-SPIRV
// A barrier of a patch orders its outputs.
#version 460
#extension GL_KHR_memory_scope_semantics : require
#ifdef MODEL
#pragma use_vulkan_memory_model
#endif
layout(vertices = 4) out;
layout(location = 0) out vec4 values[];
layout(location = 1) patch out vec4 sum;
void main() {
  values[gl_InvocationID] = gl_in[gl_InvocationID].gl_Position;
  barrier();
  if (gl_InvocationID == 0) sum = values[1] + values[2];
}
