// A level of detail that follows from derivatives has no value without a derivative group.
#version 450
#extension GL_NV_compute_shader_derivatives : require
layout(local_size_x = 2, local_size_y = 2) in;
layout(binding = 0) buffer B { vec2 v; };
layout(binding = 1) uniform sampler2D s;
void main() { v = textureQueryLod(s, v) + dFdx(v); }
