// CHECK-SPIRV
// The divisor of a projective texture function directly follows the coordinates.
#version 460
layout(binding = 0) uniform sampler1D t1;
layout(binding = 1) uniform sampler2D t2;
layout(binding = 2) uniform sampler3D t3;
layout(binding = 3) uniform sampler1DShadow s1;
layout(binding = 4) uniform sampler2DShadow s2;
layout(binding = 5) uniform sampler2DArrayShadow a2;
layout(binding = 6) uniform samplerCubeArrayShadow ca;
layout(location = 0) in vec4 p;
layout(location = 0) out vec4 o;
void main() {
  o = textureProj(t1, p.xy) + textureProj(t1, p) + textureProj(t2, p.xyz) + textureProj(t2, p) + textureProj(t3, p);
  o.x += textureProj(s1, p) + textureProj(s2, p) + texture(s1, p.xyz) + texture(s2, p.xyz) + texture(a2, p) + texture(ca, p, 0.5);
  o += textureProjLod(t2, p, 1.0) + textureProjGrad(t2, p, p.xy, p.zw) + textureProjOffset(t1, p, 1);
}
