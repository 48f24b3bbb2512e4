#version 450
// Scopes are the gl_Scope* values.
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Data { uint x[]; };
void main() {
  atomicAdd(x[0], 1u, 0, gl_StorageSemanticsBuffer, gl_SemanticsAcquire);
  controlBarrier(gl_ScopeWorkgroup, 6, gl_StorageSemanticsBuffer, gl_SemanticsAcquire);
}
