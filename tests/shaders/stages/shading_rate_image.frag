// GL_NV_shading_rate_image.
// RUN: coopc --target-env=vulkan1.1 %s
// CHECK-SPIRV
#version 450
#extension GL_NV_shading_rate_image : require
layout(location = 0) out ivec4 c;
void main() { c = ivec4(gl_FragmentSizeNV, gl_InvocationsPerPixelNV, 1); }
