// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
// A directive may stand between a qualifier and its type: the word is still a qualifier (decision 80).
#version 330
layout(location = 0) out vec4 color;
layout(location = 0) sample
#pragma unknown
in vec4 a;
void main() { color = a; }
