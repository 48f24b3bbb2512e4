// RUN: coopc --target-env=vulkan1.3 %s
#version 450
layout(location = 0) in int a;
layout(location = 1) smooth in uvec2 b;
layout(location = 2) in double c;
layout(location = 4) in Block { vec4 d; uint e; flat int f; };
layout(location = 8) in Other { flat int g; };
void main() {}
