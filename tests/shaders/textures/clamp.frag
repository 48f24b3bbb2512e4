// Look-ups with a smallest level of detail.
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
#version 450
#extension GL_ARB_sparse_texture2 : require
#extension GL_ARB_sparse_texture_clamp : require
layout(binding = 0) uniform sampler2D s;
layout(binding = 1) uniform samplerCubeArrayShadow cubes;
layout(binding = 2) uniform isampler2DArray layers;
layout(location = 0) in vec4 p;
layout(location = 0) out vec4 color;
void main() {
  color = textureClampARB(s, p.xy, 1.0) + textureClampARB(s, p.xy, 1.0, 0.5);
  color += textureOffsetClampARB(s, p.xy, ivec2(1), 1.0) + textureGradClampARB(s, p.xy, p.yz, p.zw, 1.0);
  color += textureGradOffsetClampARB(s, p.xy, p.yz, p.zw, ivec2(2), 1.0);
  color.x += textureClampARB(cubes, p, 0.5, 1.0);
  vec4 texel;
  ivec4 whole;
  float lit;
  int code = sparseTextureClampARB(s, p.xy, 1.0, texel, 0.5) | sparseTextureClampARB(cubes, p, 0.5, 1.0, lit);
  code |= sparseTextureOffsetClampARB(layers, p.xyz, ivec2(3), 1.0, whole);
  code |= sparseTextureGradClampARB(layers, p.xyz, p.yz, p.zw, 1.0, whole);
  code |= sparseTextureGradOffsetClampARB(s, p.xy, p.yz, p.zw, ivec2(4), 1.0, texel);
  if (sparseTexelsResidentARB(code)) color += texel + lit + vec4(whole);
}
