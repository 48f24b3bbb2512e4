// ESSL 3.20, 3.5: directives come first; here the version is that of the command line, so that comments may stand before.
// RUN: coopc --target-env=vulkan1.3 -std=320es -Wall %s
// RUN: coopc --target-env=vulkan1.3 -std=320es -fstrict %s
layout(local_size_x = 1) in;
#extension GL_EXT_scalar_block_layout : enable
void main() {}
