// CHECK-SPIRV
#version 460
// Constant expressions (4.3.3): each value reaches the module as one constant.
layout(local_size_x = 1) in;
struct S { int a; vec2 b; };
layout(set = 0, binding = 0, std430) buffer Data { int i[32]; float f[32]; vec4 v[8]; } data;
const int kTable[4] = {1, 2, 3, 5};
const S kS = S(7, vec2(0.5, 0.25));
const mat2 kM = mat2(1, 2, 3, 4);
const double kD = 1.0lf / 3;
void main() {
  data.i[0] = 2147483647 + 1;
  data.i[1] = -7 / 2;
  data.i[2] = int(4000000000u >> 4);
  data.i[3] = (-16 >> 2) ^ 0xFF;
  data.i[kTable[2]] = kTable.length() + kS.a;
  data.i[5] = true && 3 < 4 ? 10 : 20;
  data.i[6] = int(3.99) + int(-3.99);
  data.i[7] = (kM * kM)[1][0] == 15.0 ? 1 : 0;
  data.i[8] = kS == S(7, vec2(0.5, 0.25)) ? 1 : 0;
  data.i[9] = bitCount(0xF0F) + findMSB(256) + floatBitsToInt(1.0);
  data.f[0] = 0.1 + 0.2;
  data.f[1] = 16777216.0 + 1.0;
  data.f[2] = float(kD);
  data.f[3] = 1.0 / 3.0 * 3.0;
  data.f[4] = sqrt(2.0) + dot(vec2(3, 4), vec2(1));
  data.f[5] = kS.b.yx.x + kM[1].y;
  data.f[6] = clamp(5.0, 0.0, 1.0) + mix(2.0, 4.0, 0.5) + length(vec2(3, 4));
  data.v[0] = vec4(kM) * 2;
  data.v[1] = vec4(kM * vec2(1, 1), transpose(kM)[0]);
  data.v[2] = max(vec4(1, 5, 2, 0), 1.5);
}
