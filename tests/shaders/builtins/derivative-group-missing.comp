#version 450
#extension GL_KHR_compute_shader_derivatives : require
layout(local_size_x = 3, local_size_y = 2) in;

layout(binding = 0) buffer B { vec4 a; };
layout(binding = 1) uniform sampler2D s;
void main() { a = dFdx(a); a.xy = textureQueryLod(s, a.xy); a = texture(s, a.xy, 1.0); }
