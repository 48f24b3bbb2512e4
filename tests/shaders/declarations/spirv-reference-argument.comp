#version 450
layout(local_size_x = 1) in;
#extension GL_EXT_spirv_intrinsics : require
layout(binding = 0) buffer B { float x; int i; };
spirv_instruction(id = 61) float loaded(spirv_by_reference float a);
void main() {
  x = loaded(x);
  x = loaded(x + 1.0);
  x = loaded(i);
}
