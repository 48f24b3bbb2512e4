// CHECK-SPIRV
// The capability of each width's atomic sum and extremum.
#version 460
#extension GL_EXT_shader_atomic_float : require
#extension GL_EXT_shader_atomic_float2 : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(binding = 0) buffer B { float f; double d; float16_t h; float of; double od; float16_t oh; };
void main() {
  of = atomicAdd(f, 1.0) + atomicMin(f, 2.0) + atomicMax(f, 3.0) + atomicExchange(f, 4.0);
  od = atomicAdd(d, 1.0LF) + atomicMin(d, 2.0LF) + atomicMax(d, 3.0LF);
  oh = atomicAdd(h, 1.0hf) + atomicMin(h, 2.0hf) + atomicMax(h, 3.0hf);
}
