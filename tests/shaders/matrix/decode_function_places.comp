// Which argument a message about a decode function names; results that are vectors of unknown length.
#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_NV_cooperative_matrix_decode_vector : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_long_vector : require
layout(local_size_x = 32) in;
layout(constant_id = 0) const uint N = 4;
layout(set = 0, binding = 0) buffer D { uint data[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer R { uint x; };
float one(const in R r, const in uint at[2], const in uint in_block[2]) { return 1; }
uint wrong(const in R r, const in uint at[2], const in uint in_block[2]) { return 1; }
vector<float, N> many(const in R r, const in uint at[2], const in uint in_block[2]) { return vector<float, N>(1); }
vector<float, 4> four(const in R r, const in uint at[2], const in uint in_block[2]) { return vector<float, 4>(1); }
vector<float, 5> five(const in R r, const in uint at[2], const in uint in_block[2]) { return vector<float, 5>(1); }
void main() {
  coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> m = coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA>(0);
  tensorLayoutNV<2> l = createTensorLayoutNV(2);
  tensorViewNV<2> v = createTensorViewNV(2);
  coopMatLoadTensorNV(m, data, 0, l, wrong);
  coopMatLoadTensorNV(m, data, 0, l, v, wrong);
  coopMatLoadTensorNV(m, data, 0, l, one, four);
  coopMatLoadTensorNV(m, data, 0, l, one, many);
  coopMatLoadTensorNV(m, data, 0, l, one, five);
  coopMatLoadTensorNV(m, data, 0, l, v, one, five);
}
