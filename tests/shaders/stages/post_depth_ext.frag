// GL_EXT_post_depth_coverage asks for early_fragment_tests; GL_ARB_post_depth_coverage implies it.
// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.3 -DEARLY %s
// RUN: coopc --target-env=vulkan1.3 -DBOTH %s
#version 450
#extension GL_EXT_post_depth_coverage : require
#ifdef BOTH
#extension GL_ARB_post_depth_coverage : require
#endif
layout(post_depth_coverage) in;
#ifdef EARLY
layout(early_fragment_tests) in;
#endif
layout(location = 0) out int color;
void main() { color = gl_SampleMaskIn[0]; }
