//! glsl compiles
//! hlsl refused the module has debugPrintfEXT, which HLSL does not have
//! msl refused the module has 64-bit floats, which MSL does not have
#version 450
#extension GL_EXT_debug_printf : enable
#extension GL_EXT_shader_explicit_arithmetic_types : enable
layout(local_size_x = 1) in;
void main() {
  uint64_t a = 42ul; double d = 1.5lf; f16vec2 h = f16vec2(1); i16vec3 s = i16vec3(1); uint8_t c = uint8_t(3);
  debugPrintfEXT(" BAD: %8lu %8x %v2f 100%% \"q\" \t\\n\n", a, 3u, vec2(1));
  debugPrintfEXT("%v3u %lx %v4lu %g %f %v2f %v3d %u\n", uvec3(1), a, u64vec4(a), d, 1.0, vec2(h), ivec3(s), uint(c));
}
