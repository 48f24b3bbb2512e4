// CHECK-SPIRV
// The components of the built-in constants of vectors are folded one by one (GLSL 4.60, 7.3).
#version 460
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { int size[3]; ivec3 whole, count; };
void main() {
  const int bytes[gl_MaxComputeWorkGroupSize.z / 32] = int[](1, 2);
  size[0] = gl_MaxComputeWorkGroupSize.x + bytes[0];
  size[1] = gl_MaxComputeWorkGroupSize.y;
  size[2] = gl_MaxComputeWorkGroupSize.z;
  whole = gl_MaxComputeWorkGroupSize;
  count = gl_MaxComputeWorkGroupCount;
}
