// Reads of `writeonly` memory that are accepted: by operators that write the value back, and as arguments (decision 29).
// RUN: coopc %s
// RUN: coopc -Wall %s
// RUN: coopc -fstrict %s
#version 450
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 1) in;
layout(binding = 0) writeonly buffer B { int x[]; ivec4 v; };
layout(binding = 1) buffer C { writeonly int y; int z; } c;
layout(binding = 2, r32i) uniform writeonly iimage2D image;
layout(buffer_reference, std430) writeonly buffer R { int x; };
layout(push_constant) uniform P { R r; };
int plain(const int a) { return a; }
void reads(inout int a) { a += 1; }
void writes(out int a) { a = 1; }
void opaque(writeonly iimage2D i) { imageStore(i, ivec2(0), ivec4(1)); }
void main() {
  x[0] |= 1;
  x[1]++;
  --c.y;
  v.xy += ivec2(1);
  c.z = plain(x[2]);
  reads(x[3]);
  c.z = max(c.y, 1);
  r.x += 1;
  c.z = plain(r.x);
  // These do not read.
  writes(x[4]);
  x[5] = 1;
  opaque(image);
  c.z++;
}
