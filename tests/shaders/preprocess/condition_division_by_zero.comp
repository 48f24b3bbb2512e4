// Only divisions that are evaluated are errors.
#version 450
#if 1 / 0
#endif
#if 1 % (2 - 2)
#endif
#if 0 && 1 / 0
#endif
layout(local_size_x = 1) in;
void main() {}
