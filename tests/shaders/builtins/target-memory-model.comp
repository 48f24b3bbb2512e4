// RUN: coopc --target-env=vulkan1.0 %s
// RUN: coopc --target-env=vulkan1.1 %s
#version 450
// The Vulkan memory model can be declared from SPIR-V 1.3 on. Its first use is reported.
#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Data { uint x[]; };
void main() {
  x[0] = atomicLoad(x[1], gl_ScopeQueueFamily, gl_StorageSemanticsBuffer, gl_SemanticsAcquire);
}
