// CHECK-SPIRV
// Atomic loads and stores of images with scopes and semantics; of floating-point images with their extension.
#version 460
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_atomic_float : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0, r32f) uniform image2D f;
layout(set = 0, binding = 1, r32i) uniform iimage2D i;
layout(set = 0, binding = 2) buffer B { int n; float x; };
void main() {
  x = imageAtomicLoad(f, ivec2(0), gl_ScopeDevice, gl_StorageSemanticsImage, gl_SemanticsAcquire);
  imageAtomicStore(f, ivec2(0), x, gl_ScopeDevice, gl_StorageSemanticsImage, gl_SemanticsRelease);
  n = imageAtomicLoad(i, ivec2(0), gl_ScopeDevice, gl_StorageSemanticsImage, gl_SemanticsAcquire);
  imageAtomicStore(i, ivec2(0), n, gl_ScopeDevice, gl_StorageSemanticsImage, gl_SemanticsRelease);
  n = imageAtomicCompSwap(i, ivec2(0), 1, 2, gl_ScopeDevice, gl_StorageSemanticsImage, gl_SemanticsAcquire, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
}
