// RUN: coopc --target-env=vulkan1.0 %s
// RUN: coopc --target-env=vulkan1.1 %s
// CHECK-SPIRV
// Storage class StorageBuffer needs an extension before SPIR-V 1.3, even if references are the module's only buffers.
#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 1) in;
layout(buffer_reference, std430) buffer R { int a; };
layout(push_constant) uniform P { R r; } p;
void main() { p.r.a = 1; }
