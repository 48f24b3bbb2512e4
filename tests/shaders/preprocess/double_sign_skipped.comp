#version 450
// In a skipped group, extra signs before the name of a directive are ignored, because shaders rely on that.
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
