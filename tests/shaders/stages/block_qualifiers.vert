// RUN: coopc --target-env=vulkan1.3 %s
#version 460
layout(location = 0) flat out A { int a; };
layout(location = 1) invariant out B { vec4 b; };
layout(location = 2) precise out C { vec4 c; };
void main() {}
