// Undefined by the C++ rules.
#version 450
#define HAS defined(A)
#if HAS
#endif
layout(local_size_x = 1) in;
void main() {}
