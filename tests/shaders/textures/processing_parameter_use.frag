// A texture that a function passes on as weights has no other use either, and nor does a parameter.
// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.3 -DINSIDE %s
// RUN: coopc --target-env=vulkan1.3 -DBOTH %s
#version 460
#extension GL_QCOM_image_processing : require
layout(binding = 0) uniform sampler2D s;
layout(binding = 1) uniform sampler2DArray weights;
layout(binding = 2) uniform sampler2D target;
layout(binding = 3) uniform sampler2D reference;
layout(location = 0) out vec4 color;

vec4 weighted(sampler2DArray w) { return textureWeightedQCOM(s, vec2(0.5), w); }
vec4 plain(sampler2DArray w) { return texture(w, vec3(0.5)); }
vec4 match(sampler2D t) { return textureBlockMatchSADQCOM(t, uvec2(0), reference, uvec2(0), uvec2(4)); }

#if defined INSIDE
vec4 outer(sampler2DArray w) { return weighted(w) + textureLod(w, vec3(0.5), 0.0); }
void main() { color = outer(weights); }
#elif defined BOTH
vec4 outer(sampler2D t) { return match(t); }
void main() { color = outer(target) + texture(target, vec2(0.5)); }
#else
void main() { color = weighted(weights) + plain(weights); }
#endif
