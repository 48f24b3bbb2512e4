// CHECK-SPIRV
#version 460
// Specialization constants (5.12): operations that stay, operations that become code.
layout(local_size_x_id = 0, local_size_y = 2) in;
layout(constant_id = 1) const int N = 4;
layout(constant_id = 2) const uint M = 8;
layout(constant_id = 3) const bool FLAG = true;
layout(constant_id = 4) const float SCALE = 2.0;
const int K = N * 2 + (FLAG ? 1 : int(M));
const ivec2 V = ivec2(N, 3) + 1;
const vec2 W = vec2(SCALE, 1.0);
const bool BOTH = FLAG && N > 2 || !FLAG ^^ (M == 3u);
layout(set = 0, binding = 0, std430) buffer Data { int i[8]; float f[8]; } data;
shared float tile[N + 1][gl_WorkGroupSize.x];
void main() {
  float local[K];
  data.i[0] = K;
  data.i[1] = V.y + V.yx.x;
  data.i[2] = local.length() + tile[0].length();
  data.i[3] = int(BOTH);
  data.i[4] = max(N, 2);
  data.i[5] = ~N;
  data.f[0] = SCALE * 2.0;
  data.f[1] = float(N);
  data.f[2] = W.x + W[0];
  data.f[3] = (V == ivec2(1)) ? 1.0 : 2.0;
  tile[N][0] = local[0];
  int pair[2] = int[](N, 2);
  data.i[6] = pair[data.i[0]];
}
