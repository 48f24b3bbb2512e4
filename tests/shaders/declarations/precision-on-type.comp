#version 450
layout(local_size_x = 1) in;
highp bool a;
mediump double b;
struct S { int x; };
lowp S c;
mediump vec4 ok;
void main() {}
