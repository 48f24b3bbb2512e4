// CHECK-SPIRV
#version 450
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_control_flow_attributes2 : require
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { int n; float x[]; } b;
float classify(int k) {
  switch (k) {
    case 0: return 1.0;
    case 1:
    case 2: break;
    case 3: {
      if (b.n > 3) break;
    }
    default:
      for (int i = 0; i < 3; ++i) {
        if (i == 1) continue;
        switch (i) { case 0: continue; default: break; }
        b.x[i] = 2.0;
      }
    case -1: return 3.0;
  }
  return 4.0;
}
void main() {
  int i = 0, j = 2;
  [[unroll]] for (int k = 0, l = 1; k < 4; ++k, l += 2) b.x[k] = float(l);
  [[dependency_length(4), min_iterations(2)]] for (; i < 3; ) { ++i; }
  [[loop]] while (i < 10) { i += 2; if (i == 7) break; }
  do { --j; } while (j > 0);
  for (;;) { if (i++ > 20) return; }
  [[flatten]] if (i > 1) b.n = 1; else if (i > 2) b.n = 2; else { b.n = 3; }
  [[branch]] switch (j) { default: b.n = int(classify(j)); }
  ;
  { }
  return;
}
