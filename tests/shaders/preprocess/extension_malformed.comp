// 3.3.
#version 450
#extension GL_EXT_scalar_block_layout require
#extension : enable
#extension
layout(local_size_x = 1) in;
void main() {}
