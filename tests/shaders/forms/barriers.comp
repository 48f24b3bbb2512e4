// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.3 -DMODEL %s
// CHECK-SPIRV
// The scope and semantics of each barrier, with and without the Vulkan memory model.
#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_memory_scope_semantics : require
#ifdef MODEL
#pragma use_vulkan_memory_model
#endif
layout(local_size_x = 32) in;
layout(binding = 0) buffer B { uint b[]; };
shared uint s;
void main() {
  barrier();
  memoryBarrier();
  memoryBarrierBuffer();
  memoryBarrierShared();
  memoryBarrierImage();
  groupMemoryBarrier();
  subgroupBarrier();
  subgroupMemoryBarrier();
  subgroupMemoryBarrierBuffer();
  subgroupMemoryBarrierShared();
  subgroupMemoryBarrierImage();
#ifdef MODEL
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease);
  memoryBarrier(gl_ScopeQueueFamily, gl_StorageSemanticsShared | gl_StorageSemanticsImage, gl_SemanticsRelease);
  b[0] = atomicCompSwap(b[1], 2u, 3u, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease, gl_StorageSemanticsBuffer, gl_SemanticsAcquire);
  atomicStore(b[3], 1u, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelease);
  b[4] = atomicLoad(b[5], gl_ScopeWorkgroup, gl_StorageSemanticsBuffer, gl_SemanticsAcquire);
#endif
  b[1] = atomicCompSwap(b[2], 2u, 3u);
  s = atomicAdd(s, 4u);
}
