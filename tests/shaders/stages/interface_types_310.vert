#version 310 es
// ESSL has no arrays of arrays, no arrays of structures, and no structures of arrays or structures between stages.
// RUN: coopc %s
struct Plain { vec4 a; mat2 b; };
struct OfArray { vec4 a[2]; };
struct OfStruct { Plain a; };
layout(location = 0) out Plain plain;
layout(location = 3) out vec4 several[2];
layout(location = 5) out vec4 arrays[2][2];
layout(location = 9) out Plain structures[2];
layout(location = 15) out OfArray ofArray;
layout(location = 17) out OfStruct ofStruct;
layout(location = 20, component = 1) out vec2 part;
void main() {
  plain.a = several[1] = vec4(1);
}
