// Without the extension, programs may use its names.
#version 460
layout(local_size_x = 1) in;
layout(binding = 0) uniform tensorARM<int, 2> t;
void main() {
  int v;
  tensorReadARM(t, uint[](1, 2), v);
  uint m = gl_TensorOperandsNonTemporalARM;
}
