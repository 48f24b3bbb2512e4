// In an array of blocks, members have no locations, because each block of the array needs its own.
// RUN: coopc --target-env=vulkan1.1 %s
#version 450
layout(location = 0) out A { vec4 a; } several[2];
out B { layout(location = 4) vec4 b; } members[2];
layout(location = 8) out C { layout(location = 9) vec4 c; } both[2];
out D { layout(location = 12) vec4 d; } one;
void main() { several[1].a = one.d = vec4(1); }
