// 3.3: integers only.
#version 450
#if 1.0
#endif
#if 10q
#endif
layout(local_size_x = 1) in;
void main() {}
