// CHECK-SPIRV
// Offsets after arrays that specialization constants size follow from their defaults, whatever operators made them.
#version 460
layout(local_size_x = 1) in;
layout(constant_id = 0) const int A = -8;
layout(constant_id = 1) const uint B = 6u;
layout(constant_id = 2) const bool C = true;
const int D = ~A;                      // 7
const uint E = (B & 5u) | 2u;          // 6
const uint F = (B ^ 2u) << 1;          // 8
const int G = C && B > 5u ? -A / 3 : 1;  // 2
const int H = int(C) + int(!C);        // 1
layout(binding = 0, std430) buffer Data {
  float d[D];
  float e[E];
  float f[F];
  float g[G];
  float h[H];
  float end;
};
void main() { end = d[0] + e[0] + f[0] + g[0] + h[0]; }
