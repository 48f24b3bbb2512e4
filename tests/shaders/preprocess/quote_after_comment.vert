// A quote is not the end of a character whose beginning is in a comment or in a macro that nothing uses (GLSL 4.60, 3.1).
// RUN: coopc --target-env=vulkan1.3 %s
#version 450
void main() {} // it is '
'
#define QUOTE '
'
