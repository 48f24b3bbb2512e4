// GL_EXT_shader_quad_control.
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
#version 450
#extension GL_EXT_shader_quad_control : require
#extension GL_KHR_shader_subgroup_vote : require
layout(full_quads, quad_derivatives) in;
layout(location = 0) out vec4 color;
void main() {
  color = vec4(subgroupQuadAny(gl_FrontFacing) ? dFdx(gl_FragCoord.x) : 0.0);
}
