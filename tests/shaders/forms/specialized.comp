// RUN: coopc --target-env=vulkan1.0 %s
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
// Operations on specialization constants: before SPIR-V 1.4 there are fewer instructions for them.
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(constant_id = 0) const int I = 3;
layout(constant_id = 1) const uint U = 4;
layout(constant_id = 2) const bool FLAG = true;
layout(constant_id = 3) const bool OTHER = false;
layout(constant_id = 4) const int16_t SHORT = 5s;
layout(constant_id = 5) const uint8_t BYTE = uint8_t(6);
layout(constant_id = 6) const uint64_t LONG = 7ul;
const bool same = FLAG == OTHER, differ = FLAG != OTHER, both = FLAG && !OTHER, either = FLAG || OTHER, one = FLAG ^^ OTHER;
const ivec3 vector = ivec3(I, 2, int(U));
const ivec2 turned = vector.zx;
const int part = vector.y + vector[2], chosen = same ? part : -I;
const uint shifted = U << 2 | U >> 1 & ~U ^ 3u, quotient = U / 3u + U % 2u;
const bool less = I < 4 && U >= 2u, equal = I == 3 || U != 4u;
const uvec4 spread = uvec4(shifted) * uvec4(U);
const int widened = int(SHORT) + int(BYTE) + int(LONG);
const int16_t narrowed = int16_t(I);
const uint8_t small = uint8_t(U);
const int64_t far = int64_t(I) + int64_t(U);
layout(binding = 0) buffer B { int o[]; };
void main() {
  o[0] = (differ ? 1 : 0) + (both ? 2 : 0) + (either ? 4 : 0) + (one ? 8 : 0) + turned.x + chosen;
  o[1] = int(quotient + spread.z) + (less ? 1 : 0) + (equal ? 2 : 0) + widened;
  o[2] = int(narrowed) + int(small) + int(far) + turned[I];
}
