#version 450
// Atomics read and write: not readonly or writeonly memory (4.10).
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) readonly buffer R { uint r; };
layout(set = 0, binding = 1) writeonly buffer W { uint w; };
void main() {
  atomicAdd(r, 1u);
  uint a = atomicLoad(r, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquire);
  atomicStore(w, 1u, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelease);
}
