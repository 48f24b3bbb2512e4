// GL_AMD_shader_explicit_vertex_parameter.
// RUN: coopc --target-env=vulkan1.1 %s
// CHECK-SPIRV
#version 450
#extension GL_AMD_shader_explicit_vertex_parameter : require
layout(location = 0) __explicitInterpAMD in vec4 color;
layout(location = 1) __explicitInterpAMD in ivec2 k;
layout(location = 2) in Block { __explicitInterpAMD float x; __explicitInterpAMD uint y[2]; } b;
layout(location = 0) out vec4 value;
void main() {
  vec2 c = gl_BaryCoordNoPerspAMD + gl_BaryCoordNoPerspCentroidAMD + gl_BaryCoordNoPerspSampleAMD;
  c += gl_BaryCoordSmoothAMD + gl_BaryCoordSmoothCentroidAMD + gl_BaryCoordSmoothSampleAMD;
  value = interpolateAtVertexAMD(color, 0u) * c.x + gl_BaryCoordPullModelAMD.xyzz;
  value.x += float(interpolateAtVertexAMD(k, 1u).y) + interpolateAtVertexAMD(b.x, 2u) + float(interpolateAtVertexAMD(b.y[1], 2u));
  value.yz += interpolateAtVertexAMD(color.yz, 1u);
}
