#version 450
// An order needs memory that it applies to, and memory that is named needs an order.
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Data { uint x[]; };
layout(set = 0, binding = 1, r32ui) uniform uimage2D image;
void main() {
  atomicAdd(x[0], 1u, gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsAcquire);
  atomicAdd(x[0], 1u, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
  atomicStore(x[0], 1u, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsVolatile);
  imageAtomicAdd(image, ivec2(0), 1u, gl_ScopeDevice, gl_StorageSemanticsImage, gl_SemanticsRelaxed);
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsRelaxed);
  atomicCompSwap(x[0], 1u, 2u, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquire, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
  atomicAdd(x[0], 1u, gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
  atomicAdd(x[0], 1u, gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsVolatile);
}
