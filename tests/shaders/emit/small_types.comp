// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.0 %s
// CHECK-SPIRV
#version 450
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer A { float16_t h; int16_t s; uint8_t u8; f16vec4 hv; int8_t bytes[]; };
layout(set = 0, binding = 1) uniform U { float16_t uh; uint8_t ub; };
layout(push_constant) uniform P { int16_t ps; };
// Storage only: no arithmetic capability.
void main() {
  h = float16_t(float(uh) * 2.0);
  s = int16_t(int(s) + int(ps));
  bytes[1] = int8_t(int(bytes[0]) + int(ub));
  u8 = uint8_t(uint(u8) + 1u);
  hv = f16vec4(vec4(hv) * 0.5);
}
