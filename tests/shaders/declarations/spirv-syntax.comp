#version 450
layout(local_size_x = 1) in;
#extension GL_EXT_spirv_intrinsics : require
spirv_decorate(0, n) float a;
spirv_decorate_string(0, 5) float b;
spirv_decorate_id(0) float c;
spirv_type(set = "x") d;
spirv_type(id = 28, extensions = [4]) e;
spirv_instruction(set = 4, id = 1) void f();
spirv_instruction(name = 4, id = 1) void f();
spirv_execution_mode(4, x);
layout(binding = 0) uniform spirv_storage_class(3) float g;
spirv_decorate(0) uniform;
void f(spirv_storage_class(3) float a) {}
void main() { spirv_storage_class(6) float h; }
