// CHECK-SPIRV
// Size queries of combined textures use their image: shadows, arrays, samples.
#version 460
layout(set = 0, binding = 0) uniform sampler1DShadow s1;
layout(set = 0, binding = 1) uniform sampler2DShadow s2;
layout(set = 0, binding = 2) uniform samplerCubeShadow sc;
layout(set = 0, binding = 3) uniform sampler1DArrayShadow s1a;
layout(set = 0, binding = 4) uniform sampler2DArrayShadow s2a;
layout(set = 0, binding = 5) uniform samplerCubeArrayShadow sca;
layout(set = 0, binding = 6) uniform sampler2DMS ms;
layout(set = 0, binding = 7) uniform isampler3D t3;
layout(set = 0, binding = 8) uniform usamplerBuffer tb;
layout(location = 0) out vec4 color;
void main() {
  int n = textureSize(s1, 0) + textureSize(s2, 0).x + textureSize(sc, 0).y + textureSize(s1a, 0).x + textureSize(s2a, 0).z + textureSize(sca, 0).z;
  n += textureQueryLevels(s1) + textureQueryLevels(sc) + textureQueryLevels(s2a) + textureSamples(ms);
  n += textureSize(ms).x + textureSize(t3, 1).z + textureSize(tb);
  color = vec4(n);
}
