#version 450
// Variables without a storage qualifier, parameters and results can be nonuniform.
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 1) in;
nonuniformEXT int global;
nonuniformEXT const int constant = 1;
nonuniformEXT shared int together;
layout(set = 0, binding = 0) uniform nonuniformEXT texture2D image;
layout(set = 0, binding = 1) nonuniformEXT buffer Data { int x; } data;
layout(set = 0, binding = 2) buffer Other { nonuniformEXT int x; } other;
struct S { nonuniformEXT int x; };
nonuniformEXT int f(nonuniformEXT int p) { return p; }
void main() {
  nonuniformEXT int local = f(global);
  nonuniformEXT const int fixedNumber = 2;
}
