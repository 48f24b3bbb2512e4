// RUN: coopc --target-env=vulkan1.2 %s
// CHECK-SPIRV
#version 450
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_EXT_samplerless_texture_functions : require
#extension GL_EXT_shader_image_load_formatted : require
#extension GL_KHR_memory_scope_semantics : require
#pragma use_vulkan_memory_model
layout(local_size_x = 1) in;
layout(set = 0, binding = 0, rgba16f) uniform devicecoherent image2DArray a;
layout(set = 0, binding = 1) uniform readonly image1D unformatted;
layout(set = 0, binding = 2) uniform writeonly restrict iimageBuffer texels[];
layout(set = 0, binding = 3, r32ui) uniform volatile uimage3D v;
layout(set = 0, binding = 4, rg8_snorm) uniform nonprivate image2DMS ms;
layout(set = 0, binding = 5) uniform samplerCubeArray cubes[];
layout(set = 0, binding = 6) uniform utextureBuffer tb[4];
layout(set = 0, binding = 7) uniform samplerShadow shadow;
layout(set = 0, binding = 8) uniform texture2D depth;
layout(set = 0, binding = 9) buffer B { vec4 r; int k; };
void main() {
  r = imageLoad(a, ivec3(1)) + imageLoad(unformatted, 2) + vec4(imageLoad(v, ivec3(0)));
  imageStore(a, ivec3(0), r);
  imageStore(texels[nonuniformEXT(k)], 3, ivec4(r));
  r += imageLoad(ms, ivec2(0), 1) + textureLod(cubes[nonuniformEXT(k)], r, 0.0);
  r += vec4(texelFetch(tb[k], 1)) + textureLod(sampler2DShadow(depth, shadow), r.xyz, 0.0);
  imageAtomicAdd(v, ivec3(1), 2u);
}
