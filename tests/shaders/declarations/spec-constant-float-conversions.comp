// CHECK-SPIRV
// A specialization constant converted to another float type is a specialization constant (decision 62).
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 1) in;
layout(constant_id = 1) const float f = 2.5;
const double d = double(f);
const float16_t h = float16_t(f);
const f16vec2 halves = f16vec2(vec2(f, 1.0));
layout(binding = 0) buffer Out { double o; float16_t k; f16vec2 v; };
void main() {
  o = d;
  k = h;
  v = halves;
}
