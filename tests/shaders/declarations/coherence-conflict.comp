#version 450
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 1) in;
layout(binding = 0) devicecoherent workgroupcoherent buffer X { int a; };
layout(binding = 1) coherent volatile subgroupcoherent buffer Y { int b; };
layout(binding = 2, r32i) coherent nonprivate uniform iimage2D fine;
void main() {}
