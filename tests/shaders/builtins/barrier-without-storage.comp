#version 450
// An order needs storage that it applies to.
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Data { uint x[]; };
void main() {
  memoryBarrier(gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsAcquire);
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsNone, gl_SemanticsAcquireRelease);
}
