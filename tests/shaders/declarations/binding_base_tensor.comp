// RUN: coopc --target-env=vulkan1.3 -fubo-binding-base 20 -fssbo-binding-base 30 -ftexture-binding-base 40 -fsampler-binding-base 50 -fimage-binding-base 60 %s
// CHECK-SPIRV
// Tensors have the base of textures, acceleration structures have their own.
#version 460
#extension GL_ARM_tensors : require
#extension GL_EXT_ray_query : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 1) uniform tensorARM<float, 2> t;
layout(set = 0, binding = 2) uniform accelerationStructureEXT a;
layout(set = 0, binding = 3) uniform samplerShadow s;
layout(set = 0, binding = 4) uniform textureBuffer b;
layout(set = 0, binding = 5) uniform sampler2DShadow c;
layout(set = 1, binding = 6) buffer B { uint n; float f; };
void main() {
  n = tensorSizeARM(t, 0);
  rayQueryEXT q;
  rayQueryInitializeEXT(q, a, 0, 0, vec3(0), 0, vec3(1), 1);
  f = texelFetch(b, 0).x + texture(c, vec3(0));
}
