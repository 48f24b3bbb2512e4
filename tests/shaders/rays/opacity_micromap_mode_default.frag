// Without a redeclaration the constant is false.
// RUN: coopc --target-env=vulkan1.3 -O -S -o - %s
#version 460
#extension GL_EXT_ray_query : require
#extension GL_EXT_opacity_micromap_ray_query_mode : require
layout(location = 0) out vec4 color;
void main() { color = vec4(gl_EnableOpacityMicromapEXT ? 1 : 2); }
