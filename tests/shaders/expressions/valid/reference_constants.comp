// CHECK-SPIRV
#version 460
// "Reference types can participate in constant expressions" (GL_EXT_buffer_reference, issue 3).
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 1) in;
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Ref { uint v; };
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Other { uint v; };
layout(set = 0, binding = 0) buffer B { uint64_t address; uvec2 words; uint n; };
const uint64_t kAddress = uint64_t(Ref(uint64_t(16)));
const uvec2 kWords = uvec2(Ref(uvec2(3, 4)));
const uvec2 kSplit = uvec2(Other(Ref(0x500000006ul)));
const uint64_t kJoined = uint64_t(Ref(uvec2(7, 8)));
// References as operands: 16 bytes from one to the next.
const uint64_t kNext = uint64_t(Ref(uint64_t(32)) + 1);
const uint64_t kBefore = uint64_t(2 + Ref(uvec2(64, 0)) - 1 - 2u);
const uint64_t kElement = uint64_t(Ref(uint64_t(16))[3]);
const int64_t kDistance = Ref(uint64_t(96)) - (Ref(uint64_t(16)) + 1);
const uint64_t kSelected = uint64_t(true ? Ref(uint64_t(8)) : Ref(uint64_t(24)) + 1);
const uvec2 kSelectedWords = uvec2(false ? Ref(uint64_t(8)) : Ref(uvec2(1, 2)) + 1);
layout(constant_id = 0) const uint64_t kSpec = 256ul;
const uint64_t kSpecNext = uint64_t(Ref(kSpec) + 1);
layout(constant_id = 1) const bool kFirst = true;
const uint64_t kSpecSelected = uint64_t(kFirst ? Ref(kSpec) : Ref(uint64_t(512)) - 1);
const bool kNull = uint64_t(Ref(uint64_t(0))) == 0ul;
void main() {
  uint a[int(uint64_t(Ref(uint64_t(4))))];
  a[3] = kNull ? 1u : 0u;
  address = kAddress + kJoined;
  words = kWords + kSplit;
  n = a[3] + uint(a.length());
  address += kNext + kBefore + kElement + uint64_t(kDistance) + kSelected;
  words += kSelectedWords;
  address += kSpecNext + kSpecSelected;
}
