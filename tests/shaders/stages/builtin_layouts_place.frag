// Layout qualifiers of built-in variables belong to their redeclarations.
// RUN: coopc --target-env=vulkan1.3 -DDEPTH %s
// RUN: coopc --target-env=vulkan1.3 -DCOORD %s
// RUN: coopc --target-env=vulkan1.3 -DMASK %s
// RUN: coopc --target-env=vulkan1.3 -DSTENCIL %s
#version 450
#extension GL_NV_sample_mask_override_coverage : require
#extension GL_AMD_shader_early_and_late_fragment_tests : require
#if defined DEPTH
layout(depth_less, location = 0) out float a;
#elif defined COORD
layout(origin_upper_left, location = 0) in vec4 a;
#elif defined MASK
layout(override_coverage, location = 0) out int a;
#else
layout(stencil_ref_greater_front_amd, location = 0) out int a;
#endif
void main() {}
