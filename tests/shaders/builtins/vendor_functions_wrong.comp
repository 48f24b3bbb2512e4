#version 450
#extension GL_AMD_shader_trinary_minmax : require
#extension GL_AMD_shader_ballot : require
#extension GL_INTEL_shader_integer_functions2 : require
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { vec2 f; ivec2 i; uint u; bool b; };
void main() {
  f = min3(f, f, i);
  f = mid3(f, 1.0, f);
  f = swizzleInvocationsAMD(f, uvec4(u));
  u = mbcntAMD(f);
  u = countLeadingZeros(i.x);
  f = average(f, f);
  u = multiply32x16(u, f.x);
  f = cubeFaceCoordAMD(f.xyx);
}
