// The specification leaves the result undefined: an error, except for conditional groups and definitions.
#version 450
#define F(x) x
F(
#include "include/empty.glsl"
)
F(
#extension GL_EXT_scalar_block_layout : enable
)
layout(local_size_x = F(
#if 1
1
#else
2
#endif
)) in;
void main() {}
