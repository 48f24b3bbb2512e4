#version 320 es
// ES (3.5): unknown names are no 0, but where they are not evaluated.
#if UNKNOWN
#endif
#if 0 && UNKNOWN
#endif
#if defined(UNKNOWN) && UNKNOWN > 1
#endif
layout(local_size_x = 1) in;
void main() {}
