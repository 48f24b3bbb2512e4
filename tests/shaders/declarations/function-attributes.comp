// FunctionAttributes, AttributesExtension, UnknownAttribute: attributes of functions that contradict each other.
#version 460
#extension GL_EXT_function_control_attributes : require
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { int x; };
[[inline, noinline]] int both(int a) { return a + 1; }
[[inline]] int split(int a) [[noinline]] { return a + 1; }
[[inline]] int declared(int a);
[[noinline]] int declared(int a) { return a + 1; }
[[flatten]] int other(int a) { return a + 1; }
void main() {
  int inline = 3;
}
