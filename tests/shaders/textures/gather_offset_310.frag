#version 310 es
// In ESSL 3.10 the offset of a gather is a constant; ESSL 3.20 and the extensions take a variable one.
// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.3 -DGPU_SHADER5 %s
// RUN: coopc --target-env=vulkan1.3 -std=320es %s
#ifdef GPU_SHADER5
#extension GL_OES_gpu_shader5 : require
#endif
precision highp float;
precision highp int;
layout(location = 0) in vec2 uv;
layout(location = 1) flat in ivec2 offset;
layout(location = 0) out vec4 color;
layout(binding = 0) uniform highp sampler2D s;
layout(binding = 1) uniform highp sampler2DArrayShadow shadow;
void main() {
  const ivec2 fixedOffset = ivec2(1, -1);
  color = textureGatherOffset(s, uv, fixedOffset) + textureGatherOffset(s, uv, ivec2(2), 1);
  color += textureGatherOffset(s, uv, offset) + textureGatherOffset(s, uv, offset, 3);
  color += textureGatherOffset(shadow, vec3(uv, 0.0), 0.5, offset);
}
