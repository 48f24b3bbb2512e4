// Layout qualifiers of quads without their extension.
// RUN: coopc --target-env=vulkan1.3 %s
#version 450
layout(full_quads) in;
layout(quad_derivatives) in;
void main() {}
