// Misspelt directives, extensions and behaviors get suggestions.
#version 450
#extension GL_KHR_cooperative_matrx : require
#extension GL_EXT_bfloat16 : enabled
#inculde "include/empty.glsl"
#ifndeff A
#elsif B
#endif
layout(local_size_x = 1) in;
void main() {}
