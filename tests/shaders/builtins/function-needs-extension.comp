#version 450
// Built-in functions of extensions that are not enabled, and of later versions.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Data { uint x[]; };
void main() {
  x[0] = subgroupAdd(x[1]);
  x[1] = atomicLoad(x[2], 1, 0, 0);
  if (anyInvocation(true)) x[2] = 1;
  controlBarrier(1, 1, 0, 0);
  coopMatMulAdd(x[0], x[1], x[2]);
}
