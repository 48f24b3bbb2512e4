// CHECK-SPIRV
#version 450
#extension GL_KHR_compute_shader_derivatives : require
layout(local_size_x = 2, local_size_y = 4) in;
layout(derivative_group_quadsKHR) in;
layout(binding = 0) buffer B { vec4 a; float f; };
layout(binding = 1) uniform sampler2D s;
layout(binding = 2) uniform sampler2DShadow shadow;
layout(binding = 3) uniform sampler2DArray layers;
void main() {
  a = dFdx(a) + dFdy(a) + fwidth(a) + dFdxFine(a) + dFdyFine(a) + fwidthFine(a);
  f = dFdxCoarse(f) + dFdyCoarse(f) + fwidthCoarse(f);
  a += texture(s, a.xy) + texture(s, a.xy, 1.0) + textureProj(s, a.xyz, f) + textureOffset(s, a.xy, ivec2(1), f);
  f += texture(shadow, a.xyz) + texture(shadow, a.xyz, f) + textureLod(shadow, a.xyz, 0);
  a += texture(layers, a.xyz, f) + textureGather(s, a.xy) + texelFetch(s, ivec2(a.xy), 0);
  a.xy += textureQueryLod(s, a.xy) + textureQueryLod(layers, a.xy);
}
