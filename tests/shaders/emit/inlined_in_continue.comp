// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.3 -O %s
// RUN: coopc --target-env=vulkan1.3 -Os %s
// RUN: coopc --target-env=vulkan1.3 -O -g %s
// Functions whose branches both return, called in a condition of do-while and in the last part of for: inlined into a
// continue construct, whose blocks all lead to the back edge (SPIR-V, 2.11.2).
#version 450
layout(local_size_x = 32) in;
layout(binding = 0) buffer B { uint n; uint a[]; };
layout(constant_id = 0) const bool kFirst = true;
uint either(uint x) {
  if (x < n) {
    return a[x];
  } else {
    a[3] = 2;
    return x;
  }
}
uint nested(uint x) {
  if (x == 7) {
    if (a[x] > 2) return 1;
    else return either(x);
  } else {
    switch (x) {
      case 1: return 3;
      case 2: {
        for (;;) {
          if (a[x] == 4) break;
          else continue;
        }
        break;
      }
      default: return 5;
    }
  }
  return 9;
}
uint constant(uint x) {
  if (kFirst) return either(x);
  else return nested(x);
}
uint oneWay(uint x) {
  if (true) return x;
  else return a[x];
}
void nothing(uint x) {
  if (a[x] == 1) return;
  else return;
}
void main() {
  uint i = 0;
  do {
    a[i] = i;
    ++i;
  } while (either(i) == 3);
  for (uint k = 0; k < n; k += nested(k)) a[k]++;
  do {
    i += 3;
    atomicAdd(a[0], 1u);
    if (a[1] == 2) continue;
  } while (constant(i) == 3 || oneWay(i) == 4);
  for (uint k = 0; k < 5; nothing(k), ++k) {
    do {
      a[k] = either(k);
    } while (either(a[k]) > 3 && nested(k) < 7);
  }
  a[1] = i;
}
