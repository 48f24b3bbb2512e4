// Features that ESSL 3.10 has with extensions.
// RUN: coopc --target-env=vulkan1.3 -std=310es %s
// CHECK-SPIRV
#extension GL_OES_sample_variables : require
#extension GL_OES_shader_multisample_interpolation : require
#extension GL_OES_shader_io_blocks : require
#extension GL_OES_geometry_shader : require
precision highp float;
layout(location = 0) sample in vec4 position;
layout(location = 1) in Block {
  vec4 color;
};
layout(location = 0) out vec4 result;
void main() {
  gl_SampleMask[0] = gl_SampleMaskIn[0];
  result = interpolateAtOffset(color, vec2(0)) + interpolateAtCentroid(position) + interpolateAtSample(position, 0);
  result.xy += gl_SamplePosition + float(gl_SampleID + gl_MaxSamples + gl_PrimitiveID + gl_Layer);
}
