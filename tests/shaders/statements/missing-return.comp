// RUN: coopc --target-env=vulkan1.3 -Wmissing-return %s
#version 450
// Functions with a result whose end can be reached.
layout(local_size_x = 1) in;
layout(binding = 0) buffer B {
  float d[4];
  uint n;
} b;
float maybe(float x) {
  if (x > 1.0) return 2.0;
}
float loops(uint n) {
  for (uint i = 0; i < n; ++i) return 1.0;
}
float labels(uint n) {
  switch (n) {
    case 0: return 1.0;
    case 1: return 2.0;
  }
}
// No warnings for these: all paths return, or none reaches the end.
float both(float x) {
  if (x > 1.0) {
    return 2.0;
  } else if (x > 0.5) {
    return 1.0;
  } else {
    return 0.0;
  }
}
float all(uint n) {
  switch (n) {
    case 0: return 1.0;
    default: return 2.0;
  }
}
float forever(uint n) {
  while (true) {
    if (n > 3u) return 1.0;
    ++n;
  }
}
float endless(uint n) {
  for (;;) {
    switch (n) {
      case 0: break;
      default: return 1.0;
    }
    --n;
  }
}
void main() {
  b.d[0] = maybe(b.d[1]) + loops(b.n) + labels(b.n) + both(b.d[1]) + all(b.n) + forever(b.n) + endless(b.n);
}
