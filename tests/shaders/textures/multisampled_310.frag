#version 310 es
// Arrays of multisampled textures in ESSL 3.10.
// RUN: coopc --target-env=vulkan1.1 %s
// CHECK-SPIRV
#extension GL_OES_texture_storage_multisample_2d_array : require
precision highp float;
layout(binding = 0) uniform highp sampler2DMSArray s;
layout(binding = 1) uniform highp itexture2DMSArray image;
layout(binding = 2) uniform sampler filters;
layout(location = 0) out vec4 color;
void main() {
  color = texelFetch(s, ivec3(0), 1) + vec4(texelFetch(isampler2DMSArray(image, filters), ivec3(0), 2));
  color.x += float(textureSize(s).z);
}
