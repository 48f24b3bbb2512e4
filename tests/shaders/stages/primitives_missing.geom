// RUN: coopc --target-env=vulkan1.3 %s
#version 450
void main() { EmitVertex(); }
