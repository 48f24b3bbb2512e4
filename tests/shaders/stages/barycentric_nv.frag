// GL_NV_fragment_shader_barycentric declares NVIDIA's extension of SPIR-V: some devices have only that one.
// RUN: coopc --target-env=vulkan1.1 %s
// CHECK-SPIRV
#version 450
#extension GL_NV_fragment_shader_barycentric : require
layout(location = 0) pervertexNV in vec2 at[];
layout(location = 1) pervertexNV in Block { float x; int k; } v[];
layout(location = 0) out vec4 value;
void main() {
  value = vec4(gl_BaryCoordNV, 0) + gl_BaryCoordNoPerspNV.xyzz * v[1].x + at[2].xyxy * float(v[0].k);
}
