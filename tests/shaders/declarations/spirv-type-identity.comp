// Two `spirv_type`s with different parts are different types, whatever characters their strings have.
#version 450
#extension GL_EXT_spirv_intrinsics : require
layout(local_size_x = 1) in;
#define A spirv_type(set = "a\"0:3", id = 4456)
#define B spirv_type(set = "a", id = 4456, 3)
#define C spirv_type(extensions = ["x\"c1"], id = 4456)
#define D spirv_type(extensions = ["x"], capabilities = [1], id = 4456)
spirv_instruction(set = "x", id = 1) A makeA();
spirv_instruction(set = "x", id = 2) D makeD();
void main() {
  A same = makeA();
  B b = makeA();
  C c = makeD();
}
