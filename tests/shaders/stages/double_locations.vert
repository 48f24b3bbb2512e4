// RUN: coopc --target-env=vulkan1.3 -DCASE=0 %s
// RUN: coopc --target-env=vulkan1.3 -DCASE=1 %s
// RUN: coopc --target-env=vulkan1.3 -DCASE=2 %s
// RUN: coopc --target-env=vulkan1.3 -DCASE=3 %s
// RUN: coopc --target-env=vulkan1.3 -DCASE=4 %s
// RUN: coopc --target-env=vulkan1.3 -DCASE=5 %s
// A vector of three doubles uses one location and half of the next, one of four doubles uses two.
#version 460
layout(location = 0) in dvec3 a;
layout(location = 2) in dvec4 b;
layout(location = 4) in dvec3 c[2];
layout(location = 8) in dmat2x3 d;
#if CASE == 0
layout(location = 1, component = 2) in double e;
layout(location = 12) in dvec2 f;
layout(location = 13) in float g;
#elif CASE == 1
layout(location = 1, component = 0) in double e;
#elif CASE == 2
layout(location = 3, component = 2) in double e;
#elif CASE == 3
layout(location = 7, component = 2) in double e;
#elif CASE == 4
layout(location = 11, component = 0) in double e;
#elif CASE == 5
layout(location = 1, component = 2) in vec2 e;
#endif
void main() {}
