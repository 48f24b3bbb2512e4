// CHECK-SPIRV
#version 450
#extension GL_EXT_control_flow_attributes : enable
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B {
  int data[];
};

int classify(int x) {
  switch (x) {
    case 0:
    case 1: return 10;
    case 2: x += 5;
    default: x *= 2; break;
    case 7: {
      if (x > 3) break;
      x = 1;
    }
    case 9: x--;
  }
  return x;
}

int forever() {
  for (;;) {
    if (data[0] > 3) return 1;
    data[0]++;
  }
}

void main() {
  int sum = 0;
  for (int i = 0; i < 10; ++i) {
    if (i == 3) continue;
    if (i == 8) break;
    sum += data[i];
  }
  int n = 5;
  while (n-- > 0) sum += n;
  do {
    sum -= 2;
    if (sum < 0) continue;
  } while (sum > 10 && n < 100);
  [[unroll]] for (int i = 0; i < 4; i++) sum ^= i;
  [[dont_unroll]] while (sum > 1000) sum /= 2;
  [[flatten]] if (sum > 5) sum = 5; else { sum = 6; }
  while (bool go = sum < 3) sum++;
  data[1] = sum > 3 ? data[2] : data[3]++;
  data[4] = n == 0 ? 1 : 2;
  data[5] = classify(sum) + forever();
  if (sum == 1) return;
  data[6] = 1;
  return;
  data[7] = 1;
}
