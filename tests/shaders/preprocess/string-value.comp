// A string is not a value, only an argument of a few functions.
// RUN: coopc --target-env=vulkan1.2 %s
#version 450
#extension GL_EXT_debug_printf : require
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { int x[]; };
void main() {
  int a = "text";
  x[0] = "text" + a;
  x[1] = a == 1 ? "text" : 2;
  if ("text" == a) x[2] = 1;
  x["text"] = 1;
  x[3] = int("text");
  vec2 v = {"text", 1.0};
  a = "text";
  -"text";
  return "text";
}
