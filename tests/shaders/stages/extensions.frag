// Built-in variables of extensions.
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
#version 460
#extension GL_EXT_multiview : require
#extension GL_EXT_fragment_shader_barycentric : require
#extension GL_EXT_fragment_shading_rate : require
#extension GL_EXT_fragment_invocation_density : require
layout(location = 0) pervertexEXT in vec3 corners[3];
layout(location = 0) out vec4 color;
void main() {
  vec3 p = corners[0] * gl_BaryCoordEXT.x + corners[1] * gl_BaryCoordEXT.y + corners[2] * gl_BaryCoordNoPerspEXT.z;
  color = vec4(p, float(gl_ViewIndex + gl_ShadingRateEXT + gl_FragSizeEXT.x + gl_FragInvocationCountEXT));
}
