// RUN: coopc --target-env=vulkan1.3 %s
#version 450
struct S { vec4 x; };
layout(location = 0) out S a;
layout(location = 1) out mat2 b;
layout(location = 2) out dvec2 c;
layout(location = 3) flat out vec4 d;
layout(location = 4) sample out vec4 e;
layout(location = 5) out bool f;
out Block { vec4 g; };
layout(location = 6) in bool h;
layout(location = 7, index = 0) in vec4 i;
void main() {}
