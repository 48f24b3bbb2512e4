// CHECK-SPIRV
#version 460
#extension GL_EXT_spec_constant_composites : require
// Arrays and structures of specialization constants are specialization constants.
layout(local_size_x = 1) in;
layout(constant_id = 0) const int N = 4;
layout(constant_id = 1) const float SCALE = 2.0;
struct S { int a; float b; };
const S kS = S(N, SCALE);
const int kList[2] = int[](N, N + 1);
layout(set = 0, binding = 0, std430) buffer Data { int i[4]; float f; } data;
shared int tile[kS.a + kList[1]];
void main() {
  data.i[0] = kList[data.i[1]];
  data.f = kS.b;
  tile[0] = kList.length();
  data.i[2] = tile[0];
}
