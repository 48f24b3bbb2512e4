// GL_EXT_split_barrier in the Vulkan memory model: availability and visibility with the order that each part has.
// VALIDATE: newest the linked SPIRV-Tools knows the capability by SPV_INTEL_split_barrier only
// CHECK-SPIRV
// RUN: coopc --target-env=vulkan1.3 %s
#version 460
#pragma use_vulkan_memory_model
#extension GL_EXT_split_barrier : require
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 64) in;
layout(binding = 0) buffer B { uint x[]; };
shared uint tile[64];
void main() {
  tile[gl_LocalInvocationIndex] = x[0];
  controlBarrierArrive(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsShared,
                       gl_SemanticsRelease | gl_SemanticsMakeAvailable);
  controlBarrierWait(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsShared,
                     gl_SemanticsAcquire | gl_SemanticsMakeVisible);
  x[1] = tile[3];
}
