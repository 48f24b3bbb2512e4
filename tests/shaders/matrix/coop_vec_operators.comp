// Operators of cooperative vectors take vectors of one type, or a vector and a scalar of its component type, to which a scalar converts
// implicitly.
#version 460
#extension GL_NV_cooperative_vector : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 32) in;
void main() {
  coopvecNV<uint32_t, 8> u = coopvecNV<uint32_t, 8>(1);
  coopvecNV<uint32_t, 4> four = coopvecNV<uint32_t, 4>(1);
  u *= 2;
  coopvecNV<float, 8> f = 3 * coopvecNV<float, 8>(1.0);
  f = f * 2.0hf;
  coopvecNV<float16_t, 8> h = coopvecNV<float16_t, 8>(1.0hf);
  h *= 2.0;
  u = u + four;
  u = u + 1u;
  u = u * 2u;
}
