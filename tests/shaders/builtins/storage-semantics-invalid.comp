#version 450
// Storage semantics are made of the gl_StorageSemantics* values.
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Data { uint x[]; };
void main() {
  atomicAdd(x[0], 1u, gl_ScopeDevice, 0x80, gl_SemanticsAcquire);
  memoryBarrier(gl_ScopeDevice, gl_SemanticsAcquire, gl_StorageSemanticsBuffer);
}
