// `invariant` comes before any use of the variable, `precise` at any place.
// RUN: coopc --target-env=vulkan1.1 %s
#version 450
layout(location = 0) out vec4 before;
layout(location = 1) out vec4 behind;
out B { layout(location = 2) vec4 member; layout(location = 3) vec4 other; };
invariant before, gl_PointSize;
void main() { before = behind = member = gl_Position = vec4(1); other = gl_Position; gl_PointSize = 1.0; }
invariant behind;
invariant member;
invariant gl_Position;
precise other;
