// The messages name what the operands are: signs of components, vectors, the operator as it is written.
#version 450
#extension GL_NV_cooperative_matrix : require
#extension GL_NV_integer_cooperative_matrix : require
#extension GL_NV_cooperative_vector : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
layout(buffer_reference) buffer Words { uint words[]; };
layout(binding = 0) buffer B { Words r; float f; };
void main() {
  icoopmatNV<8, gl_ScopeSubgroup, 8, 16> a = icoopmatNV<8, gl_ScopeSubgroup, 8, 16>(1);
  ucoopmatNV<8, gl_ScopeSubgroup, 16, 8> b = ucoopmatNV<8, gl_ScopeSubgroup, 16, 8>(1);
  icoopmatNV<32, gl_ScopeSubgroup, 8, 8> c = icoopmatNV<32, gl_ScopeSubgroup, 8, 8>(1);
  c = coopMatMulAddNV(a, b, c);
  coopvecNV<float, 4> none = coopvecNV<float, 4>();
  coopvecNV<float, 4> v = coopvecNV<float, 4>(1.0);
  v %= v;
  r -= f;
  bool flag = true;
  flag += true;
  int i = 1;
  i <<= 1.0;
  vec3 w = vec3(1.0);
  w *= mat2(1.0);
  w /= vec2(1.0);
  i &= flag;
}
