// Sparse look-ups with a bias, which comes after the texel (GL_ARB_sparse_texture2), where levels of detail are implicit.
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
#version 460
#extension GL_ARB_sparse_texture2 : require
#extension GL_KHR_compute_shader_derivatives : require
layout(local_size_x = 2, local_size_y = 2) in;
layout(derivative_group_quadsNV) in;
layout(set = 0, binding = 0) uniform sampler2D image;
layout(set = 0, binding = 1) uniform sampler2DShadow shadow;
layout(set = 0, binding = 2) buffer Data { vec4 x[]; } data;

void main() {
  vec2 at = vec2(gl_LocalInvocationID.xy);
  vec4 texel;
  float depth;
  int code = sparseTextureARB(image, at, texel, 0.5);
  data.x[0] = texel + vec4(code);
  code = sparseTextureOffsetARB(image, at, ivec2(1), texel, 0.25);
  data.x[1] = texel + vec4(code);
  code = sparseTextureARB(shadow, vec3(at, 0.5), depth, 0.125);
  data.x[2] = vec4(depth + float(code));
  code = sparseTextureARB(image, at, texel);
  data.x[3] = texel + vec4(code);
}
