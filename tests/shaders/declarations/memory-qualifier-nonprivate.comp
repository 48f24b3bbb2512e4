// RUN: coopc --target-env=vulkan1.3 -Wall %s
// GL_KHR_memory_scope_semantics, 4.10: samplers and uniform blocks may be `nonprivate`, and nothing else.
#version 450
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 1) in;
layout(binding = 0) nonprivate uniform U { float x; };
layout(binding = 1) uniform V { nonprivate float y; volatile float z; };
layout(binding = 2) nonprivate uniform sampler2D s;
layout(binding = 3) readonly uniform sampler2D t;
layout(binding = 4) nonprivate readonly uniform W { float w; };
void main() {}
