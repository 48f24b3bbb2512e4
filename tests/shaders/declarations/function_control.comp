// GL_EXT_function_control_attributes: before the declarator, after the prototype, and combined from all declarations.
// CHECK-SPIRV
#version 460
#extension GL_EXT_function_control_attributes : require
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { int x; };
[[inline]] int before(int a) { return a + 1; }
int behind(int a) [[noinline]] { return a + 2; }
[[noinline]] int declared(int a);
int declared(int a) { return a + 3; }
int later(int a);
int later(int a) [[inline]] { return a + 4; }
[[inline]] int twice(int a) [[inline]] { return a + 5; }
int neither(int a) { return a + 6; }
void main() { x = before(x) + behind(x) + declared(x) + later(x) + twice(x) + neither(x); }
