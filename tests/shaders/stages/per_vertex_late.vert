// RUN: coopc --target-env=vulkan1.3 %s
#version 450
void f() { gl_Position = vec4(0); }
out gl_PerVertex { vec4 gl_Position; };
void main() { f(); }
