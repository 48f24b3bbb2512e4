#version 450
#extension GL_ARB_shader_stencil_export : require
layout(early_and_late_fragment_tests_amd) in;
#extension GL_AMD_shader_early_and_late_fragment_tests : require
layout(early_and_late_fragment_tests_amd) out;
layout(stencil_ref_less_front_amd) out int gl_FragStencilRefARB;
layout(stencil_ref_greater_front_amd) out int gl_FragStencilRefARB;
layout(stencil_ref_less_back_amd) out float gl_FragDepth;
layout(stencil_ref_less_back_amd, location = 0) out vec4 c;
void main() { gl_FragStencilRefARB = 1; }
