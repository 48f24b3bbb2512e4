#version 460
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0, r32f) uniform image2D f;
layout(set = 0, binding = 1, r32i) uniform iimage2D i;
void main() {
  float x = imageAtomicLoad(f, ivec2(0), gl_ScopeDevice, gl_StorageSemanticsImage, gl_SemanticsAcquire);
  imageAtomicStore(f, ivec2(0), x, gl_ScopeDevice, gl_StorageSemanticsImage, gl_SemanticsRelease);
  int n = imageAtomicCompSwap(i, ivec2(0), 1, 2, gl_ScopeDevice, gl_StorageSemanticsImage, gl_SemanticsRelease, gl_StorageSemanticsImage, gl_SemanticsRelease);
  n = imageAtomicAdd(i, ivec2(0), 1, gl_ScopeDevice, gl_StorageSemanticsImage, gl_SemanticsAcquireRelease);
}
