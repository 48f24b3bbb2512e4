#version 450
// The semantics of a failed comparison must be part of those of a successful one.
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Data { uint x[]; };
void main() {
  const int B = gl_StorageSemanticsBuffer;
  const int S = gl_StorageSemanticsShared;
  atomicCompSwap(x[0], 1u, 2u, gl_ScopeDevice, B, gl_SemanticsRelease, B, gl_SemanticsAcquire);
  atomicCompSwap(x[0], 1u, 2u, gl_ScopeDevice, 0, gl_SemanticsRelaxed, B, gl_SemanticsAcquire);
  atomicCompSwap(x[0], 1u, 2u, gl_ScopeDevice, B, gl_SemanticsAcquire, B | S, gl_SemanticsAcquire);
  atomicCompSwap(x[0], 1u, 2u, gl_ScopeDevice, B, gl_SemanticsAcquire, B, gl_SemanticsAcquire | gl_SemanticsMakeVisible);
  atomicCompSwap(x[0], 1u, 2u, gl_ScopeDevice, B | S, gl_SemanticsAcquireRelease, B, gl_SemanticsAcquire);
  atomicCompSwap(x[0], 1u, 2u, gl_ScopeDevice, B, gl_SemanticsRelease, 0, gl_SemanticsRelaxed);
}
