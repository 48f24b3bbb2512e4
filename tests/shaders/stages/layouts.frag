// Layout qualifiers of fragment shaders: execution modes.
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
#version 450
#extension GL_ARB_post_depth_coverage : require
#extension GL_ARB_shader_stencil_export : require
layout(early_fragment_tests) in;
layout(post_depth_coverage) in;
layout(origin_upper_left) in vec4 gl_FragCoord;
layout(depth_less) out float gl_FragDepth;
void main() {
  gl_FragDepth = gl_FragCoord.z;
  gl_FragStencilRefARB = 3;
}
