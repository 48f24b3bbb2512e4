// An array redeclared after the extension that makes it runtime-sized, by an index that is not constant: 4.1.9, GL_EXT_nonuniform_qualifier.
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
#version 460
layout(set = 0, binding = 5) uniform sampler2D textures[];
#extension GL_EXT_nonuniform_qualifier : require
layout(set = 0, binding = 5) uniform sampler2D textures[];
layout(set = 0, binding = 6) buffer Out { vec4 color; };
void main() { color = textureLod(textures[1 + gl_WorkGroupID.x], vec2(0), 0); }
