// Atomics read what they write. Programs count and append with `writeonly` buffers (decision 29).
// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.3 -Wall %s
// RUN: coopc --target-env=vulkan1.3 -fstrict %s
// RUN: coopc --target-env=vulkan1.3 -fstrict -Wno-atomic-writeonly %s
#version 450
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_atomic_float : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 1) writeonly buffer W { uint w[]; } a;
layout(set = 0, binding = 2) buffer M { writeonly float f; } m;
void main() {
  a.w[atomicExchange(a.w[1], 1u)] = 2u;
  uint b = atomicLoad(a.w[0], gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquire);
  atomicStore(a.w[0], b, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelease);
  atomicAdd(m.f, 1.0);
}
