// RUN: coopc --target-env=vulkan1.3 %s
#version 450
struct S { vec4 x; };
layout(location = 0) in S a;
layout(location = 1) in bool b;
layout(location = 2) out bvec2 c;
layout(location = 3) flat in vec4 d;
layout(location = 4) centroid in vec4 e;
layout(location = 5) out vec4 f = vec4(0);
layout(location = 6) patch out vec4 g;
in Block { vec4 h; };
layout(location = 7) in readonly vec4 i;
layout(location = 8) invariant in vec4 j;
layout(early_fragment_tests) in;
layout(local_size_x = 2) in;
out shared vec4 k;
void main() {}
