// RUN: coopc --target-env=vulkan1.3 -Wall %s
#version 450
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 1) in;
layout(buffer_reference) buffer R { uint u; };
layout(binding = 0) readonly uniform U { float x; } u;
layout(binding = 1) uniform V { volatile float x; } v;
layout(push_constant) coherent uniform P { R r; };
int f(writeonly int p, restrict R q) { return p + int(q.u); }
void main() {
  readonly int a = 1;
  a = f(a, r);  // the qualifiers have no effect: neither use is an error
  restrict R b = r;
  b.u = 2;
}
