// CHECK-SPIRV
// Labels of 64 bits are two words.
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { int64_t a; uint64_t b; int8_t c; int n; };
void main() {
  switch (a) { case 0x123456789ABCDEFl: n = 1; break; case -2l: n = 2; break; case 3: n = 3; }
  switch (b) { case 0xFEDCBA9876543210ul: n = 4; break; default: n = 5; }
  switch (c) { case -1: n = 6; break; case 100: n = 7; }
}
