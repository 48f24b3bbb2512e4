#version 450
// Arguments that debugPrintfEXT cannot print: it prints everything that has a value.
#extension GL_EXT_debug_printf : require
layout(local_size_x = 1) in;
layout(binding = 0) uniform sampler2D s;
struct S { int a; };
void nothing() {}
void main() {
  debugPrintfEXT("%d %f", S(1), mat2(1.0), int[2](1, 2), "text");
  debugPrintfEXT("%d", s);
  debugPrintfEXT("%d", nothing());
  debugPrintfEXT("%d", nothing);
}
