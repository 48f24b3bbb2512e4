// CHECK-SPIRV
#version 450
// Scopes and semantics reach the instructions; those that belong to the Vulkan memory model select it.
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Data { uint x[]; };
layout(set = 0, binding = 1, r32ui) uniform uimage2D image;
shared uint s;
void main() {
  x[0] = atomicAdd(x[1], 2u, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
  x[1] = atomicCompSwap(s, 1u, 2u, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsAcquire, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
  x[2] = atomicLoad(x[3], gl_ScopeQueueFamily, gl_StorageSemanticsBuffer, gl_SemanticsAcquire | gl_SemanticsMakeVisible);
  atomicStore(x[4], 1u, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelease | gl_SemanticsMakeAvailable);
  x[7] = imageAtomicAdd(image, ivec2(0), 1u, gl_ScopeDevice, gl_StorageSemanticsImage, gl_SemanticsAcquire);
  x[8] = atomicAdd(x[9], 1u, gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
  memoryBarrier(gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelease | gl_SemanticsMakeAvailable);
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);
  barrier();
  memoryBarrier();
  memoryBarrierShared();
  groupMemoryBarrier();
}
