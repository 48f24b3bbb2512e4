// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.3 -DUNIFORM %s
// CHECK-SPIRV
// Capabilities of indices into arrays of each kind of descriptor.
#version 460
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_EXT_samplerless_texture_functions : require
layout(binding = 0) uniform textureBuffer texels[4];
layout(binding = 1, r32f) uniform imageBuffer images[4];
layout(binding = 2) uniform sampler2D sampled[4];
layout(binding = 3, r32f) uniform image2D stored[4];
layout(binding = 4) uniform U { vec4 u; } blocks[4];
layout(binding = 5) buffer B { vec4 b; } buffers[4];
layout(binding = 6, input_attachment_index = 0) uniform subpassInput attachments[4];
layout(location = 0) flat in int n;
layout(location = 0) out vec4 o;
#ifdef UNIFORM
#define INDEX n
#else
#define INDEX nonuniformEXT(n)
#endif
void main() {
  o = texelFetch(texels[INDEX], 0) + imageLoad(images[INDEX], 0) + texture(sampled[INDEX], vec2(0)) + imageLoad(stored[INDEX], ivec2(0));
  o += blocks[INDEX].u + buffers[INDEX].b + subpassLoad(attachments[INDEX]);
}
