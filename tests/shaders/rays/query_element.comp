// An element of an array of ray queries is not a variable, and cannot be passed to a function.
// RUN: coopc --target-env=vulkan1.3 %s
#version 460
#extension GL_EXT_ray_query : require
bool proceed(rayQueryEXT query) { return rayQueryProceedEXT(query); }
void main() {
  rayQueryEXT queries[2];
  proceed(queries[1]);
}
