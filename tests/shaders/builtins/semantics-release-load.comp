#version 450
// A load cannot release.
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Data { uint x[]; };
void main() {
  atomicLoad(x[0], gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelease);
  atomicLoad(x[0], gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease);
}
