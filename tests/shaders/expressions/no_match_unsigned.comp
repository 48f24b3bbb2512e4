#version 460
layout(local_size_x = 1) in;
void main() {
  uint high, low;
  umulExtended(vec2(1.0), 2u, high, low);
  uvec2 sum = uaddCarry(dvec2(1.0), uvec2(2), high);
}
