#version 450
#extension GL_AMD_shader_explicit_vertex_parameter : require
layout(location = 0) __explicitInterpAMD in vec4 color;
layout(location = 1) in vec4 smoothly;
layout(location = 2) __explicitInterpAMD flat in vec4 both;
layout(location = 0) __explicitInterpAMD out vec4 value;
vec4 local;
void main() {
  value = interpolateAtVertexAMD(smoothly, 0u);
  value = interpolateAtVertexAMD(local, 0u);
  value = interpolateAtVertexAMD(color, 3u);
  value = interpolateAtVertexAMD(color, uint(value.x));
}
