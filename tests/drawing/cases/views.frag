#version 460
#extension GL_EXT_multiview : require
layout(location = 0) in vec4 color;
layout(location = 0) out vec4 result;
void main() { result = vec4(color.r, float(gl_ViewIndex + 1) / 255.0, 0.0, 1.0); }
