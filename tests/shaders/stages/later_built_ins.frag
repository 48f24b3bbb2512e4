#version 330
// Names of later versions of the language.
layout(location = 0) out vec4 color;
void main() {
  color = vec4(gl_HelperInvocation, gl_SampleID, gl_Layer, gl_ViewportIndex);
  color.x = float(gl_SampleMaskIn[0]) + gl_CullDistance[0] + gl_SamplePosition.x;
}
