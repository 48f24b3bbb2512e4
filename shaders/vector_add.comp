// c = a + b, one element per invocation. Plain Vulkan 1.1: runs on every device.
#version 450

layout(local_size_x = 64) in;

layout(set = 0, binding = 0, std430) readonly buffer InputA { float a[]; };
layout(set = 0, binding = 1, std430) readonly buffer InputB { float b[]; };
layout(set = 0, binding = 2, std430) writeonly buffer Output { float c[]; };

layout(push_constant) uniform Parameters { uint count; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  // The last workgroup may have more invocations than there are elements left.
  if (i < count) c[i] = a[i] + b[i];
}
