// RUN: coopc --target-env=vulkan1.3 %s
// GL_EXT_nonuniform_qualifier, 4.1.9: "It is a compile-time error to redeclare an unsized array with a size equal to or smaller than any index used earlier in the shader".
#version 450
#extension GL_EXT_nonuniform_qualifier : require
layout(location = 0) out vec4 color;
layout(set = 0, binding = 0) uniform sampler2D small[];
vec4 first() { return texture(small[4], vec2(0)); }
layout(set = 0, binding = 0) uniform sampler2D small[4];
void main() { color = first(); }
