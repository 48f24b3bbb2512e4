// Labels that a selector of 8, 16 or 64 bits can have.
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { int8_t a; uint8_t b; int16_t c; uint16_t d; int64_t e; uint64_t f; int n; uint m; };
void main() {
  switch (a) { case 127: case -128: n = 1; break; case 128: n = 2; break; case -129: n = 3; }
  switch (b) { case 255: case 0: n = 1; break; case 256: n = 2; break; case -1: n = 3; }
  switch (c) { case 32767: case -32768: n = 1; break; case 32768: n = 2; break; case -32769: n = 3; }
  switch (d) { case 65535: n = 1; break; case 65536: n = 2; }
  switch (e) { case 0x7FFFFFFFFFFFFFFFl: case -1: n = 1; break; case 5u: n = 2; }
  switch (f) { case 0xFFFFFFFFFFFFFFFFul: n = 1; break; case 5: n = 2; }
  switch (n) { case 5u: n = 1; break; case -1: n = 2; break; case 0xFFFFFFFFu: n = 3; }
  switch (m) { case -1: n = 1; }
}
