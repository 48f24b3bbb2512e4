// RUN: coopc --target-env=vulkan1.3 %s
#version 450
layout(depth_less) out float gl_FragDepth;
layout(depth_greater) out float gl_FragDepth;
layout(pixel_center_integer) in vec4 gl_FragCoord;
layout(origin_upper_left) in vec4 gl_FragCoord;
layout(origin_upper_left) in vec2 gl_PointCoord;
void main() {}
