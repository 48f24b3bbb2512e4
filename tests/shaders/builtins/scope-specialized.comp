#version 450
// Scopes and semantics are literal constants in SPIR-V, not specialization constants.
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 1) in;
layout(constant_id = 0) const int scope = gl_ScopeDevice;
layout(constant_id = 1) const int order = gl_SemanticsAcquire;
layout(set = 0, binding = 0) buffer Data { uint x[]; };
void main() {
  x[5] = atomicAdd(x[6], 1u, scope, gl_StorageSemanticsBuffer, gl_SemanticsAcquire);
  x[5] = atomicAdd(x[6], 1u, gl_ScopeDevice, gl_StorageSemanticsBuffer, order);
}
