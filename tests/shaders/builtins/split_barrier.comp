// GL_EXT_split_barrier: both forms of both functions.
// VALIDATE: newest the linked SPIRV-Tools knows the capability by SPV_INTEL_split_barrier only
// CHECK-SPIRV
#version 460
#extension GL_EXT_split_barrier : require
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer B { uint x[]; };
shared uint tile[64];
void main() {
  const uint i = gl_LocalInvocationIndex;
  tile[i] = x[i];
  controlBarrierArrive();
  uint own = x[i] * 3u;
  controlBarrierWait();
  x[i] = tile[63u - i] + own;
  controlBarrierArrive(gl_ScopeSubgroup, gl_ScopeDevice, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared,
                       gl_SemanticsRelease);
  controlBarrierWait(gl_ScopeSubgroup, gl_ScopeDevice, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared,
                     gl_SemanticsAcquire);
  controlBarrierArrive(gl_ScopeWorkgroup, gl_ScopeWorkgroup, 0, gl_SemanticsRelaxed);
  controlBarrierWait(gl_ScopeWorkgroup, gl_ScopeWorkgroup, 0, gl_SemanticsRelaxed);
}
