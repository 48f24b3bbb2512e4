// GL_ARM_shader_core_builtins.
// RUN: coopc --target-env=vulkan1.1 %s
// CHECK-SPIRV
#version 450
#extension GL_ARM_shader_core_builtins : require
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { uvec4 a; uint b; };
void main() {
  a = uvec4(gl_CoreCountARM, gl_CoreIDARM, gl_CoreMaxIDARM, gl_WarpIDARM);
  b = gl_WarpMaxIDARM;
}
