// Aliases of a location have the same interpolation and auxiliary storage (4.4.1); `smooth` is the default.
// RUN: coopc --target-env=vulkan1.0 %s
// RUN: coopc --target-env=vulkan1.0 -DFLAT %s
// RUN: coopc --target-env=vulkan1.0 -DCENTROID %s
// RUN: coopc --target-env=vulkan1.0 -DMEMBER %s
#version 450
layout(location = 1, component = 0) in smooth float first;
#ifdef FLAT
layout(location = 1, component = 2) in flat float second;
#elif defined(CENTROID)
layout(location = 1, component = 2) in centroid vec2 second;
#else
layout(location = 1, component = 2) in float second;
#endif
#ifdef MEMBER
in Block {
  layout(location = 2, component = 0) noperspective vec2 third;
  layout(location = 2, component = 2) vec2 fourth;
};
#endif
layout(location = 0) out vec4 color;
void main() { color = vec4(first); }
