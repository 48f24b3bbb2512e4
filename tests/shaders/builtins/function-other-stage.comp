#version 450
// Derivatives, interpolation and the geometry shader's functions are not functions of compute shaders (8.13 to 8.15).
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Data { float x[]; };
layout(set = 0, binding = 1) uniform sampler2D t;
void main() {
  x[0] = dFdx(x[1]);
  x[1] = fwidthCoarse(x[0]);
  x[2] = textureQueryLod(t, vec2(0.5)).x;
  EmitVertex();
}
