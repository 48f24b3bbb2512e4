// CHECK-SPIRV
// break and continue after, in and between switches and loops.
#version 460
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { int n; int x; };
void main() {
  for (int i = 0; i < n; ++i) {
    switch (x) {
      case 1: continue;
      case 2: x = 3; break;
      default: x = 4;
    }
    if (x == 5) break;
    if (x == 6) continue;
    do {
      switch (n) {
        case 1: break;
        case 2: continue;
      }
      if (n == 7) break;
      for (;;) {
        if (n == 8) continue;
        if (n == 9) break;
        if (n == 10) return;
      }
      if (n == 11) continue;
    } while (x < 8);
    if (x == 9) break;
  }
}
