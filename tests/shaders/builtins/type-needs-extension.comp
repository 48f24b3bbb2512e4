#version 450
// Constructors of types that are not enabled: the extension named is one that has the constructor, not a storage extension.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Data { uint x[]; };
void main() {
  x[0] = uint(int8_t(x[1]));
  x[0] = uint(u16vec2(x[1]).x);
  x[0] = uint(f16vec4(x[1]).x);
  x[0] = uint(f16mat2(x[1])[0].x);
  x[0] = uint(uint64_t(x[1]));
  x[0] = uint(int32_t(x[1]));
  x[0] = uint(bfloat16_t(x[1]));
}
