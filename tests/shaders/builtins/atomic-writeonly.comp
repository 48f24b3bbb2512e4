#version 450
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 1) writeonly buffer W { uint w; };
void main() {
  atomicExchange(w, 1u);
  uint a = atomicLoad(w, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquire);
}
