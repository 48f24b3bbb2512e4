// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
// GL_EXT_nonuniform_qualifier, 4.1.9: an array that was declared before the extension was enabled is run-time sized because of an index that follows it.
#version 450
layout(location = 0) flat in int i;
layout(location = 0) out vec4 color;
layout(set = 0, binding = 0) uniform sampler2D textures[];
vec4 first() { return texture(textures[4], vec2(0)); }
#extension GL_EXT_nonuniform_qualifier : require
void main() { color = first() + texture(textures[i], vec2(0)); }
