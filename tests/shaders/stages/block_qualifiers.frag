// Only members of blocks have interpolation qualifiers: 4.3.9 names the qualifiers of blocks.
// RUN: coopc --target-env=vulkan1.3 %s
#version 460
#extension GL_EXT_fragment_shader_barycentric : require
layout(location = 0) flat in A { int a; };
layout(location = 1) smooth in B { vec4 b; };
layout(location = 2) noperspective in C { vec4 c; };
layout(location = 3) centroid in D { vec4 d; };
layout(location = 4) sample in E { vec4 e; };
layout(location = 5) pervertexEXT in F { vec4 f; } vertices[3];
layout(location = 6) in G { flat int g; centroid vec4 h; };
void main() {}
