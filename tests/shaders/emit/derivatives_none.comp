// CHECK-SPIRV
// Without a derivative group, derivatives and levels of detail are zero (GL_NV_compute_shader_derivatives, issue 4).
#version 450
#extension GL_NV_compute_shader_derivatives : require
layout(local_size_x = 2, local_size_y = 2) in;
layout(binding = 0) buffer B { float x; vec2 v; };
layout(binding = 1) uniform sampler2D s;
float counted() { x += 1.0; return x; }
void main() {
  v = dFdx(v) + fwidthFine(v.yx) + dFdyCoarse(v);
  x = dFdy(counted()) + texture(s, v).x;
}
