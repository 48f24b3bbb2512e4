#version 450
layout(local_size_x = 1) in;
layout(triangles) in;
layout(early_fragment_tests) in;
layout(max_vertices = 3) out;
void main() {}
