// Textures that reach the functions through parameters of functions are decorated, and so are their samplers.
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
#version 460
#extension GL_QCOM_image_processing : require
#extension GL_QCOM_image_processing2 : require
layout(binding = 0) uniform sampler2D s;
layout(binding = 1) uniform sampler2DArray weights;
layout(binding = 2) uniform sampler2D target;
layout(binding = 3) uniform texture2D references[2];
layout(binding = 4) uniform sampler nearest;
layout(location = 0) out vec4 color;

vec4 inner(sampler2D image, sampler2DArray w);
vec4 outer(sampler2DArray w) { return inner(s, w); }
vec4 inner(sampler2D image, sampler2DArray w) { return textureWeightedQCOM(image, vec2(0.5), w); }
vec4 match(sampler2D t, texture2D r, sampler n) {
  return textureBlockMatchWindowSADQCOM(t, uvec2(0), sampler2D(r, n), uvec2(0), uvec2(4));
}

void main() { color = outer(weights) + match(target, references[1], nearest) + texture(s, vec2(0.5)); }
