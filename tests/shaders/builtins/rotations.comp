// CHECK-SPIRV
#version 460
#extension GL_KHR_shader_subgroup_rotate : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { vec2 a; uint n; };
void main() {
  a = subgroupRotate(a, n);
  a += subgroupClusteredRotate(a, n, 4);
}
