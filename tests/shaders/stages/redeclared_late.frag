// RUN: coopc --target-env=vulkan1.3 %s
#version 450
layout(location = 0) out vec4 color;
void f() { color = gl_FragCoord; gl_FragDepth = 1.0; }
layout(pixel_center_integer) in vec4 gl_FragCoord;
layout(depth_any) out float gl_FragDepth;
void main() { f(); }
