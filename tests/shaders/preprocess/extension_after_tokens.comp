#version 320 es
layout(local_size_x = 1) in;
#extension GL_EXT_scalar_block_layout : enable
void main() {}
