#version 450
// What debugPrintfEXT cannot print.
#extension GL_EXT_debug_printf : require
layout(local_size_x = 1) in;
struct S { int a; };
void main() {
  debugPrintfEXT("%d %f", S(1), mat2(1.0));
}
