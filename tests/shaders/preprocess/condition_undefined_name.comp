#version 320 es
// ES (3.5): an undefined name is not 0 but an error, unless it is not evaluated.
#if UNKNOWN
#endif
#if 0 && UNKNOWN
#endif
#if defined(UNKNOWN) && UNKNOWN > 1
#endif
layout(local_size_x = 1) in;
void main() {}
