#version 320 es
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
// GL_EXT_conservative_depth has the depth layout qualifiers for ESSL.
#extension GL_EXT_conservative_depth : require
layout(depth_greater) out highp float gl_FragDepth;
void main() { gl_FragDepth = 0.5; }
