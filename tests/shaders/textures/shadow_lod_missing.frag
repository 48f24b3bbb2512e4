// Without the extension, arrays of shadow maps have no level of detail.
// RUN: coopc --target-env=vulkan1.3 %s
#version 450
layout(binding = 0) uniform sampler2DArrayShadow layers;
layout(location = 0) in vec4 p;
layout(location = 0) out float lit;
void main() { lit = textureLod(layers, p, 1.0); }
