// GL_AMD_shader_early_and_late_fragment_tests.
// RUN: coopc --target-env=vulkan1.1 %s
// CHECK-SPIRV
#version 450
#extension GL_AMD_shader_early_and_late_fragment_tests : require
#extension GL_ARB_shader_stencil_export : require
layout(early_and_late_fragment_tests_amd) in;
layout(stencil_ref_less_front_amd, stencil_ref_greater_back_amd) out int gl_FragStencilRefARB;
layout(location = 0) in float x;
void main() { gl_FragStencilRefARB = 3; }
