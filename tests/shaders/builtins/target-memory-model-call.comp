// RUN: coopc --target-env=vulkan1.0 %s
#version 450
// Calls can need the Vulkan memory model too.
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Data { uint x[]; };
void main() {
  x[0] = atomicLoad(x[1], gl_ScopeQueueFamily, gl_StorageSemanticsBuffer, gl_SemanticsAcquire);
  x[2] = atomicLoad(x[3], gl_ScopeQueueFamily, gl_StorageSemanticsBuffer, gl_SemanticsAcquire);
}
