#version 450
// RUN: coopc --target-env=vulkan1.3 -fstrict %s
// RUN: coopc --target-env=vulkan1.3 -Wall %s
layout(local_size_x = 1) in;
#ifdef NO
const int a = 0;
##else
const int a = 1;
#endif
#ifdef NO
##ifdef NEITHER
#endif
const int a = 2;
# ##elif 1
const int b = a;
#endif
void main() {
#ifdef NO
### endif
  int c = b;
}
