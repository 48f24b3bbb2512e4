// UnsizedValue: an initializer cannot take its size from an array whose size is not known yet.
#version 450
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { float open[]; float y; } b;
layout(binding = 1) buffer C { float y; float last[]; } c;
shared float s[];
float g[];
void main() {
  float fromMember[] = b.open;
  float fromLast[] = c.last;
  float fromShared[] = s;
  const float fromGlobal[] = g;
  b.open[2] = 1;
  s[1] = b.open[0];
  g[3] = s[0];
  b.y = g[0] + fromMember[0];
}
