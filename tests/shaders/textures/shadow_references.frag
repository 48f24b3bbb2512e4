// CHECK-SPIRV
// The position of a comparison's reference in the coordinates of each kind of texture.
#version 460
layout(set = 0, binding = 0) uniform sampler1DShadow s1;
layout(set = 0, binding = 1) uniform sampler2DShadow s2;
layout(set = 0, binding = 2) uniform samplerCubeShadow sc;
layout(set = 0, binding = 3) uniform sampler1DArrayShadow s1a;
layout(set = 0, binding = 4) uniform sampler2DArrayShadow s2a;
layout(set = 0, binding = 5) uniform samplerCubeArrayShadow sca;
layout(set = 0, binding = 7) uniform texture2D t;
layout(set = 0, binding = 8) uniform samplerShadow s;
layout(location = 0) in vec4 p;
layout(location = 0) out vec4 color;
void main() {
  color.x = texture(s1, p.xyz) + texture(s2, p.xyz) + texture(sc, p) + texture(s1a, p.xyz) + texture(s2a, p) + texture(sca, p, p.x);
  color.y = textureProj(s1, p) + textureProj(s2, p);
  color.z = textureLod(s1, p.xyz, 1) + textureOffset(s1, p.xyz, 1) + textureGrad(s1, p.xyz, 1, 1) + textureProjLod(s1, p, 1);
  color.w = texture(sampler2DShadow(t, s), p.xyz) + textureGather(s2, p.xy, p.z).x + textureGather(sca, p, p.z).x;
}
