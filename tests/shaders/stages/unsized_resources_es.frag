#version 310 es
// CHECK-SPIRV
// GL_EXT_nonuniform_qualifier in ESSL: its 4.1.9 stands for that of ESSL, so arrays of resources need no size.
#extension GL_EXT_nonuniform_qualifier : require
precision highp float;
layout(set = 0, binding = 0) uniform highp sampler2D sized[];
layout(set = 0, binding = 1) uniform highp sampler2D runtime[];
layout(location = 0) flat in int i;
layout(location = 0) out vec4 color;
void main() { color = texture(sized[2], vec2(0.5)) + texture(runtime[nonuniformEXT(i)], vec2(0.5)); }
