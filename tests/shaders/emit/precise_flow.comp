// CHECK-SPIRV
// Operations that a precise parameter, function, member or variable of an atomic function depends on are exact, others are not.
#version 460
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_atomic_float : require
#extension GL_EXT_shader_atomic_float2 : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) readonly buffer In { float a, b, c; };
layout(set = 0, binding = 1) writeonly buffer Out { float r[20]; };
struct S { precise float p; float q; };
shared precise float sum;
shared float other;
float plain(float x) { return x * a + b; }
precise float exact(float x) { return x * a + c; }
float taken(precise float x, float y) { return x + y; }
void main() {
  r[0] = plain(a * b + c);
  r[1] = exact(b * b + a);
  r[2] = taken(a * b + 0.5, a * c + 0.25);
  S s = S(a * b + 1.0, a * b + 2.0);
  r[3] = s.p;
  r[4] = s.q;
  r[5] = atomicAdd(sum, a * b + 3.0);
  r[6] = atomicAdd(other, a * b + 4.0);
  r[7] = atomicMin(sum, a * b + 5.0);
  r[8] = atomicMax(sum, a * b + 6.0);
  r[9] = atomicExchange(sum, a * b + 7.0);
  r[10] = atomicExchange(other, a * b + 8.0);
  atomicStore(sum, a * b + 9.0, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsRelease);
  atomicStore(other, a * b + 10.0, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsRelease);
}
