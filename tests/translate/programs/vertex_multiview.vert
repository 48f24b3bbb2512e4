// gl_ViewIndex is part of shader model 6.1.
//! glsl compiles
//! glsl has GL_EXT_multiview
//! hlsl has SV_ViewID
//! msl written
#version 450
#extension GL_EXT_multiview : require
layout(binding = 0) uniform Views { mat4 view[2]; };
layout(location = 0) in vec4 position;
void main() { gl_Position = view[gl_ViewIndex] * position; }
