// GL_NV_compute_shader_derivatives, issue 4: without a derivative group, levels of detail are computed from derivatives
// of zero, which gives the base level. A bias is added to it, and a smallest level limits the sum.
// RUN: coopc --target-env=vulkan1.2 -S %s -o -
// RUN: coopc --target-env=vulkan1.2 -DKHR %s
// RUN: coopc --target-env=vulkan1.2 -DGROUP -S %s -o -
#version 450
#ifdef KHR
#extension GL_KHR_compute_shader_derivatives : require
#else
#extension GL_NV_compute_shader_derivatives : require
#endif
#extension GL_ARB_sparse_texture2 : require
#extension GL_ARB_sparse_texture_clamp : require
layout(local_size_x = 4) in;
#ifdef GROUP
layout(derivative_group_linearNV) in;
#endif
layout(binding = 0) uniform sampler2D tex;
layout(binding = 1) uniform sampler2DShadow shadow;
layout(binding = 2) uniform sampler1D line;
layout(binding = 3) buffer B { vec4 v; float bias, least; };
void main() {
  vec4 texel;
  v = texture(tex, v.xy, bias) + textureProj(tex, v.xyz, bias) + textureOffset(tex, v.xy, ivec2(1), bias);
  v += texture(line, v.x, bias);
  v.x += texture(shadow, v.xyz, bias);
  sparseTextureARB(tex, v.xy, texel, bias);
  v += textureClampARB(tex, v.xy, least) + textureOffsetClampARB(tex, v.xy, ivec2(1), least, bias);
  sparseTextureClampARB(tex, v.xy, least, texel, bias);
  v += texel;
}
